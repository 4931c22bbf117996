// @ts-check
/** Numbers in words: as Python writes them, as a lecture writes weights, and as students type them. */

/**
 * @typedef {import("./types.js").Letters} Letters
 * @typedef {{value: number, figures: number, decimals: number | null}} Reading  decimals: null of an exact number
 */

/**
 * A positive number's first digits, rounded half to even, and its power of ten.
 * @param {number} size @param {number} n
 */
function digitsOf(size, n) {
  const [mantissa, exponent] = size.toExponential(60).split("e");
  const all = mantissa.replace(".", ""), rest = all.slice(n).replace(/0+$/, "");
  const isUp = rest > "5" || (rest === "5" && Number(all[n - 1]) % 2 === 1);
  const digits = String(BigInt(all.slice(0, n)) + (isUp ? 1n : 0n));
  return { digits: digits.slice(0, n), power: Number(exponent) + (digits.length - n) };
}

/** A number as a person writes it: at most six figures. @param {number} value @param {number} [n] */
export function figures(value, n = 6) {
  if (!Number.isFinite(value)) return value > 0 ? "> 1.8e308" : "< -1.8e308";
  if (value === 0) return "0";
  const { digits, power } = digitsOf(Math.abs(value), n), sign = value < 0 ? "-" : "";
  const trimmed = digits.replace(/0+$/, "");
  if (power < -4 || power >= n) {
    const tail = trimmed.length > 1 ? `.${trimmed.slice(1)}` : "";
    return `${sign}${trimmed[0]}${tail}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${trimmed}`;
  const whole = digits.slice(0, power + 1), part = digits.slice(power + 1).replace(/0+$/, "");
  return `${sign}${whole}${part && `.${part}`}`;
}

/** Few digits: enough for a pixel. @param {number} value @param {number} [n] */
export const shortened = (value, n = 6) => Number(figures(value, n));

/** @param {number[]} values */
export const vectorText = (values) => `(${values.map((value) => figures(value)).join(", ")})`;

/** 1,024. @param {number} n */
export const thousands = (n) => String(n).replace(/(?=(\d{3})+$)(?!^)/g, ",");

/** 1 pass, 2 passes. @param {number} n @param {string} word */
export const counted = (n, word) => `${thousands(n)} ${word}${n === 1 ? "" : word.endsWith("s") ? "es" : "s"}`;

/** The weights after k mistakes. @param {Letters} written @param {number} k */
export const weightName = (written, k) => `${written.weights}(${k + written.first})`;

/**
 * Weights, or a row with its 1; the offset, or what stands in its place, is last.
 * @param {Letters} written @param {number[]} values @param {boolean} hasOffset
 */
export function writtenVector(written, values, hasOffset) {
  if (!hasOffset) return vectorText(values.slice(0, -1));
  if (written.offset === "last") return vectorText(values);
  const last = values[values.length - 1], others = values.slice(0, -1);
  return written.offset === "first" ? vectorText([last, ...others]) : `${vectorText(others)}, ${figures(last)}`;
}

/** @param {Letters} written @param {boolean} hasOffset */
export function offsetWords(written, hasOffset) {
  if (!hasOffset) return "no offset";
  if (written.offset === "apart") return `the offset ${written.weights}₀ stands behind`;
  return `the offset is the ${written.offset} weight`;
}

// ---- Numbers as they are typed: 0.5, 0,5, 1/2, √5, 3/√2, 1,073, 1e-3, sqrt(5)/2.

const PLAIN = "(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)";
const DECIMAL = new RegExp(`^[+-]?${PLAIN}(?:e[+-]?[0-9]{1,3})?$`);
const FACTOR = new RegExp(`^(${PLAIN})?(?:(√)(${PLAIN}))?$`);
const GROUPED = /^[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?$/;
const ROOT = /\\?sqrt/g;

/** The numbers that a typed text can stand for. @param {string} text @returns {Reading[]} */
export function readingsOf(text) {
  const plain = text.trim().toLowerCase().replace(ROOT, "√").replaceAll("−", "-").replaceAll("×", "*");
  if (/√\([^)]*\//.test(text.replace(ROOT, "√"))) return []; // a root of a quotient
  const folded = plain.replace(/[()\s\u00a0\u202f'*{}]/g, "");
  const spelt = [];
  if (DECIMAL.test(folded)) spelt.push(folded);
  if (GROUPED.test(folded)) spelt.push(folded.replaceAll(",", ""));
  const withPoint = folded.replace(",", ".");
  if (folded.split(",").length === 2 && !folded.includes(".") && DECIMAL.test(withPoint)) spelt.push(withPoint);
  const made = spelt.map(decimalReading);
  if (!spelt.length && /[/√]/.test(folded)) made.push(exactReading(folded.replaceAll(",", ".")));
  return made.filter((one) => Number.isFinite(one.value));
}

/** @param {string} text @returns {Reading} */
function decimalReading(text) {
  const mantissa = text.replace(/^[+-]+/, "").split("e")[0];
  const decimals = text.includes("e") ? null : (mantissa.split(".")[1] ?? "").length;
  return { value: Number(text), figures: mantissa.replace(".", "").replace(/^0+/, "").length, decimals };
}

/** A quotient of factors such as 3, √2 and 2√5. @param {string} text @returns {Reading} */
function exactReading(text) {
  const parts = text.replace(/^[+-]+/, "").split("/");
  const values = parts.map((part) => {
    const found = part ? FACTOR.exec(part) : null;
    return found ? Number(found[1] ?? 1) * (found[2] ? Math.sqrt(Number(found[3])) : 1) : NaN;
  });
  const value = parts.length > 2 || values[1] === 0 ? NaN : values[0] / (values[1] ?? 1);
  return { value: text.startsWith("-") ? -value : value, figures: 0, decimals: null };
}

/**
 * Whether a typed text is the true number: as the screen shows it, or rounded.
 * @param {string} text @param {number} true_
 */
export function isAnswer(text, true_) {
  const shown = Number(figures(true_));
  return readingsOf(text).some((given) => {
    const far = Math.abs(given.value - true_);
    if (given.value === shown || far <= 1e-9 * Math.max(Math.abs(given.value), Math.abs(true_))) return true;
    if (given.decimals === null || Number.isInteger(shown)) return false;
    return given.figures >= 2 && far <= 0.5000001 * 10 ** -given.decimals;
  });
}
