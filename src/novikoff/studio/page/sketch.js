// @ts-check
/** The plane without Python: the part of it in view, its ticks, and the marks that follow from a run. */

import { figures, shortened } from "./figures.js";

/** @typedef {import("./types.js").Mark} Mark */
/** @typedef {{left: number, right: number, bottom: number, top: number, width: number, height: number}} Sight */
/** @typedef {number[]} Weights  a·x + b·y + c */
/** @typedef {[number, number][]} Corners */

const PADDING = 0.16, MOST_STRETCH = 5, NEGLIGIBLE = 1e-100; // as in plane.py
const NORMAL_LENGTH = 0.16; // of the normal vector, as a share of the shorter side
const CAPTION = [44, 22, 17]; // pixels: from the left, from the top, and of each further line
const ROUND = 97; // points of a circle

// ---- The window.

/** @param {any} state @returns {Sight} */
export function sightOf(state) {
  const [width, height] = state.size, [x, y] = state.center, unit = state.span / Math.min(width, height);
  const halfX = (unit * width) / 2, halfY = (unit * state.stretch * height) / 2;
  return { left: x - halfX, right: x + halfX, bottom: y - halfY, top: y + halfY, width, height };
}

/** The largest power of ten that is at most about two pixels. @param {number} unit */
const gridOf = (unit) => 10 ** Math.floor(Math.log10(2 * unit));

/** The nearest whole number; halves go to the even one, as in Python. @param {number} value */
function rounded(value) {
  const near = Math.round(value);
  return Math.abs(value - Math.trunc(value)) === 0.5 && near % 2 ? near - 1 : near;
}

/** The nearest multiple of a power of ten. @param {number} value @param {number} step */
export function snapped(value, step) {
  const places = Math.max(0, -Math.round(Math.log10(step))), near = rounded(value / step) * step;
  return (step < 1 ? Number(near.toFixed(Math.min(places, 100))) : near) + 0;
}

/** Units per pixel on each axis. @param {Sight} sight */
const unitsOf = (sight) => [(sight.right - sight.left) / sight.width, (sight.top - sight.bottom) / sight.height];

/** The steps that a row moves by under the keyboard. @param {Sight} sight */
export const nudgesOf = (sight) => unitsOf(sight).map((unit) => 10 * gridOf(unit));

/** The point under a pixel, as a short decimal. @param {Sight} sight @param {number[]} at */
export function pointUnder(sight, at) {
  const [unitX, unitY] = unitsOf(sight);
  return [snapped(sight.left + at[0] * unitX, gridOf(unitX)), snapped(sight.top - at[1] * unitY, gridOf(unitY))];
}

/** The least and the largest coordinates. @param {number[][]} points */
const reachOf = (points) => [Math.min, Math.max].map((choose) => (
  points.reduce((ends, point) => ends.map((end, j) => choose(end, point[j])), points[0].slice(0, 2))));

/** center, span and stretch that show all rows, and the origin where the run needs it. @param {any} state */
export function fitted(state) {
  const points = state.rows.map((/** @type {number[]} */ row) => row.slice(0, 2)), [width, height] = state.size;
  let reach = 0;
  for (const [x, y] of points) reach = Math.max(reach, Math.hypot(x, y));
  if (!state.offset || !points.length) points.push([0, 0]);
  if (state.show.includes("ball") && state.map === "none") points.push([-reach, -reach], [reach, reach]);
  const [low, high] = reachOf(points);
  let extent = high.map((value, j) => value - low[j]);
  if (points.length === 1 || !(extent[0] || extent[1])) extent = high.map((v) => 2 * Math.max(Math.abs(v) / 2, 1));
  const longest = Math.max(...extent, NEGLIGIBLE);
  extent = extent.map((value) => (value <= NEGLIGIBLE * Math.max(longest, 1) ? longest : value));
  const ratio = extent[1] / extent[0], isEqual = ratio >= 1 / MOST_STRETCH && ratio <= MOST_STRETCH;
  const stretch = isEqual ? 1 : shortened(ratio, 3), shorter = Math.min(width, height);
  const room = extent.map((value) => value * (1 + 2 * PADDING));
  const span = Math.max((room[0] * shorter) / width, ((room[1] / stretch) * shorter) / height);
  const step = gridOf(span / shorter), steps = [step, step * 10 ** Math.round(Math.log10(stretch))];
  const center = low.map((value, j) => snapped((value + high[j]) / 2, steps[j]));
  return { center, span: Math.max(shortened(span, 3), 1e-9), stretch };
}

