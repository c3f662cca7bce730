// SPDX-License-Identifier: Apache-2.0
// What was done in which order, and what came of it: a sentence for each step, then for what was made of the motion.

import { formatNumber, formatQuantity, words } from "./format";
import { timeUnitOf } from "./gears";
import type { Run, Step } from "./report";
import { contactWords, type ContactNode } from "./shares";
import { motionWords, numberOf } from "./signals";

/** So many signals have a chapter. */
const mostSignals = 4;

export interface Chapter {
  title: string;
  words: string;
  /** The panel that shows it. */
  panel: string;
  /** When the step begins, to lead the clock there; NaN: it takes no time. */
  begin: number;
}

/** "Loaded slowly to t = 1 s" */
function doneWords({ kind, of, end }: Step, unit: string): string {
  const to = end === null ? "" : ` to t = ${formatQuantity(end, unit, 5)}`;
  if (kind === "quasistatic") return `Loaded slowly${to}, without inertia.`;
  if (kind === "steady-sliding") return "Slides steadily: each state is found directly.";
  if (kind === "stability") return of ? `Are states of ${of} stable?` : "Are states stable?";
  return `Moves in time${to}${of ? `, from a state of ${of}` : ""}.`;
}

const there = Number.isFinite;
const rateOf = (unit: string): string => (unit ? `1/${unit}` : "");
const frequencyOf = (unit: string): string => (unit === "s" ? "Hz" : rateOf(unit));

/** Of a step in time that starts with a disturbance: what was measured beside what was predicted. */
function growthWords(run: Run, name: string, unit: string): string {
  const [growth, predicted] = [numberOf(run, name, "growth"), numberOf(run, name, "predicted_growth")];
  const [frequency, expected] = [numberOf(run, name, "frequency"), numberOf(run, name, "predicted_frequency")];
  const [rate, frequencies] = [rateOf(unit), frequencyOf(unit)];
  if (!there(predicted)) return "";
  const before = `predicted ${formatQuantity(predicted, rate)} at ${formatQuantity(expected, frequencies, 5)}`;
  const measured = there(growth) ? `, measured ${formatQuantity(growth, rate)} at ${formatQuantity(frequency, frequencies, 5)}` : "";
  const until = numberOf(run, name, "linear_until");
  const made = numberOf(run, name, "scheme_growth");
  const damped = Math.abs(made - predicted) > 0.01 * Math.abs(predicted) ? ` (with what the scheme damps ${formatQuantity(made, rate)})` : "";
  return `A small disturbance ${predicted > 0 ? "grows" : "does not grow"}: ${before}${damped}${measured}${there(until) ? `; at t = ${formatQuantity(until, unit)} a contact changes its status first` : ""}.`;
}

/** Of a stability step: the onset of a sweep, or what its statuses come to. */
export function stabilityWords(run: Run, name: string, unit: string, parameter: string): string {
  const of = (key: string): number => numberOf(run, name, key);
  const [rate, frequencies] = [rateOf(unit), frequencyOf(unit)];
  if (there(of("values"))) {
    if (!there(of("onset"))) return `Nothing grows at any of ${formatNumber(of("values"))} values of ${parameter}.`;
    const where = there(of("onset_frequency")) ? ` at ${formatQuantity(of("onset_frequency"), frequencies, 4)}` : "";
    const most = there(of("largest_growth")) ? ` Growth is largest at ${parameter} = ${formatNumber(of("largest_growth_value"))}: ${formatQuantity(of("largest_growth"), rate)}.` : "";
    return `Growth begins at ${parameter} = ${formatNumber(of("onset"))}${where}.${most}`;
  }
  if (!there(of("statuses"))) return "";
  const count = `${formatNumber(of("statuses"))} ${of("statuses") === 1 ? "status" : "statuses"} judged`;
  if (!there(of("first_flutter_time"))) return `${count}: no flutter${there(of("first_divergence_time")) ? ", but divergence" : ""}.`;
  const mode = `mode ${formatNumber(of("first_flutter_mode"))} at ${formatQuantity(of("first_flutter_frequency"), frequencies, 5)}`;
  return `${count}: flutter from t = ${formatQuantity(of("first_flutter_time"), unit)} on, ${mode}, growth ${formatQuantity(of("first_flutter_growth"), rate)}.`;
}

export interface StoryFacts {
  /** The name of the parameter that a stability step varies, by its step. */
  parameters: Map<string, string>;
  /** Of the panels that this page has. */
  panels: Set<string>;
  frequencyUnit: string;
  valueUnits: Map<string, string>;
  contacts: Map<string, ContactNode[]>;
}

function stepChapter(run: Run, step: Step, begin: number, facts: StoryFacts): Chapter {
  const unit = timeUnitOf(run);
  const judged = step.kind === "stability";
  const found = judged ? stabilityWords(run, step.name, unit, facts.parameters.get(step.name) ?? "the parameter") : growthWords(run, step.name, unit);
  const panel = judged || (found !== "" && facts.panels.has("stability")) ? "stability" : facts.panels.has("player") ? "player" : "histories";
  return { title: words(step.name), words: `${doneWords(step, unit)} ${found}`.trim(), panel, begin: judged ? NaN : begin };
}

/** Steps in the order of the model, then spectra, portraits, contacts and sounds. */
export function storyOf(run: Run, facts: StoryFacts): Chapter[] {
  const chapters: Chapter[] = [];
  let begin = 0;
  for (const step of run.steps ?? []) {
    chapters.push(stepChapter(run, step, begin, facts));
    if (step.end !== null) begin = step.end;
  }
  const add = (title: string, said: string, panel: string): void => void (facts.panels.has(panel) && chapters.push({ title, words: said, panel, begin: NaN }));
  for (const { name } of (run.signals?.all ?? []).slice(0, mostSignals))
    add((run.steps ?? []).some((step) => step.name === name) ? `Mode of ${words(name)}` : words(name), motionWords(run, name, { frequency: facts.frequencyUnit, value: facts.valueUnits.get(name) ?? "" }), "signals");
  add("Phase portraits", "Velocity over displacement: a closed curve is a limit cycle.", "portraits");
  for (const [step, nodes] of facts.contacts) add("Contact", `${words(step)}: ${contactWords(nodes)}`, "contacts");
  const heard = (run.signals?.all ?? []).flatMap(({ sound }) => (sound ? [`${sound.file}, ${formatNumber(sound.kept / sound.rate, 3)} s`] : []));
  add("Sound", `${heard.join("; ")}.`, "sound");
  return chapters.filter(({ panel }) => facts.panels.has(panel));
}
