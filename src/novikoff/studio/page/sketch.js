// @ts-check
/** What is drawn on the plane: marks from lines and rows, cut to the part in view. */

import { figures, shortened } from "./figures.js";
import { reachOf, unitsOf } from "./sight.js";

/** @typedef {import("./types.js").Mark} Mark */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").VectorSum} VectorSum */
/** @typedef {import("./sight.js").Sight} Sight */
/** @typedef {number[]} Weights  a·x + b·y + c */
/** @typedef {[number, number][]} Corners */

const NORMAL_LENGTH = 0.16; // of the normal vector, as a share of the shorter side
const CAPTION = [44, 40, 17]; // pixels: from the left, from the top, and of each further line
const ROUND = 97; // points of a circle

// ---- Lines and half-planes.

/** @param {Weights} w @param {number} x @param {number} y */
const valueAt = (w, x, y) => w[0] * x + w[1] * y + w[2];

/** The point of a line nearest to (x, y). @param {Weights} w @param {number} x @param {number} y */
function footOf(w, x, y) {
  const length = Math.hypot(w[0], w[1]),
    far = valueAt(w, x, y) / length;
  return [x - (far * w[0]) / length, y - (far * w[1]) / length];
}

/** @param {Sight} sight @param {number} x @param {number} y */
const isInside = (sight, x, y) => sight.left <= x && x <= sight.right && sight.bottom <= y && y <= sight.top;

/** The piece of a line in view, as x, y, x, y. @param {Weights} w @param {Sight} sight @returns {number[] | null} */
function clippedLine(w, sight) {
  const length = Math.hypot(w[0], w[1]);
  if (!(Number.isFinite(length) && length > 0)) return null;
  const [x, y] = footOf(w, (sight.left + sight.right) / 2, (sight.bottom + sight.top) / 2);
  const dx = -w[1] / length,
    dy = w[0] / length;
  let low = -Infinity,
    high = Infinity;
  for (const [at, step, least, most] of [
    [x, dx, sight.left, sight.right],
    [y, dy, sight.bottom, sight.top],
  ]) {
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
    const [x2, y2] = corners[(i + 1) % corners.length],
      one = valueAt(w, x1, y1),
      two = valueAt(w, x2, y2);
    if (one >= 0) kept.push([x1, y1]);
    if ((one > 0 && two < 0) || (one < 0 && two > 0)) {
      const t = one / (one - two);
      kept.push([x1 + t * (x2 - x1), y1 + t * (y2 - y1)]);
    }
  });
  return kept;
}

/** @param {Sight} sight @returns {Corners} */
const cornersIn = ({ left, right, bottom, top }) => [
  [left, bottom],
  [right, bottom],
  [right, top],
  [left, top],
];

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
const pathMark = (role, strokes, more = {}) => ({
  kind: "path",
  role,
  at: strokes.map(allShort),
  closed: false,
  ...more,
});
/** @param {string} role @param {Corners} corners @param {any} [more] */
const areaMark = (role, corners, more = {}) =>
  pathMark(role, corners.length ? [corners.flat()] : [], { closed: true, ...more });
/** @param {string} role @param {number[]} at @param {string} label @param {number[]} [labelAt] @returns {Mark} */
const arrowMark = (role, at, label, labelAt) => ({
  kind: "arrow",
  role,
  at: allShort(at),
  label,
  ...(labelAt && { label_at: allShort(labelAt) }),
});
/** @param {string} role @param {number[]} at @param {any} [more] @returns {Mark} */
const dotMark = (role, at, more = {}) => ({ kind: "dot", role, at: allShort(at), label: "", ...more });
/** @param {string} role @param {number[]} at @param {string} text @param {any} [more] @returns {Mark} */
const wordsMark = (role, at, text, more = {}) => ({
  kind: "text",
  role,
  at: allShort(at),
  text,
  anchor: "start",
  ...more,
});

/** The zero line of weights. @param {Weights} w @param {Sight} sight @param {string} role @param {any} [more] */
function boundaryMarks(w, sight, role, more = {}) {
  const inside = clippedLine(w, sight);
  return inside ? [pathMark(role, [inside], more)] : [];
}

/**
 * Where the normal vector of a boundary stands: at its point nearest to the origin, if that is in view.
 * @param {Weights} w @param {Sight} sight @returns {number[] | null}
 */
function standOf(w, sight) {
  const ends = clippedLine(w, sight);
  if (!ends) return null;
  const middle = [(sight.left + sight.right) / 2, (sight.bottom + sight.top) / 2],
    near = footOf(w, 0, 0);
  const [x, y] = isInside(sight, near[0], near[1]) ? near : footOf(w, middle[0], middle[1]);
  return isInside(sight, x, y) ? [x, y] : [(ends[0] + ends[2]) / 2, (ends[1] + ends[3]) / 2];
}
/** The length of a normal vector. @param {Sight} sight */
const normalLength = (sight) => NORMAL_LENGTH * Math.min(sight.right - sight.left, sight.top - sight.bottom);

/**
 * The normal vector of a boundary.
 * @param {Weights} w @param {Sight} sight @param {string} role @param {string} label
 */