/**
 * Round numbers about `apart` pixels from each other.
 * @param {number} low @param {number} high @param {number} pixels
 */
export function ticksOf(low, high, pixels, apart = 72) {
  const wanted = ((high - low) * apart) / pixels, base = 10 ** Math.floor(Math.log10(wanted));
  const step = base * (/** @type {number} */ ([1, 2, 5, 10].find((m) => base * m >= wanted)) || 10), made = [];
  for (let i = Math.ceil(low / step); i <= Math.floor(high / step); i++) {
    const at = base < 1 ? snapped(i * step, base) : i * step;
    made.push({ at, text: figures(at).replace("-", "−") });
  }
  return made;
}

// ---- Lines and half-planes.

/** @param {Weights} w @param {number} x @param {number} y */
const valueAt = (w, x, y) => w[0] * x + w[1] * y + w[2];

/** The point of a line nearest to (x, y). @param {Weights} w @param {number} x @param {number} y */
function footOf(w, x, y) {
  const length = Math.hypot(w[0], w[1]), far = valueAt(w, x, y) / length;
  return [x - (far * w[0]) / length, y - (far * w[1]) / length];
}

/** @param {Sight} sight @param {number} x @param {number} y */
const isInside = (sight, x, y) => sight.left <= x && x <= sight.right && sight.bottom <= y && y <= sight.top;

/** The piece of a line in view, as x, y, x, y. @param {Weights} w @param {Sight} sight @returns {number[] | null} */
function clippedLine(w, sight) {
  const length = Math.hypot(w[0], w[1]);
  if (!(Number.isFinite(length) && length > 0)) return null;
  const [x, y] = footOf(w, (sight.left + sight.right) / 2, (sight.bottom + sight.top) / 2);
  const dx = -w[1] / length, dy = w[0] / length;
  let low = -Infinity, high = Infinity;
  for (const [at, step, least, most] of [[x, dx, sight.left, sight.right], [y, dy, sight.bottom, sight.top]]) {
    if (step === 0 && !(least <= at && at <= most)) return null;
    if (step === 0) continue;
    const ends = [(least - at) / step, (most - at) / step].sort((a, b) => a - b);
    low = Math.max(low, ends[0]);
    high = Math.min(high, ends[1]);
  }
  return low >= high ? null : [x + low * dx, y + low * dy, x + high * dx, y + high * dy];
}

/** The part of a convex polygon where the line's value is positive. @param {Corners} corners @param {Weights} w */
function halfPlane(corners, w) {
  /** @type {Corners} */ const kept = [];
  corners.forEach(([x1, y1], i) => {
    const [x2, y2] = corners[(i + 1) % corners.length], one = valueAt(w, x1, y1), two = valueAt(w, x2, y2);
    if (one >= 0) kept.push([x1, y1]);
    if ((one > 0 && two < 0) || (one < 0 && two > 0)) {
      const t = one / (one - two);
      kept.push([x1 + t * (x2 - x1), y1 + t * (y2 - y1)]);
    }
  });
  return kept;
}

/** @param {Sight} sight @returns {Corners} */
const cornersIn = ({ left, right, bottom, top }) => [[left, bottom], [right, bottom], [right, top], [left, top]];

/**
 * The band in which a line's value is at most `half` in size.
 * @param {Sight} sight @param {Weights} w @param {number} half
 */
function bandOf(sight, [a, b, c], half) {
  const inner = halfPlane(cornersIn(sight), [a, b, c + half]);
  return inner.length ? halfPlane(inner, [-a, -b, -c + half]) : [];
}

