// SPDX-License-Identifier: Apache-2.0
// What a page knows: the JSON that src/report/ writes (docs/reference/report.md).

export type BlockType = "int8" | "uint8" | "int16" | "uint32" | "float32" | "float64";

/** Numbers in bulk; see data.ts for how they are unpacked. */
export interface Block {
  block: number;
  type: BlockType;
  count: number;
  /** Value = offset + scale * number; both are given for quantised numbers only. */
  scale?: number;
  offset?: number;
  /** Numbers of a frame, where frames are stored as differences. */
  width?: number;
}

export interface Verdict {
  level: "good" | "warning" | "bad";
  /** How it ended, in a few words. */
  word: string;
  /** The result of a run that ended well, else how it ended. */
  headline: string;
  detail: string;
}

export interface Units {
  length: string;
  mass: string;
  time: string;
  force: string;
}

export interface Column {
  name: string;
  /** Empty for pure numbers. */
  unit: string;
}

/** A table over time; its first column is t (of a sweep the parameter). */
export interface Table {
  name: string;
  kind: "history" | "energy" | "momentum" | "contact" | "events" | "collapse" | "statuses" | "spectrum" | "sweep" | "coalescence" | "growth" | "predicted" | "amplitudes" | "portrait" | "contacts" | "cycle" | "mechanism";
  columns: Column[];
  /** Rows in the file, and rows that are here. */
  rows: number;
  kept: number;
  /** float64, one column after the other, kept numbers each. */
  data: Block;
  /** Of statuses where rows are left out: the numbers of those that are here, from 0; uint32. */
  numbers?: Block;
  /** The column that is a reference curve, or -1. */
  exact: number;
}

/** A field at the nodes, one after the other, components together, frame after frame. */
export interface Field {
  /** displacement, velocity, von_mises, contact_pressure, status, gap, ... */
  name: string;
  label: string;
  unit: string;
  components: number;
  /** Least and largest value over all frames of the page; of a vector, of its length. */
  least: number;
  most: number;
  /** float64, one per frame: the same of each frame, of the results as they are; NaN where there is no value. */
  frameLeast: Block;
  frameMost: Block;
  /** How far a number of data may be from the result: half a step, 0 where they are not quantised. */
  resolution: number;
  /** int8 or int16, quantised; float32 in a page of everything (--full). */
  data: Block;
}

export interface Body {
  name: string;
  /** Its name in the model. */
  material?: string;
  firstNode: number;
  nodes: number;
  firstTriangle: number;
  triangles: number;
  firstEdge: number;
  edges: number;
  /** Its number among the rigid bodies; absent if it is deformable. */
  rigid?: number;
}

/** Where rigid bodies are, and how fast, in all frames; in the plane rotations have one component. */
export interface Rigid {
  /** float64, bodies x dimension: mass centres at the start. */
  centres: Block;
  /** int16, frames x bodies x components; float32 in a page of everything. The rotation since the start is a vector along its axis, as long as the angle. */
  displacement: Block;
  rotation: Block;
  velocity: Block;
  angularVelocity: Block;
  /** How far a number may be from the result. */
  displacementResolution: number;
  rotationResolution: number;
  velocityResolution: number;
  angularVelocityResolution: number;
  rateUnit: string;
}

/** Contacts of all frames, one frame after the other. */
export interface Contacts {
  /** Of forces. */
  unit: string;
  /** uint32: contacts of each frame. */
  counts: Block;
  /** int16 or float32, dimension numbers of each contact. */
  places: Block;
  /** float32, dimension numbers: on the first body; four digits, fewer in a page with little room. */
  forces: Block;
  /** float32: length of the part across the normal. */
  tangential: Block;
  /** uint8: 0 apart, 1 sticking, 2 slipping. */
  status: Block;
  /** uint32: numbers of the bodies; the second may be an obstacle, which come behind the bodies. */
  first: Block;
  second: Block;
}

export interface Joint {
  name: string;
  kind: "pin" | "slider" | "fixed" | "ball" | "distance" | "gear" | "motor" | "spring";
  /** Numbers of the bodies; the second may be an obstacle behind the bodies, or -1: space. */
  first: number;
  second: number;
  /** Places at the start; empty where it has none. */
  point: number[];
  other: number[];
  axis: number[];
}

export interface Obstacle {
  name: string;
  kind: "plane" | "polyline" | "circle" | "cylinder";
  /** plane: a point; circle (in space a sphere): centre; cylinder: a point of the axis. */
  point: number[];
  /** plane: normal out of the solid; cylinder: axis. */
  normal: number[];
  radius: number;
  /** The bodies are inside of the circle, sphere or cylinder. */
  inside: boolean;
  /** polyline: x, y of its points; the solid is on the right of the direction of travel. */
  points: number[];
  /** float64, frames x dimension: its displacement; absent if it does not move. */
  motion?: Block;
}

export interface Animation {
  dimension: 1 | 2 | 3;
  /** Frames that are here, and frames in the result folder. */
  frames: number;
  allFrames: number;
  /** float64. */
  times: Block;
  nodes: number;
  /** Of each node, its number in the body's mesh (from 0): uint32. */
  labels: Block;
  /** float32, nodes x dimension: at rest; of rigid bodies from the mass centre at the start. */
  positions: Block;
  /** uint32, three nodes each, counted from the first of the body; none in one dimension. */
  triangles: Block;
  /** uint32, two nodes each, likewise: edges of elements, in one dimension the elements. */
  edges: Block;
  bodies: Body[];
  obstacles: Obstacle[];
  /** The first is the displacement (components = dimension). Data are those of the nodes of deformable bodies alone. */
  fields: Field[];
  /** Forces at the nodes that contact exerts on them (components = dimension); null without contact, and with rigid bodies. */
  forces: Field | null;
  /** null without rigid bodies. */
  rigid: Rigid | null;
  contacts: Contacts | null;
  joints: Joint[];
  /** float64, frames x bodies x dimension: what contact exerts on each body in all, of the results as they are; null without forces. */
  totalForce: Block | null;
  /** Nodes that a contact watches: rows of the status map. */
  contactNodes: number[];
}

