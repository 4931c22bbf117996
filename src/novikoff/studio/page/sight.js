// @ts-check
/** The part of the plane in view: its window, its round numbers, and the point under a pixel. */

import { figures, shortened } from "./figures.js";

/** @typedef {{left: number, right: number, bottom: number, top: number, width: number, height: number}} Sight */

const PADDING = 0.16,
  MOST_STRETCH = 5,
  NEGLIGIBLE = 1e-100; // as in plane.py

/** @param {any} state @returns {Sight} */
export function sightOf(state) {
  const [width, height] = state.size,
    [x, y] = state.center,
    unit = state.span / Math.min(width, height);
  const halfX = (unit * width) / 2,
    halfY = (unit * state.stretch * height) / 2;
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
  const places = Math.max(0, -Math.round(Math.log10(step))),
    near = rounded(value / step) * step;
  return (step < 1 ? Number(near.toFixed(Math.min(places, 100))) : near) + 0;
}

/** Units per pixel on each axis. @param {Sight} sight */
export const unitsOf = (sight) => [
  (sight.right - sight.left) / sight.width,
  (sight.top - sight.bottom) / sight.height,
];

/** The steps that a row moves by under the keyboard. @param {Sight} sight */
export const nudgesOf = (sight) => unitsOf(sight).map((unit) => 10 * gridOf(unit));

/** The point under a pixel, as a short decimal. @param {Sight} sight @param {number[]} at */
export function pointUnder(sight, at) {
  const [unitX, unitY] = unitsOf(sight);
  return [snapped(sight.left + at[0] * unitX, gridOf(unitX)), snapped(sight.top - at[1] * unitY, gridOf(unitY))];
}

/** The least and the largest coordinates. @param {number[][]} points */
export const reachOf = (points) =>
  [Math.min, Math.max].map((choose) =>
    points.reduce((ends, point) => ends.map((end, j) => choose(end, point[j])), points[0].slice(0, 2)),
  );

/** center, span and stretch that show all rows, and the origin where the run needs it. @param {any} state */
export function fitted(state) {
  const points = state.rows.map((/** @type {number[]} */ row) => row.slice(0, 2)),
    [width, height] = state.size;
  let reach = 0;
  for (const [x, y] of points) reach = Math.max(reach, Math.hypot(x, y));
  if (!state.offset || !points.length) points.push([0, 0]);
  if (state.show.includes("ball") && state.map === "none") points.push([-reach, -reach], [reach, reach]);
  const [low, high] = reachOf(points);
  let extent = high.map((value, j) => value - low[j]);
  if (points.length === 1 || !(extent[0] || extent[1])) extent = high.map((v) => 2 * Math.max(Math.abs(v) / 2, 1));
  const longest = Math.max(...extent, NEGLIGIBLE);
  extent = extent.map((value) => (value <= NEGLIGIBLE * Math.max(longest, 1) ? longest : value));
  const ratio = extent[1] / extent[0],
    isEqual = ratio >= 1 / MOST_STRETCH && ratio <= MOST_STRETCH;
  const stretch = isEqual ? 1 : shortened(ratio, 3),
    shorter = Math.min(width, height);
  const room = extent.map((value) => value * (1 + 2 * PADDING));
  const span = Math.max((room[0] * shorter) / width, ((room[1] / stretch) * shorter) / height);
  const step = gridOf(span / shorter),
    steps = [step, step * 10 ** Math.round(Math.log10(stretch))];
  const center = low.map((value, j) => snapped((value + high[j]) / 2, steps[j]));
  return { center, span: Math.max(shortened(span, 3), 1e-9), stretch };
}

/**
 * Round numbers about `apart` pixels from each other.
 * @param {number} low @param {number} high @param {number} pixels
 */
export function ticksOf(low, high, pixels, apart = 72) {
  const wanted = ((high - low) * apart) / pixels,
    base = 10 ** Math.floor(Math.log10(wanted));
  const step = base * /** @type {number} */ ([1, 2, 5, 10].find((m) => base * m >= wanted) || 10),
    made = [];
  for (let i = Math.ceil(low / step); i <= Math.floor(high / step); i++) {
    const at = base < 1 ? snapped(i * step, base) : i * step;
    made.push({ at, text: figures(at).replace("-", "−") });
  }
  return made;
}
