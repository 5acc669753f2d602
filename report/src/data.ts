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

export interface FoundRun extends RunBase {
  kind: "found";
  result: Found;
}

export type Run = RegistrationRun | FoundRun;

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
