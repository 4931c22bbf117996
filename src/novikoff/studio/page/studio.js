// @ts-check
/**
 * The studio's page: it draws what Python computes and tells Python what a hand does.
 *
 * Two homes: a page served by `novikoff studio` (a WebSocket) and a notebook (anywidget's model,
 * which takes all modules joined into one). No number shown here is computed here: coordinates,
 * ticks and texts come from Python; the page maps data coordinates to pixels, and pixels go back
 * as they are. Each module has one task:
 *
 *   elements.js, marks.js, labels.js   elements, shapes, and labels that keep clear of each other
 *   link.js, keep.js                   the link to Python, and what outlives it
 *   plane.js, hand.js                  the plane, and the hand on it
 *   table.js, verdict.js, dialogs.js   the table, the verdict, what opens over the page
 */

import { openDialogs } from "./dialogs.js";
import { button, checkbox, field, fill, group, h, icon, iconButton, lineIcon, option, s, shapeIcon } from "./elements.js";
import { handOn } from "./hand.js";
import { keep, kept, tabName } from "./keep.js";
import { socketTo, talkTo } from "./link.js";
import { drawPlot } from "./marks.js";
import { planePicture } from "./plane.js";
import { tableCard } from "./table.js";
import { verdictCard } from "./verdict.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Menu} Menu */
/** @typedef {import("./types.js").Reply} Reply */
/** @typedef {import("./types.js").Connect} Connect */

const UNDO = 200;
const MOST_FILE = 5_000_000; // bytes, as in files.py

/**
 * The studio in `root`, fed through `connect`.
 * @param {HTMLElement} root @param {Connect} connect
 * @param {{notebook?: boolean, opening?: () => any, saved?: any, settled?: (ask: (what: string, more?: any) => Promise<any>, state: any) => void, link?: (fragment: string) => string}} home
 */
