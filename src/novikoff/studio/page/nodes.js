// @ts-check
/**
 * A lesson's words as elements.
 *
 * Python sends words as nodes, [name, attributes, ...children]. Only the elements and attributes
 * listed here are made of them; whatever else a lesson's file may hold stays text or is left out.
 */

import { s } from "./elements.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const WORDS = new Set([
  "p", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote", "h3", "h4", "h5", "h6", "br", "hr", "span",
  "div", "table", "thead", "tbody", "tr", "th", "td",
]);
const SYMBOLS = new Set([
  "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msub", "msup", "msubsup", "munder", "mover", "munderover",
  "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd",
]);
const PICTURE = "picture"; // rows of numbers, drawn below
const ATTRIBUTES = new Set([
  "class", "display", "width", "accent", "accentunder", "fence", "form", "stretchy", "movablelimits", "columnalign",
  "linethickness", "minsize", "maxsize", "tabindex",
]);

/** Elements from nodes. @param {any} node @returns {Node} */
export function built(node) {
  if (!Array.isArray(node)) return document.createTextNode(String(node));
  const [name, given, ...children] = node;
  if (name === PICTURE) return picture(String(given?.label ?? ""), String(children[0] ?? ""));
  const element = SYMBOLS.has(name)
    ? document.createElementNS(MATHML, name)
    : document.createElement(WORDS.has(name) ? name : "span");
  for (const [key, value] of Object.entries(given ?? {}))
    if (ATTRIBUTES.has(key)) element.setAttribute(key, String(value));
  element.append(...children.map(built));
  return element;
}

/**
 * A picture from rows of whole numbers: 0 is white, and the largest black.
 * @param {string} label
 * @param {string} cells
 */
function picture(label, cells) {
  const rows = cells.split("\n").map((row) => row.split(" ").map((cell) => Number(cell) || 0));
  const most = Math.max(1, ...rows.flat());
  const viewBox = `0 0 ${rows[0].length} ${rows.length}`;
  return s("svg", { class: "nk-picture", viewBox, role: "img", "aria-label": label }, ...rows.flatMap((row, y) =>
    row.map((cell, x) => s("rect", { x, y, width: 1, height: 1, "fill-opacity": cell / most })),
  ));
}
