// @ts-check
/** The hand on the plane: clicks, drags of a row or of the plane, double clicks, the wheel. */

const REACH = 13; // pixels within which a row is meant
const STILL = 4; // pixels that a click may wander
const ZOOM = 1.25; // the factor of one step of the zoom, as in edits.py
const TWICE = 400; // milliseconds within which a second click is part of a double click

/**
 * @param {any} plane the element
 * @param {ReturnType<typeof import("./plane.js").planePicture>} picture
 * @param {{edit: (edit: any, how?: any) => void, isReady: () => boolean, isHandle: (target: any) => boolean,
 *   handleAt: (x: number, y: number, reach: number) => number, hasSelection: () => boolean,
 *   select: (row: number | null) => void, add: (at: [number, number]) => void, moved: (row: number) => void}} on
 */
export function handOn(plane, picture, on) {
  /** @type {null | {row: number, x: number, y: number, moved: boolean, last: [number, number]}} */ let drag = null;
  /** @type {number[]} */ let pressed = [-1, -1]; // the rows under the last two presses
  /** @type {Map<number, [number, number]>} */ const fingers = new Map(); // that touch the plane
  let held = -1; // the handle of a person's own line
  let added = { x: -99, y: -99, at: 0 }; // the last click that added a row

  /** @param {MouseEvent} event @returns {[number, number]} */
  function pixel(event) {
    const rect = plane.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  }

  plane.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || on.isHandle(event.target) || !on.isReady()) return;
    const [x, y] = pixel(event);
    fingers.set(event.pointerId, [x, y]);
    plane.setPointerCapture(event.pointerId);
    if (fingers.size > 1) return void (drag = null); // two fingers zoom
    held = on.handleAt(x, y, event.pointerType === "touch" ? 2 * REACH : REACH);
    if (held >= 0) return;
    drag = {
      row: picture.rowAt(x, y, event.pointerType === "touch" ? 2 * REACH : REACH),
      x,
      y,
      moved: false,
      last: [x, y],
    };
    pressed = [pressed[1], drag.row];
  });

  plane.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    const [x, y] = pixel(event);
    if (fingers.size > 1) return pinch(event.pointerId, [x, y]);
    if (held >= 0) return on.edit({ do: "line", end: held, at: [x, y] });
    if (!drag) {
      if (event.pointerType === "mouse" && on.isReady())
        plane.classList.toggle("over-row", picture.rowAt(x, y, REACH) >= 0);
      return;
    }
    const begins = !drag.moved;
    if (begins && Math.hypot(x - drag.x, y - drag.y) < STILL) return;
    drag.moved = true;
    plane.classList.add("dragging");
    if (drag.row >= 0) {
      picture.carry(drag.row, x, y); // at once; what Python makes of it follows
      on.edit({ do: "move", row: drag.row, at: [x, y] }, { record: begins, hand: true });
    } else on.edit({ do: "pan", by: [x - drag.last[0], y - drag.last[1]] });
    drag.last = [x, y];
  });

  /**
   * Two fingers: what is between them grows with their distance, and goes with them.
   * @param {number} id @param {[number, number]} at
   */
  function pinch(id, at) {
    if (!fingers.has(id)) return;
    const before = [...fingers.values()].slice(0, 2);
    fingers.set(id, at);
    const after = [...fingers.values()].slice(0, 2);
    const far = (/** @type {[number, number][]} */ [a, b]) => Math.max(8, Math.hypot(a[0] - b[0], a[1] - b[1]));
    const middle = (/** @type {[number, number][]} */ [a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const [x0, y0] = middle(before),
      [x1, y1] = middle(after);
    const steps = Math.log(far(after) / far(before)) / Math.log(ZOOM);
    if (steps) on.edit({ do: "zoom", steps: Math.max(-20, Math.min(20, steps)), at: [x1, y1] });
    if (x1 !== x0 || y1 !== y0) on.edit({ do: "pan", by: [x1 - x0, y1 - y0] });
  }

  /** @param {PointerEvent} event */
  function drop(event) {
    fingers.delete(event.pointerId);
    held = -1;
    const was = drag;
    drag = null;
    plane.classList.remove("dragging");
    if (!was || event.type === "pointercancel") return;
    if (was.moved) {
      if (was.row >= 0) on.moved(was.row);
    } else if (was.row >= 0) on.select(was.row);
    else if (on.hasSelection()) on.select(null);
    else if (performance.now() - added.at > TWICE || Math.hypot(was.x - added.x, was.y - added.y) > STILL) {
      added = { x: was.x, y: was.y, at: performance.now() };
      on.add([was.x, was.y]);
    }
  }
  plane.addEventListener("pointerup", drop);
  plane.addEventListener("pointercancel", drop);

  plane.addEventListener("dblclick", (/** @type {MouseEvent} */ event) => {
    if (on.isHandle(event.target)) return;
    const row = pressed[1];
    if (row >= 0 && pressed[0] === row) on.edit({ do: "flip", row }, { record: true });
  });

  plane.addEventListener(
    "wheel",
    (/** @type {WheelEvent} */ event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      on.edit({ do: "zoom", steps: Math.max(-3, Math.min(3, -event.deltaY / 60)), at: pixel(event) });
    },
    { passive: false },
  );

  return { isDragging: () => Boolean(drag?.moved) };
}