function studio(root, connect, home = {}) {
  /** @type {any} */ let state = null;
  /** @type {View} */ let view = /** @type {any} */ ({});
  /** @type {any[]} */ const past = [];
  /** @type {any[]} */ const future = [];
  let brush = 1;
  let version = 0; // of what is shown: answers about an older one are dropped
  /** @type {number | null} */ let chosenRow = null; // the selected row, before Python has confirmed it
  /** @type {Map<string, {name: string, data: string}>} */ const files = new Map(); // that were opened, by key
  /** @type {() => void} */ let announceNext = () => {};

  // ---- Talking to Python.

  /** @param {Reply} reply */
  function receive(reply) {
    if (reply.menu) fillMenus(reply.menu);
    if (reply.error) toast(reply.error);
    if (reply.question) {
      past.pop(); // nothing has changed
      dialogs.askReading(reply.question);
    }
    if (reply.state) {
      version++;
      let rows = reply.rows ?? (state ? state.rows : []);
      if (reply.changes && reply.changes.length) {
        rows = rows.slice();
        for (const [i, x, y, code] of reply.changes) rows[i] = [x, y, code];
      }
      state = { ...reply.state, rows };
      if (!talk.pending().some((one) => one.do === "select" || one.do === "add")) chosenRow = state.selected;
      if (picture.isCarrying() && !talk.pending().some((one) => one.do === "move")) picture.catchUp(hand.isDragging());
    }
    if (reply.view) show(reply);
    if (!talk.pending().length) {
      announceNext();
      announceNext = () => {};
    }
    root.dispatchEvent(new CustomEvent("nk-drawn", { detail: reply.id }));
    settle();
  }

  /** @type {any} */ let settling = 0;
  /** @type {any} */ let resting = 0;
  let decidingNow = "";
  function settle() {
    clearTimeout(settling);
    clearTimeout(resting);
    settling = setTimeout(() => talk.isIdle() && home.settled?.(talk.ask, state), 350);
    resting = setTimeout(decideMore, 120);
  }

  /** What takes long is asked for when the hand rests: verdicts that are open, a file that Python lacks. */
  async function decideMore() {
    if (!talk.isIdle()) return;
    const { deciding, needs } = view;
    if (needs && !sentFiles.has(needs)) {
      sentFiles.add(needs);
      const file = files.get(needs) ?? (home.notebook ? null : await kept(`file:${needs}`));
      if (file && talk.isIdle()) {
        files.set(needs, file);
        talk.send({ file: { file: needs, ...file } });
        return;
      }
    }
    if (!deciding || deciding === decidingNow) return;
    decidingNow = deciding;
    try {
      await talk.ask("decide");
      edit({ do: "look" });
    } catch { decidingNow = ""; }
  }
  /** @type {Set<string>} */ const sentFiles = new Set();

  const talk = talkTo(connect, {
    hello() {
      sentFiles.clear();
      decidingNow = "";
      const rect = plane.getBoundingClientRect(), size = [rect.width || 640, rect.height || 480];
      const known = state ?? home.saved, opening = home.opening?.();
      if (known) return { hello: true, state: { ...known, size } };
      if (opening) return { hello: true, open: opening, edits: [{ do: "size", size }] };
      return { hello: true, edits: [{ do: "size", size }, { do: "fit" }] };
    },
    reply: receive,
    lost: (why) => banner(why, true),
    found: () => banner(""),
    busy: (on) => busy.classList.toggle("on", on),
    record: remember,
    state: () => state,
    idle: () => { while (talk.isIdle() && trips.length) trips.shift()?.(); },
  });
  const { edit, ask } = talk;

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
    if (!talk.isIdle()) return void trips.push(() => travel(from, to));
    if (!from.length) return;
    to.push(state);
    say(() => view.selected?.text ?? view.verdict?.sentence ?? "");
    edit({ do: "restore", state: from.pop() });
  }
  const undo = () => travel(past, future), redo = () => travel(future, past);

  // ---- The page's elements.

  /** @param {string} key @param {(value: any) => any} [read] */
  const chooser = (key, read = (value) => value) => h("select", { onchange: (/** @type {any} */ e) => edit({ do: "set", key, value: read(e.target.value) }, { record: true }) });
  const verdicts = verdictCard({
    select: (row) => chooseRow(row),
    focus: (code) => edit({ do: "focus", class: code }),
    save: (what) => exportText(what),
  });
  const undoButton = iconButton("Undo", "undo", undo, { disabled: true });
  const redoButton = iconButton("Redo", "redo", redo, { disabled: true });
  const drawnItems = h("div", { class: "nk-items" },
    h("button", { type: "button", onclick: () => exportText("drawn_proof") }, "Proof of what is drawn"),
    h("button", { type: "button", onclick: () => exportText("drawn_rows") }, "Rows of that proof as CSV"));
  const exportMenu = h("details", { class: "nk-menu" },
    h("summary", { class: "nk-button", role: "button", "aria-label": "Export" }, icon("save"), "Export"),
    h("div", {},
      h("button", { type: "button", onclick: () => exportText("code") }, "Python code"),
      h("button", { type: "button", onclick: () => exportText("csv") }, "Rows as CSV"),
      h("button", { type: "button", onclick: () => exportText("proof") }, "Proof (certificate)"),
      h("button", { type: "button", onclick: () => exportText("proof_rows") }, "Rows of the proof as CSV"),
      drawnItems,
      h("button", { type: "button", onclick: () => exportPicture("svg") }, "Picture as SVG"),
      h("button", { type: "button", onclick: () => exportPicture("png") }, "Picture as PNG")));
  const themeButton = iconButton("Dark or light", "theme", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
  const presentButton = iconButton("Presenter's mode", "screen", () => present(!root.classList.contains("presenting")), { "aria-pressed": "false" });
  const top = h("header", { class: "nk-top" },
    h(home.notebook ? "div" : "h1", { class: "nk-brand" },
      s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: "M1 16.5 19 6.5", class: "m boundary before" }), s("circle", { cx: 6, cy: 6, r: 3.6, class: "c1" }), s("path", { d: "m14.6 11 3.4 6h-6.8z", class: "c0" })),
      "novikoff", h("span", {}, "studio")),
    verdicts.pill,
    h("div", { class: "nk-tools", role: "group", "aria-label": "Tools" },
      undoButton, redoButton, h("span", { class: "nk-gap nk-hideable" }),
      h("button", { type: "button", class: "nk-button nk-hideable", onclick: share }, icon("link"), "Share"), h("div", { class: "nk-hideable" }, exportMenu),
      h("span", { class: "nk-gap" }), themeButton, presentButton, iconButton("Help and keys", "help", () => dialogs.help())));

  // Left: data, rows, conventions.
  const setPicker = h("select", { "aria-label": "Built-in set", onchange: () => setPicker.value && edit({ do: "load", name: setPicker.value }, { record: true }) });
  const fileInput = h("input", { type: "file", accept: ".csv,.tsv,.txt,.parquet,.arrow,.feather,.npy,.npz,.svm,.svmlight,.libsvm,.gz,.zst,text/csv", class: "nk-sr", tabindex: -1, "aria-hidden": "true", onchange: () => fileInput.files?.[0] && openFile(fileInput.files[0]) });
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
  const rowEditor = h("fieldset", { class: "nk-group nk-row", disabled: true, "aria-label": "Selected row" }, rowTitle, field("Across", rowX), field("Up", rowY), field("Class", rowClass),
    h("div", { class: "nk-rowline" }, button("Flip", flip), button("Delete", remove)));
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
    group("Data", setPicker, h("div", { class: "nk-rowline" }, button("Open a file", () => fileInput.click()), button("Clear", () => edit({ do: "clear" }, { record: true }))), fileInput, note, columnFields),
    group("Rows", brushes, h("div", { class: "nk-steps" }, button("Add a row", addRow), iconButton("Previous row", "back", () => select(-1)), iconButton("Next row", "forward", () => select(1))), rowEditor),
    group("Conventions", field("A tie is", tie), field("Order", order), orderText, field("Start", start), startText, reseed, offset.element, field("Features", map),
      h("details", { class: "nk-more" }, h("summary", {}, "Numbers and limits"), h("div", {}, field("Numbers", numbers), field("At most", limit), field("At most", passes)))),
    group("Show", ...Object.values(toggles).map((one) => one.element)),
    group("Compare runs", h("div", { class: "nk-rowline" }, button("Orders", () => overlay("orders")), button("Shuffles", () => overlay("shuffles")), button("Starts", () => overlay("starts")), button("Pin this run", () => overlay("pin")), button("None", () => overlay("none"))), overlayList));

  // Middle: the plane and the transport.
  const handle = h("div", { class: "nk-handle", role: "group", "aria-label": "Selected row", hidden: true }, button("Flip", flip), button("Delete", remove));
  const bannerBox = h("div", { class: "nk-banner", role: "status", hidden: true });
  const problemBox = h("div", { class: "nk-banner", role: "status", hidden: true });
  const plane = h("div", {
    class: "nk-plane", tabindex: 0, role: "application", "aria-roledescription": "plane of rows",
    "aria-label": "Plane of rows. N and P choose a row, arrow keys move it, F flips its sign, Delete removes it, A adds one.",
  });
  const picture = planePicture(root, plane);
  plane.append(...picture.layers, handle, bannerBox, problemBox);
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
  const stepTitle = h("p", {}), stepText = h("p", { class: "nk-note" }), stepSum = h("p", { class: "nk-sum" }), inset = s("svg", { class: "nk-inset", role: "img" });
  const updateCard = h("section", { class: "nk-card nk-update", "aria-label": "Update" }, h("h2", {}, "Update"), stepTitle, stepText, stepSum, inset);
  const updates = tableCard({
    go,
    async ask(first) {
      const asked = version, lines = await ask("table", { first });
      return asked === version ? lines : null;
    },
  });
  const chart = s("svg", { class: "nk-chart", role: "img" });
  const legend = h("ul", { class: "nk-legend" }), checks = h("ul", { class: "nk-checks" }), chartNote = h("p", { class: "nk-note" });
  const chartCard = h("section", { class: "nk-card", "aria-label": "Proof sandwich" }, h("h2", {}, "The bound and its proof"), chartNote, chart, legend, checks);
  const emptyCard = h("section", { class: "nk-card", "aria-label": "No run", hidden: true }, h("h2", {}, "No run yet"), h("p", { class: "nk-note" }, "The verdict, the update, the table and the proof appear here as soon as there are rows of different classes."));
  const read = h("section", { class: "nk-read", "aria-label": "Reading", tabindex: 0 }, emptyCard, verdicts.element, updateCard, updates.element, chartCard);

  const live = h("div", { class: "nk-sr", "aria-live": "polite", role: "log" });
  const toastBox = h("div", { class: "nk-toast", role: "alert", hidden: true });
  const dialogs = openDialogs({
    copy, download,
    open: openLink,
    read: (file, label, reading) => edit({ do: "file", file, label, reading }, { record: true }),
  });

  root.classList.add("nk");
  root.classList.toggle("nk-in-notebook", Boolean(home.notebook));
  if (home.notebook) root.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys stay outside
  root.replaceChildren(top, h("div", { class: "nk-body" }, side, stage, read), live, toastBox, ...dialogs.elements);

  // ---- Filling the page.

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
    problem: () => { problemBox.hidden = !view.problem; problemBox.textContent = view.problem; emptyCard.hidden = !view.problem; for (const one of [verdicts.element, updateCard, updates.element, chartCard]) one.hidden = Boolean(view.problem); },
    verdict: showVerdict, step: showStep, inset: drawInset, table: () => view.table && updates.show(view.table), chart: drawChart, cursor: drawChart, proof: showProof, overlays: showOverlays,
  };

  /** @param {Reply} reply */
  function show(reply) {
    const changed = /** @type {(keyof View)[]} */ (Object.keys(reply.view ?? {}));
    Object.assign(view, reply.view);
    const todo = new Set(changed.map((name) => parts[name]));
    if (reply.rows || reply.changes?.length) todo.add(drawPlane);
    if (changed.includes("selected")) todo.add(showSelected);
    if (todo.delete(drawPlane)) drawPlane(); // first: the others point at rows
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
    updates.mark(c.k);
    if (view.verdict) showVerdict();
  }

  function markBrush() {
    [...brushes.children].forEach((one, code) => one.setAttribute("aria-pressed", String(code === brush)));
  }

  function showColumns() {
    const c = view.columns;
    columnFields.hidden = !c;
    if (!c) return;
    for (const one of [columnX, columnY]) fill(one, c.names.map((name, place) => h("option", { value: place }, name)));
    labelField.hidden = !c.labels.length;
    fill(labelPicker, c.labels.map((name) => h("option", { value: name, selected: name === state.source.label }, name)));
    projection.input.checked = c.chosen === "projection";
    columnX.disabled = columnY.disabled = projection.input.checked;
    if (Array.isArray(c.chosen)) [columnX.value, columnY.value] = c.chosen.map(String);
  }

  function showSelected() {
    const one = view.selected;
    rowEditor.disabled = !one;
    rowTitle.textContent = one ? one.text : "No row is selected: click one, or take the next.";
    if (!one) rowX.value = rowY.value = "";
    else {
      if (document.activeElement !== rowX) rowX.value = one.x;
      if (document.activeElement !== rowY) rowY.value = one.y;
      rowClass.selectedIndex = one.class;
    }
    drawSelection();
  }

  function showVerdict() {
    verdicts.show(view.verdict, view.controls.focus);
    drawnItems.hidden = !view.verdict?.whole && view.controls.map === "none";
  }

  function showStep() {
    const one = view.step;
    now.replaceChildren();
    if (!one) return;
    stepTitle.replaceChildren(h("strong", {}, one.title));
    stepText.textContent = one.text;
    const sum = () => one.sum.map((part, i) => (i === 1 ? h("span", { class: "plus" }, ` ${part} `) : i === 4 ? h("b", {}, part) : i === 3 ? ` ${part} ` : part));
    stepSum.replaceChildren(...sum());
    // Two lines, whatever they say: the plane above keeps its size. A sum that is too long is on its card.
    const isLong = one.title.length + one.sum.join("").length > 84;
    now.append(
      h("p", {}, h("strong", {}, one.title), h("span", { class: "nk-sum" }, ...(isLong ? ["w = ", h("b", {}, one.sum[4])] : sum()))),
      h("p", { class: "nk-said" }, one.last ? one.outcome : one.text));
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

  // ---- Drawing.

  function drawPlane() {
    if (!view.frame || !state) return;
    picture.draw(state, view);
    placeHandle();
  }

  function drawSelection() {
    picture.drawSelection();
    placeHandle();
  }

  /** The buttons beside the selected row. */
  function placeHandle() {
    const one = view.selected, row = one && state.rows[one.row];
    handle.hidden = !row || hand.isDragging() || chosenRow === null;
    if (!one || handle.hidden) return;
    const [x, y] = picture.spot(one.row), [width, height] = state.size;
    handle.style.transform = `translate(${Math.max(4, Math.min(x - 55, width - 130))}px, ${y > 70 ? y - 54 : Math.min(y + 24, height - 36)}px)`;
  }

  function drawInset() {
    inset.style.display = view.inset ? "" : "none";
    inset.setAttribute("aria-label", view.step ? `The update as a sum of vectors: ${view.step.sum.join(" ")}` : "");
    drawPlot(inset, view.inset, [], 0);
  }

  function drawChart() {
    chart.setAttribute("aria-label", `The proof's inequalities against k, at ${view.controls.slider}`);
    chartNote.textContent = view.controls.binary ? "" : `Class ${view.controls.classes[view.controls.focus]} against the rest.`;
    chartNote.hidden = view.controls.binary;
    drawPlot(chart, view.chart, view.cursor ?? [], root.classList.contains("presenting") ? 46 : 34);
    if (view.chart?.legend) legend.replaceChildren(...view.chart.legend.map((one) => h("li", {}, lineIcon(one.role), one.text)));
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
      if (view.controls.k >= view.controls.total && talk.isIdle()) {
        play(false);
        return speak(tellStep());
      }
      if (talk.isIdle()) edit({ do: "step", by });
      tick();
    }, wait);
  }

  // ---- Rows: chosen, moved, flipped, added.

  const tellRow = () => view.selected?.text ?? "No row is selected.";
  // Keys and clicks can be faster than replies: what they do is done to the row that was chosen last.
  const hasRow = () => chosenRow !== null && state?.rows.length > 0;
  /** @param {number} by */
  function select(by) {
    say(tellRow);
    chosenRow ??= 0;
    edit({ do: "select", by });
  }
  /** @param {number | null} row */
  function chooseRow(row) {
    if (row !== null) say(tellRow);
    chosenRow = row;
    placeHandle();
    edit({ do: "select", row });
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
    chosenRow = state.rows.length;
    edit({ do: "add", class: brush }, { record: true });
  }
  function placeRow() {
    if (view.selected) edit({ do: "place", row: view.selected.row, x: rowX.value, y: rowY.value }, { record: true });
  }

  const hand = handOn(plane, picture, {
    edit,
    isReady: () => Boolean(state),
    isHandle: (target) => handle.contains(target),
    hasSelection: hasRow,
    select: chooseRow,
    add(at) {
      edit({ do: "add", class: brush, at }, { record: true });
      edit({ do: "select", row: null });
    },
    moved(row) {
      say(() => `Row ${row + 1} moved. ${view.verdict?.headline ?? ""}`);
      if (talk.isIdle()) picture.catchUp(false);
      drawPlane();
      settle();
    },
  });

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
    if (source.kind === "csv") edit({ do: "file", file: source.file, reading: source.reading, ...chosen }, { record: true });
    else if (source.kind === "given") edit({ do: "given", ...chosen }, { record: true });
    else edit({ do: "load", name: source.name, columns }, { record: true });
  }
  /** @param {File} file */
  async function openFile(file) {
    fileInput.value = "";
    if (file.size > MOST_FILE) return toast(`${file.name} is too large: the studio takes ${MOST_FILE / 1e6} MB.`);
    const data = await base64Of(file), key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
    files.set(key, { name: file.name, data });
    if (!home.notebook) keep(`file:${key}`, { name: file.name, data });
    edit({ do: "file", file: key, name: file.name, data }, { record: true });
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
      dialogs.share(home.link ? home.link(fragment) : `#${fragment}`);
    } catch (error) { toast(/** @type {Error} */ (error).message); }
  }
  /** @param {string} fragment */
  function openLink(fragment) {
    if (!fragment || !talk.isIdle()) return false;
    remember();
    return talk.send({ open: fragment });
  }
  /** @param {string} what */
  async function exportText(what) {
    exportMenu.open = false;
    try {
      const { name, text } = await ask(what);
      if (what === "code") return dialogs.text("Python that makes what is on the screen", name, text);
      download(name, text, name.endsWith(".json") ? "application/json" : "text/csv");
    } catch (error) { toast(/** @type {Error} */ (error).message); }
  }

  /** @param {"svg" | "png"} kind */
  async function exportPicture(kind) {
    exportMenu.open = false;
    const text = picture.text();
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
      Escape: () => chooseRow(null),
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
    const keys = { " ": () => play(!playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(null), "?": () => dialogs.help() };
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
    if (view.controls) { drawInset(); drawChart(); }
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
      talk.close();
    },
    rows: () => [state?.rows, state?.classes, state?.selected],
    /** @param {string} fragment */
    open(fragment) {
      if (talk.isIdle()) talk.send({ open: fragment });
    },
  };
}

