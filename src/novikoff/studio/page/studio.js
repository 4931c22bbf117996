// @ts-check
/**
 * The studio's page: it draws what Python computes and tells Python what a hand does.
 *
 * One module, two homes: a page served by `novikoff studio` (a WebSocket) and a notebook
 * (anywidget's model). No number shown here is computed here: coordinates, ticks and texts come
 * from Python; this file maps data coordinates to pixels and pixels go back as they are.
 */

/** @typedef {[number, number, number]} Row  x, y and the place of the class */
/** @typedef {{kind: string, role: string, at: any, label?: string, label_at?: number[], text?: string, anchor?: string, closed?: boolean, code?: number, side?: number, place?: number, row?: number}} Mark */
/** @typedef {{at: number, text: string}} Tick */
/** @typedef {{window: number[], ticks: {x: Tick[], y: Tick[]}, marks: Mark[], x_label?: string}} Plot */
/** @typedef {{caption: string, header: string[], first: number, lines: string[][], total: number}} Lines */
/** @typedef {{status: string, headline: string, headline_status: string, title: string, sentence: string, facts: {name: string, value: string}[], support: {row: number, number: number, sign: string, weight: string}[], classes: {code: number, name: string, status: string, key: string}[], has_proof: boolean}} Verdict */
/** @typedef {{title: string, text: string, sum: string[], outcome: string, last: boolean}} Step */
/** @typedef {{classes: string[], binary: boolean, title: string, note: string, tie: string, order: string, order_text: string, start: string, start_text: string, seed: number, seeded: boolean, offset: boolean, map: string, numbers: string, passes: number, limit: number, show: string[], focus: number, n_rows: number, n_overlays: number, k: number, total: number, slider: string, slider_value: string}} Controls */
/** @typedef {{frame: {window: number[], ticks: {x: Tick[], y: Tick[]}, axes: string[], nudge: string}, controls: Controls, columns: null | {names: string[], chosen: any, labels: string[]}, selected: null | {row: number, number: number, x: string, y: string, class: number, text: string, made: string}, problem: string, scene: {under: Mark[], over: Mark[], wrong: number[]}, table: Lines | null, chart: Plot | null, cursor: Mark[] | null, inset: Plot | null, step: Step | null, verdict: Verdict | null, overlays: {place: number, name: string, text: string, weights: string}[] | null, proof: {formula: string, text: string, holds: boolean | null, note: string}[] | null}} View */
/** @typedef {{sets: {title: string, names: {name: string, about: string}[]}[], ties: Choice[], orders: Choice[], maps: Choice[], numbers: Choice[], presets: string[]}} Menu */
/** @typedef {{value: string, text: string}} Choice */
/** @typedef {{id?: number, menu?: Menu, view?: Partial<View>, rows?: Row[], changes?: number[][], state?: any, error?: string, answer?: any}} Reply */
/** @typedef {{send: (message: any) => void, close: () => void}} Link */
/** @typedef {(handlers: {open: () => void, reply: (reply: Reply) => void, lost: (why: string) => void}) => Link} Connect */

const SVG = "http://www.w3.org/2000/svg";
const MOST_SVG_ROWS = 5000; // more than these are painted on a canvas
const MOST_NUMBERED = 30; // rows with their number beside them
const REACH = 13; // pixels within which a row is meant
const LINE_HEIGHT = 26; // of the table, as in the style sheet
const UNDO = 200;

/** Outlines of the rows' marks by class: triangle, disc, square, diamond, … */
const SHAPES = [
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
const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  save: "M12 4v11m0 0 4-4m-4 4-4-4M5 19h14",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  help: "M9 9a3 3 0 1 1 4 2.8c-.8.3-1 1-1 1.7v.5M12 17.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  first: "M19 5 9 12l10 7zM5 5v14", back: "m15 5-8 7 8 7", forward: "m9 5 8 7-8 7",
  last: "m5 5 10 7-10 7zM19 5v14", play: "m8 5 11 7-11 7z", pause: "M8 5v14M16 5v14",
  plus: "M12 5v14M5 12h14", minus: "M5 12h14", fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  yes: "m5 12.5 4.5 4.5L19 7.5", no: "M6 6l12 12M18 6 6 18", open: "M12 7v6M12 16.5v.1",
};

/**
 * An element with attributes, listeners (`onclick: f`) and children.
 * @param {string} tag @param {Record<string, any>} [given] @param {...any} children
 * @returns {any}
 */
