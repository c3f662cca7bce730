// SPDX-License-Identifier: Apache-2.0
// The documentation as pages: Markdown files, and as plain text every file of the project that they link to.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { Marked } from "marked";
import { escape, textPage, documentPage } from "./template.mjs";

export class Documents {
  #texts = new Map();

  constructor(root, out) {
    this.root = root;
    this.out = out;
    const pagesOf = (folder) => {
      const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
      return names.filter((f) => f.endsWith(".md")).sort().map((f) => `${folder}/${f}`);
    };
    const docs = ["docs/tutorials", "docs/guide", "docs/reference", "docs/theory", "docs"].flatMap(pagesOf);
    this.paths = ["README.md", "docs/README.md", ...docs.filter((f) => f !== "docs/README.md"), "CHANGELOG.md"].filter((f) => existsSync(join(root, f)));
  }

  /** Where the page of a document stands in the site: docs/guide/gears.md at docs/guide/gears.html, README.md at docs/start.html. */
  place(path) {
    if (path === "README.md") return "docs/start.html";
    return `docs/${path.replace(/^docs\//, "").replace(/\.md$/, "").toLowerCase()}.html`;
  }

  read(path) {
    return readFileSync(join(this.root, path), "utf8");
  }

  title(path) {
    return /^# (.*)$/m.exec(this.read(path))?.[1] ?? path;
  }

  write(place, html) {
    const file = join(this.out, place);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
  }

  /** Writes all documents, then the files that they link to. */
  writeAll() {
    const menu = this.paths.map((path) => ({ title: this.title(path), place: this.place(path) }));
    for (const path of this.paths) {
      const { html, headings } = this.render(path, this.place(path));
      this.write(this.place(path), documentPage({ title: this.title(path), html, headings, menu, place: this.place(path) }));
    }
    // a file that is not there is found as a link that leads nowhere
    const there = [...this.#texts].filter(([, path]) => existsSync(join(this.root, path)));
    for (const [place, path] of there) this.write(place, textPage({ title: path, text: this.#text(path), place }));
  }

  /** Markdown of a document (or a part of one) as HTML for a page at this place. */
  render(path, place, text = this.read(path)) {
    const headings = [];
    const marked = new Marked({ gfm: true });
    const here = this;
    marked.use({
      renderer: {
        heading({ tokens, depth }) {
          const inner = this.parser.parseInline(tokens);
          const id = slug(inner, headings);
          headings.push({ id, depth, inner });
          return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
        },
        link({ href, tokens }) {
          return `<a href="${escape(here.link(path, place, href))}">${this.parser.parseInline(tokens)}</a>`;
        },
        image({ href, text: alt }) {
          return `<img src="${escape(here.picture(path, place, href))}" alt="${escape(alt)}">`;
        },
        table(token) {
          const row = (cells, tag) => `<tr>${cells.map((c) => `<${tag}>${this.parser.parseInline(c.tokens)}</${tag}>`).join("")}</tr>`;
          const head = token.header.some((c) => c.text) ? `<thead>${row(token.header, "th")}</thead>` : "";
          return `<div class="wide" tabindex="0"><table>${head}<tbody>${token.rows.map((r) => row(r, "td")).join("\n")}</tbody></table></div>\n`;
        },
      },
    });
    return { html: marked.parse(text), headings };
  }

  /** A link of a document as it must stand in a page at `place`. */
  link(path, place, href) {
    if (href.startsWith("#") || /^[a-z]+:/.test(href)) return href;
    const [file, anchor] = href.split("#");
    const target = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, "");
    const to = this.paths.includes(target) ? this.place(target) : this.textPlace(target);
    return posix.relative(posix.dirname(place), to) + (anchor ? `#${anchor}` : "");
  }

  /** Notes that a file is to be shown as text. */
  textPlace(path) {
    const place = `files/${path}.html`;
    this.#texts.set(place, path);
    return place;
  }

  picture(path, place, href) {
    const source = posix.join(posix.dirname(path), href);
    const target = `pictures/${posix.basename(href)}`;
    mkdirSync(join(this.out, "pictures"), { recursive: true });
    copyFileSync(join(this.root, source), join(this.out, target));
    return posix.relative(posix.dirname(place), target);
  }

  // Of a folder: all of its files.
  #text(path) {
    const full = join(this.root, path);
    if (!statSync(full).isDirectory()) return readFileSync(full, "utf8");
    const files = readdirSync(full).sort();
    return files.map((f) => `${path}/${f}\n\n${readFileSync(join(full, f), "utf8")}`).join("\n\n");
  }
}

// Anchors as code hosts make them: small letters, words joined by '-'.
function slug(inner, headings) {
  const plain = inner.replace(/<[^>]*>/g, "").replace(/&[a-z#0-9]+;/g, "");
  const base = plain.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
  let id = base;
  for (let i = 1; headings.some((h) => h.id === id); i++) id = `${base}-${i}`;
  return id;
}