function normalMarks(w, sight, role, label) {
  const at = standOf(w, sight);
  if (!at) return [];
  const size = normalLength(sight) / Math.hypot(w[0], w[1]);
  return [arrowMark(role, [...at, at[0] + size * w[0], at[1] + size * w[1]], label)];
}

/**
 * A line of words in the upper left corner.
 * @param {Sight} sight @param {number} line @param {string} text @param {any} [more]
 */
function captionMark(sight, line, text, more = {}) {
  const [unitX, unitY] = unitsOf(sight);
  const down = CAPTION[1] + line * CAPTION[2];
  return wordsMark("caption", [sight.left + CAPTION[0] * unitX, sight.top - down * unitY], text, more);
}

/**
 * The part of the window in which a class has the largest score.
 * @param {Weights[]} lines @param {number} code @param {Sight} sight
 */
function cellOf(lines, code, sight) {
  let corners = cornersIn(sight);
  lines.forEach((rival, i) => {
    const lead = lines[code].map((value, j) => value - rival[j]);
    if (i !== code && corners.length && lead.some(Boolean)) corners = halfPlane(corners, lead);
  });
  return corners.length > 2 ? corners : [];
}

/** The edges of a polygon that are not edges of the window. @param {Corners} corners @param {Sight} sight */
const innerEdges = (corners, { left, right, bottom, top }) =>
  corners.flatMap(([x1, y1], i) => {
    const [x2, y2] = corners[(i + 1) % corners.length];
    const isEdge = (x1 === x2 && [left, right].includes(x1)) || (y1 === y2 && [bottom, top].includes(y1));
    return isEdge ? [] : [[x1, y1, x2, y2]];
  });

/**
 * What turns when weights change: regions, boundaries, and the normal vector of the one boundary.
 * @param {Weights[]} lines one of two classes, of more one for each @param {Sight} sight @param {boolean} isEven
 * @param {string} letter
 */
export function lineMarks(lines, sight, isEven, letter) {
  const alone = lines.length === 1 ? lines[0] : null,
    rivals = alone ? [alone.map((value) => -value), alone] : lines;
  const cells = alone && !(alone[0] || alone[1]) ? [] : rivals.map((_, code) => cellOf(rivals, code, sight));
  return {
    regions: cells.map((corners, code) => areaMark("region", corners, { code })),
    boundaries: alone
      ? boundaryMarks(alone, sight, "boundary")
      : cells.map((corners) => pathMark("boundary between", innerEdges(corners, sight))),
    normal: alone && isEven ? normalMarks(alone, sight, "normal", letter) : [],
  };
}

/**
 * The angle between w and the best normal vector, where both stand at the origin.
 * @param {Weights} best @param {Weights[]} lines @param {Sight} sight
 */
function angleMarks(best, lines, sight) {
  const [w] = lines;
  if (lines.length !== 1 || !(w[0] || w[1]) || w[2] || best[2] || !isInside(sight, 0, 0)) return [];
  const from = Math.atan2(best[1], best[0]),
    radius = 0.6 * normalLength(sight);
  const turn = Math.atan2(best[0] * w[1] - best[1] * w[0], best[0] * w[0] + best[1] * w[1]);
  if (Math.abs(turn) < 0.02) return [];
  const arc = Array.from({ length: 25 }, (_, i) => from + (turn * i) / 24);
  const far = 1.5 * normalLength(sight); // beyond both arrows
  const half = from + turn / 2,
    text = `${figures(Math.abs((turn * 180) / Math.PI), 3)}°, cosine ${figures(Math.cos(turn), 3)}`;
  return [
    pathMark("angle", [arc.flatMap((at) => [radius * Math.cos(at), radius * Math.sin(at)])]),
    wordsMark("angle", [far * Math.cos(half), far * Math.sin(half)], text.replace("-", "−")),
  ];
}

/**
 * Everything else on the plane.
 * @param {Scene} scene @param {number[][]} rows @param {Sight} sight @param {boolean} isEven one scale on both axes
 */
