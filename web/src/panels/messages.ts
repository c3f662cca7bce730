// SPDX-License-Identifier: Apache-2.0
// What the run said: notes, warnings and errors with their places, and its log.

import { element } from "../dom";
import type { Panel } from "../panel";
import type { Message } from "../report";

const levels = { note: "note", warning: "warning", error: "bad" } as const;

function place(message: Message): string {
  if (!message.file) return message.line === undefined ? "" : `line ${message.line}`;
  return message.line === undefined ? message.file : `${message.file}:${message.line}`;
}

function item(message: Message): HTMLElement {
  const at = place(message);
  const made = element(
    "li",
    { "data-severity": message.severity },
    element("span", { class: "level", "data-level": levels[message.severity] ?? "note" }, message.severity),
    element("span", { class: "text" }, message.text),
  );
  if (at) made.append(element("code", { class: "place" }, at));
  return made;
}

export const messages: Panel = {
  id: "messages",
  title: "Messages",
  applies: ({ run }) => (run.summary?.messages?.length ?? 0) > 0 || run.log !== "",

  async mount(host, { run }) {
    const all = run.summary?.messages ?? [];
    if (all.length > 0) host.append(element("ul", { class: "messages" }, ...all.map(item)));
    else host.append(element("p", {}, "The summary has no notes, warnings or errors."));
    if (run.log)
      host.append(
        element("details", {}, element("summary", {}, "Log"), element("pre", { tabindex: 0 }, run.log)),
      );
    return { destroy: () => {} };
  },
};
