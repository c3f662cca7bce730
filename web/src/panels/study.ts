// SPDX-License-Identifier: Apache-2.0
// The study in the order in which it was made: pressing, sliding, map, modes, flutter, sound; each chapter leads to its panel.

import { columnsOf } from "../data";
import { element } from "../dom";
import { parameterOf } from "../modes";
import type { Panel, PanelContext } from "../panel";
import type { Run } from "../report";
import { sharesOf } from "../shares";
import { readable, signalsOf } from "../signals";
import { type Chapter, type StoryFacts, storyOf } from "../story";

async function factsOf(context: PanelContext, panels: Set<string>): Promise<StoryFacts> {
  const { run, blocks } = context;
  const signals = signalsOf(run);
  const bodies = run.animation?.bodies.map(({ name }) => name) ?? [];
  const contacts: StoryFacts["contacts"] = new Map();
  for (const table of readable(signals.contacts)) contacts.set(table.name, sharesOf(table, await columnsOf(blocks, table), bodies));
  return {
    parameters: new Map((run.stability ?? []).map((step) => [step.step, parameterOf(step)])),
    panels,
    frequencyUnit: signals.all.find(({ spectrum }) => spectrum)?.spectrum?.columns[0]?.unit ?? "",
    valueUnits: new Map(signals.all.map(({ name, spectrum }) => [name, spectrum?.columns[1]?.unit ?? ""])),
    contacts,
  };
}

function item(chapter: Chapter, context: PanelContext): HTMLElement {
  const link = element("a", { href: `#panel-${chapter.panel}` }, chapter.title);
  // The page stays where its address is: a link within it only scrolls and moves the time.
  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (Number.isFinite(chapter.begin)) context.clock.set(chapter.begin);
    const panel = document.getElementById(`panel-${chapter.panel}`);
    panel?.scrollIntoView({ block: "start" });
    panel?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  });
  return element("li", {}, element("div", {}, link, element("span", {}, chapter.words)));
}

/** A run of one step without stability and signals has no story. */
const tells = ({ steps, stability, signals }: Run): boolean =>
  (steps ?? []).length > 1 && ((stability ?? []).length > 0 || (signals?.all ?? []).length > 0);

export const study: Panel = {
  id: "study",
  title: "The study, step by step",
  applies: ({ run }) => tells(run),

  async mount(host, context) {
    const panels = new Set([...document.querySelectorAll("section.panel")].map(({ id }) => id.replace("panel-", "")));
    const chapters = storyOf(context.run, await factsOf(context, panels));
    host.append(element("ol", { class: "story" }, ...chapters.map((chapter) => item(chapter, context))));
    return { destroy: () => {} };
  },
};
