// @ts-check
/** From coordinates of the plane to SVG: the few shapes that Python names, grids and small plots. */

import { s } from "./elements.js";
import { arrange } from "./labels.js";
import { ticksOf } from "./sight.js";

/**
 * The affine map from a window of the plane to a box of pixels.
 * @param {number[]} window @param {{left: number, top: number, width: number, height: number}} box
 */
export function affine(window, box) {
  const [left, right, bottom, top] = window;
  const ax = box.width / (right - left),
    ay = box.height / (top - bottom);
  return {
    x: (/** @type {number} */ value) => box.left + (value - left) * ax,
    y: (/** @type {number} */ value) => box.top + (top - value) * ay,
  };
}
/** @typedef {ReturnType<typeof affine>} Scale */
/** @typedef {import("./types.js").Mark} Mark */
/** @typedef {import("./types.js").Tick} Tick */
/** @typedef {import("./types.js").Plot} Plot */

/** @param {number} value */
export const px = (value) => Math.round(value * 100) / 100;

/** @param {Mark} mark @param {Scale} scale */
export function pathData(mark, scale) {
  let data = "";
  for (const line of mark.at) {
    for (let i = 0; i < line.length; i += 2)
      data += `${i ? "L" : "M"}${px(scale.x(line[i]))} ${px(scale.y(line[i + 1]))}`;
    if (mark.closed) data += "Z";
  }
  return data;
}

/**
 * A text that may stand anywhere beside a point: labels.js finds the place.
 * @param {any} text @param {number} x @param {number} y @param {number} gap
 */
export function placed(text, x, y, gap) {
  text.beside = { x, y, gap };
  return text;
}

/** The classes that a mark is styled by. @param {Mark} mark */
export function looks(mark) {
  const code = mark.code ?? mark.side;
  return `m ${mark.role}${code == null ? "" : ` c${code}`}${mark.place == null ? "" : ` o${mark.place}`}`;
}

/** The SVG of a mark. @param {Mark} mark @param {Scale} scale @returns {any[]} */
export function drawn(mark, scale) {
  const look = looks(mark);
  if (mark.kind === "path") return [s("path", { class: look, d: pathData(mark, scale) })];
  const x = px(scale.x(mark.at[0])),
    y = px(scale.y(mark.at[1]));
  if (mark.kind === "text") {
    if (mark.role === "caption") return [s("text", { class: look, x, y }, mark.text ?? "")];
    const above = mark.role === "bound";
    const text = s(
      "text",
      { class: look, x: above ? x - 6 : x + 13, y: above ? y - 8 : y - 11, "text-anchor": mark.anchor ?? "start" },
      mark.text ?? "",
    );
    return [above ? text : placed(text, x, y, 15)];
  }
  if (mark.kind === "dot") {
    if (mark.role === "ticked" || mark.role === "crossed")
      return [
        s("path", {
          class: look,
          transform: `translate(${x} ${y})`,
          d: mark.role === "ticked" ? "M-16-9l4 4 7-8" : "M-16-13l8 8m0-8l-8 8",
        }),
      ];
    const radius =
      {
        current: 11.5,
        looked: 11.5,
        pointed: 17,
        own: 8,
        tiny: 2.2,
        walked: 2,
        now: 5,
        errors: 3.4,
        updates: 3.4,
        upper: 3.4,
        lower: 3.4,
        blocking: 11,
        fewest: 14,
        shared: 6.5,
        origin: 3,
      }[mark.role] ?? 4.5;
    const parts = [s("circle", { class: look, cx: x, cy: y, r: radius })];
    if (mark.label) parts.push(placed(s("text", { class: `label ${mark.role}` }, mark.label), x, y, radius + 4));
    return parts;
  }
  const tx = px(scale.x(mark.at[2])),
    ty = px(scale.y(mark.at[3]));
  const length = Math.hypot(tx - x, ty - y) || 1;
  const ux = (tx - x) / length,
    uy = (ty - y) / length,
    size = Math.min(11, length);
  const bx = tx - ux * size,
    by = ty - uy * size,
    wing = size * 0.42;
  const parts = [
    s("path", { class: `${look} arrow`, d: `M${x} ${y}L${px(bx)} ${px(by)}` }),
    s("path", {
      class: `head ${mark.role}`,
      d: `M${tx} ${ty}L${px(bx - uy * wing)} ${px(by + ux * wing)}L${px(bx + uy * wing)} ${px(by - ux * wing)}Z`,
    }),
  ];
  if (mark.label) {
    const at = mark.label_at ? [scale.x(mark.label_at[0]), scale.y(mark.label_at[1])] : [tx + ux * 13, ty + uy * 13];
    const text = placed(s("text", { class: `label ${mark.role}` }, mark.label), at[0], at[1], mark.label_at ? 14 : 6);
    text.beside.middle = true;
    parts.push(text);
  }
  return parts;
}

