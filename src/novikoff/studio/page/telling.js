// @ts-check
/** The words and tables of a page without Python, from the run that it makes itself. */

import { counted, figures, offsetWords, thousands, vectorText, weightName, writtenVector } from "./figures.js";

/** @typedef {ReturnType<typeof import("./perceptron.js").perceptronRun>} Run */
/** @typedef {import("./figures.js").Notation} Notation */

const LINES_AROUND = 12; // of the table, on either side of the present one
const NEEDED = { mistake: "> 0", zero: "> 0", positive: ">= 0" };
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {any} state */
const orderWord = (state) => (Array.isArray(state.order) ? "given" : state.order);

/** @param {any} state @param {number} k @param {number} total @param {any} fixed words that do not change */
export function controlsOf(state, k, total, fixed) {
  const { order, start } = state,
    isOwn = Array.isArray(start);
  return {
    classes: fixed.classes,
    binary: fixed.binary,
    focus: fixed.focus,
    visit: null,
    title: `${state.source.name || "Your own rows"}${state.source.edited ? ", edited" : ""}`,
    note: state.source.edited ? "" : fixed.note,
    tie: state.tie,
    order: orderWord(state),
    order_text: Array.isArray(order) ? order.map((i) => i + 1).join(", ") : order,
    start: start === null ? "zeros" : start === "random" ? "random" : "given",
    start_text: isOwn ? start.map((/** @type {number} */ value) => figures(value)).join(", ") : "",
    seed: state.seed,
    seeded: order === "shuffled" || start === "random",
    offset: state.offset,
    map: state.map,
    notation: state.notation,
    numbers: state.numbers,
    passes: state.passes,
    limit: state.limit,
    show: state.show,
    k,
    total,
    slider: `k = ${thousands(k)} of ${thousands(total)}`,
    slider_value: k ? `mistake ${thousands(k)} of ${thousands(total)}` : `start, before ${counted(total, "mistake")}`,
  };
}

/** How the run ended. @param {Run} run */
export function outcomeOf(run) {
  const made = `${counted(run.total, "mistake")} in ${counted(run.passes, "pass")}`;
  if (run.converged) return `Converged: ${made}, the last one clean.`;
  const cycle = run.cycle();
  const limit = run.reason === "limit" ? "mistakes" : "passes";
  if (!cycle) return `Not converged: ${made}, stopped by the limit on ${limit}.`;
  const since = cycle.first ? `after pass ${cycle.first}` : "at the start",
    rounds = cycle.last - cycle.first;
  const passes = rounds === 1 ? "pass repeats" : `${rounds} passes repeat`;
  return (
    `Not converged: After pass ${cycle.last} the weights are again exactly those ${since}: from there on the ` +
    `${passes} for ever, so this run never ends.`
  );
}

/**
 * The update in words and as a sum.
 * @param {any} state @param {Run} run @param {number} k @param {Notation} written
 */
export function stepOf(state, run, k, written) {
  const outcome = outcomeOf(run);
  const weights = (/** @type {number} */ at) => writtenVector(written, run.weights(at), state.offset);
  if (k === 0) {
    const symbol = written.first === 0 ? written.weights : weightName(written, 0);
    const start = `The run starts at ${symbol} = ${weights(0)}. Press play, or the key →.`;
    const right = run.converged ? "The start already classifies every row." : "";
    const text = run.total ? start : right;
    return { title: "Before the first mistake", text, symbol, sum: [], outcome, last: !run.total };
  }
  const row = run.tape[k - 1],
    isPositive = run.signs[row] > 0,
    plus = isPositive ? "+" : "−";
  const score = run.score(k - 1, row),
    needed = isPositive ? NEEDED[/** @type {"zero"} */ (state.tie)] : "< 0";
  const features = writtenVector(written, [state.rows[row][0], state.rows[row][1], 1], state.offset);
  return {
    title: `Mistake ${thousands(k)}: row ${row + 1}`,
    text:
      `Its sign is ${plus}, so its score should be ${needed}. It was ${score === 0 ? "a tie" : figures(score)}, ` +
      `and is ${figures(run.score(k, row))} now.`,
    symbol: written.first === 0 ? written.weights : weightName(written, k),
    sum: [weights(k - 1), plus, features, "=", weights(k)],
    outcome,
    last: k === run.total,
  };
}

/**
 * The update as a sum of vectors.
 * @param {any} state @param {Run} run @param {number} k @param {Notation} written
 */
export function insetOf(state, run, k, written) {
  const w = (/** @type {number} */ at) => run.weights(at).slice(0, 2);
  if (k === 0) return { old: w(0), new: w(0), names: [weightName(written, 0)] };
  const row = run.tape[k - 1],
    plus = run.signs[row] > 0 ? "+" : "−";
  const name = `x${[...String(row + 1)].map((digit) => SUBSCRIPTS[Number(digit)]).join("")}`;
  return { old: w(k - 1), new: w(k), names: [weightName(written, k - 1), `${plus} ${name}`, weightName(written, k)] };
}

/**
 * What the plane shows after k mistakes.
 * @param {any} state @param {Run} run @param {number} k @param {any} proven what Python has found of these rows, or
 *   null
 * @param {any[]} others further runs @param {Notation} written
 */