/** @param {File} file @returns {Promise<string>} */
const base64Of = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
});

const KEPT = "#kept"; // the address of a state that is too large for one

/** @param {HTMLElement} root */
async function servePage(root) {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  try { localStorage.setItem("novikoff-token", token); } catch { /* then links need the token */ }
  let written = location.hash;
  const tab = tabName();
  const saved = written === KEPT ? await kept(`state:${tab}`) : null;
  const talkAt = (/** @type {string} */ word) => `${location.origin.replace("http", "ws")}/talk?token=${encodeURIComponent(word)}`;
  // A studio that was started anew in another tab has left its token here.
  const addresses = () => {
    let other = null;
    try { other = localStorage.getItem("novikoff-token"); } catch { /* as above */ }
    return [...new Set([token, other ?? token])].map(talkAt);
  };
  const one = studio(root, socketTo(addresses), {
    saved,
    opening: () => (location.hash.startsWith("#s1.") ? location.hash : null),
    link: (fragment) => `${location.origin}/#${fragment}`,
    async settled(ask, state) {
      try {
        const { fragment } = await ask("share");
        written = `#${fragment}`;
      } catch { // too many rows for an address: the browser keeps them
        written = KEPT;
        await keep(`state:${tab}`, state);
      }
      if (location.hash !== written) history.replaceState(null, "", written);
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