/**
 * Grid lines and numbers of a plot.
 * @param {{x: Tick[], y: Tick[]}} ticks @param {Scale} scale
 * @param {{left: number, top: number, width: number, height: number}} box @param {boolean} inside
 */
export function gridLines(ticks, scale, box, inside) {
  const right = box.left + box.width,
    bottom = box.top + box.height;
  const parts = [];
  for (const tick of ticks.x) {
    const x = px(scale.x(tick.at));
    parts.push(s("line", { x1: x, x2: x, y1: box.top, y2: bottom, class: tick.text === "0" ? "zero" : "" }));
    if (!inside || (x > box.left + 26 && x < right - 20))
      parts.push(
        s(
          "text",
          { x, y: inside ? bottom - 7 : bottom + 15, "text-anchor": !inside && x > right - 12 ? "end" : "middle" },
          tick.text,
        ),
      );
  }
  for (const tick of ticks.y) {
    const y = px(scale.y(tick.at));
    parts.push(
      s("line", { x1: box.left + (inside ? 34 : 0), x2: right, y1: y, y2: y, class: tick.text === "0" ? "zero" : "" }),
    );
    if (!inside || (y > box.top + 30 && y < bottom - 24))
      parts.push(
        s("text", { x: inside ? 8 : box.left - 7, y: y + 4, "text-anchor": inside ? "start" : "end" }, tick.text),
      );
  }
  return parts;
}

/** Round numbers on both axes. @param {number[]} window @param {{width: number, height: number}} box */
export const roundTicks = ([left, right, bottom, top], box, apart = [56, 40]) => ({
  x: ticksOf(left, right, box.width, apart[0]),
  y: ticksOf(bottom, top, box.height, apart[1]),
});

/** Where a small plot is drawn. @param {any} svg @param {number} edge */
export const plotBox = ({ clientWidth: width, clientHeight: height }, edge) => ({
  left: edge ? 44 : 0,
  top: 8,
  width: width - (edge ? 52 : 0),
  height: height - 8 - edge,
});

/**
 * A small plot with its axes outside.
 * @param {any} svg @param {Plot | null} plot @param {Mark[]} more @param {number} edge
 */
export function drawPlot(svg, plot, more, edge) {
  const width = svg.clientWidth,
    height = svg.clientHeight;
  if (!plot || !width) return svg.replaceChildren();
  const box = plotBox(svg, edge);
  const scale = affine(plot.window, box);
  const grid = s("g", { class: "grid" }, ...gridLines(plot.ticks ?? roundTicks(plot.window, box), scale, box, !edge));
  if (plot.x_label)
    grid.append(
      s("text", { class: "axis-name", x: box.left + box.width, y: height - 4, "text-anchor": "end" }, plot.x_label),
    );
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const parts = [...plot.marks, ...more].flatMap((mark) => drawn(mark, scale));
  svg.replaceChildren(grid, ...parts);
  arrange(
    parts.filter((part) => part.beside),
    [],
    { width, height },
  );
}

const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-style",
  "font-weight",
  "paint-order",
];

/** A copy of a drawing that needs no style sheet. @param {any} svg */
export function withLooks(svg) {
  const copy = s("g", {}, ...[...svg.childNodes].map((node) => node.cloneNode(true)));
  const from = svg.querySelectorAll("*"),
    to = copy.querySelectorAll("*");
  from.forEach((/** @type {Element} */ element, /** @type {number} */ i) => {
    const looks = getComputedStyle(element);
    for (const name of LOOKS) {
      if (!["g", "svg"].includes(element.tagName))
        to[i].setAttribute(name, looks.getPropertyValue(name).replaceAll('"', "'"));
    }
    to[i].removeAttribute("class");
  });
  return copy;
}
