// @ts-check
/** The questions of a lesson, checked in the page: what is right was asked of the library, and is embedded. */

import { figures, isAnswer, readingsOf } from "./figures.js";

const DRAWN = 0.02; // of the shorter side of the plane: how far off a line may be that a hand draws
const RELATIONS = {
  "<=": "at most",
  ">=": "at least",
  "<": "less than",
  ">": "more than",
  "=": "exactly",
  "!=": "anything but",
};
const THINGS = { moved: "moved rows", wrong: "wrong rows", support: "ringed rows" };
const LENGTHS = ["margin", "length", "radius", "bound", "distance"];
/** How a task stands, where a word is asked for. @type {Record<string, string>} */
const NOT_YET = {
  "converged = yes": "The run does not end.",
  "converged = no": "The run still ends.",
  "status = separable": "No line separates the rows yet.",
  "status != separable": "A line still separates the rows.",
  "status = overlapping": "A line still separates the rows, or touches both classes.",
  "offset = yes": "The offset is still off.",
  "offset = no": "The offset is still on.",
  "order = given": "The order is not one of your own yet.",
  "order = shuffled": "The order is not shuffled yet.",
};

/** @param {any} value @param {string} relation @param {any} wanted */
function compare(value, relation, wanted) {
  if (typeof value !== typeof wanted) return false;
  if (relation === "=") return value === wanted;
  if (relation === "!=") return value !== wanted;
  if (relation === "<=") return value <= wanted;
  if (relation === ">=") return value >= wanted;
  return relation === "<" ? value < wanted : value > wanted;
}

/**
 * Whether an answer is right, and what is said of it; null where there is none yet.
 * @param {any} ask @param {any} given @param {(quantity: string) => any} quantity of the state as it is now
 * @param {string} command
 */
function checked(ask, given, quantity, command) {
  if (ask.kind === "do") return taskDone(ask, quantity, command);
  if (ask.kind === "draw") return lineDrawn(ask.value, quantity("line"), quantity("span"));
  if (given === undefined || given === null) return null;
  if (ask.kind === "choice") return { right: given === ask.right_option, text: "" };
  const typed = String(given);
  if (!readingsOf(typed).length) {
    return { right: false, text: `'${typed.slice(0, 30)}' is not a number; write it as 0.5, 1/2 or √5.` };
  }
  if (ask.value === null) return { right: false, text: "there is no such number here." };
  return { right: isAnswer(typed, ask.value), text: "" };
}

/** @param {any} ask @param {(quantity: string) => any} quantity @param {string} command */
function taskDone(ask, quantity, command) {
  for (const [name, relation, wanted] of ask.until) {
    const value = quantity(name);
    if (value === undefined) return { right: false, text: `The ${name} is for the studio to tell: ${command}` };
    if (compare(value, relation, wanted)) continue;
    if (typeof wanted === "string") {
      return { right: false, text: NOT_YET[`${name} ${relation} ${wanted}`] ?? `The ${name} is still ${value}.` };
    }
    const amount = `${RELATIONS[/** @type {"="} */ (relation)]} ${figures(wanted)}`;
    const shown = value === null ? "not known" : figures(value),
      thing = THINGS[/** @type {"moved"} */ (name)] ?? name;
    const isLength = LENGTHS.includes(name);
    if (isLength) return { right: false, text: `So far the ${name} is ${shown}; it is to be ${amount}.` };
    return { right: false, text: `So far: ${shown} ${thing}; wanted: ${amount}.` };
  }
  return { right: true, text: "" };
}

/**
 * Whether a person's own line is the one that is asked for, as well as a hand can draw it.
 * @param {number[]} line @param {number[] | null} ends @param {number} span
 */
function lineDrawn([a, b, c], ends, span) {
  if (!ends) return { right: false, text: "Drag the two handles of the line." };
  const [x1, y1, x2, y2] = ends;
  const off = Math.max(Math.abs(a * x1 + b * y1 + c), Math.abs(a * x2 + b * y2 + c)) / Math.hypot(a, b);
  if (Math.hypot(x2 - x1, y2 - y1) < 0.1 * span) return { right: false, text: "Move the two handles further apart." };
  if (off <= DRAWN * span) return { right: true, text: "" };
  return { right: false, text: `Not yet: a handle is ${figures(off, 2)} away from the line.` };
}

/**
 * The question of a step, and how it stands.
 * @param {any} ask @param {any} given @param {(q: string) => any} quantity @param {string} command
 */
export function askView(ask, given, quantity, command) {
  if (!ask) return null;
  const found = checked(ask, given, quantity, command);
  /** @type {any[]} */ let said = [];
  if (found?.right) said = ask.right.length ? ask.right : ["Right."];
  else if (found && ask.kind === "choice" && ask.because[given]) {
    said = ["Not so. ", ...(ask.because[given].length ? ask.because[given] : ask.hint)];
  } else if (found) said = [found.text || "Not so.", ...(ask.hint.length && given != null ? [" ", ...ask.hint] : [])];
  const { kind, question, options } = ask;
  return { kind, question, options, given: given ?? null, right: found?.right ?? null, said };
}

/** Predict, then reveal: the view without what the question asks for. @param {any} view @param {any} ask */
export function withoutAnswer(view, ask) {
  const hidden = { ...view },
    hides = (/** @type {string} */ part) => ask.hides.includes(part);
  if (hides("table") && view.table) {
    const { k } = view.controls,
      entries = view.table.entries.slice(0, Math.max(0, k + 1 - view.table.first));
    hidden.table = { ...view.table, entries, total: k };
  }
  if (hides("facts")) {
    Object.assign(hidden, { proof: null, live: null, chart: null, cursor: null });
    if (view.verdict) hidden.verdict = { ...view.verdict, facts: [] };
  }
  if (hides("best")) {
    const { proof } = view.scene,
      under = view.scene.under.filter((/** @type {any} */ one) => one.role !== "maximum");
    hidden.scene = { ...view.scene, under, proof: proof && { ...proof, widest: null, best: null } };
  }
  if (hides("update")) {
    const { step, scene } = hidden,
      { k } = view.controls;
    Object.assign(hidden, { inset: null, live: null });
    if (step) hidden.step = { ...step, sum: [], text: "" };
    if (hidden.table) {
      const before = hidden.table.entries.slice(0, Math.max(0, k - hidden.table.first));
      hidden.table = { ...hidden.table, entries: before };
    }
    if (scene.update) hidden.scene = { ...scene, update: { ...scene.update, text: "" } };
  }
  return hidden;
}
