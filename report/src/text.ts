// SPDX-License-Identifier: MIT
// Part of Dovetail.

/** How numbers and names are written on the page. */

/** Characters that would steer how the text around them is shown: direction marks, controls, line separators. */
const steering = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A name as it is, with what cannot be seen written out. */
export function plain(text: string): string {
  return text.replace(steering, (c) => "‹U+" + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") + "›");
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** A number with so many digits that mean something. */
export function number(value: unknown, digits = 4): string {
  if (!isNumber(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${minus(mantissa ?? "")}·10${raised(Number(exponent))}`;
  }
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return minus(value.toLocaleString("en-US", { maximumFractionDigits: Math.min(12, decimals) }));
}

function minus(text: string): string {
  return text.replace("-", "−");
}

function raised(exponent: number): string {
  return String(exponent).replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]!));
}

export function count(value: unknown): string {
  return isNumber(value) ? value.toLocaleString("en-US", { maximumFractionDigits: 0 }) : "–";
}

export function percent(value: unknown, decimals = 1): string {
  return isNumber(value) ? (100 * value).toFixed(decimals) + " %" : "–";
}

/** A probability: never rounded up to certainty. */
export function probability(value: unknown): string {
  if (!isNumber(value)) return "–";
  if (value > 0.99 && value < 1) return "> 0.99";
  if (value < 0.01 && value > 0) return "< 0.01";
  return value.toFixed(2);
}

export function milliseconds(value: unknown): string {
  if (!isNumber(value)) return "–";
  return value >= 10000 ? (value / 1000).toFixed(1) + " s" : number(value, 3) + " ms";
}

/** A file's name without its folders. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

/** A method as people write it. */
export function methodName(method: string | undefined): string {
  const names: Record<string, string> = {
    icp: "ICP",
    em_icp: "EM-ICP",
    softassign: "Softassign",
    chamfer: "Chamfer alignment",
    gpicp: "GPICP",
    evaluate: "Evaluated pose",
  };
  return names[method ?? ""] ?? plain(method ?? "Registration");
}

/** What a probability means, in words. */
export function likelihood(confidence: number | null | undefined): string {
  if (!isNumber(confidence)) return "nothing tells whether it is right";
  if (confidence >= 0.95) return "very likely right";
  if (confidence >= 0.8) return "likely right";
  if (confidence >= 0.5) return "more likely right than wrong";
  if (confidence >= 0.2) return "doubtful";
  return "likely wrong";
}
