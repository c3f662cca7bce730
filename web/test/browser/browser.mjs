// SPDX-License-Identifier: Apache-2.0
// One browser for all tests; every page is opened from disk, without a network, under watch.

import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { recordDrawnTexts } from "./drawn_texts.mjs";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The program of the browser, or null. */
export function findChromium() {
  return places.find((path) => path && existsSync(path)) ?? null;
}

const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/**
 * A browser with WebGL in software, or one that has none. Only what pages draw by WebGL goes that way: to put together whole
 * pages by it would take most of the time.
 */
export function launch({ webgl = true } = {}) {
  const drawing = webgl ? ["--use-angle=swiftshader-webgl", "--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-3d-apis"];
  return chromium.launch({ executablePath: findChromium(), args: [...quiet, ...drawing] });
}

/**
 * Opens a page of a file. `trouble` collects all that must not be: errors, warnings, violations of the policy, requests.
 * Options: width, height, dark, hash, scale.
 */
export async function open(browser, file, { width = 1440, height = 900, dark = false, hash = "", scale = 1 } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: dark ? "dark" : "light",
    offline: true,
    acceptDownloads: true,
  });
  const url = pathToFileURL(file).href + hash;
  const trouble = [];
  await watch(context, url, trouble);
  const page = await context.newPage();
  listen(page, trouble);
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: 30000 });
  await settle(page);
  return { page, context, trouble, close: () => context.close() };
}

// Nothing but the file itself may be asked for, and what the policy blocks is known.
async function watch(context, url, trouble) {
  const own = url.replace(/#.*/, "");
  context.on("request", (request) => {
    const asked = request.url().replace(/#.*/, "");
    if (asked !== own && !/^(data|blob):/.test(asked)) trouble.push(`request: ${asked}`);
  });
  await context.route(
    (asked) => asked.protocol !== "file:" && asked.protocol !== "blob:" && asked.protocol !== "data:",
    (route) => route.abort(),
  );
  await context.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    );
  });
  await context.addInitScript(recordDrawnTexts);
}

// Where the browser puts pages together without WebGL it reads the pictures of WebGL back, and says that this takes time.
const ofBrowser = /GL Driver Message .*GPU stall due to ReadPixels/;

function listen(page, trouble) {
  page.on("console", (message) => {
    if (ofBrowser.test(message.text())) return;
    if (["error", "warning", "assert"].includes(message.type())) trouble.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("crash", () => trouble.push("the page crashed"));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
}

/** Waits until what was asked for is drawn. */
export function settle(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
}

/** All that went wrong on a page so far, with what its policy blocked. */
export async function troubles({ page, trouble }) {
  return [...trouble, ...(await page.evaluate(() => window.violations))];
}
