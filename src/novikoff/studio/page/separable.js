// @ts-check
/** Whether a line separates two classes in the plane: decided exactly, by lines through two rows. */

import { signOf } from "./exact.js";

/** @typedef {bigint[]} Point  its first two entries are its coordinates */

/** Twice the signed area of a triangle. @param {Point} a @param {Point} b @param {Point} c */
const turnOf = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** The corners of the convex hull. @param {Point[]} points @returns {Point[]} */
function cornersOf(points) {
  const sorted = [...points].sort((a, b) => signOf(a[0] - b[0]) || signOf(a[1] - b[1]));
  const chains = [sorted, [...sorted].reverse()].map((run) => {
    /** @type {Point[]} */ const chain = [];
    for (const point of run) {
      while (chain.length > 1 && turnOf(chain[chain.length - 2], chain[chain.length - 1], point) <= 0n) chain.pop();
      chain.push(point);
    }
    return chain;
  });
  return [...chains[0], ...chains[1].slice(1, -1)];
}

/** The least and the largest. @param {bigint[]} values */
function endsOf(values) {
  const sorted = [...values].sort((a, b) => signOf(a - b));
  return [sorted[0], sorted[sorted.length - 1]];
}

/**
 * How two intervals lie: apart, touching at an end, or on each other. Some point of the first is before one of the
 * second.
 * @param {bigint[]} one @param {bigint[]} two
 */
function intervals(one, two) {
  const [a, b] = endsOf(one), [c, d] = endsOf(two);
  if (b < c) return "apart";
  return b === c && (a < b || c < d) ? "touching" : "together";
}

/**
 * 'separable', 'quasi-separable' or 'overlapping', for lines with an offset.
 * @param {Point[]} positive @param {Point[]} negative
 */
function withOffset(positive, negative) {
  const plus = cornersOf(positive), minus = cornersOf(negative), all = [...plus, ...minus];
  let isQuasi = false;
  /** Along a direction. @param {Point[]} points @param {Point} p @param {Point} q */
  const along = (points, p, q) => points.map((r) => (r[0] - p[0]) * (q[0] - p[0]) + (r[1] - p[1]) * (q[1] - p[1]));
  for (const p of plus) for (const q of minus) {
    if (p[0] === q[0] && p[1] === q[1]) continue;
    const sides = all.map((r, i) => signOf(turnOf(p, q, r)) * (i < plus.length ? 1 : -1));
    const flat = all.filter((_, i) => sides[i] === 0);
    if (flat.length === all.length) {
      const found = intervals(along(plus, p, q), along(minus, p, q));
      return found === "apart" ? "separable" : found === "touching" ? "quasi-separable" : "overlapping";
    }
    if (sides.some((side) => side < 0) && sides.some((side) => side > 0)) continue;
    const ours = plus.filter((_, i) => sides[i] === 0), theirs = minus.filter((_, i) => sides[plus.length + i] === 0);
    if (intervals(along(ours, p, q), along(theirs, p, q)) === "apart") return "separable";
    isQuasi = true;
  }
  return isQuasi ? "quasi-separable" : "overlapping";
}

/** The same for lines through the origin; each row is given times its sign. @param {Point[]} all */
function throughOrigin(all) {
  /** @param {Point} a @param {Point} b */
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  /** Whether b is to the left of a, or ahead. @param {Point} a @param {Point} b */
  function isAhead(a, b) {
    const cross = a[0] * b[1] - a[1] * b[0];
    return cross > 0n || (cross === 0n && dot(a, b) > 0n);
  }
  if (all.some((first) => all.every((other) => isAhead(first, other)))) return "separable";
  const normals = all.flatMap(([x, y]) => [[-y, x], [y, -x], [x, y]]);
  /** @param {Point} w */
  const isWeak = (w) => all.every((one) => dot(w, one) >= 0n) && all.some((one) => dot(w, one) > 0n);
  return normals.some(isWeak) ? "quasi-separable" : "overlapping";
}

/** @param {Point[]} points @param {number[]} signs @param {boolean} offset */
export function separability(points, signs, offset) {
  if (offset) return withOffset(points.filter((_, i) => signs[i] > 0), points.filter((_, i) => signs[i] < 0));
  return throughOrigin(points.map(([x, y], i) => (signs[i] > 0 ? [x, y] : [-x, -y])));
}
