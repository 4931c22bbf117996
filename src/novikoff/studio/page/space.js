// @ts-check
/**
 * Three dimensions on a canvas, turned by hand: a drag or the arrow keys.
 *
 * Python places everything in the cube from -1 to 1; here it is turned and seen from afar.
 */

import { h, SHAPES } from "./elements.js";

/** @typedef {import("./types.js").Space} Space */

const AFAR = 5; // the eye's distance, in halves of the cube
const TURN = 0.012; // radians for a pixel
const KEY_TURN = 0.14; // radians for an arrow key

/** @param {any} root */
export function spacePicture(root) {
  let across = -0.6,
    up = 0.42;
  /** @type {Space | null} */ let space = null;
  const canvas = h("canvas", {
    class: "nk-space",
    tabindex: 0,
    role: "img",
    "aria-label": "Rows in three dimensions. Arrow keys turn them.",
    hidden: true,
  });
  const shapes = SHAPES.map((d) => new Path2D(d));

  /** A point of the cube in pixels, and how near it is. @param {number[]} p */
  function seen([x, y, z]) {
    const size = Math.min(canvas.width * 0.33, canvas.height * 0.38);
    const ca = Math.cos(across),
      sa = Math.sin(across),
      cu = Math.cos(up),
      su = Math.sin(up);
    const right = x * ca - y * sa,
      back = x * sa + y * ca;
    const depth = back * cu - z * su,
      high = back * su + z * cu;
    const scale = (size * AFAR) / (AFAR + depth);
    return { x: canvas.width / 2 + right * scale, y: canvas.height / 2 - high * scale, scale: scale / size, depth };
  }

  function draw() {
    const rect = canvas.getBoundingClientRect(),
      sharp = devicePixelRatio || 1;
    if (!space || !rect.width) return;
    canvas.width = rect.width * sharp;
    canvas.height = rect.height * sharp;
    const pen = canvas.getContext("2d"),
      looks = getComputedStyle(root);
    const colour = (/** @type {string} */ name) => looks.getPropertyValue(name);
    const line = (
      /** @type {number[]} */ from,
      /** @type {number[]} */ to,
      /** @type {string} */ ink,
      /** @type {number} */ width,
    ) => {
      const a = seen(from),
        b = seen(to);
      pen.strokeStyle = ink;
      pen.lineWidth = width * sharp;
      pen.beginPath();
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
      pen.stroke();
    };
    const sheet = (/** @type {number[][]} */ corners, /** @type {string} */ ink, /** @type {number} */ alpha) => {
      if (corners.length < 3) return;
      pen.beginPath();
      for (const [i, corner] of corners.entries()) {
        const at = seen(corner);
        if (i) pen.lineTo(at.x, at.y);
        else pen.moveTo(at.x, at.y);
      }
      pen.closePath();
      pen.globalAlpha = alpha;
      pen.fillStyle = ink;
      pen.fill();
      pen.globalAlpha = 1;
      pen.strokeStyle = ink;
      pen.lineWidth = 1.2 * sharp;
      pen.stroke();
    };
    const word = (
      /** @type {string} */ text,
      /** @type {number[]} */ at,
      /** @type {string} */ ink,
      /** @type {string} */ font,
    ) => {
      const place = seen(at);
      pen.font = font;
      pen.lineWidth = 4 * sharp;
      pen.strokeStyle = colour("--panel");
      pen.strokeText(text, place.x + 5 * sharp, place.y - 5 * sharp);
      pen.fillStyle = ink;
      pen.fillText(text, place.x + 5 * sharp, place.y - 5 * sharp);
    };
    pen.clearRect(0, 0, canvas.width, canvas.height);
    sheet(space.floor, colour("--axis"), 0.22);
    for (const axis of space.axes) line(space.origin, axis.at, colour("--axis"), 1.2);
    sheet(space.plane, colour("--ink"), 0.13);
    const wrong = new Set(space.wrong),
      order = space.rows.map((row, i) => ({ row, i, at: seen(row) })).sort((a, b) => b.at.depth - a.at.depth);
    for (const { row, i, at } of order) {
      const ink = colour(`--c${row[3]}`),
        size = sharp * at.scale * (space.rows.length > 200 ? 0.6 : 1);
      if (space.rays) line(space.origin, row, ink, 1.1);
      pen.setTransform(size, 0, 0, size, at.x, at.y);
      pen.fillStyle = wrong.has(i) ? colour("--panel") : ink;
      pen.strokeStyle = wrong.has(i) ? ink : colour("--panel");
      pen.lineWidth = wrong.has(i) ? 2.2 : 1.2;
      pen.fill(shapes[row[3]]);
      pen.stroke(shapes[row[3]]);
      pen.setTransform(1, 0, 0, 1, 0, 0);
    }
    const small = `${12 * sharp}px ${looks.fontFamily}`;
    for (const axis of space.axes) word(axis.name, axis.at, colour("--soft"), small);
    if (space.normal.length) {
      const tail = space.normal.slice(0, 3),
        tip = space.normal.slice(3);
      line(tail, tip, colour("--step"), 2.6);
      const end = seen(tip);
      pen.fillStyle = colour("--step");
      pen.beginPath();
      pen.arc(end.x, end.y, 4.5 * sharp, 0, 7);
      pen.fill();
      word(space.label, tip, colour("--step"), `italic 600 ${15 * sharp}px ${colour("--math")}`);
    }
    canvas.dataset.turned = `${across.toFixed(2)} ${up.toFixed(2)}`;
  }

  /** @param {number} right @param {number} upward */
  function turn(right, upward) {
    across += right;
    up = Math.max(-1.5, Math.min(1.5, up + upward));
    draw();
  }
  canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) =>
    canvas.setPointerCapture(event.pointerId),
  );
  canvas.addEventListener(
    "pointermove",
    (/** @type {PointerEvent} */ event) => event.buttons && turn(-event.movementX * TURN, event.movementY * TURN),
  );
  canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const by = {
      ArrowLeft: [KEY_TURN, 0],
      ArrowRight: [-KEY_TURN, 0],
      ArrowUp: [0, -KEY_TURN],
      ArrowDown: [0, KEY_TURN],
    }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    turn(by[0], by[1]);
  });

  return {
    element: canvas,
    draw,
    /** @param {Space | null} given */
    show(given) {
      space = given;
      canvas.hidden = !given;
      draw();
    },
  };
}
