// @ts-check
/**
 * The perceptron's run in the page: the mistakes and weights of `nk.trace`, in exact arithmetic.
 *
 * Weights are integers over one scale. A score far enough from zero is decided in floats, any other exactly.
 */

import { nearestFloat, overOneScale, signOf, storedExactly, writtenExactly } from "./exact.js";
import { randomState } from "./random.js";

/** @typedef {import("./types.js").Row} Row */
/**
 * @typedef {{rows: Row[], numbers: string, tie: string, order: string | number[], start: null | string | number[],
 *   seed: number, offset: boolean, passes: number, limit: number}} RunState
 */

const DOUBT = 1e-13; // of the sum of a score's terms in size: floats are off by less
const LEAST_SIZE = 1e-250, MOST_SIZE = 1e250; // of such a sum, well within the range of floats
const MOST_CYCLE = 2000; // passes whose ends are compared
const MOST_LOOKS = 500_000_000; // visits of a run

/**
 * @param {RunState} state @param {(size: number, seed: number) => number[]} [randomStart] what Python draws
 */
export function perceptronRun(state, randomStart = () => []) {
  const { rows, offset, tie, order, seed, limit } = state, n = rows.length;
  const exactly = state.numbers === "decimal" ? writtenExactly : storedExactly;
  const needed = offset ? 3 : 2;
  const given = state.start === "random" ? randomStart(needed, seed) : state.start ?? [0, 0, 0];
  const start = [0, 1, 2].map((j) => (j < needed ? Number(given[j]) : 0));
  const entries = rows.flatMap((row) => [exactly(row[0]), exactly(row[1])]);
  const { wholes, scale } = overOneScale([...start.map(storedExactly), ...entries]);
  const constant = offset ? scale : 0n;
  const points = rows.map((_, i) => [wholes[3 + 2 * i], wholes[4 + 2 * i], constant]);
  const floats = points.map((point) => point.map((value) => nearestFloat(value, scale)));
  const signs = rows.map((row) => (row[2] === 1 ? 1 : -1));
  /** @type {bigint[][]} */ const kept = [wholes.slice(0, 3)];
  /** @type {number[]} */ const tape = [];
  /** @type {number[]} */ const looks = []; // the visit of each mistake
  const ends = [0]; // mistakes made until the end of each pass
  const random = order === "shuffled" ? randomState(seed) : null;
  if (random && state.start === "random") random.passNormals(needed);
  let turn = Array.isArray(order) ? order : rows.map((_, i) => i);
  let visits = 0, passes = 0, reason = "";
  let now = kept[0], nowFloats = now.map((value) => nearestFloat(value, scale));

  /** The exact score of a row over scale². @param {bigint[]} w @param {number} i */
  const exactScore = (w, i) => w[0] * points[i][0] + w[1] * points[i][1] + w[2] * points[i][2];
  /** The sign of a row's score. @param {bigint[]} w @param {number[]} f @param {number} i */
  function side(w, f, i) {
    const [a, b, c] = [f[0] * floats[i][0], f[1] * floats[i][1], f[2] * floats[i][2]];
    const score = a + b + c, size = Math.abs(a) + Math.abs(b) + Math.abs(c);
    if (size > LEAST_SIZE && size < MOST_SIZE && Math.abs(score) > DOUBT * size) return Math.sign(score);
    return signOf(exactScore(w, i));
  }
  /** @param {bigint[]} w @param {number[]} f @param {number} i */
  function isWrong(w, f, i) {
    const lead = signs[i] * side(w, f, i);
    return lead < 0 || (lead === 0 && !(tie === "positive" && signs[i] > 0));
  }

  const most = Math.max(1, Math.min(state.passes, Math.floor(MOST_LOOKS / Math.max(n, 1))));
  while (!reason) {
    if (random) turn = random.permutation(n);
    const before = tape.length;
    let place = 0;
    for (; place < n; place++, visits++) {
      const i = turn[place];
      if (!isWrong(now, nowFloats, i)) continue;
      if (tape.length === limit) {
        reason = "limit";
        break;
      }
      const step = signs[i] > 0 ? 1n : -1n;
      now = now.map((value, j) => value + step * points[i][j]);
      nowFloats = now.map((value) => nearestFloat(value, scale));
      kept.push(now);
      tape.push(i);
      looks.push(visits);
      if (order !== "restart") continue;
      visits++;
      break;
    }
    if (reason === "limit") {
      passes += place > 0 ? 1 : 0;
      break;
    }
    passes++;
    ends.push(tape.length);
    if (tape.length === before) reason = "clean";
    else if (passes >= most) reason = "passes";
  }

  /** Where the weights come back at the end of a pass in a fixed order: such a run never ends. */
  function cycle() {
    if (reason === "clean" || order === "shuffled" || order === "restart") return null;
    const seen = new Map([[kept[0].join(), 0]]), whole = Math.min(Math.floor(visits / n), MOST_CYCLE);
    for (let last = 1; last <= whole; last++) {
      const key = kept[ends[last]].join(), first = seen.get(key);
      if (first !== undefined) return { first, last };
      seen.set(key, last);
    }
    return null;
  }

  /** @param {number} k */
  const weights = (k) => kept[k].map((value) => nearestFloat(value, scale));
  return {
    total: tape.length, tape, looks, visits, passes, reason, signs, needed, points,
    converged: reason === "clean",
    weights, cycle,
    /** A row's score under the weights after k mistakes. @param {number} k @param {number} i */
    score: (k, i) => nearestFloat(exactScore(kept[k], i), scale * scale),
    /** The rows that the weights after k mistakes get wrong. @param {number} k */
    wrong: (k) => rows.flatMap((_, i) => (isWrong(kept[k], weights(k), i) ? [i] : [])),
    /** The weights as text over their scale, to compare. @param {number} k */
    exactly: (k) => kept[k].map((value) => `${value}/${scale}`),
  };
}
