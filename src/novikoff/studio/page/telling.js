// @ts-check
/**
 * The words and tables of a screen, from the facts of its run. Python sends the facts, or a page without Python
 * finds them itself; the words are the same. Weights have their offset last, 0 where there is none.
 */

import { askView, withoutAnswer } from "./answering.js";
import { verdictOf } from "./card.js";
import { counted, figures, offsetWords, thousands, vectorText, weightName, writtenVector } from "./figures.js";
import { sightOf } from "./sight.js";

/** @typedef {import("./types.js").Sent} Sent */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").Updates} Updates */
/** @typedef {import("./types.js").Menu} Menu */
/** @typedef {import("./types.js").Letters} Letters */

const NEEDED = { mistake: "> 0", zero: "> 0", positive: ">= 0" };
const ROUNDED =
  "some numbers have more digits than a float64 keeps: drawn and run are the nearest, decided are those of the file";
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {any} state */
const isBinary = (state) => state.classes.length === 2;
/** @param {number} sign */
const signText = (sign) => (sign > 0 ? "+" : "−");
/** The letters that weights are written in. @param {any} state @param {Menu} menu @returns {Letters} */
const lettersOf = (state, menu) => menu.notations.find((one) => one.value === state.notation) ?? menu.notations[0];

/** @param {any} state @param {Menu} menu */
const mapOf = (state, menu) => menu.maps.find((one) => one.value === state.map) ?? menu.maps[0];

/**
 * All that a screen shows, in words.
 * @param {Sent} sent @param {any} state @param {Menu} menu @param {string} [command] what opens the studio, of a page
 *   without Python
 * @returns {View}
 */
export function toldView(sent, state, menu, command = "") {
  const { run, lines, scene, lesson, verdict, ...others } = sent, letters = lettersOf(state, menu);
  const { left, right, bottom, top } = sightOf(state), { ask = null, quantities = {}, ...words } = lesson ?? {};
  /** @type {View} */ const view = {
    ...others,
    frame: { window: [left, right, bottom, top], axes: state.axes },
    controls: controlsOf(state, run),
    selected: selectedOf(state, run),
    table: run && lines && tableOf(state, run, lines, menu),
    step: run && stepOf(state, run, letters),
    inset: run && insetOf(state, run, letters),
    overlays: run && overlaysOf(state, run, letters),
    scene: sceneOf(state, run, scene, letters),
    verdict: verdict && verdictOf(state, verdict, letters, mapOf(state, menu).text),
    lesson: lesson && /** @type {any} */ ({ ...words, ask: null }),
  };
  if (!view.lesson || !ask) return view;
  const given = Object.fromEntries(state.lesson.answers)[view.lesson.step] ?? null;
  const known = { ...quantities, line: state.line, span: state.span };
  view.lesson.ask = askView(ask, given, (name) => known[name], command);
  return given === null ? withoutAnswer(view, ask) : view;
}

/** The present choices, the length of the slider and what it says. @param {any} state @param {Run | null} run */
function controlsOf(state, run) {
  const { order, start, tie, seed, offset, map, notation, numbers, passes, limit, show } = state;
  const { k, total, visit } = run ?? { k: 0, total: 0, visit: null }, isGiven = Array.isArray(start);
  const byVisit = visit && `visit ${thousands(visit.at)} of ${thousands(visit.total)}, k = ${thousands(k)}`;
  const spoken = k ? `mistake ${thousands(k)} of ${thousands(total)}` : `start, before ${counted(total, "mistake")}`;
  return {
    tie, seed, offset, map, notation, numbers, passes, limit, show, k, total, visit,
    classes: classNames(state),
    binary: isBinary(state),
    focus: run ? run.owner : isBinary(state) ? 1 : state.focus,
    title: titleOf(state.source),
    note: noteOf(state),
    order: orderWord(state),
    order_text: Array.isArray(order) ? order.map((i) => i + 1).join(", ") : order,
    start: start === null ? "zeros" : isGiven ? "given" : "random",
    start_text: isGiven ? start.map((/** @type {number} */ value) => figures(value)).join(", ") : "",
    seeded: order === "shuffled" || start === "random",
    slider: byVisit ?? `k = ${thousands(k)} of ${thousands(total)}`,
    slider_value: byVisit ?? spoken,
  };
}

/** @param {any} state */
const orderWord = (state) => (Array.isArray(state.order) ? "given" : state.order);
/** Of two classes each with its sign. @param {any} state @returns {string[]} */
function classNames(state) {
  if (!isBinary(state)) return state.classes;
  const signed = (/** @type {string} */ label) => (["1", "-1", "+1"].includes(label) ? "" : ` ${label}`);
  const [negative, positive] = state.classes.map(signed);
  return [`−${negative}`, `+${positive}`];
}
/** @param {any} source */
const titleOf = ({ kind, name, edited }) =>
  kind === "own" && !name ? "Your own rows" : `${name ?? ""}${edited ? ", edited" : ""}`;