export function sceneMarks(scene, rows, sight, isEven) {
  const { proof, update } = scene;
  const under = [...scene.under, ...(proof?.under ?? [])],
    over = [...(proof?.over ?? []), ...scene.over];
  if (proof?.widest) {
    const { line, half } = proof.widest,
      band = bandOf(sight, line, half * Math.hypot(line[0], line[1]));
    under.push(areaMark("band", band), ...boundaryMarks(line, sight, "maximum"));
  }
  if (proof?.best) {
    const { line, half, name, radius, radius_name: of } = proof.best,
      at = radius * Math.sqrt(0.5);
    const turns = Array.from({ length: ROUND }, (_, i) => (2 * Math.PI * i) / (ROUND - 1));
    under.push(
      pathMark("ball", [turns.flatMap((t) => [radius * Math.cos(t), radius * Math.sin(t)])], { closed: true }),
    );
    under.push(areaMark("gamma", line[0] || line[1] ? bandOf(sight, line, half) : []));
    under.push(...boundaryMarks(line, sight, "best"));
    over.push(arrowMark("ball", [0, 0, at, -at], of), ...(isEven ? normalMarks(line, sight, "best", name) : []));
  }
  if (proof?.best && isEven) over.push(...angleMarks(proof.best.line, scene.lines, sight));
  for (const { place, lines } of scene.others) {
    under.push(...lines.flatMap((line) => boundaryMarks(line, sight, "overlay", { place })));
  }
  if (update) {
    const { row, text, before } = update,
      [x, y] = rows[row],
      isLine = before.length > 0;
    if (isLine) under.push(...boundaryMarks(before, sight, "boundary before"));
    if (isLine && isEven && clippedLine(before, sight)) {
      const foot = footOf(before, x, y);
      if (foot.every(Number.isFinite)) under.push(pathMark("score", [[x, y, ...foot]], { row }));
    }
    over.push(dotMark("current", [x, y], { row }));
    if (text) over.push(wordsMark("score", [x, y], text, { row }));
  }
  if (!isEven) over.push(captionMark(sight, 0, "stretched: the axes have different scales"));
  scene.others.forEach(({ place, text }, i) => over.push(captionMark(sight, i + (isEven ? 0 : 1), text, { place })));
  return { under, over };
}

/** A person's own line across the middle of what is seen, to begin with. @param {Sight} sight */
export function firstEnds({ left, right, bottom, top }) {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2],
    across = 0.22 * (right - left),
    up = 0.12 * (top - bottom);
  return [x - across, y - up, x + across, y + up];
}

/** A person's own line with its handles. @param {number[]} ends @param {Sight} sight */
export function ownMarks([x1, y1, x2, y2], sight) {
  const line = [y1 - y2, x2 - x1, x1 * y2 - x2 * y1];
  return [...boundaryMarks(line, sight, "own"), dotMark("own", [x1, y1]), dotMark("own", [x2, y2])];
}

/**
 * One update, seen: y·x leaves its row for the tip of w, and w grows along it to its sum.
 * @param {import("./types.js").UpdateMarks} update @param {Weights} after @param {number[][]} rows @param {Sight}
 *   sight
 * @param {{travel: number, sum: number}} stage how much of each is done, from 0 to 1
 */
export function updateMarks({ row, sign, before }, after, rows, sight, { travel, sum }) {
  const x = rows[row],
    step = [sign * x[0], sign * x[1]],
    size = (/** @type {number[]} */ v) => Math.hypot(v[0], v[1]);
  const middle = [(sight.left + sight.right) / 2, (sight.bottom + sight.top) / 2];
  const stand = standOf(before, sight) ?? (isInside(sight, 0, 0) ? [0, 0] : middle);
  const far = (1.5 * normalLength(sight)) / Math.max(size(before), size(after), size(step), 1e-300);
  const from = stand.map((value, j) => value + far * before[j]),
    way = step.map((value) => far * value);
  const tail = from.map((value, j) => x[j] + (value - x[j]) * travel);
  const tip = from.map((value, j) => value + sum * way[j]);
  return [
    ...(size(before) ? [arrowMark("old", [...stand, ...from], "")] : []),
    arrowMark("step", [...tail, tail[0] + way[0], tail[1] + way[1]], ""),
    ...(sum > 0 ? [arrowMark("normal", [...stand, ...tip], "")] : []),
  ];
}

/**
 * w + sign·x = w′ as arrows from the origin; of a sum of one name there is only w.
 * @param {VectorSum} told @param {number} travel how much of the step is drawn @param {number} sum and of w′
 */
export function sumPicture({ old, new: last, names }, travel = 1, sum = 1, ratio = 1.5) {
  const [low, high] = reachOf([[0, 0], old, last]);
  let extent = Math.max((high[0] - low[0]) / ratio, high[1] - low[1]) * 1.45;
  if (!(extent > 1e-300)) extent = 2;
  const x = (low[0] + high[0]) / 2,
    y = (low[1] + high[1]) / 2;
  const frame = [x - (extent * ratio) / 2, x + (extent * ratio) / 2, y - extent / 2, y + extent / 2];
  const middle = [0, 1].map((j) => (old[j] + last[j]) / 3);
  const along = (/** @type {number} */ share) => old.map((value, j) => value + share * (last[j] - value));
  const sides =
    names.length === 1
      ? [["new", [0, 0], old, names[0]]]
      : [
          ["old", [0, 0], old, names[0]],
          ["step", old, along(travel), names[1]],
          ["new", [0, 0], along(sum), names[2]],
        ];
  const marks = sides.map((/** @type {any} */ [role, from, to, label]) => {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]],
      length = Math.hypot(dx, dy);
    if (!length) return [];
    const across = [-dy / length, dx / length],
      half = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const isOut = across[0] * (half[0] - middle[0]) + across[1] * (half[1] - middle[1]) >= 0;
    const far = 0.075 * extent * (isOut ? 1 : -1);
    return [arrowMark(role, [...from, ...to], label, [half[0] + far * across[0], half[1] + far * across[1]])];
  });
  return { window: allShort(frame), marks: [...marks.flat(), dotMark("origin", [0, 0])] };
}