export function sceneOf(state, run, k, proven, others, written) {
  const shows = (/** @type {string} */ layer) => state.show.includes(layer);
  const row = k > 0 ? run.tape[k - 1] : 0,
    named = overlaysOf(state, others, written);
  const scores = k > 0 ? `score ${figures(run.score(k - 1, row))} → ${figures(run.score(k, row))}` : "";
  const update = {
    row,
    sign: run.signs[row],
    text: scores.replaceAll("-", "−"),
    before: run.weights(Math.max(0, k - 1)),
  };
  const proof = proven && {
    under: shows("hulls") ? proven.under : [],
    over: shows("hulls") ? proven.over : [],
    widest: shows("maximum") ? proven.widest : null,
    best: shows("ball") ? proven.best : null,
  };
  return {
    lines: [run.weights(k)],
    regions: shows("regions"),
    letter: written.weights === "W" && state.offset ? "w" : written.weights,
    update: k > 0 && shows("update") ? update : null,
    proof,
    others: others.map(({ place, run: one }, i) => ({
      place,
      text: `${named[i].name}: ${named[i].text}`,
      lines: [one.weights(one.total)],
    })),
    under: [],
    over: [],
    wrong: run.wrong(k),
  };
}

/**
 * Lines of the lecture's table.
 * @param {any} state @param {Run} run @param {Notation} written @param {number} from @param {number} to
 */
export function linesOf(state, run, written, from, to) {
  const first = Math.max(0, from),
    entries = [],
    isPlain = written.weights === "w" && !written.first;
  for (let k = first; k <= Math.min(to, run.total); k++) {
    const row = run.tape[k - 1],
      weights = writtenVector(written, run.weights(k), state.offset);
    if (k === 0) entries.push(["0", "", "", "", weights]);
    else {
      const plus = run.signs[row] > 0 ? "+" : "−";
      entries.push([String(k), String(row + 1), plus, figures(run.score(k - 1, row)), weights]);
    }
  }
  const of = (state.source.width ?? 2) > 2 ? " (the run is on what is drawn)" : "";
  const after = `${written.weights}(k${written.first ? " + 1" : ""})`;
  return {
    caption:
      `Tie ${state.tie}, order ${orderWord(state)}; weights of ${state.axes[0]}, ${state.axes[1]}${of}; ` +
      `${offsetWords(written, state.offset)}.`,
    header: ["k", "row", "sign", "score before", isPlain ? "weights after" : after],
    first,
    entries,
    total: run.total,
  };
}
/** @param {any} state @param {Run} run @param {Notation} written @param {number} k */
export const linesAround = (state, run, written, k) =>
  linesOf(state, run, written, k - LINES_AROUND, k + LINES_AROUND);

/** The row under the keyboard. @param {any} state @param {Run | null} run @param {any} fixed */
export function selectedOf(state, run, fixed) {
  const i = state.selected,
    row = i === null ? null : state.rows[i];
  if (!row) return null;
  const made = run ? counted(run.tape.filter((one) => one === i).length, "mistake") : "";
  const sign = !fixed.binary ? `class ${state.classes[row[2]]}` : row[2] === 1 ? "positive" : "negative";
  const text = `Row ${i + 1} of ${state.rows.length}: (${figures(row[0])}, ${figures(row[1])}), ${sign}`;
  return {
    row: i,
    number: i + 1,
    x: String(row[0]),
    y: String(row[1]),
    class: row[2],
    made,
    text: made ? `${text}, ${made} in the run` : text,
  };
}

/** Further runs: their names and how they ended. @param {any} state @param {any[]} others @param {Notation} written */
export const overlaysOf = (state, others, written) =>
  others.map((one) => ({
    place: one.place,
    name: runName(one),
    weights: writtenVector(written, one.run.weights(one.run.total), state.offset),
    text: counted(one.run.total, "mistake") + (one.run.converged ? "" : ", not converged"),
  }));

/** @param {{order: any, start: any, seed: number}} one */
function runName({ order, start, seed }) {
  const word = Array.isArray(order) ? "given order" : order === "shuffled" ? `shuffled ${seed}` : order;
  if (start === null) return word;
  const began = Array.isArray(start) ? `start ${vectorText(start)}` : `random start ${seed}`;
  return order === "cyclic" ? began : `${word}, ${began}`;
}

const STATUS_WORDS = { separable: "Separable", "quasi-separable": "Quasi-separable", overlapping: "Overlapping" };
const STATUS_SENTENCES = {
  separable: "A line separates the rows as they are now.",
  "quasi-separable": "A line has both classes on its sides, but only with rows of them on the line itself.",
  overlapping: "No line separates the rows as they are now.",
};
/**
 * The card of rows that were changed in the page.
 * @param {keyof typeof STATUS_WORDS} status @param {string} command
 */
export function changedVerdict(status, command) {
  const title = STATUS_WORDS[status];
  return {
    status,
    title,
    headline: title,
    headline_status: status,
    facts: [],
    support: [],
    classes: [],
    sentence:
      `${STATUS_SENTENCES[status]} This page has decided it exactly. For the margin, the bound and the proof, ` +
      `open the studio: ${command}`,
    has_proof: false,
    drawn_title: "",
    whole: null,
    regression: null,
  };
}
