// SPDX-License-Identifier: MIT
// Part of Dovetail.

/** What the page is given: written by src/report of the library, schema dovetail.report/1. */

export type Rows = number[][];
export type Vec = [number, number, number];

export interface Block {
  at: number;
  count: number;
}

export interface CloudData {
  role: "source" | "target" | "scene" | "object";
  total: number;
  usable: number;
  far_out: number;
  sampled: boolean;
  low: Vec;
  size: Vec;
  points: Block;
  palette: number[] | null;
  lines: Block | null;
}

export interface TraceRow {
  iteration: number;
  level?: number;
  rmse?: number | null;
  used_ratio?: number | null;
  max_distance?: number | null;
  sigma?: number | null;
  objective?: number | null;
  target_from_source: Rows;
}

export interface WeakDirection {
  rotation: Vec;
  translation: Vec;
}

/** Keys may be missing where another version wrote them: everything but the pose is asked for with care. */
export interface Answer {
  method?: string;
  machine?: string;
  build?: string;
  version?: string;
  model?: string;
  source_file?: string | null;
  target_file?: string | null;
  target_from_source: Rows;
  usable?: boolean;
  confidence?: number | null;
  evidence?: Record<string, number | null>;
  termination?: string;
  message?: string;
  warnings?: string[];
  iterations?: number;
  finished_by?: string | null;
  rmse?: number | null;
  inlier_distance?: number | null;
  inlier_ratio?: number | null;
  overlap?: number | null;
  score?: number | null;
  expected_error?: number | null;
  covariance?: Rows | null;
  covariance_center?: Vec | null;
  weak_directions?: WeakDirection[];
  margin?: number | null;
  alternatives?: Answer[];
  points?: Record<string, number>;
  time_ms?: Record<string, number>;
  options?: Record<string, unknown>;
  trace?: TraceRow[];
}

export interface FoundObject {
  object?: string;
  object_index?: number;
  scene_from_object: Rows;
  confidence?: number | null;
  evidence?: Record<string, number | null>;
  visible_ratio?: number | null;
  support?: number | null;
  rmse?: number | null;
  inlier_distance?: number | null;
  inlier_ratio?: number | null;
  score?: number | null;
  margin?: number | null;
  expected_error?: number | null;
  /** Of parts in images. */
  pixels?: { all: number; explained: number; hidden: number; contradicted: number; unknown: number };
  on_top?: boolean;
  covered_by?: number[];
  rivals?: { object: string; share: number }[];
}

export interface Found {
  machine?: string;
  build?: string;
  version?: string;
  scene_file?: string | null;
  object_files?: string[];
  message?: string;
  warnings?: string[];
  stopped?: boolean;
  objects: FoundObject[];
  doubtful: FoundObject[];
  scene_points?: number;
  time_ms?: Record<string, number>;
  options?: Record<string, unknown>;
}

/** A depth image: 16 bits a pixel, 0 where nothing was measured, else 1 to 65535 from `low` to `high`. */
export interface DepthImage {
  width: number;
  height: number;
  at: number;
  low: number;
  high: number;
  focal: number;
  measured: number;
  /** Of the image as it was measured: larger where it was reduced. */
  of_width: number;
  of_height: number;
}

export interface Axis {
  direction: Vec;
  through: Vec;
  order: number | null;
}

export interface Symmetry {
  group?: string;
  description?: string;
  axes: Axis[];
  rotations?: Rows[];
  mirror?: boolean;
  center?: Vec;
  diameter?: number;
  deviation?: number;
  tolerance?: number;
  allowance?: number;
  measured_on?: string;
}

export interface Threshold {
  mean?: number;
  thresholds?: number[];
  scores?: number[];
}

export interface PoseScores {
  localisation?: { targets?: number; ar?: number | null; vsd?: { mean?: number } | null; mssd?: Threshold; mspd?: Threshold; add_recall?: number; adi_recall?: number } | null;
  detection?: { truths?: number; ap_mssd?: Threshold; ap_mspd?: Threshold; ap_mssd_mm?: Threshold } | null;
  bulk?: { truths?: number; estimates?: number; right?: number; recall?: number | null; precision?: number | null; f1?: number | null; average_precision?: number | null };
}

export interface Scores extends PoseScores {
  results?: string;
  dataset?: string;
  notes?: string[];
  images?: number;
  estimates?: number;
  estimates_elsewhere?: number;
  seconds_per_image?: number | null;
  bop19?: number | null;
  bop24?: number | null;
  bop25?: number | null;
  bop25_mm?: number | null;
  objects?: (PoseScores & { id?: number })[];
  version?: string;
}

interface RunBase {
  name: string;
  notes: string[];
  dimension: 2 | 3;
  clouds: CloudData[];
}

export interface Plane extends Block {
  /** -1: the start; else the number of the alternative. */
  alternative: number;
}

export interface RegistrationRun extends RunBase {
  kind: "registration";
  before: Rows;
  residuals: { clip: number; planes: Plane[] } | null;
  result: Answer;
}

interface SceneRun extends RunBase {
  image?: DepthImage;
  /** Of the objects, then of the doubtful ones. */
  outlines?: (Block | null)[];
  result: Found;
}

/** A search. */
export interface FoundRun extends SceneRun {
  kind: "found";
}

/** A range image with what is in it. */
export interface ImageRun extends SceneRun {
  kind: "image";
}

export interface SymmetryRun extends RunBase {
  kind: "symmetry";
  result: Symmetry;
}

export interface ScoresRun extends RunBase {
  kind: "scores";
  result: Scores;
}

export type Run = RegistrationRun | FoundRun | ImageRun | SymmetryRun | ScoresRun;

export interface ReportData {
  schema: string;
  version: string;
  runs: Run[];
}

/** The report's numbers and, beside them, the bytes that its clouds lie in. */
export interface Loaded {
  data: ReportData;
  bytes: ArrayBuffer;
}

function decodeBase64(text: string): ArrayBuffer {
  const quick = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (quick) return quick(text).buffer;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

export function load(page: Document): Loaded {
  const data = page.getElementById("report-data");
  const points = page.getElementById("report-points");
  if (!data || !points) throw new Error("the page holds no data: it is a template that dovetail fills");
  const loaded = { data: JSON.parse(data.textContent) as ReportData, bytes: decodeBase64(points.textContent) };
  points.remove(); // the text is twice the size of what it says
  return loaded;
}