/** The shape of a mode at the visible nodes, which are those of the animation. */
export interface ModeShape {
  /** Number of the status in the path, and of the mode in its spectrum, from 1. */
  status: number;
  mode: number;
  nodes: number;
  /** int16, 2 x nodes x dimension: real and imaginary part; the largest length that it comes to is 1. */
  motion: Block;
  /** int16, nodes x dimension: displacement of the state that is disturbed. */
  displacement: Block;
}

/** What a stability step found, or a dynamic step that follows a disturbance; columns of its tables: docs/reference/results.md. */
export interface Stability {
  step: string;
  /** A row per status of the path, or per value of a parameter that is varied. */
  statuses: Table | null;
  spectrum: Table | null;
  sweep: Table | null;
  coalescence: Table | null;
  /** The amplitude of a mode over time, and what was predicted of it. */
  growth: Table | null;
  predicted: Table | null;
  /** A line for each status, "status 3, t = ..."; may be cut. */
  verdicts: string;
  shapes: ModeShape[];
  /** Shapes in the result folder. */
  allShapes: number;
}

/** A sound of one channel; what is played is made of it in the browser. */
export interface Sound {
  file: string;
  /** Samples per second. */
  rate: number;
  /** Samples in the file, and from its begin those that are here. */
  samples: number;
  kept: number;
  /** int16; value = scale * number. */
  data: Block;
}

/** A value that was followed in every time step (the history of this name), and what was made of it. */
export interface Signal {
  name: string;
  /** Amplitude over frequency. */
  spectrum: Table | null;
  sound: Sound | null;
}

/** Motion in time; columns of the tables: docs/reference/results.md. What can't be read is null. */
export interface Signals {
  all: Signal[];
  portraits: (Table | null)[];
  /** A row per contact node; the name is that of the step. */
  contacts: (Table | null)[];
}

export interface Step {
  name: string;
  kind: "dynamics" | "quasistatic" | "stability" | "steady-sliding" | "trajectory";
  /** The step that it judges, or whose state it disturbs; empty: none. */
  of: string;
  /** When it ends; null of those that take no time. */
  end: number | null;
}

/** What the summary says of a signal. */
export interface SignalFacts {
  step?: string;
  motion?: string;
  unit?: string;
  peaks?: { frequency: number | null; amplitude: number | null }[];
  sound?: { seconds?: number | null; slowed?: number | null; repeats?: number | null; loop_from?: number | null };
}

/** What the summary says of a pair of gears. */
export interface GearFacts {
  teeth?: (number | null)[];
  /** Amplitudes of the transmission error at 1, 2, ... times the mesh frequency. */
  harmonics?: (number | null)[];
}

export interface Check {
  that: string;
  /** In words; the statement where the model has none. */
  name?: string;
  value: number | null;
  must_be: string;
  passed: boolean;
}

export interface Outcome {
  name: string;
  that: string;
  value: number | null;
  condition: string;
  /** null: the value is not a number. */
  holds: boolean | null;
}

export interface Message {
  severity: "note" | "warning" | "error";
  text: string;
  file?: string;
  line?: number;
}

/** summary.json as it is: docs/reference/results.md. Anything may be missing in that of a run that failed early. */
export interface Summary {
  stickslip?: string;
  title?: string;
  units?: Units;
  state?: string;
  exit_code?: number;
  system?: Record<string, number>;
  step?: Record<string, number | string>;
  certificate?: { certified: boolean; tolerance: number; cone: string; accept?: number; accepted?: number; worst_error?: number };
  numbers?: Record<string, number | null>;
  seconds?: Record<string, number>;
  histories?: Record<string, Record<string, number | null>>;
  headline?: { about: string; text: string; value: number | null; alarm: boolean };
  checks?: Check[];
  outcomes?: Outcome[];
  messages?: Message[];
  gears?: Record<string, GearFacts>;
  signals?: Record<string, SignalFacts>;
  portraits?: Record<string, { step?: string }>;
  /** By step: the window of time. */
  statistics?: Record<string, { from?: number | null; to?: number | null }>;
}

export interface Run {
  /** Of the case or folder; empty for a single run. */
  name: string;
  verdict: Verdict;
  summary: Summary | null;
  /** Texts of model.yaml and of run.log, cut after some 100 kB; empty if missing. */
  model: string;
  log: string;
  /** In the order of the model; none where it can't be read. */
  steps: Step[];
  tables: Table[];
  stability: Stability[];
  signals: Signals;
  /** Steps along trajectories, columns: docs/reference/results.md. Of each pair of gears, and of a mechanism; what can't be read is null. */
  cycles?: (Table | null)[];
  /** Parameters of the model that are numbers. */
  parameters?: Record<string, number | null>;
  animation: Animation | null;
  /** What was left out to keep the page small, and what can't be read, for people; empty if nothing. */
  leftOut: string;
}

export interface Report {
  format: 1;
  /** Version of the program. */
  stickslip: string;
  title: string;
  kind: "run" | "study" | "comparison";
  verdict: Verdict;
  runs: Run[];
}
