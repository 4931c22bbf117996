// @ts-check
/**
 * Marks that come from where they were: the boundary turns, its normal vector with it.
 *
 * Nothing waits for it: a mark is drawn in its place at once, and only its looks are late. A redrawing goes on where
 * the motion stood. Whoever asks for less motion, or is faster than it, sees none.
 */

const LONGEST_TURN = 360, LEAST_TURN = 60; // milliseconds
const SHARE = 0.8; // of the time between two drawings

/** @typedef {number[]} Ends  x, y, x, y in pixels */
/** @typedef {{role: string, ends: Ends, parts: any[]}} Moving */

/** The map that takes one pair of points to another: turned, scaled and moved. @param {Ends} from @param {Ends} to */
export function similarity(from, to) {
  const fx = from[2] - from[0], fy = from[3] - from[1], tx = to[2] - to[0], ty = to[3] - to[1];
  const size = fx * fx + fy * fy || 1, a = (tx * fx + ty * fy) / size, b = (ty * fx - tx * fy) / size;
  return [a, b, -b, a, to[0] - a * from[0] + b * from[1], to[1] - b * from[0] - a * from[1]];
}

/** The ends of a line in the order that is nearer to another's. @param {Ends} ends @param {Ends} other */
function inOrder([x1, y1, x2, y2], other) {
  const [a, b, c, d] = other, ahead = [x1, y1, x2, y2], back = [x2, y2, x1, y1];
  const straight = Math.hypot(x1 - a, y1 - b) + Math.hypot(x2 - c, y2 - d);
  return Math.hypot(x2 - a, y2 - b) + Math.hypot(x1 - c, y1 - d) < straight ? back : ahead;
}

export function newMotion() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Map<string, {from: Ends, to: Ends}>} */ let turns = new Map();
  let shown = "", drawnAt = 0, begun = 0, lasts = 0;

  return {
    /** @param {Moving[]} all what can move @param {string} scene what must not have changed meanwhile */
    turn(all, scene) {
      const now = performance.now(), isNew = all.some(({ role, ends }) => turns.get(role)?.to.join() !== ends.join());
      if (isNew || scene !== shown) {
        const wait = now - drawnAt, canMove = scene === shown && !calm.matches && SHARE * wait > LEAST_TURN;
        const from = (/** @type {string} */ role) => (canMove ? turns.get(role)?.to : undefined);
        turns = new Map(all.map(({ role, ends }) => [role, { from: from(role) ?? ends, to: ends }]));
        [begun, lasts, drawnAt, shown] = [now, Math.min(LONGEST_TURN, SHARE * wait), now, scene];
      }
      if (now >= begun + lasts) return;
      for (const { role, ends, parts } of all) {
        const from = turns.get(role)?.from ?? ends;
        if (from.join() === ends.join()) continue;
        const matrix = similarity(ends, role === "boundary" ? inOrder(from, ends) : from);
        for (const part of parts.filter((one) => one.tagName !== "text")) {
          const frames = [{ transform: `matrix(${matrix.join()})` }, { transform: "none" }];
          part.animate(frames, { duration: lasts, easing: "ease-in-out" }).currentTime = now - begun;
        }
      }
    },
  };
}