// ---- Marks.

/** @param {number[]} values */
const allShort = (values) => values.map((value) => shortened(value));
/** @param {string} role @param {number[][]} strokes @param {any} [more] @returns {Mark} */
const pathMark = (role, strokes, more = {}) => (
  { kind: "path", role, at: strokes.map(allShort), closed: false, ...more });
/** @param {string} role @param {Corners} corners @param {any} [more] */
const areaMark = (role, corners, more = {}) => (
  pathMark(role, corners.length ? [corners.flat()] : [], { closed: true, ...more }));
/** @param {string} role @param {number[]} at @param {string} label @param {number[]} [labelAt] @returns {Mark} */
export const arrowMark = (role, at, label, labelAt) => (
  { kind: "arrow", role, at: allShort(at), label, ...(labelAt && { label_at: allShort(labelAt) }) });
/** @param {string} role @param {number[]} at @param {any} [more] @returns {Mark} */
export const dotMark = (role, at, more = {}) => ({ kind: "dot", role, at: allShort(at), label: "", ...more });
/** @param {string} role @param {number[]} at @param {string} text @param {any} [more] @returns {Mark} */
const wordsMark = (role, at, text, more = {}) => (
  { kind: "text", role, at: allShort(at), text, anchor: "start", ...more });

/** The zero line of weights. @param {Weights} w @param {Sight} sight @param {string} role @param {any} [more] */
function boundaryMarks(w, sight, role, more = {}) {
  const inside = clippedLine(w, sight);
  return inside ? [pathMark(role, [inside], more)] : [];
}

/**
 * The normal vector of a boundary.
 * @param {any} state @param {Weights} w @param {Sight} sight @param {string} role @param {string} label
 */
function normalMarks(state, w, sight, role, label) {
  const ends = clippedLine(w, sight);
  if (state.stretch !== 1 || !ends) return [];
  const middle = [(sight.left + sight.right) / 2, (sight.bottom + sight.top) / 2], near = footOf(w, 0, 0);
  let [x, y] = isInside(sight, near[0], near[1]) ? near : footOf(w, middle[0], middle[1]);
  if (!isInside(sight, x, y)) [x, y] = [(ends[0] + ends[2]) / 2, (ends[1] + ends[3]) / 2];
  const shorter = Math.min(sight.right - sight.left, sight.top - sight.bottom);
  const size = (NORMAL_LENGTH * shorter) / Math.hypot(w[0], w[1]);
  return [arrowMark(role, [x, y, x + size * w[0], y + size * w[1]], label)];
}

/**
 * A line of words in the upper left corner.
 * @param {Sight} sight @param {number} line @param {string} text @param {any} [more]
 */
export function captionMark(sight, line, text, more = {}) {
  const [unitX, unitY] = unitsOf(sight);
  const down = CAPTION[1] + line * CAPTION[2];
  return wordsMark("caption", [sight.left + CAPTION[0] * unitX, sight.top - down * unitY], text, more);
}

/**
 * Everything on the plane after k mistakes.
 * @param {any} state @param {ReturnType<typeof import("./perceptron.js").perceptronRun>} run @param {number} k
 * @param {any} proven what Python has found of these rows, or null
 * @param {{place: number, weights: Weights}[]} others the last weights of further runs
 * @param {string} letter of the weights
 */
