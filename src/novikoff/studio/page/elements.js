// @ts-check
/** Elements of the page and the outlines of its pictures. */

export const SVG = "http://www.w3.org/2000/svg";
/** Outlines of the rows' marks by class: triangle, disc, square, diamond, … */
export const SHAPES = [
  "M0-7.2 6.6 4.6H-6.6Z",
  "M0-5.9A5.9 5.9 0 1 1 0 5.9 5.9 5.9 0 1 1 0-5.9Z",
  "M-5.2-5.2H5.2V5.2H-5.2Z",
  "M0-7.2 6.4 0 0 7.2-6.4 0Z",
  "M0 7.2-6.6-4.6H6.6Z",
  "M-2.2-6.6H2.2V-2.2H6.6V2.2H2.2V6.6H-2.2V2.2H-6.6V-2.2H-2.2Z",
  "M0-6.8 6.5-2.1 4-5.5 4 5.5-4 5.5-6.5-2.1Z",
  "M0-7.4 2.1-2.4 7-2.3 3.1 1.1 4.5 6 0 3.2-4.5 6-3.1 1.1-7-2.3-2.1-2.4Z",
  "M-3.3-5.8H3.3L6.6 0 3.3 5.8H-3.3L-6.6 0Z",
  "M-5.6-3.4-3.4-5.6 0-2.2 3.4-5.6 5.6-3.4 2.2 0 5.6 3.4 3.4 5.6 0 2.2-3.4 5.6-5.6 3.4-2.2 0Z",
];

/** Outlines of the buttons' pictures, in a box of 24. */
export const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  save: "M12 4v11m0 0 4-4m-4 4-4-4M5 19h14",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  help: "M9 9a3 3 0 1 1 4 2.8c-.8.3-1 1-1 1.7v.5M12 17.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  first: "M19 5 9 12l10 7zM5 5v14",
  back: "m15 5-8 7 8 7",
  forward: "m9 5 8 7-8 7",
  last: "m5 5 10 7-10 7zM19 5v14",
  play: "m8 5 11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  book: "M4 5a3 3 0 0 1 3-1h5v16H7a3 3 0 0 0-3 1zM20 5a3 3 0 0 0-3-1h-5v16h5a3 3 0 0 1 3 1z",
  sliders: "M5 7h9M18 7h1M5 17h2M11 17h8M16 5v4M9 15v4",
  line: "M4 19 20 5M6.5 16.8v.1M17.5 7.2v.1",
  grid: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5M9 12h6",
  wait: "M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  yes: "m5 12.5 4.5 4.5L19 7.5",
  no: "M6 6l12 12M18 6 6 18",
  open: "M12 7v6M12 16.5v.1",
};

/**
 * An element with attributes, listeners (`onclick: f`) and children.
 * @param {string} tag @param {Record<string, any>} [given] @param {...any} children
 * @returns {any}
 */
export function h(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** @param {string} tag @param {Record<string, any>} [given] @param {...any} children @returns {any} */
export function s(tag, given = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {keyof typeof ICONS} name */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: "nk-i", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** @param {number} code */
export const shapeIcon = (code) =>
  s(
    "svg",
    { viewBox: "-9 -9 18 18", class: "nk-key", "aria-hidden": "true" },
    s("path", { d: SHAPES[code], class: `row c${code}` }),
  );

/** @param {string} classes */
export const lineIcon = (classes) =>
  s("svg", { viewBox: "0 0 24 10", "aria-hidden": "true" }, s("path", { d: "M1 5H23", class: `m ${classes}` }));

/**
 * @param {string} label @param {keyof typeof ICONS} name @param {() => void} onclick
 * @param {Record<string, any>} [more]
 */
export const iconButton = (label, name, onclick, more = {}) =>
  h(
    "button",
    { type: "button", class: "nk-button nk-icon", "aria-label": label, title: label, onclick, ...more },
    icon(name),
  );

/** @param {string} text @param {() => void} onclick @param {Record<string, any>} [more] */
export const button = (text, onclick, more = {}) =>
  h("button", { type: "button", class: "nk-button", onclick, ...more }, text);

let ids = 0;
const unique = `nk${Math.random().toString(36).slice(2, 8)}`;
/** An id that no other element has. */
export const newId = () => `${unique}-${ids++}`;

/** @param {string} label @param {any} control */
export function field(label, control) {
  control.id ||= newId();
  return h("div", { class: "nk-field" }, h("label", { for: control.id }, label), control);
}

/** @param {string} text @param {(on: boolean) => void} change @param {any} [key] a sample of what is drawn */
export function checkbox(text, change, key = null) {
  const input = h("input", { type: "checkbox", id: newId(), onchange: () => change(input.checked) });
  return { input, element: h("div", { class: "nk-check" }, input, h("label", { for: input.id }, text), key) };
}

/** @param {string} title @param {...any} children */
export const group = (title, ...children) =>
  h("section", { class: "nk-group", "aria-label": title }, h("h2", {}, title), ...children);

/** @param {any} select @param {any[]} options */
export const fill = (select, options) => select.replaceChildren(...options);

/** @param {{value: string, text: string}} choice */
export const option = (choice) => h("option", { value: choice.value }, choice.text);
