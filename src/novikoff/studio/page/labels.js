// @ts-check
/** Labels that do not cover each other: each takes the freest of eight places beside its point. */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** Where a label may stand, by preference: beside, above, below, at the corners. */
const SIDES = [
  [1, -0.7],
  [-1, -0.7],
  [1, 0.7],
  [-1, 0.7],
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
];

/** The area that two boxes share. @param {Box} one @param {Box} two */
function shared(one, two) {
  const width = Math.min(one.right, two.right) - Math.max(one.left, two.left);
  const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * The place of a text of this size on one side of its point.
 * @param {{x: number, y: number, gap: number}} at @param {number[]} side @param {number} width @param {number} height
 * @returns {Box}
 */
function boxBeside(at, [across, down], width, height) {
  const left = across > 0 ? at.x + at.gap * 0.8 : across < 0 ? at.x - at.gap * 0.8 - width : at.x - width / 2;
  const middle = at.y + down * (at.gap * 0.8 + (across ? height * 0.25 : height / 2));
  return { left, top: middle - height / 2, right: left + width, bottom: middle + height / 2 };
}

/**
 * Put every text with a point of its own (`beside`) where it covers least; one that may stand in
 * the middle of it does so where that is free.
 * @param {any[]} texts  the ones that matter most come first
 * @param {Box[]} taken  what must stay visible: rows, buttons
 * @param {{width: number, height: number}} plane
 */
export function arrange(texts, taken, plane) {
  const covered = taken.slice();
  // Read all sizes before any text is moved: the browser lays out once.
  const sizes = texts.map((text) => text.getBBox());
  texts.forEach((text, i) => {
    const { width, height } = sizes[i];
    /** @type {Box | null} */ let best = null;
    let least = Infinity;
    for (const side of text.beside.middle ? [[0, 0], ...SIDES] : SIDES) {
      const box = boxBeside(text.beside, side, width, height);
      const inside = shared(box, { left: 2, top: 2, right: plane.width - 2, bottom: plane.height - 2 });
      const cost = covered.reduce((sum, one) => sum + shared(box, one), 0) + 3 * (width * height - inside);
      if (cost < least - 0.5) [best, least] = [box, cost];
      if (least < 0.5) break;
    }
    if (!best) return;
    covered.push(best);
    text.setAttribute("x", String(Math.round(best.left * 10) / 10));
    text.setAttribute("y", String(Math.round((best.bottom - height * 0.22) * 10) / 10));
    text.setAttribute("text-anchor", "start");
  });
}
