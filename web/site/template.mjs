// SPDX-License-Identifier: Apache-2.0
// The frames of the site's pages. They have no program: everything works from disk, in any browser.

import { posix } from "node:path";

export function escape(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replace(/[&<>"']/g, (c) => names[c]);
}

function frame({ title, place, body, menu = [], kind }) {
  const to = (target) => escape(posix.relative(posix.dirname(place), target));
  const links = menu.map((m) => `<li><a href="${to(m.place)}"${m.place === place ? ' aria-current="page"' : ""}>${escape(m.title)}</a></li>`);
  const list = links.length ? `<nav class="menu" aria-label="Documentation"><ul>${links.join("")}</ul></nav>` : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="stylesheet" href="${to("style.css")}">
</head>
<body class="${kind}">
<header class="top"><a class="name" href="${to("index.html")}">stickslip</a>
<nav aria-label="Site"><a href="${to("index.html")}#examples">Examples</a> <a href="${to("index.html")}#documentation">Documentation</a></nav></header>
${list}<main>
${body}
</main>
</body>
</html>
`;
}

/** A document with its table of contents. */
export function documentPage({ title, html, headings, menu, place }) {
  const parts = headings.filter((h) => h.depth === 2);
  const contents =
    parts.length > 2
      ? `<nav class="contents" aria-label="Contents"><ul>${parts.map((h) => `<li><a href="#${h.id}">${h.inner}</a></li>`).join("")}</ul></nav>`
      : "";
  return frame({ title: `${title} – stickslip`, place, menu, kind: "document", body: html.replace("</h1>", `</h1>${contents}`) });
}

/** A file as it is; in model files comments stand back. */
export function textPage({ title, text, place, comments = false }) {
  const lines = escape(text);
  const shown = comments ? lines.replace(/^#.*$/gm, (line) => `<span class="comment">${line}</span>`) : lines;
  return frame({ title: `${title} – stickslip`, place, kind: "text", body: `<h1><code>${escape(title)}</code></h1>\n<pre tabindex="0">${shown}</pre>` });
}

/** The first page: what it is, the examples with their pictures, the documentation. */
export function indexPage({ title, introduction, examples, documents }) {
  const body = `<section class="introduction">${introduction}</section>
<h2 id="examples">Examples</h2>
${examples.map(exampleCard).join("\n")}
<h2 id="documentation">Documentation</h2>
<ul class="documents">${documents.map((d) => `<li><a href="${escape(d.place)}">${escape(d.title)}</a> <span>${d.about}</span></li>`).join("\n")}</ul>`;
  return frame({ title, place: "index.html", kind: "index", body });
}

function exampleCard(example) {
  const facts = example.facts.map(([name, value]) => `<div><dt>${escape(name)}</dt><dd>${value}</dd></div>`);
  return `<article class="example" id="${escape(example.name)}">
<h3>${escape(example.title)} <code>${escape(example.name)}</code></h3>
<p>${example.shows}</p>
<div class="pictures">${example.pictures.map(figure).join("")}</div>
<p><b>Look at.</b> ${example.lookAt}</p>
<dl>${facts.join("")}</dl>
<p class="links"><a class="main" href="${escape(example.report)}">Open its report</a> <a href="${escape(example.model)}">Its model file</a></p>
</article>`;
}

// A picture of its own for dark pages.
function figure({ light, dark, width, height, alt, caption }) {
  const size = `width="${width}" height="${height}"`;
  return `<figure><picture><source media="(prefers-color-scheme: dark)" srcset="${escape(dark)}"><img src="${escape(light)}" ${size} alt="${escape(alt)}"></picture>
<figcaption>${escape(caption)}</figcaption></figure>`;
}