function h(tag, given = {}, ...children) {
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
function s(tag, given = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {keyof typeof ICONS} name */
const icon = (name) => s("svg", { viewBox: "0 0 24 24", class: "nk-i", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** @param {number} code */
const shapeIcon = (code) => s("svg", { viewBox: "-9 -9 18 18", class: "nk-key", "aria-hidden": "true" }, s("path", { d: SHAPES[code], class: `row c${code}` }));

/** @param {string} classes */
const lineIcon = (classes) => s("svg", { viewBox: "0 0 24 10", "aria-hidden": "true" }, s("path", { d: "M1 5H23", class: `m ${classes}` }));

/**
 * The affine map from a window of the plane to a box of pixels.
 * @param {number[]} window @param {{left: number, top: number, width: number, height: number}} box
 */
function affine(window, box) {
  const [left, right, bottom, top] = window;
  const ax = box.width / (right - left), ay = box.height / (top - bottom);
  return {
    x: (/** @type {number} */ value) => box.left + (value - left) * ax,
    y: (/** @type {number} */ value) => box.top + (top - value) * ay,
  };
}
/** @typedef {ReturnType<typeof affine>} Scale */

/** @param {number} value */
const px = (value) => Math.round(value * 100) / 100;

/** @param {Mark} mark @param {Scale} scale */
function pathData(mark, scale) {
  let data = "";
  for (const line of mark.at) {
    for (let i = 0; i < line.length; i += 2) data += `${i ? "L" : "M"}${px(scale.x(line[i]))} ${px(scale.y(line[i + 1]))}`;
    if (mark.closed) data += "Z";
  }
  return data;
}

/** The classes that a mark is styled by. @param {Mark} mark */
function looks(mark) {
  const code = mark.code ?? mark.side;
  return `m ${mark.role}${code == null ? "" : ` c${code}`}${mark.place == null ? "" : ` o${mark.place}`}`;
}

/** The SVG of a mark. @param {Mark} mark @param {Scale} scale @returns {any[]} */
function drawn(mark, scale) {
  const look = looks(mark);
  if (mark.kind === "path") return [s("path", { class: look, d: pathData(mark, scale) })];
  const x = px(scale.x(mark.at[0])), y = px(scale.y(mark.at[1]));
  if (mark.kind === "text") {
    const above = mark.role === "bound";
    return [s("text", { class: look, x: above ? x - 6 : x + 13, y: above ? y - 8 : y - 11, "text-anchor": mark.anchor ?? "start" }, mark.text ?? "")];
  }
  if (mark.kind === "dot") {
    const radius = { current: 11.5, blocking: 11, shared: 6.5, origin: 3 }[mark.role] ?? 4.5;
    const parts = [s("circle", { class: look, cx: x, cy: y, r: radius })];
    const left = mark.role === "shared";
    if (mark.label) parts.push(s("text", { class: `label ${mark.role}`, x: left ? x - 12 : x + 14, y: y + (left ? -10 : 18), "text-anchor": left ? "end" : "start" }, mark.label));
    return parts;
  }
  const tx = px(scale.x(mark.at[2])), ty = px(scale.y(mark.at[3]));
  const length = Math.hypot(tx - x, ty - y) || 1;
  const ux = (tx - x) / length, uy = (ty - y) / length, size = Math.min(11, length);
  const bx = tx - ux * size, by = ty - uy * size, wing = size * 0.42;
  const parts = [
    s("path", { class: look, d: `M${x} ${y}L${px(bx)} ${px(by)}` }),
    s("path", { class: `head ${mark.role}`, d: `M${tx} ${ty}L${px(bx - uy * wing)} ${px(by + ux * wing)}L${px(bx + uy * wing)} ${px(by - ux * wing)}Z` }),
  ];
  if (mark.label) {
    const at = mark.label_at ? [scale.x(mark.label_at[0]), scale.y(mark.label_at[1])] : [tx + ux * 13, ty + uy * 13];
    parts.push(s("text", { class: `label ${mark.role}`, x: px(at[0]), y: px(at[1] + 5), "text-anchor": "middle" }, mark.label));
  }
  return parts;
}

/**
 * Grid lines and numbers of a plot.
 * @param {{x: Tick[], y: Tick[]}} ticks @param {Scale} scale
 * @param {{left: number, top: number, width: number, height: number}} box @param {boolean} inside
 */
function gridLines(ticks, scale, box, inside) {
  const right = box.left + box.width, bottom = box.top + box.height;
  const parts = [];
  for (const tick of ticks.x) {
    const x = px(scale.x(tick.at));
    parts.push(s("line", { x1: x, x2: x, y1: box.top, y2: bottom, class: tick.text === "0" ? "zero" : "" }));
    if (!inside || (x > box.left + 26 && x < right - 20)) parts.push(s("text", { x, y: inside ? bottom - 7 : bottom + 15, "text-anchor": "middle" }, tick.text));
  }
  for (const tick of ticks.y) {
    const y = px(scale.y(tick.at));
    parts.push(s("line", { x1: box.left + (inside ? 34 : 0), x2: right, y1: y, y2: y, class: tick.text === "0" ? "zero" : "" }));
    if (!inside || (y > box.top + 18 && y < bottom - 24)) parts.push(s("text", { x: inside ? 8 : box.left - 7, y: y + 4, "text-anchor": inside ? "start" : "end" }, tick.text));
  }
  return parts;
}

/** A small plot with its axes outside. @param {any} svg @param {Plot | null} plot @param {Mark[]} more @param {number} edge */
function drawPlot(svg, plot, more, edge) {
  const width = svg.clientWidth, height = svg.clientHeight;
  if (!plot || !width) return svg.replaceChildren();
  const box = { left: edge ? 44 : 0, top: 8, width: width - (edge ? 52 : 0), height: height - 8 - edge };
  const scale = affine(plot.window, box);
  const grid = s("g", { class: "grid" }, ...gridLines(plot.ticks, scale, box, !edge));
  if (plot.x_label) grid.append(s("text", { class: "axis-name", x: box.left + box.width, y: height - 4, "text-anchor": "end" }, plot.x_label));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren(grid, ...[...plot.marks, ...more].flatMap((mark) => drawn(mark, scale)));
}

/**
 * The studio in `root`, fed through `connect`.
 * @param {HTMLElement} root @param {Connect} connect
 * @param {{notebook?: boolean, opening?: () => any, settled?: (ask: (what: string, more?: any) => Promise<any>) => void, link?: (fragment: string) => string}} home
 */
function studio(root, connect, home = {}) {
  /** @type {any} */ let state = null;
  /** @type {View} */ let view = /** @type {any} */ ({});
  /** @type {Menu | null} */ let menu = null;
  /** @type {any[]} */ const past = [];
  /** @type {any[]} */ const future = [];
  let brush = 1;
  /** @type {Map<string, string>} */ const texts = new Map(); // the CSV files that were opened, by name

  // ---- Talking to Python: one message of edits at a time; while it is away, newer ones gather.

  let next = 1, away = 0, online = false;
  /** @type {any[]} */ let outbox = [];
  /** @type {any[]} */ let flying = []; // edits that no reply has confirmed yet
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */ const asked = new Map();
  /** @type {() => void} */ let announceNext = () => {};

  /** @param {any} edit @param {{record?: boolean}} [how] */
  function edit(edit, { record = false } = {}) {
    const last = outbox[outbox.length - 1];
    const stale = last && last.do === edit.do && !record && ((edit.do === "move" && last.row === edit.row) || edit.do === "go" || edit.do === "size");
    if (stale) {
      if (last.record) edit = { ...edit, record: true };
      outbox.pop();
    }
    outbox.push(record ? { ...edit, record } : edit);
    flush();
  }

  function flush() {
    if (away || !online || !outbox.length) return;
    const sent = (flying = outbox);
    outbox = [];
    if (sent.some((one) => one.record)) remember();
    /** @type {any} */ const message = { id: (away = next++) };
    const restored = sent.findIndex((one) => one.do === "restore");
    if (restored >= 0) message.state = { ...sent[restored].state, size: state.size };
    message.edits = sent.slice(restored + 1).map(({ record, ...rest }) => rest);
    busy.classList.add("on");
    link.send(message);
  }

  /** @param {string} what @param {any} [more] @returns {Promise<any>} */
  function ask(what, more = {}) {
    return new Promise((resolve, reject) => {
      if (!online) return reject(new Error("The connection is lost."));
      const id = next++;
      asked.set(id, { resolve, reject });
      link.send({ id, ask: what, ...more });
    });
  }

  /** @param {Reply} reply */
  function receive(reply) {
    const waiting = asked.get(reply.id ?? -1);
    if (waiting) {
      asked.delete(reply.id ?? -1);
      return reply.error ? waiting.reject(new Error(reply.error)) : waiting.resolve(reply.answer);
    }
    if (reply.menu) {
      menu = reply.menu;
      fillMenus(menu);
    }
    if (reply.id === away) {
      away = 0;
      flying = [];
      busy.classList.remove("on");
    }
    if (reply.error) toast(reply.error);
    if (reply.state) {
      let rows = reply.rows ?? (state ? state.rows : []);
      if (reply.changes && reply.changes.length) {
        rows = rows.slice();
        for (const [i, x, y, code] of reply.changes) rows[i] = [x, y, code];
      }
      state = { ...reply.state, rows };
    }
    if (reply.view) show(reply);
    if (!outbox.length) {
      announceNext();
      announceNext = () => {};
    }
    root.dispatchEvent(new CustomEvent("nk-drawn", { detail: reply.id }));
    settle();
    flush();
    while (!away && !outbox.length && trips.length) trips.shift()?.();
  }

  /** @type {any} */ let settling = 0;
  function settle() {
    clearTimeout(settling);
    settling = setTimeout(() => !away && !outbox.length && home.settled?.(ask), 350);
  }

  const link = connect({
    open() {
      online = true;
      away = next++;
      asked.clear();
      const rect = plane.getBoundingClientRect();
      const size = { do: "size", size: [rect.width || 640, rect.height || 480] };
      const opening = home.opening?.();
      busy.classList.add("on");
      if (state) link.send({ id: away, hello: true, state: { ...state, size: size.size } });
      else if (opening) link.send({ id: away, hello: true, open: opening, edits: [size] });
      else link.send({ id: away, hello: true, edits: [size, { do: "fit" }] });
      banner("");
    },
    reply: receive,
    lost(why) {
      online = false;
      away = 0;
      outbox = [...flying.map(({ record, ...rest }) => rest), ...outbox];
      flying = [];
      for (const { reject } of asked.values()) reject(new Error("The connection is lost."));
      asked.clear();
      banner(why || "The connection to Python is lost. Your rows are kept; trying again …", true);
    },
  });

  // ---- Undo. A snapshot is the whole state; snapshots share the rows that did not change.

  function remember() {
    if (!state) return;
    past.push(state);
    if (past.length > UNDO) past.shift();
    future.length = 0;
  }

  /** @type {(() => void)[]} */ const trips = []; // steps back and forth that wait for a reply

  /** @param {any[]} from @param {any[]} to */
  function travel(from, to) {
    if (away || !online || outbox.length) return void trips.push(() => travel(from, to));
    if (!from.length) return;
    to.push(state);
    outbox.push({ do: "restore", state: from.pop() });
    say(() => view.selected?.text ?? view.verdict?.sentence ?? "");
    flush();
  }
  const undo = () => travel(past, future), redo = () => travel(future, past);

  // ---- The page's elements.

  /** @param {string} label @param {keyof typeof ICONS} name @param {() => void} onclick @param {Record<string, any>} [more] */
  const iconButton = (label, name, onclick, more = {}) => h("button", { type: "button", class: "nk-button nk-icon", "aria-label": label, title: label, onclick, ...more }, icon(name));
  /** @param {string} text @param {() => void} onclick @param {Record<string, any>} [more] */
  const button = (text, onclick, more = {}) => h("button", { type: "button", class: "nk-button", onclick, ...more }, text);
  let ids = 0;
  const unique = `nk${Math.random().toString(36).slice(2, 8)}`;
  /** @param {string} label @param {any} control */
  function field(label, control) {
    control.id ||= `${unique}-${ids++}`;
    return h("div", { class: "nk-field" }, h("label", { for: control.id }, label), control);
  }
  /** @param {string} key @param {(value: any) => any} [read] */
  const chooser = (key, read = (value) => value) => h("select", { onchange: (/** @type {any} */ e) => edit({ do: "set", key, value: read(e.target.value) }, { record: true }) });
  /** @param {string} text @param {(on: boolean) => void} change @param {any} [key] a sample of what is drawn */
  function checkbox(text, change, key = null) {
    const input = h("input", { type: "checkbox", id: `${unique}-${ids++}`, onchange: () => change(input.checked) });
    return { input, element: h("div", { class: "nk-check" }, input, h("label", { for: input.id }, text), key) };
  }
  /** @param {string} title @param {...any} children */
  const group = (title, ...children) => h("section", { class: "nk-group", "aria-label": title }, h("h2", {}, title), ...children);

  const pill = h("div", { class: "nk-pill", hidden: true });
  const undoButton = iconButton("Undo", "undo", undo, { disabled: true });
  const redoButton = iconButton("Redo", "redo", redo, { disabled: true });
  const exportMenu = h("details", { class: "nk-menu" },
    h("summary", { class: "nk-button", role: "button", "aria-label": "Export" }, icon("save"), "Export"),
    h("div", {},
      h("button", { type: "button", onclick: () => exportText("code") }, "Python code"),
      h("button", { type: "button", onclick: () => exportText("csv") }, "Rows as CSV"),
      h("button", { type: "button", onclick: () => exportText("proof") }, "Proof (certificate)"),
      h("button", { type: "button", onclick: () => exportText("proof_rows") }, "Rows of the proof as CSV"),
      h("button", { type: "button", onclick: () => exportPicture("svg") }, "Picture as SVG"),
      h("button", { type: "button", onclick: () => exportPicture("png") }, "Picture as PNG")));
  const themeButton = iconButton("Dark or light", "theme", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
  const presentButton = iconButton("Presenter's mode", "screen", () => present(!root.classList.contains("presenting")), { "aria-pressed": "false" });
  const top = h("header", { class: "nk-top" },
    h(home.notebook ? "div" : "h1", { class: "nk-brand" },
      s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: "M1 16.5 19 6.5", class: "m boundary before" }), s("circle", { cx: 6, cy: 6, r: 3.6, class: "c1" }), s("path", { d: "m14.6 11 3.4 6h-6.8z", class: "c0" })),
      "novikoff", h("span", {}, "studio")),
    pill,
    h("div", { class: "nk-tools", role: "group", "aria-label": "Tools" },
      undoButton, redoButton, h("span", { class: "nk-gap nk-hideable" }),
      h("button", { type: "button", class: "nk-button nk-hideable", onclick: share }, icon("link"), "Share"), h("div", { class: "nk-hideable" }, exportMenu),
      h("span", { class: "nk-gap" }), themeButton, presentButton, iconButton("Help and keys", "help", () => help.showModal())));

  // Left: data, rows, conventions.
  const setPicker = h("select", { "aria-label": "Built-in set", onchange: () => setPicker.value && edit({ do: "load", name: setPicker.value }, { record: true }) });
  const fileInput = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", class: "nk-sr", tabindex: -1, "aria-hidden": "true", onchange: () => fileInput.files?.[0] && openFile(fileInput.files[0]) });
  const note = h("p", { class: "nk-note" });
  const columnX = h("select", { onchange: chooseColumns }), columnY = h("select", { onchange: chooseColumns });
  const labelPicker = h("select", { onchange: chooseColumns });
  const projection = checkbox("Principal components", chooseColumns);
  const labelField = field("Label", labelPicker);
  const columnFields = h("div", { class: "nk-group" }, labelField, field("Across", columnX), field("Up", columnY), projection.element);
  const brushes = h("div", { class: "nk-brush", role: "group", "aria-label": "Class of new rows" });
  const rowX = h("input", { type: "text", inputmode: "decimal", onchange: placeRow }), rowY = h("input", { type: "text", inputmode: "decimal", onchange: placeRow });
  const rowClass = h("select", { onchange: () => view.selected && edit({ do: "flip", row: view.selected.row, class: rowClass.selectedIndex }, { record: true }) });
  const rowTitle = h("p", { class: "nk-note" });
  const rowEditor = h("div", { class: "nk-group" }, rowTitle, field("Across", rowX), field("Up", rowY), field("Class", rowClass),
    h("div", { class: "nk-rowline" }, button("Previous", () => select(-1)), button("Next", () => select(1)), button("Flip", flip), button("Delete", remove)));
  const tie = chooser("tie"), order = h("select", { onchange: chooseOrder }), start = h("select", { onchange: chooseStart });
  const orderText = h("input", { type: "text", "aria-label": "Order as row numbers", placeholder: "3, 1, 2", onchange: () => edit({ do: "set", key: "order", value: orderText.value }, { record: true }) });
  const startText = h("input", { type: "text", "aria-label": "Starting weights, the offset last", placeholder: "1, -0.8", onchange: () => edit({ do: "set", key: "start", value: startText.value }, { record: true }) });
  const reseed = button("Another seed", () => edit({ do: "set", key: "seed", value: (state.seed + 1) % 1000 }, { record: true }));
  const offset = checkbox("Offset (a constant 1 in each row)", (on) => edit({ do: "set", key: "offset", value: on }, { record: true }));
  const map = chooser("map"), numbers = chooser("numbers");
  const limit = chooser("limit", Number), passes = chooser("passes", Number);
  for (const value of ["100", "1000", "10000", "100000", "200000"]) limit.append(h("option", { value }, `${value.replace(/(?=(\d{3})+$)(?!^)/g, ",")} mistakes`));
  for (const value of ["10", "100", "1000", "100000", "1000000"]) passes.append(h("option", { value }, `${value.replace(/(?=(\d{3})+$)(?!^)/g, ",")} passes`));
  const overlayList = h("ul", { class: "nk-overlays" });
  const toggles = Object.fromEntries([["regions", "Half-spaces", "boundary"], ["update", "Before the update", "boundary before"], ["maximum", "Largest margin", "maximum"], ["hulls", "Hulls, obstruction", "hull c1"]].map(([key, text, role]) => [key, checkbox(text, () => edit({ do: "set", key: "show", value: Object.keys(toggles).filter((k) => toggles[k].input.checked) }), lineIcon(role))]));
  const side = h("aside", { class: "nk-side", "aria-label": "Data and conventions" },
    group("Data", setPicker, h("div", { class: "nk-rowline" }, button("Open a CSV file", () => fileInput.click()), button("Clear", () => edit({ do: "clear" }, { record: true }))), fileInput, note, columnFields),
    group("Rows", brushes, h("div", { class: "nk-rowline" }, button("Add a row", addRow), button("Edit rows", () => select(1))), rowEditor),
    group("Conventions", field("A tie is", tie), field("Order", order), orderText, field("Start", start), startText, reseed, offset.element, field("Features", map),
      h("details", { class: "nk-more" }, h("summary", {}, "Numbers and limits"), h("div", {}, field("Numbers", numbers), field("At most", limit), field("At most", passes)))),
    group("Show", ...Object.values(toggles).map((one) => one.element)),
    group("Compare runs", h("div", { class: "nk-rowline" }, button("Orders", () => overlay("orders")), button("Shuffles", () => overlay("shuffles")), button("Starts", () => overlay("starts")), button("Pin this run", () => overlay("pin")), button("None", () => overlay("none"))), overlayList));

  // Middle: the plane and the transport.
  const underSvg = s("svg", { "aria-hidden": "true" }), overSvg = s("svg", { "aria-hidden": "true" });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const handle = h("div", { class: "nk-handle", role: "group", "aria-label": "Selected row", hidden: true }, button("Flip", flip), button("Delete", remove));
  const bannerBox = h("div", { class: "nk-banner", role: "status", hidden: true });
  const problemBox = h("div", { class: "nk-banner", role: "status", hidden: true });
  const plane = h("div", {
    class: "nk-plane", tabindex: 0, role: "application", "aria-roledescription": "plane of rows",
    "aria-label": "Plane of rows. N and P choose a row, arrow keys move it, F flips its sign, Delete removes it, A adds one.",
  }, underSvg, canvas, overSvg, handle, bannerBox, problemBox);
  const zoomBox = h("div", { class: "nk-zoom", role: "group", "aria-label": "Zoom" },
    h("button", { type: "button", "aria-label": "Zoom in", title: "Zoom in", onclick: () => edit({ do: "zoom", steps: 1 }) }, icon("plus")),
    h("button", { type: "button", "aria-label": "Zoom out", title: "Zoom out", onclick: () => edit({ do: "zoom", steps: -1 }) }, icon("minus")),
    h("button", { type: "button", "aria-label": "Show all rows", title: "Show all rows", onclick: () => edit({ do: "fit" }) }, icon("fit")));
  const busy = h("div", { class: "nk-busy" });
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": "Mistake k", oninput: () => go(Number(slider.value)) });
  const place = h("output", {});
  const playButton = h("button", { type: "button", class: "nk-play", "aria-label": "Play", title: "Play (space)", onclick: () => play(!playing) }, icon("play"));
  const speed = h("select", { "aria-label": "Speed" }, ...[["1 900", "slow"], ["1 400", "normal"], ["1 90", "fast"], ["10 60", "× 10"], ["100 60", "× 100"], ["1000 60", "× 1000"]].map(([value, text]) => h("option", { value, selected: text === "normal" }, text)));
  const transport = h("div", { class: "nk-transport", role: "group", "aria-label": "Steps of the run" },
    h("div", { class: "nk-keys" },
      h("button", { type: "button", "aria-label": "To the start", title: "To the start (Home)", onclick: () => go(0) }, icon("first")),
      h("button", { type: "button", "aria-label": "Back one mistake", title: "Back one mistake (←)", onclick: () => step(-1) }, icon("back")),
      playButton,
      h("button", { type: "button", "aria-label": "Forward one mistake", title: "Forward one mistake (→)", onclick: () => step(1) }, icon("forward")),
      h("button", { type: "button", "aria-label": "To the end", title: "To the end (End)", onclick: () => go(null) }, icon("last"))),
    slider, place, speed);
  const now = h("div", { class: "nk-now" });
  const stage = h("main", { class: "nk-stage" }, h("div", { class: "nk-plane-holder" }, plane, zoomBox, busy), transport, now);

  // Right: verdict, update, table, sandwich.
  const word = h("p", { class: "nk-word" }), sentence = h("p", {}), facts = h("dl", { class: "nk-facts" }), support = h("ul", { class: "nk-support" }), classList = h("div", { class: "nk-classes" });
  const proofButton = button("Export the proof", () => exportText("proof"));
  const verdictCard = h("section", { class: "nk-card nk-verdict", "aria-label": "Verdict" }, h("h2", {}, "Verdict"), word, sentence, facts, support, classList, h("div", { class: "nk-rowline" }, proofButton));
  const stepTitle = h("p", {}), stepText = h("p", { class: "nk-note" }), stepSum = h("p", { class: "nk-sum" }), inset = s("svg", { class: "nk-inset", role: "img" });
  const updateCard = h("section", { class: "nk-card nk-update", "aria-label": "Update" }, h("h2", {}, "Update"), stepTitle, stepText, stepSum, inset);
  const tableHead = h("thead", {}), tableBody = h("tbody", {}), tableNote = h("p", { class: "nk-note" });
  const table = h("table", { class: "nk-lines" }, h("caption", { class: "nk-sr" }, "Every update of the run"), tableHead, tableBody);
  const scroller = h("div", { class: "nk-scroll", tabindex: 0, role: "region", "aria-label": "Table of updates", onscroll: onTableScroll }, table);
  const tableCard = h("section", { class: "nk-card nk-table", "aria-label": "Table" }, h("h2", {}, "Table"), tableNote, scroller);
  const chart = s("svg", { class: "nk-chart", role: "img" });
  const checks = h("ul", { class: "nk-checks" });
  const chartCard = h("section", { class: "nk-card", "aria-label": "Proof sandwich" }, h("h2", {}, "The bound and its proof"), chart,
    h("ul", { class: "nk-legend" }, ...[["lower", "k·γ"], ["progress", "w·v"], ["norm", "‖w‖"], ["upper", "√k·R"]].map(([role, text]) => h("li", {}, lineIcon(role), text))), checks);
  const emptyCard = h("section", { class: "nk-card", "aria-label": "No run", hidden: true }, h("h2", {}, "No run yet"), h("p", { class: "nk-note" }, "The verdict, the update, the table and the proof appear here as soon as there are rows of different classes."));
  const read = h("section", { class: "nk-read", "aria-label": "Reading", tabindex: 0 }, emptyCard, verdictCard, updateCard, tableCard, chartCard);

  const live = h("div", { class: "nk-sr", "aria-live": "polite", role: "log" });
  const toastBox = h("div", { class: "nk-toast", role: "alert", hidden: true });
  const help = h("dialog", { "aria-label": "Help and keys" }, h("h2", {}, "In the studio"),
    h("dl", {}, ...[
      ["click", "add a row of the chosen class"], ["drag", "move a row; on empty ground, move the plane"], ["double-click", "flip a row's sign"],
      ["space", "play or pause"], ["← →", "back, forward one mistake"], ["Home End", "start, end of the run"],
      ["Ctrl Z", "undo (with Shift: redo)"], ["in the plane", "N P choose a row · arrows move it (Shift: further) · F flip · Delete · A add · + − 0 zoom"], ["Ctrl wheel", "zoom"],
    ].flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("p", { class: "nk-note" }, "Every number comes from Python in exact arithmetic where it matters. A solid line is the boundary after k mistakes, the dotted one the boundary before. Hollow rows are on the wrong side."),
    h("form", { method: "dialog", class: "nk-rowline" }, h("button", { class: "primary" }, "Close")));
  const textTitle = h("h2", {}), textBody = h("pre", { tabindex: 0 });
  let textName = "";
  const textDialog = h("dialog", { "aria-label": "Export" }, textTitle, textBody, h("div", { class: "nk-rowline" },
    button("Copy", () => copy(textBody.textContent ?? "")), button("Download", () => download(textName, textBody.textContent ?? "", "text/plain")), button("Close", () => textDialog.close(), { class: "primary" })));
  const linkInput = h("input", { type: "text", readonly: true, "aria-label": "Link", onfocus: () => linkInput.select() });
  const openInput = h("input", { type: "text", "aria-label": "A link to open", placeholder: "Paste a link" });
  const shareDialog = h("dialog", { "aria-label": "Share" }, h("h2", {}, "Share what is on the screen"),
    h("p", { class: "nk-note" }, "The link holds the rows and every choice, and no secret. It opens in this studio, and in another one with: novikoff studio \"LINK\"."),
    h("div", { class: "nk-group" }, linkInput, h("div", { class: "nk-rowline" }, button("Copy the link", () => copy(linkInput.value))),
      openInput, h("div", { class: "nk-rowline" }, button("Open it", openLink), button("Close", () => shareDialog.close(), { class: "primary" }))));

  root.classList.add("nk");
  root.classList.toggle("nk-in-notebook", Boolean(home.notebook));
  if (home.notebook) root.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys stay outside
  root.replaceChildren(top, h("div", { class: "nk-body" }, side, stage, read), live, toastBox, help, textDialog, shareDialog);

  // ---- Filling the page.

  /** @param {any} select @param {any[]} options */
  const fill = (select, options) => select.replaceChildren(...options);
  /** @param {Choice} choice */
  const option = (choice) => h("option", { value: choice.value }, choice.text);

  /** @param {Menu} menu */
  function fillMenus(menu) {
    fill(setPicker, [h("option", { value: "" }, "Choose a set …"), ...menu.sets.map((one) => h("optgroup", { label: one.title }, ...one.names.map((set) => h("option", { value: set.name, title: set.about }, set.name))))]);
    fill(tie, menu.ties.map(option));
    fill(order, [...menu.orders.map(option), h("option", { value: "given" }, "given row numbers")]);
    fill(start, [["zeros", "zeros"], ["random", "random"], ["given", "given numbers"]].map(([value, text]) => option({ value, text })));
    fill(map, menu.maps.map(option));
    fill(numbers, menu.numbers.map(option));
  }

  /** What each section of the view fills in. @type {Partial<Record<keyof View, () => void>>} */
  const parts = {
    frame: drawPlane, scene: drawPlane, controls: showControls, columns: showColumns, selected: showSelected,
    problem: () => { problemBox.hidden = !view.problem; problemBox.textContent = view.problem; emptyCard.hidden = !view.problem; for (const one of [verdictCard, updateCard, tableCard, chartCard]) one.hidden = Boolean(view.problem); },
    verdict: showVerdict, step: showStep, inset: drawInset, table: () => view.table && showTable(view.table), chart: drawChart, cursor: drawChart, proof: showProof, overlays: showOverlays,
  };

  /** @param {Reply} reply */
  function show(reply) {
    const changed = /** @type {(keyof View)[]} */ (Object.keys(reply.view ?? {}));
    Object.assign(view, reply.view);
    const todo = new Set(changed.map((name) => parts[name]));
    if (reply.rows || reply.changes?.length) todo.add(drawPlane);
    for (const fill of todo) fill?.();
    undoButton.disabled = !past.length;
    redoButton.disabled = !future.length;
  }

  function showControls() {
    const c = view.controls;
    tie.value = c.tie; order.value = c.order; start.value = c.start; map.value = c.map; numbers.value = c.numbers;
    limit.value = String(c.limit); passes.value = String(c.passes);
    orderText.hidden = c.order !== "given"; startText.hidden = c.start !== "given"; reseed.hidden = !c.seeded;
    if (document.activeElement !== orderText) orderText.value = c.order === "given" ? c.order_text : "";
    if (document.activeElement !== startText) startText.value = c.start_text;
    offset.input.checked = c.offset;
    for (const [key, one] of Object.entries(toggles)) one.input.checked = c.show.includes(key);
    setPicker.value = [...setPicker.options].some((one) => one.value === state.source.name && !state.source.edited) ? state.source.name : "";
    setPicker.options[0].textContent = setPicker.value ? "Choose a set …" : c.title;
    note.textContent = c.note; note.hidden = !c.note;
    if (brush >= c.classes.length) brush = c.classes.length - 1;
    if (brushes.dataset.names !== c.classes.join("\n")) {
      brushes.dataset.names = c.classes.join("\n");
      fill(brushes, c.classes.map((name, code) => h("button", { type: "button", title: name, "aria-label": `Add rows of class ${name}`, onclick: () => { brush = code; markBrush(); } }, shapeIcon(code), h("span", {}, name))));
      fill(rowClass, c.classes.map((name) => h("option", {}, name)));
    }
    markBrush();
    slider.max = String(c.total); slider.value = String(c.k); slider.setAttribute("aria-valuetext", c.slider_value); slider.disabled = !c.total;
    place.textContent = c.slider;
    if (lines) markLine(false);
  }

  function markBrush() {
    [...brushes.children].forEach((one, code) => one.setAttribute("aria-pressed", String(code === brush)));
  }

  function showColumns() {
    const c = view.columns;
    const movable = c && (state.source.kind !== "csv" || texts.has(state.source.name));
    columnFields.hidden = !movable;
    if (!c || !movable) return;
    for (const one of [columnX, columnY]) fill(one, c.names.map((name, place) => h("option", { value: place }, name)));
    labelField.hidden = !c.labels.length;
    fill(labelPicker, c.labels.map((name) => h("option", { value: name, selected: name === state.source.label }, name)));
    projection.input.checked = c.chosen === "projection";
    columnX.disabled = columnY.disabled = projection.input.checked;
    if (Array.isArray(c.chosen)) [columnX.value, columnY.value] = c.chosen.map(String);
  }

  function showSelected() {
    const one = view.selected;
    rowEditor.hidden = !one;
    if (one) {
      rowTitle.textContent = one.text;
      if (document.activeElement !== rowX) rowX.value = one.x;
      if (document.activeElement !== rowY) rowY.value = one.y;
      rowClass.selectedIndex = one.class;
    }
    drawSelection();
  }

  /** @param {string} status @returns {keyof typeof ICONS} */
  const statusIcon = (status) => (status === "separable" ? "yes" : status === "overlapping" ? "no" : "open");

  function showVerdict() {
    const v = view.verdict;
    pill.className = `nk-pill ${v ? v.headline_status : ""}`;
    pill.replaceChildren(...(v ? [icon(statusIcon(v.headline_status)), v.headline] : []));
    pill.hidden = !v;
    if (!v) return;
    word.className = `nk-word ${v.status}`;
    word.replaceChildren(icon(statusIcon(v.status)), v.title);
    sentence.textContent = v.sentence;
    facts.replaceChildren(...v.facts.flatMap((fact) => [h("dt", { class: `fact-${fact.name}` }, fact.name), h("dd", { class: `fact-${fact.name}` }, fact.value)]));
    support.replaceChildren(...v.support.map((one) => h("li", {}, button(`row ${one.number} (${one.sign})  λ ${one.weight}`, () => edit({ do: "select", row: one.row })))));
    support.hidden = !v.support.length;
    classList.replaceChildren(...v.classes.map((one) => h("button", { type: "button", "aria-pressed": String(one.code === view.controls.focus), onclick: () => edit({ do: "set", key: "focus", value: one.code }) }, shapeIcon(one.code), h("span", {}, one.name), h("span", {}, one.status))));
    classList.hidden = !v.classes.length;
    proofButton.disabled = !v.has_proof;
  }

  function showStep() {
    const one = view.step;
    now.replaceChildren();
    if (!one) return;
    stepTitle.replaceChildren(h("strong", {}, one.title));
    stepText.textContent = one.text;
    const sum = () => one.sum.map((part, i) => (i === 1 ? h("span", { class: "plus" }, ` ${part} `) : i === 4 ? h("b", {}, part) : i === 3 ? ` ${part} ` : part));
    stepSum.replaceChildren(...sum());
    stepSum.hidden = !one.sum.length;
    now.append(h("strong", {}, one.title));
    if (one.sum.length) now.append(h("span", { class: "nk-sum" }, ...sum()));
    if (one.last || !one.sum.length) now.append(h("span", {}, one.last ? one.outcome : one.text));
  }

  function showProof() {
    checks.replaceChildren(...(view.proof ?? []).map((one) => {
      const look = one.holds === true ? "yes" : one.holds === false ? "no" : "open";
      return h("li", { title: one.note }, h("span", { class: look }, icon(look)), h("span", {}, one.formula), h("span", {}, one.text));
    }));
  }

  function showOverlays() {
    overlayList.replaceChildren(...(view.overlays ?? []).map((one) => h("li", {}, lineIcon(`overlay o${one.place}`), h("span", {}, one.name, h("small", {}, `${one.text}${one.weights ? ` → ${one.weights}` : ""}`)))));
    overlayList.hidden = !view.overlays?.length;
  }

  // ---- The table: only the lines near the present one exist; the rest is empty height.

  /** @type {Lines | null} */ let lines = null;

  /** @param {Lines} given @param {boolean} [keepPlace] */
  function showTable(given, keepPlace = false) {
    lines = given;
    tableNote.textContent = given.caption;
    tableHead.replaceChildren(h("tr", {}, ...given.header.map((text) => h("th", { scope: "col" }, text))));
    const pad = (/** @type {number} */ count) => {
      const row = h("tr", { class: "pad", "aria-hidden": "true" }, h("td", { colspan: given.header.length }));
      row.firstChild.style.height = `${count * LINE_HEIGHT}px`;
      return row;
    };
    const after = given.total + 1 - given.first - given.lines.length;
    tableBody.replaceChildren(pad(given.first), ...given.lines.map((line, i) => h("tr", { "data-k": given.first + i, "aria-rowindex": given.first + i + 2, onclick: () => go(given.first + i) }, ...line.map((text) => h("td", {}, text)))), pad(after));
    table.setAttribute("aria-rowcount", String(given.total + 2));
    markLine(keepPlace);
  }

  /** @param {boolean} keepPlace */
  function markLine(keepPlace) {
    const k = view.controls.k;
    for (const row of tableBody.children) {
      if (Number(row.dataset.k) === k && row.dataset.k) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    if (keepPlace) return;
    const top = k * LINE_HEIGHT, room = scroller.clientHeight - tableHead.offsetHeight;
    if (top < scroller.scrollTop || top > scroller.scrollTop + room - LINE_HEIGHT) {
      scroller.scrollTop = Math.max(0, top - room / 2);
    }
  }

  let fetching = false;
  async function onTableScroll() {
    if (!lines || fetching) return;
    const first = Math.floor(scroller.scrollTop / LINE_HEIGHT), last = Math.min(first + Math.ceil(scroller.clientHeight / LINE_HEIGHT), lines.total + 1);
    if (first >= lines.first && last <= lines.first + lines.lines.length) return;
    fetching = true;
    try {
      showTable(await ask("table", { first: Math.max(0, Math.min(first - 6, lines.total)) }), true);
    } catch { /* the connection is lost; the banner says so */ }
    fetching = false;
  }

  // ---- Drawing the plane.

  /** @type {Scale} */ let scale = affine([0, 1, 0, 1], { left: 0, top: 0, width: 1, height: 1 });
  /** @type {any[]} */ let rowMarks = [];
  const rowLayer = s("g", { class: "rows" }), numberLayer = s("g", { class: "numbers" }), overLayer = s("g", { class: "over" }), selectionLayer = s("g", {});
  overSvg.append(rowLayer, numberLayer, overLayer, selectionLayer);

  function drawPlane() {
    if (!view.frame || !state) return;
    const box = { left: 0, top: 0, width: state.size[0], height: state.size[1] };
    scale = affine(view.frame.window, box);
    for (const svg of [underSvg, overSvg]) svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    const grid = s("g", { class: "grid" }, ...gridLines(view.frame.ticks, scale, box, true),
      s("text", { class: "axis-name", x: box.width - 12, y: box.height - 26, "text-anchor": "end" }, view.frame.axes[0]),
      s("text", { class: "axis-name", x: 10, y: 18 }, view.frame.axes[1]));
    const marks = view.scene.under;
    const regions = marks.filter((mark) => mark.role === "region" || mark.role === "band");
    const rest = marks.filter((mark) => !regions.includes(mark));
    underSvg.replaceChildren(...regions.flatMap((mark) => drawn(mark, scale)), grid, ...rest.flatMap((mark) => drawn(mark, scale)));
    overLayer.replaceChildren(...view.scene.over.flatMap((mark) => drawn(mark, scale)));
    if (state.rows.length > MOST_SVG_ROWS) paintRows(box);
    else placeRows();
    drawSelection();
  }

  function placeRows() {
    canvas.hidden = true;
    const wrong = new Set(view.scene.wrong), rows = /** @type {Row[]} */ (state.rows);
    const grow = root.classList.contains("presenting") ? " scale(1.5)" : "";
    while (rowMarks.length > rows.length) rowMarks.pop().remove();
    const frame = [...view.frame.window, ...state.size, grow].join();
    rows.forEach((row, i) => {
      let mark = rowMarks[i];
      if (!mark) rowLayer.append((mark = rowMarks[i] = s("path")));
      const isWrong = wrong.has(i);
      if (mark.row !== row || mark.frame !== frame) mark.setAttribute("transform", `translate(${px(scale.x(row[0]))} ${px(scale.y(row[1]))})${grow}`);
      if (mark.row?.[2] !== row[2]) mark.setAttribute("d", SHAPES[row[2]]);
      if (mark.row?.[2] !== row[2] || mark.wrong !== isWrong) mark.setAttribute("class", `row c${row[2]}${isWrong ? " wrong" : ""}`);
      Object.assign(mark, { row, frame, wrong: isWrong });
    });
    const numbered = rows.length <= MOST_NUMBERED ? rows : [];
    numberLayer.replaceChildren(...numbered.map(([x, y], i) => s("text", { class: "row-number", x: px(scale.x(x) - 9), y: px(scale.y(y) - 8), "text-anchor": "end" }, i + 1)));
  }

  /** @param {{width: number, height: number}} box */
  function paintRows(box) {
    while (rowMarks.length) rowMarks.pop().remove();
    numberLayer.replaceChildren();
    canvas.hidden = false;
    const sharp = devicePixelRatio || 1;
    canvas.width = box.width * sharp; canvas.height = box.height * sharp;
    const pen = canvas.getContext("2d");
    const looks = getComputedStyle(root), wrong = new Set(view.scene.wrong);
    const size = 0.55 * sharp, shapes = SHAPES.map((d) => new Path2D(d));
    const colours = SHAPES.map((_, code) => looks.getPropertyValue(`--c${code}`));
    state.rows.forEach((/** @type {Row} */ [x, y, code], /** @type {number} */ i) => {
      pen.setTransform(size, 0, 0, size, scale.x(x) * sharp, scale.y(y) * sharp);
      pen.globalAlpha = wrong.has(i) ? 1 : 0.55;
      pen.fillStyle = pen.strokeStyle = colours[code];
      pen.lineWidth = 2.5;
      if (wrong.has(i)) pen.stroke(shapes[code]);
      else pen.fill(shapes[code]);
    });
  }

  function drawSelection() {
    const one = view.selected, row = one && state.rows[one.row];
    handle.hidden = !row || Boolean(drag);
    if (!one || !row) return selectionLayer.replaceChildren();
    const x = px(scale.x(row[0])), y = px(scale.y(row[1]));
    selectionLayer.replaceChildren(s("circle", { class: "m selected", cx: x, cy: y, r: 14.5 }));
    const [width, height] = state.size;
    handle.style.transform = `translate(${Math.max(4, Math.min(x - 55, width - 130))}px, ${y > 70 ? y - 54 : Math.min(y + 24, height - 36)}px)`;
  }

  function drawInset() {
    inset.style.display = view.inset ? "" : "none";
    inset.setAttribute("aria-label", view.step ? `The update as a sum of vectors: ${view.step.sum.join(" ")}` : "");
    drawPlot(inset, view.inset, [], 0);
  }

  function drawChart() {
    chart.setAttribute("aria-label", `The proof's inequalities against k, at ${view.controls.slider}`);
    drawPlot(chart, view.chart, view.cursor ?? [], root.classList.contains("presenting") ? 46 : 34);
  }

  // ---- The run.

  let playing = false;
  /** @type {any} */ let ticking = 0;
  const tellStep = () => [view.step?.title, view.step?.text, view.step?.last ? view.step.outcome : ""].join(" ");

  /** @param {number | null} k */
  function go(k) {
    say(tellStep);
    edit({ do: "go", k });
  }
  /** @param {number} by */
  function step(by) {
    say(tellStep);
    edit({ do: "step", by });
  }
  /** @param {boolean} on */
  function play(on) {
    playing = on;
    playButton.replaceChildren(icon(on ? "pause" : "play"));
    playButton.setAttribute("aria-label", on ? "Pause" : "Play");
    clearTimeout(ticking);
    if (!on) return;
    if (view.controls.k >= view.controls.total) edit({ do: "go", k: 0 });
    tick();
  }
  function tick() {
    const [by, wait] = speed.value.split(" ").map(Number);
    ticking = setTimeout(() => {
      if (!playing) return;
      if (view.controls.k >= view.controls.total && !away) {
        play(false);
        return speak(tellStep());
      }
      if (!away) edit({ do: "step", by });
      tick();
    }, wait);
  }

  // ---- Rows: chosen, moved, flipped, added.

  const tellRow = () => view.selected?.text ?? "No row is selected.";
  // Keys can be faster than replies: what they do is done to the row that Python has selected by then.
  const hasRow = () => view.selected || [...flying, ...outbox].some((one) => one.do === "select");
  /** @param {number} by */
  function select(by) {
    say(tellRow);
    edit({ do: "select", by });
  }
  function flip() {
    if (!hasRow()) return;
    say(() => `${tellRow()}. ${view.verdict?.headline ?? ""}`);
    edit({ do: "flip" }, { record: true });
  }
  function remove() {
    if (!hasRow()) return;
    say(() => `Deleted. ${tellRow()}`);
    edit({ do: "delete" }, { record: true });
  }
  function addRow() {
    say(() => `Added. ${tellRow()}`);
    edit({ do: "add", class: brush }, { record: true });
  }
  function placeRow() {
    if (view.selected) edit({ do: "place", row: view.selected.row, x: rowX.value, y: rowY.value }, { record: true });
  }

  /** The row nearest to a pixel, if one is within reach. @param {number} x @param {number} y @param {number} reach */
  function rowAt(x, y, reach) {
    let found = -1, best = reach * reach;
    state?.rows.forEach((/** @type {Row} */ row, /** @type {number} */ i) => {
      const dx = scale.x(row[0]) - x, dy = scale.y(row[1]) - y, far = dx * dx + dy * dy;
      if (far <= best) { best = far; found = i; }
    });
    return found;
  }

  /** @type {null | {row: number, x: number, y: number, moved: boolean, last: [number, number]}} */ let drag = null;
  /** @param {PointerEvent} event @returns {[number, number]} */
  function pixel(event) {
    const rect = plane.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  }
  plane.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || handle.contains(/** @type {Node} */ (event.target)) || !state) return;
    const [x, y] = pixel(event);
    drag = { row: rowAt(x, y, event.pointerType === "touch" ? 2 * REACH : REACH), x, y, moved: false, last: [x, y] };
    plane.setPointerCapture(event.pointerId);
  });
  plane.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    const [x, y] = pixel(event);
    if (!drag) {
      if (event.pointerType === "mouse" && state) plane.classList.toggle("over-row", rowAt(x, y, REACH) >= 0);
      return;
    }
    const begins = !drag.moved;
    if (begins && Math.hypot(x - drag.x, y - drag.y) < 4) return;
    drag.moved = true;
    plane.classList.add("dragging");
    if (drag.row >= 0) edit({ do: "move", row: drag.row, at: [x, y] }, { record: begins });
    else edit({ do: "pan", by: [x - drag.last[0], y - drag.last[1]] });
    drag.last = [x, y];
  });
  /** @param {PointerEvent} event */
  function drop(event) {
    const was = drag;
    drag = null;
    plane.classList.remove("dragging");
    if (!was || event.type === "pointercancel") return;
    if (was.moved) {
      if (was.row >= 0) say(() => `${tellRow()}. ${view.verdict?.headline ?? ""}`);
      return void drawSelection();
    }
    if (was.row >= 0) {
      say(tellRow);
      edit({ do: "select", row: was.row });
    } else if (view.selected && !handle.hidden) edit({ do: "select", row: null });
    else {
      edit({ do: "add", class: brush, at: [was.x, was.y] }, { record: true });
      edit({ do: "select", row: null });
    }
  }
  plane.addEventListener("pointerup", drop);
  plane.addEventListener("pointercancel", drop);
  plane.addEventListener("dblclick", (/** @type {PointerEvent} */ event) => {
    if (handle.contains(/** @type {Node} */ (event.target))) return;
    const row = rowAt(...pixel(event), REACH);
    if (row >= 0) edit({ do: "flip", row }, { record: true });
  });
  plane.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const rect = plane.getBoundingClientRect();
    edit({ do: "zoom", steps: Math.max(-3, Math.min(3, -event.deltaY / 60)), at: [event.clientX - rect.left, event.clientY - rect.top] });
  }, { passive: false });

  // ---- Conventions and data.

  function chooseOrder() {
    if (order.value !== "given") return edit({ do: "set", key: "order", value: order.value }, { record: true });
    orderText.hidden = false;
    orderText.focus();
  }
  function chooseStart() {
    const value = start.value;
    if (value !== "given") return edit({ do: "set", key: "start", value: value === "zeros" ? null : value }, { record: true });
    startText.hidden = false;
    startText.focus();
  }
  /** @param {string} preset */
  function overlay(preset) {
    edit({ do: "overlay", preset }, { record: true });
  }
  function chooseColumns() {
    const columns = projection.input.checked ? "projection" : [Number(columnX.value), Number(columnY.value)];
    const source = state.source, label = labelPicker.value || null;
    const chosen = { label, columns: !label || label === source.label ? columns : null };
    if (source.kind === "csv") edit({ do: "csv", text: texts.get(source.name), name: source.name, ...chosen }, { record: true });
    else if (source.kind === "given") edit({ do: "given", ...chosen }, { record: true });
    else edit({ do: "load", name: source.name, columns }, { record: true });
  }
  /** @param {File} file */
  async function openFile(file) {
    fileInput.value = "";
    if (file.size > 5_000_000) return toast("The file is too large: the studio takes 5 MB.");
    const text = await file.text();
    texts.set(file.name, text);
    edit({ do: "csv", text, name: file.name }, { record: true });
  }
  for (const type of ["dragover", "dragleave", "drop"]) {
    root.addEventListener(type, (event) => {
      const files = /** @type {DragEvent} */ (event).dataTransfer;
      if (!files?.types.includes("Files")) return;
      event.preventDefault();
      plane.classList.toggle("nk-drop", type === "dragover");
      if (type === "drop" && files.files[0]) openFile(files.files[0]);
    });
  }

  // ---- Sharing and exporting.

  async function share() {
    try {
      const { fragment } = await ask("share");
      linkInput.value = home.link ? home.link(fragment) : `#${fragment}`;
      shareDialog.showModal();
      linkInput.select();
    } catch (error) { toast(/** @type {Error} */ (error).message); }
  }
  function openLink() {
    const fragment = openInput.value.trim();
    if (!fragment || away) return;
    remember();
    shareDialog.close();
    link.send({ id: (away = next++), open: fragment });
  }
  /** @param {string} what */
  async function exportText(what) {
    exportMenu.open = false;
    try {
      const { name, text } = await ask(what);
      if (what === "proof") return download(name, text, "application/json");
      if (what === "csv" || what === "proof_rows") return download(name, text, "text/csv");
      textName = name;
      textTitle.textContent = "Python that makes what is on the screen";
      textBody.textContent = text;
      textDialog.showModal();
    } catch (error) { toast(/** @type {Error} */ (error).message); }
  }

  /** The plane as one SVG text with its looks written into it. */
  function picture() {
    const [width, height] = state.size;
    const whole = s("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
    whole.append(s("rect", { width, height, fill: getComputedStyle(plane).backgroundColor }));
    const layers = [underSvg, overSvg].map((svg) => {
      const copy = s("g", {}, ...[...svg.childNodes].map((node) => node.cloneNode(true)));
      const from = svg.querySelectorAll("*"), to = copy.querySelectorAll("*");
      from.forEach((/** @type {Element} */ element, /** @type {number} */ i) => {
        const looks = getComputedStyle(element);
        for (const name of ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-style", "font-weight", "paint-order"]) {
          if (!["g", "svg"].includes(element.tagName)) to[i].setAttribute(name, looks.getPropertyValue(name).replaceAll('"', "'"));
        }
        to[i].removeAttribute("class");
      });
      return copy;
    });
    whole.append(layers[0]);
    if (!canvas.hidden) whole.append(s("image", { href: canvas.toDataURL(), width, height }));
    whole.append(layers[1]);
    return new XMLSerializer().serializeToString(whole);
  }

  /** @param {"svg" | "png"} kind */
  async function exportPicture(kind) {
    exportMenu.open = false;
    const text = picture();
    if (kind === "svg") return download("studio.svg", text, "image/svg+xml");
    const [width, height] = state.size, image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    const sheet = h("canvas", { width: width * 2, height: height * 2 });
    sheet.getContext("2d").drawImage(image, 0, 0, width * 2, height * 2);
    URL.revokeObjectURL(image.src);
    sheet.toBlob((/** @type {Blob} */ blob) => download("studio.png", blob, "image/png"));
  }

  /** @param {string} name @param {string | Blob} content @param {string} type */
  function download(name, content, type) {
    const href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const anchor = h("a", { href, download: name, class: "nk-sr" });
    root.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }

  /** @param {string} text */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied.");
    } catch { toast("The browser does not let the page copy; select the text and copy it."); }
  }

  // ---- Saying things.

  /** After the next reply, tell a screen reader. @param {() => string} tell */
  function say(tell) {
    announceNext = () => playing || speak(tell());
  }
  /** @param {string} text */
  function speak(text) {
    live.replaceChildren(h("p", {}, text));
  }
  /** @type {any} */ let toasting = 0;
  /** @param {string} text */
  function toast(text) {
    toastBox.textContent = text;
    toastBox.hidden = false;
    clearTimeout(toasting);
    toasting = setTimeout(() => (toastBox.hidden = true), 6000);
  }
  /** @param {string} text @param {boolean} [bad] */
  function banner(text, bad = false) {
    bannerBox.textContent = text;
    bannerBox.hidden = !text;
    bannerBox.classList.toggle("bad", bad);
  }

  // ---- Keys.

  plane.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || handle.contains(/** @type {Node} */ (event.target))) return;
    const far = event.shiftKey ? 10 : 1, key = event.key;
    /** @type {Record<string, [number, number]>} */
    const arrows = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    /** @type {Record<string, () => void>} */
    const keys = {
      n: () => select(1), p: () => select(-1), f: flip, a: addRow, Delete: remove, Backspace: remove,
      "+": () => edit({ do: "zoom", steps: 1 }), "=": () => edit({ do: "zoom", steps: 1 }), "-": () => edit({ do: "zoom", steps: -1 }), "0": () => edit({ do: "fit" }),
      Escape: () => edit({ do: "select", row: null }),
    };
    if (arrows[key] && hasRow()) {
      say(() => `${tellRow()}. ${view.verdict?.headline ?? ""}`);
      edit({ do: "nudge", by: arrows[key] }, { record: true });
    } else if (keys[key]) keys[key]();
    else if (keys[key.toLowerCase()]) keys[key.toLowerCase()]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("dialog")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !target.matches("input[type=text]")) {
      event.preventDefault();
      return event.shiftKey ? redo() : undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && exportMenu.open) exportMenu.open = false;
    if (target.matches("input, select, textarea, summary, .nk-scroll, [contenteditable]")) return;
    if (event.key === " " && target.matches("button")) return;
    /** @type {Record<string, () => void>} */
    const keys = { " ": () => play(!playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(null), "?": () => help.showModal() };
    if (!keys[event.key]) return;
    event.preventDefault();
    if (home.notebook) event.stopPropagation();
    keys[event.key]();
  }
  const keyHome = home.notebook ? root : document;
  keyHome.addEventListener("keydown", /** @type {any} */ (onKey));
  root.addEventListener("click", (event) => {
    if (exportMenu.open && !exportMenu.contains(/** @type {Node} */ (event.target))) exportMenu.open = false;
  });

  // ---- Looks: the system's choice until a person chooses; the hall's choice last.

  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @type {string | null} */ let chosen = null;
  /** The notebook's own theme, where it tells (JupyterLab, VS Code, marimo), else the system's. */
  function aroundIsDark() {
    const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
    if (!home.notebook) return dark.matches;
    if (jpThemeLight) return jpThemeLight === "false";
    if (vscodeThemeKind) return vscodeThemeKind.includes("dark");
    return root.closest(".dark") ? true : document.querySelector(".light") ? false : dark.matches;
  }
  /** @param {string} theme */
  function setTheme(theme, keep = true) {
    root.dataset.theme = theme;
    if (keep) chosen = theme;
    if (keep) try { localStorage.setItem("novikoff-theme", theme); } catch { /* private windows keep nothing */ }
    if (view.frame) drawPlane();
  }
  try { chosen = localStorage.getItem("novikoff-theme"); } catch { /* as above */ }
  setTheme(chosen ?? (aroundIsDark() ? "dark" : "light"), false);
  const follow = () => chosen ?? setTheme(aroundIsDark() ? "dark" : "light", false);
  dark.addEventListener("change", follow);

  /** @param {boolean} on */
  function present(on) {
    root.classList.toggle("presenting", on);
    presentButton.setAttribute("aria-pressed", String(on));
    drawPlane();
    if (view.controls) drawChart();
  }

  const watch = new ResizeObserver(() => {
    const rect = plane.getBoundingClientRect();
    if (state && rect.width && (Math.abs(rect.width - state.size[0]) > 0.5 || Math.abs(rect.height - state.size[1]) > 0.5)) edit({ do: "size", size: [rect.width, rect.height] });
    if (view.controls) { drawInset(); drawChart(); }
  });
  watch.observe(plane);
  watch.observe(chart);

  return {
    close() {
      play(false);
      watch.disconnect();
      dark.removeEventListener("change", follow);
      keyHome.removeEventListener("keydown", /** @type {any} */ (onKey));
      link.close();
    },
    rows: () => [state?.rows, state?.classes, state?.selected],
    /** @param {string} fragment */
    open(fragment) {
      if (!away && online) link.send({ id: (away = next++), open: fragment });
    },
  };
}

