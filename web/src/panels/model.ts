// SPDX-License-Identifier: Apache-2.0
// The model as it was understood, to read, copy and save.

import { button, element } from "../dom";
import type { Panel } from "../panel";

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  element("a", { href: address, download: "model.yaml" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** By the clipboard where the browser has one for pages from disk, else the text is selected to be copied. */
async function copy(text: string, shown: HTMLElement, box: HTMLDetailsElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    box.open = true;
    getSelection()?.selectAllChildren(shown);
    return "Selected: copy it with Ctrl+C.";
  }
}

export const model: Panel = {
  id: "model",
  title: "Model",
  applies: ({ run }) => run.model !== "",

  async mount(host, { run }) {
    const text = element("pre", { tabindex: 0 }, run.model);
    const lines = run.model.trimEnd().split("\n").length;
    const box = element("details", {}, element("summary", {}, `model.yaml, ${lines} ${lines === 1 ? "line" : "lines"}`), text);
    const said = element("span", { class: "hint", role: "status" });
    const copyButton = button("Copy", async () => {
      said.textContent = await copy(run.model, text, box);
    });
    const saveButton = button("Download", () => save(run.model));
    host.append(element("div", { class: "bar" }, copyButton, saveButton, said), box);
    return { destroy: () => {} };
  },
};
