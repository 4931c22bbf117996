// @ts-check
/**
 * The plane: grid, marks under and over the rows, the rows, the selection.
 *
 * A row under a hand is drawn where the hand is (`carry`), before Python has answered: the row, its
 * number and the marks on it move at once, and what only Python knows (its score) is hidden until
 * the answer is there.
 */

import { h, s, SHAPES } from "./elements.js";
import { arrange } from "./labels.js";
import { affine, drawn, gridLines, placed, px, roundTicks, withLooks } from "./marks.js";
import { newMotion } from "./motion.js";
import { lineMarks, ownMarks, sceneMarks, updateMarks } from "./sketch.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Mark} Mark */

const MOST_SVG_ROWS = 5000; // more than these are painted on a canvas
const MOST_NUMBERED = 30; // rows with their number beside them
const MOST_AVOIDED = 300; // rows that labels keep clear of
const IMPORTANCE = ["score", "shared", "normal", "blocking"]; // labels that choose their place first

/**
 * @param {any} root @param {any} plane the element that holds it
 * @param {(update: import("./motion.js").Stage["update"]) => void} onStage told how far an update is that is shown
 */
export function planePicture(root, plane, onStage = () => {}) {
  const underSvg = s("svg", { "aria-hidden": "true" }),
    overSvg = s("svg", { "aria-hidden": "true" });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const rowLayer = s("g", { class: "rows" }),
    numberLayer = s("g", { class: "numbers" }),
    overLayer = s("g", { class: "over" }),
    selectionLayer = s("g", {});
  const regionLayer = s("g"),
    boundaryLayer = s("g"),
    normalLayer = s("g"); // what turns
  /** @type {Mark[]} */ let overMarks = [];
  overSvg.append(rowLayer, normalLayer, overLayer, numberLayer, selectionLayer);
  let scale = affine([0, 1, 0, 1], { left: 0, top: 0, width: 1, height: 1 });
  /** @type {any[]} */ let rowMarks = [];
  /** @type {any} */ let lifted = null; // the carried row's mark, where rows are painted
  /** @type {any} */ let state = null;
  /** @type {View | null} */ let view = null;
  /** @type {null | {row: number, x: number, y: number, caughtUp: boolean}} */ let carried = null;
  let painted = "";
  const motion = newMotion(paintLines);
  /** @type {import("./sight.js").Sight} */ let sight;

  const isMany = () => state.rows.length > MOST_SVG_ROWS;
  const grow = () => (root.classList.contains("presenting") ? " scale(1.5)" : "");
  /** Where a row is drawn, in pixels. @param {number} i @returns {[number, number]} */
  const spot = (i) =>
    carried && carried.row === i ? [carried.x, carried.y] : [scale.x(state.rows[i][0]), scale.y(state.rows[i][1])];

  /** @param {any} newState @param {View} newView @param {number[]} [litRows] rows that a lesson points at */
  function draw(newState, newView, litRows = []) {
    state = newState;
    view = newView;
    if (carried && carried.row >= state.rows.length) carried = null;
    const box = { left: 0, top: 0, width: state.size[0], height: state.size[1] };
    scale = affine(view.frame.window, box);
    if (carried?.caughtUp)
      [carried.x, carried.y] = [scale.x(state.rows[carried.row][0]), scale.y(state.rows[carried.row][1])];
    for (const svg of [underSvg, overSvg]) svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    const grid = s(
      "g",
      { class: "grid" },
      ...gridLines(roundTicks(view.frame.window, box, [72, 72]), scale, box, true),
      s(
        "text",
        { class: "axis-name", x: box.width - 12, y: box.height - 26, "text-anchor": "end" },
        view.frame.axes[0],
      ),
      s("text", { class: "axis-name", x: 10, y: 18 }, view.frame.axes[1]),
    );
    const [left, right, bottom, top] = view.frame.window,
      isEven = state.stretch === 1;
    sight = { left, right, bottom, top, width: box.width, height: box.height };
    const { under, over } = sceneMarks(view.scene, state.rows, sight, isEven);
    overMarks = over;
    const areas = under.filter((mark) => mark.role === "region" || mark.role === "band");
    const rest = under.filter((mark) => !areas.includes(mark));
    underSvg.replaceChildren(regionLayer, ...areas.flatMap(made), grid, ...rest.flatMap(made), boundaryLayer);
    const lit = litRows
      .filter((i) => state.rows[i])
      .map((i) => made(/** @type {Mark} */ ({ kind: "dot", role: "pointed", at: state.rows[i].slice(0, 2), row: i })));
    // The normal vector's letter waits for it where it will be.
    const ends = lineMarks(view.scene.lines, sight, isEven, view.scene.letter).normal.flatMap(made);
    overLayer.replaceChildren(
      ...lit.flat(),
      ...(view.own ? ownMarks(view.own.handles.flat(), sight) : []).flatMap(made),
      ...over.flatMap(made),
      ...ends.filter((part) => part.tagName === "text"),
    );
    if (isMany()) paintRows(box);
    else placeRows();
    arrangeLabels(box);
    moveCarried();
    // Rows that move, another set or another window: then nothing turns.
    const isSame = !carried && state.rows === turnedRows,
      { update } = view.scene;
    turnedRows = state.rows;
    const before = update && isEven && update.before.length ? update.before : null;
    motion.turn(view.scene.lines, isSame ? [...view.frame.window, ...state.size].join() : "", before);
  }
  /** @type {Row[]} */ let turnedRows = [];

  /** What turns, at one stage of its motion. @param {import("./motion.js").Stage} stage */
  function paintLines({ lines, update, isLast }) {
    if (!view) return;
    const { scene } = view,
      marks = lineMarks(lines, sight, state.stretch === 1, "");
    const arrows =
      update && scene.update ? updateMarks(scene.update, lines[0], state.rows, sight, update) : marks.normal;
    regionLayer.replaceChildren(...(scene.regions ? marks.regions : []).flatMap(made));
    boundaryLayer.replaceChildren(...marks.boundaries.flatMap(made));
    normalLayer.replaceChildren(...arrows.flatMap(made));
    plane.classList.toggle("moving", !isLast);
    onStage(update);
  }

  /** The SVG of a mark; it remembers the row that it belongs to. @param {Mark} mark */
  function made(mark) {
    const parts = drawn(mark, scale);
    if (mark.row != null) for (const part of parts) Object.assign(part, { ofRow: mark.row, role: mark.role });
    return parts;
  }

  function placeRows() {
    canvas.hidden = true;
    painted = "";
    lifted?.remove();
    lifted = null;
    const wrong = new Set(view?.scene.wrong),
      rows = /** @type {Row[]} */ (state.rows);
    while (rowMarks.length > rows.length) rowMarks.pop().remove();
    const frame = [...(view?.frame.window ?? []), ...state.size, grow()].join();
    rows.forEach((row, i) => {
      let mark = rowMarks[i];
      if (!mark) rowLayer.append((mark = rowMarks[i] = s("path")));
      const isWrong = wrong.has(i);
      if (mark.row !== row || mark.frame !== frame)
        mark.setAttribute("transform", `translate(${px(scale.x(row[0]))} ${px(scale.y(row[1]))})${grow()}`);
      if (mark.row?.[2] !== row[2]) mark.setAttribute("d", SHAPES[row[2]]);
      if (mark.row?.[2] !== row[2] || mark.wrong !== isWrong)
        mark.setAttribute("class", `row c${row[2]}${isWrong ? " wrong" : ""}`);
      Object.assign(mark, { row, frame, wrong: isWrong });
    });
    const numbered = rows.length <= MOST_NUMBERED ? rows : [];
    numberLayer.replaceChildren(
      ...numbered.map(([x, y], i) =>
        Object.assign(placed(s("text", { class: "row-number" }, i + 1), scale.x(x), scale.y(y), 10), { ofRow: i }),
      ),
    );
  }

  /**
   * Many rows on a canvas; one that is carried is left out, and drawn as a mark of its own.
   * @param {{width: number, height: number}} box
   */
  function paintRows(box) {
    while (rowMarks.length) rowMarks.pop().remove();
    numberLayer.replaceChildren();
    canvas.hidden = false;
    const wrong = new Set(view?.scene.wrong),
      without = carried ? carried.row : -1;
    const sharp = devicePixelRatio || 1;
    liftRow(wrong);
    const rows = state.rows.filter((/** @type {Row} */ _, /** @type {number} */ i) => i !== without);
    const key =
      [
        box.width,
        box.height,
        sharp,
        root.dataset.theme,
        without,
        view?.frame.window,
        view?.scene.wrong.filter((i) => i !== without),
      ].join() + `|${rows.length}`;
    if (key === painted && rows.every((/** @type {Row} */ row, /** @type {number} */ i) => row === paintedRows[i]))
      return;
    painted = key;
    paintedRows = rows;
    canvas.width = box.width * sharp;
    canvas.height = box.height * sharp;
    const pen = canvas.getContext("2d");
    const looks = getComputedStyle(root);
    const size = 0.55 * sharp,
      shapes = SHAPES.map((d) => new Path2D(d));
    const colours = SHAPES.map((_, code) => looks.getPropertyValue(`--c${code}`));
    state.rows.forEach((/** @type {Row} */ [x, y, code], /** @type {number} */ i) => {
      if (i === without) return;
      pen.setTransform(size, 0, 0, size, scale.x(x) * sharp, scale.y(y) * sharp);
      pen.globalAlpha = wrong.has(i) ? 1 : 0.55;
      pen.fillStyle = pen.strokeStyle = colours[code];
      pen.lineWidth = 2.5;
      if (wrong.has(i)) pen.stroke(shapes[code]);
      else pen.fill(shapes[code]);
    });
  }
  /** @type {Row[]} */ let paintedRows = [];

  /** @param {Set<number>} wrong */
  function liftRow(wrong) {
    if (!carried) {
      lifted?.remove();
      lifted = null;
      return;
    }
    const code = state.rows[carried.row][2];
    if (!lifted) rowLayer.append((lifted = s("path")));
    lifted.setAttribute("d", SHAPES[code]);
    lifted.setAttribute("class", `row c${code}${wrong.has(carried.row) ? " wrong" : ""}`);
  }

  /** @param {{width: number, height: number}} box */
  function arrangeLabels(box) {
    const labels = [...overLayer.children, ...numberLayer.children].filter((one) => one.beside);
    if (!labels.length) return;
    const rank = (/** @type {any} */ one) => {
      const at = IMPORTANCE.findIndex((role) => one.classList.contains(role));
      return at < 0 ? IMPORTANCE.length : at;
    };
    labels.sort((one, two) => rank(one) - rank(two));
    const taken = [{ left: box.width - 52, top: 0, right: box.width, bottom: 118 }]; // the zoom buttons
    const ringed = new Set(overMarks.filter((mark) => mark.kind === "dot").map((mark) => mark.row));
    for (const text of numberLayer.children) if (ringed.has(text.ofRow)) text.beside.gap = 16;
    if (state.rows.length <= MOST_AVOIDED)
      for (let i = 0; i < state.rows.length; i++) {
        const x = scale.x(state.rows[i][0]),
          y = scale.y(state.rows[i][1]),
          size = ringed.has(i) ? 10 : 6;
        taken.push({ left: x - size, top: y - size, right: x + size, bottom: y + size });
      }
    arrange(labels, taken, box);
  }

  /** The row under the hand, its number and its marks, at the place of the hand. */
  function moveCarried() {
    if (carried) {
      const row = state.rows[carried.row],
        x = px(carried.x),
        y = px(carried.y);
      const by = `translate(${px(carried.x - scale.x(row[0]))} ${px(carried.y - scale.y(row[1]))})`;
      const mark = isMany() ? lifted : rowMarks[carried.row];
      mark?.setAttribute("transform", `translate(${x} ${y})${isMany() ? "" : grow()}`);
      if (mark) mark.frame = "";
      for (const part of [...overLayer.children, ...numberLayer.children, ...underSvg.children]) {
        if (part.ofRow !== carried.row) continue;
        if (part.role !== "score") part.setAttribute("transform", by);
        else if (!carried.caughtUp) part.classList.add("behind");
      }
    }
    drawSelection();
  }

  function drawSelection() {
    const chosen = view?.selected;
    if (!chosen || !state.rows[chosen.row]) return selectionLayer.replaceChildren();
    const [x, y] = spot(chosen.row);
    selectionLayer.replaceChildren(s("circle", { class: "m selected", cx: px(x), cy: px(y), r: 14.5 }));
  }

  return {
    layers: [underSvg, canvas, overSvg],
    draw,
    spot,
    drawSelection,
    /** Draw a row where the hand is. @param {number} row @param {number} x @param {number} y */
    carry(row, x, y) {
      const begins = carried?.row !== row;
      carried = { row, x, y, caughtUp: false };
      if (begins && isMany()) paintRows({ width: state.size[0], height: state.size[1] });
      moveCarried();
    },
    /**
     * Python's answer has caught up: at the next drawing the row is where Python says.
     * @param {boolean} isHeld by the hand still
     */
    catchUp(isHeld) {
      if (!isHeld) carried = null;
      else if (carried) carried.caughtUp = true;
    },
    isCarrying: () => Boolean(carried),
    /**
     * The handle of a person's own line near a pixel, or -1.
     * @param {number} x @param {number} y @param {number} reach
     */
    handleAt: (x, y, reach) =>
      (view?.own?.handles ?? []).findIndex(([hx, hy]) => Math.hypot(scale.x(hx) - x, scale.y(hy) - y) <= reach),
    /**
     * The row nearest to a pixel, if one is within reach.
     * @param {number} x @param {number} y @param {number} reach
     */
    rowAt(x, y, reach) {
      let found = -1,
        best = reach * reach;
      state?.rows.forEach((/** @type {Row} */ row, /** @type {number} */ i) => {
        const dx = scale.x(row[0]) - x,
          dy = scale.y(row[1]) - y,
          far = dx * dx + dy * dy;
        if (far <= best) {
          best = far;
          found = i;
        }
      });
      return found;
    },
    /** The plane as one SVG text with its looks written into it. */
    text() {
      const [width, height] = state.size;
      const whole = s("svg", {
        xmlns: "http://www.w3.org/2000/svg",
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
      });
      whole.append(s("rect", { width, height, fill: getComputedStyle(plane).backgroundColor }));
      const copies = [underSvg, overSvg].map(withLooks);
      whole.append(copies[0]);
      if (!canvas.hidden) whole.append(s("image", { href: canvas.toDataURL(), width, height }));
      whole.append(copies[1]);
      return new XMLSerializer().serializeToString(whole);
    },
  };
}