/** A WebSocket that comes back. @param {string} address @returns {Connect} */
function socketTo(address) {
  return (handlers) => {
    /** @type {WebSocket | null} */ let socket = null;
    let wait = 400, closed = false, met = false;
    function open() {
      socket = new WebSocket(address);
      socket.onopen = () => {
        met = true;
        wait = 400;
        handlers.open();
      };
      socket.onmessage = (event) => handlers.reply(JSON.parse(event.data));
      socket.onclose = () => {
        if (closed) return;
        handlers.lost(met ? "" : "Python does not answer. Open the address that novikoff studio printed.");
        setTimeout(open, wait);
        wait = Math.min(wait * 1.6, 5000);
      };
    }
    setTimeout(open);
    return { send: (message) => socket?.send(JSON.stringify(message)), close: () => { closed = true; socket?.close(); } };
  };
}

/** @param {HTMLElement} root */
function servePage(root) {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  try { localStorage.setItem("novikoff-token", token); } catch { /* then links need the token */ }
  let written = location.hash;
  const address = `${location.origin.replace("http", "ws")}/talk?token=${encodeURIComponent(token)}`;
  const one = studio(root, socketTo(address), {
    opening: () => (location.hash.startsWith("#s1.") ? location.hash : null),
    link: (fragment) => `${location.origin}/#${fragment}`,
    async settled(ask) {
      try {
        const { fragment } = await ask("share");
        written = `#${fragment}`;
        if (location.hash !== written) history.replaceState(null, "", written);
      } catch { /* too many rows for a link: the address stays as it was */ }
    },
  });
  addEventListener("hashchange", () => {
    if (location.hash !== written && location.hash.startsWith("#s1.")) one.open(location.hash);
  });
}

/** anywidget's entry: the same page in a notebook's output. */
export default {
  /** @param {{model: any, el: HTMLElement}} context */
  render({ model, el }) {
    const root = document.createElement("div");
    el.append(root);
    /** @type {(reply: Reply) => void} */ let receive = () => {};
    const onMessage = (/** @type {Reply} */ reply) => receive(reply);
    const one = studio(root, (handlers) => {
      receive = handlers.reply;
      model.on("msg:custom", onMessage);
      setTimeout(handlers.open);
      return { send: (message) => model.send(message), close: () => model.off("msg:custom", onMessage) };
    }, {
      notebook: true,
      // A synced trait that changes with the rows: what marimo runs dependent cells again for.
      async settled() {
        if (JSON.stringify(one.rows()) === told) return;
        told = JSON.stringify(one.rows());
        model.set("revision", model.get("revision") + 1);
        model.save_changes();
      },
    });
    let told = JSON.stringify(one.rows());
    return () => one.close();
  },
};

const host = typeof document === "undefined" ? null : document.getElementById("novikoff-studio");
if (host) servePage(host);