/**
 * What is known of these very rows: the set's own words as long as they are true, what is drawn of how many columns,
 * what was made of a file, and that a right angle may not look so.
 * @param {any} state
 */
function noteOf({ source, stretch }) {
  const scales = stretch === 1 ? "" : "the axes have different scales";
  const notes = [source.note, source.drawn, ...(source.notes ?? []), source.rounded ? ROUNDED : "", scales];
  const sentence = (/** @type {string} */ text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.+$/, "")}.`;
  return notes.filter(Boolean).map(sentence).join(" ");
}

/** How the run ended. @param {Run} run */
function outcomeOf(run) {
  const made = `${counted(run.total, "mistake")} in ${counted(run.passes, "pass")}`, { cycle } = run;
  if (run.converged) return `Converged: ${made}, the last one clean.`;
  if (!cycle) return `Not converged: ${made}, stopped by the limit on ${run.limit}.`;
  const since = cycle.first ? `after pass ${cycle.first}` : "at the start", rounds = cycle.last - cycle.first;
  const passes = rounds === 1 ? "pass repeats" : `${rounds} passes repeat`;
  return (
    `Not converged: After pass ${cycle.last} the weights are again exactly those ${since}: from there on the ` +
    `${passes} for ever, so this run never ends.`
  );
}

/**
 * The update in words and as a sum; or a visit without one.
 * @param {any} state @param {Run} run @param {Letters} letters
 */
function stepOf(state, run, letters) {
  const ofClass = isBinary(state) ? "" : ` for class ${state.classes[run.owner]}`;
  const written = (/** @type {number[]} */ values) => writtenVector(letters, values, state.offset);
  const ended = { sum: [], symbol: "", outcome: outcomeOf(run) }, { k, update, looked, visit } = run;
  if (looked && visit && !looked.wrong) {
    const { row, score } = looked, sign = signText(state.rows[row][2] - 0.5);
    const said = score === null ? `For all ${state.classes.length} classes its score has the right sign`
      : `Its sign is ${sign}, and its score is ${figures(score)}`;
    const title = `Visit ${thousands(visit.at)}: row ${row + 1} is right`;
    return { ...ended, title, text: `${said}: no update.`, last: visit.at === visit.total };
  }
  if (!update) {
    const symbol = letters.first === 0 ? letters.weights : weightName(letters, 0);
    const start = `The run${ofClass} starts at ${symbol} = ${written(run.start)}. Press play, or the key →.`;
    const text = run.total ? start : run.converged ? "The start already classifies every row." : "";
    const title = `Before the first mistake${ofClass && " of any class"}`;
    return { ...ended, title, text, symbol, last: !run.total };
  }
  const { row, sign, score, weights, after = 0, count = 0, before = [], features = [] } = update;
  const needed = sign > 0 ? NEEDED[/** @type {"zero"} */ (state.tie)] : "< 0";
  const total = ofClass && ` It is mistake ${thousands(count)} of this class.`;
  return {
    ...ended,
    title: `Mistake ${thousands(k)}: row ${row + 1}${ofClass}`,
    text:
      `Its sign is ${signText(sign)}, so its score should be ${needed}. It was ${score ? figures(score) : "a tie"}, ` +
      `and is ${figures(after)} now.${total}`,
    symbol: letters.first === 0 ? letters.weights : weightName(letters, count),
    sum: [written(before), signText(sign), written([...features, 1]), "=", written(weights)],
    last: k === run.total,
  };
}

/**
 * The update as a sum of vectors; before the first there is only the start.
 * @param {any} state @param {Run} run @param {Letters} letters
 */
function insetOf(state, { update, start, k }, letters) {
  if (state.map !== "none") return null;
  if (!update) return { old: start.slice(0, 2), new: start.slice(0, 2), names: [weightName(letters, 0)] };
  const index = [...String(update.row + 1)].map((digit) => SUBSCRIPTS[Number(digit)]).join("");
  const { sign, count = 0, before = [], weights } = update, step = `${signText(sign)} x${index}`;
  const names = [weightName(letters, count - 1), step, weightName(letters, count)];
  return { old: before.slice(0, 2), new: weights.slice(0, 2), names };
}

/**
 * What the plane shows; lines are those of weights, the curves of a feature map come as they are.
 * @param {any} state @param {Run | null} run @param {import("./types.js").SentScene | null} scene
 * @param {Letters} letters
 */
function sceneOf(state, run, scene, letters) {
  const shows = (/** @type {string} */ layer) => state.show.includes(layer);
  const isStraight = state.map === "none", looked = run?.looked, isRight = looked && !looked.wrong;
  const update = shows("update") && !isRight ? run?.update : null;
  const proof = scene?.proof && {
    under: shows("hulls") ? scene.proof.under : [],
    over: shows("hulls") ? scene.proof.over : [],
    widest: shows("maximum") ? scene.proof.widest : null,
    best: shows("ball") ? scene.proof.best : null,
  };
  const scores = update ? `score ${figures(update.score)} → ${figures(update.after ?? 0)}` : "";
  const at = (/** @type {number} */ row) => state.rows[row].slice(0, 2);
  const mark = (/** @type {string} */ role, /** @type {number} */ row) =>
    ({ kind: "dot", role, at: at(row), label: "", row });
  const ticks = (looked?.ticked ?? []).map(([row, wrong]) => mark(wrong ? "crossed" : "ticked", row));
  return {
    ...(scene ?? { lines: [], under: [], wrong: [] }),
    proof: proof ?? null,
    regions: Boolean(scene) && shows("regions"),
    letter: !isBinary(state) ? "" : letters.weights === "W" && state.offset ? "w" : letters.weights,
    update: update ? {
      row: update.row, sign: update.sign, text: scores.replaceAll("-", "−"),
      before: isBinary(state) && isStraight ? (update.before ?? []) : [],
    } : null,
    others: run ? overlaysOf(state, run, letters).map(({ place, name, text }, i) => (
      { place, text: `${name}: ${text}`, lines: isStraight ? [run.overlays[i].weights] : [] })) : [],
    over: looked ? [...ticks, mark("looked", looked.row)] : [],
  };
}

/**
 * Lines of the lecture's table; line 0 is the start.
 * @param {any} state @param {Run} run @param {Updates} lines @param {Menu} menu
 */
export function tableOf(state, run, lines, menu) {
  const letters = lettersOf(state, menu), isPlain = letters.weights === "w" && !letters.first;
  const ofClass = (/** @type {string} */ text) => (isBinary(state) ? [] : [text]);
  const written = (/** @type {number[]} */ values) => writtenVector(letters, values, state.offset);
  const begun = ["0", ...ofClass(""), "", "", "", isBinary(state) ? written(run.start) : ""];
  const updates = lines.updates.map(({ k, owner, row, sign, score, weights }) =>
    [String(k), ...ofClass(state.classes[owner]), String(row + 1), signText(sign), figures(score), written(weights)]);
  const names = state.map === "none" ? state.axes : mapOf(state, menu).names;
  const of = (state.source.width ?? 2) > 2 ? " (the run is on what is drawn)" : "";
  const after = isPlain ? "weights after" : `${letters.weights}(k${letters.first ? " + 1" : ""})`;
  const words = `Tie ${state.tie}, order ${orderWord(state)}; weights of ${names.join(", ")}${of}`;
  return {
    caption: `${words}; ${offsetWords(letters, state.offset)}.`,
    header: ["k", ...ofClass("class"), "row", "sign", "score before", after],
    first: lines.first,
    entries: lines.first === 0 ? [begun, ...updates] : updates,
    total: run.total,
  };
}

/** The row under the keyboard. @param {any} state @param {Run | null} run */
function selectedOf(state, run) {
  const i = state.selected, row = i === null ? null : state.rows[i];
  if (!row) return null;
  const [x, y, code] = row, made = run ? counted(run.made, "mistake") : "";
  const spoken = isBinary(state) ? (code === 1 ? "positive" : "negative") : `class ${state.classes[code]}`;
  const text = `Row ${i + 1} of ${state.rows.length}: (${figures(x)}, ${figures(y)}), ${spoken}`;
  const place = { row: i, number: i + 1, x: String(x), y: String(y), class: code };
  return { ...place, made, text: made ? `${text}, ${made} in the run` : text };
}

/** Further runs: their names and how they ended. @param {any} state @param {Run} run @param {Letters} letters */
function overlaysOf(state, run, letters) {
  return run.overlays.map(({ place, total, converged, weights }) => ({
    place,
    name: runName(state.overlays[place]),
    weights: isBinary(state) ? writtenVector(letters, weights, state.offset) : "",
    text: counted(total, "mistake") + (converged ? "" : ", not converged"),
  }));
}

/** @param {{order: any, start: any, seed: number}} one */
function runName({ order, start, seed }) {
  const word = Array.isArray(order) ? "given order" : order === "shuffled" ? `shuffled ${seed}` : order;
  if (start === null) return word;
  const began = Array.isArray(start) ? `start ${vectorText(start)}` : `random start ${seed}`;
  return order === "cyclic" ? began : `${word}, ${began}`;
}