export function sceneOf(state, run, k, proven, others, letter) {
  const sight = sightOf(state), w = run.weights(k);
  const shows = (/** @type {string} */ layer) => state.show.includes(layer);
  /** @type {Mark[]} */ const under = [];
  /** @type {Mark[]} */ const over = [];
  if (shows("regions") && (w[0] || w[1])) {
    under.push(areaMark("region", halfPlane(cornersIn(sight), w.map((value) => -value)), { code: 0 }));
    under.push(areaMark("region", halfPlane(cornersIn(sight), w), { code: 1 }));
  }
  if (proven && shows("hulls")) {
    under.push(...proven.hulls.under);
    over.push(...proven.hulls.over);
  }
  if (proven?.widest && shows("maximum")) {
    const widest = proven.widest, half = proven.half_width * Math.hypot(widest[0], widest[1]);
    under.push(areaMark("band", bandOf(sight, widest, half)), ...boundaryMarks(widest, sight, "maximum"));
  }
  if (proven?.best && shows("ball")) {
    const { best, margin, radius, name, radius_name } = proven, at = radius * Math.sqrt(0.5);
    const turns = Array.from({ length: ROUND }, (_, i) => (2 * Math.PI * i) / (ROUND - 1));
    const circle = turns.flatMap((t) => [radius * Math.cos(t), radius * Math.sin(t)]);
    under.push(pathMark("ball", [circle], { closed: true }));
    const band = Math.hypot(best[0], best[1]) > 0 ? bandOf(sight, best, margin) : [];
    under.push(areaMark("gamma", band), ...boundaryMarks(best, sight, "best"));
    over.push(arrowMark("ball", [0, 0, at, -at], radius_name), ...normalMarks(state, best, sight, "best", name));
  }
  for (const { place, weights } of others) under.push(...boundaryMarks(weights, sight, "overlay", { place }));
  if (k > 0 && shows("update")) {
    const row = run.tape[k - 1], [x, y] = state.rows[row], before = run.weights(k - 1);
    over.push(dotMark("current", [x, y], { row }));
    under.push(...boundaryMarks(before, sight, "boundary before"));
    if (state.stretch === 1 && clippedLine(before, sight)) {
      const [fx, fy] = footOf(before, x, y);
      if (Number.isFinite(fx + fy)) under.push(pathMark("score", [[x, y, fx, fy]], { row }));
    }
    const text = `score ${figures(run.score(k - 1, row))} → ${figures(run.score(k, row))}`.replaceAll("-", "−");
    over.push(wordsMark("score", [x, y], text, { row }));
  }
  under.push(...boundaryMarks(w, sight, "boundary"));
  over.push(...normalMarks(state, w, sight, "normal", letter));
  if (state.stretch !== 1) over.push(captionMark(sight, 0, "stretched: the axes have different scales"));
  return { under, over, wrong: run.wrong(k) };
}

/**
 * w + sign·x = w′ as arrows from the origin.
 * @param {{role: string, from: number[], to: number[], label: string}[]} sides
 */
export function sumPicture(sides, ratio = 1.5) {
  const corners = [[0, 0], ...(sides.length > 1 ? [sides[0].to, sides[2].to] : [sides[0].to, sides[0].to])];
  const [low, high] = reachOf(corners);
  let extent = Math.max((high[0] - low[0]) / ratio, high[1] - low[1]) * 1.45;
  if (!(extent > 1e-300)) extent = 2;
  const x = (low[0] + high[0]) / 2, y = (low[1] + high[1]) / 2;
  const frame = [x - (extent * ratio) / 2, x + (extent * ratio) / 2, y - extent / 2, y + extent / 2];
  const middle = [0, 1].map((j) => (corners[0][j] + corners[1][j] + corners[2][j]) / 3);
  const moving = sides.filter(({ from, to }) => from[0] !== to[0] || from[1] !== to[1]);
  const marks = moving.map(({ role, from, to, label }) => {
    const along = [to[0] - from[0], to[1] - from[1]], length = Math.max(Math.hypot(along[0], along[1]), 1e-300);
    const across = [-along[1] / length, along[0] / length], half = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const isOut = across[0] * (half[0] - middle[0]) + across[1] * (half[1] - middle[1]) >= 0;
    const far = 0.075 * extent * (isOut ? 1 : -1);
    return arrowMark(role, [...from, ...to], label, [half[0] + far * across[0], half[1] + far * across[1]]);
  });
  const ticks = { x: ticksOf(frame[0], frame[1], 240, 48), y: ticksOf(frame[2], frame[3], 160, 40) };
  return { window: allShort(frame), ticks, marks: [...marks, dotMark("origin", [0, 0])] };
}
