// @ts-check
/**
 * The studio's page: it draws what Python computes and tells Python what a hand does.
 *
 * No result shown here is computed here: weights, scores, verdicts and points come from Python; the page puts them
 * into words, draws lines from weights and maps coordinates to pixels, and pixels go back as they are. Each module
 * has one task, and this one puts them together:
 *
 *   elements.js, marks.js, labels.js   elements, shapes, and labels that keep clear of each other
 *   link.js, keep.js, store.js, rest.js   the link to Python, what outlives it, what is known now, what waits
 *   plane.js, motion.js, hand.js, keys.js   the plane, what moves on it, the hand on it, the keyboard
 *   picker.js, sets.js, rows.js, reshape.js, conventions.js   what is learnt from, and how
 *   transport.js, charts.js, table.js, verdict.js   the run, its proof, its table, the verdict
 *   pictures.js, space.js              further pictures, three dimensions
 *   lesson.js, nodes.js, shelf.js      a lesson, its words, and the list of lessons
 *   telling.js, card.js, answering.js, figures.js   words and tables from facts, questions, numbers in words
 *   sight.js, sketch.js                the part of the plane in view, marks from lines and rows
 *   looks.js, voice.js, saving.js, dialogs.js       light and dark, words, files, what opens above
 *   types.js                           what Python sends, as types
 *   pocket.js                          a page without Python, by exact.js, random.js, perceptron.js, separable.js
 *                                      and paper.js
 *   main.js                            the page served by Python, and the notebook
 */

import { boundCard, updateCard } from "./charts.js";
import { conventionControls } from "./conventions.js";
import { openDialogs } from "./dialogs.js";
import { h, icon, iconButton, s } from "./elements.js";
import { handOn } from "./hand.js";
import { keysInPlane, keysOnPage } from "./keys.js";
import { lessonPanel } from "./lesson.js";
import { talkTo } from "./link.js";
import { newLooks } from "./looks.js";
import { dataPicker } from "./picker.js";
import { pictureCard } from "./pictures.js";
import { planePicture } from "./plane.js";
import { reshapeControls } from "./reshape.js";
import { newRest } from "./rest.js";
import { rowEditing } from "./rows.js";
import { newSaving } from "./saving.js";
import { setGallery } from "./sets.js";
import { lessonShelf } from "./shelf.js";
import { newHistory, newStore, noteSeen, takeState } from "./store.js";
import { tableCard } from "./table.js";
import { tableOf, toldView } from "./telling.js";
import { transportBar } from "./transport.js";
import { verdictCard } from "./verdict.js";
import { newVoice } from "./voice.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Reply} Reply */
/** @typedef {import("./types.js").Connect} Connect */

/**
 * The studio in `root`, fed through `connect`.
 * @param {HTMLElement} root @param {Connect} connect
 * @param {{notebook?: boolean, alone?: string, first?: any[], opening?: () => any, saved?: any, drawn?: (state: any)
 *   => void, settled?: (ask: (what: string, more?: any) => Promise<any>, state: any) => void, link?: (fragment:
 *   string) => string}} home  alone: what opens the studio, of a page without Python
 */
export function studio(root, connect, home = {}) {
  const store = newStore(), voice = newVoice(), inNotebook = Boolean(home.notebook);
  const isAlone = Boolean(home.alone); // without Python: what only Python can do is not offered
  const { say, toast } = voice;

  // ---- Talking to Python.

  const talk = talkTo(connect, {
    hello() {
      rest.forget();
      const rect = plane.getBoundingClientRect(), size = [rect.width || 640, rect.height || 480];
      const known = store.state ?? home.saved, opening = home.opening?.();
      if (known) return { hello: true, state: { ...known, size } };
      if (opening) return { hello: true, open: opening, edits: [{ do: "size", size }] };
      return { hello: true, edits: [{ do: "size", size }, { do: "fit" }, ...(home.first ?? [])] };
    },
    reply: receive,
    lost: (why) => voice.setBanner(why, true),
    found: () => voice.setBanner(""),
    busy: (on) => busy.classList.toggle("on", on),
    record: () => history.remember(),
    state: () => store.state,
    idle: () => history.goOn(),
  });
  const { edit, ask } = talk;
  const rest = newRest(store, talk, {
    files: () => picker.files,
    keeps: !inNotebook && !isAlone,
    settled: () => home.settled?.(ask, store.state),
  });
  const history = newHistory(store, {
    isIdle: talk.isIdle,
    restore(state) {
      say(() => store.view.selected?.text ?? store.view.verdict?.sentence ?? "");
      edit({ do: "restore", state });
    },
  });

  /** @param {Reply} reply */
  function receive(reply) {
    if (reply.menu) {
      for (const one of [picker, conventions, pictures, shelf, lesson]) one.fillMenu(reply.menu);
      store.menu = reply.menu;
    }
    if (reply.error) toast(reply.error);
    if (reply.question) {
      history.forget(); // nothing has changed
      dialogs.askReading(reply.question);
    }
    if (reply.state) {
      takeState(store, reply);
      if (!talk.pending().some((one) => one.do === "select" || one.do === "add"))
        store.chosenRow = store.state.selected;
      if (picture.isCarrying() && !talk.pending().some((one) => one.do === "move")) picture.catchUp(hand.isDragging());
    }
    if (reply.view) show(reply);
    verdict.element.setAttribute("aria-busy", String(rest.isDeciding()));
    if (!talk.pending().length) voice.tellNow(transport.isPlaying());
    if (store.state && talk.isIdle()) goOn();
    root.dispatchEvent(new CustomEvent("nk-drawn", { detail: reply.id }));
    rest.begin();
  }

  let waiting = ""; // a state to be opened when nothing is under way
  function goOn() {
    if (!waiting) return void home.drawn?.(store.state);
    const fragment = waiting;
    waiting = "";
    openLink(fragment);
  }

  // ---- The parts of the page.

  const plane = h("div", {
    class: "nk-plane",
    tabindex: 0,
    role: "application",
    "aria-roledescription": "plane of rows",
    "aria-label":
      "Plane of rows. N and P choose a row, arrow keys move it, F flips its sign, Delete removes it, A adds one.",
  });
  const picture = planePicture(root, plane, (stage) => update.stage(stage));
  const picker = dataPicker(store, { root, plane, keeps: !inNotebook, edit, toast });
  const rows = rowEditing(store, { edit, say, placeHandle, drawSelection });
  const conventions = conventionControls(store, { edit, isAlone });
  const transport = transportBar(store, { edit, isIdle: talk.isIdle, say, speak: voice.speak });
  const update = updateCard(store),
    bound = boundCard(root, store),
    pictures = pictureCard(root, store, { edit });
  const table = tableCard({
    go: transport.go,
    async ask(first) {
      const asked = store.version,
        lines = await ask("table", { first });
      return asked === store.version ? tableOf(store.state, store.sent.run, lines, store.menu) : null;
    },
  });
  const saving = newSaving({
    root,
    state: () => store.state,
    ask,
    toast,
    picture: picture.text,
    link: home.link ?? ((fragment) => `#${fragment}`),
    dialogs: () => dialogs,
  });
  const dialogs = openDialogs({
    copy: saving.copy,
    download: saving.download,
    open: openLink,
    read: (file, label, reading) => edit({ do: "file", file, label, reading }, { record: true }),
  });
  const verdict = verdictCard({
    select: rows.choose,
    focus: (code) => edit({ do: "focus", class: code }),
    save: saving.save,
  });
  const lesson = lessonPanel(root, store, { edit, say, save: saving.save, isAlone });
  const shelf = lessonShelf({ open: lesson.open });
  const gallery = setGallery({ ask, toast, load: (name) => edit({ do: "load", name }, { record: true }) });
  const looks = newLooks(root, inNotebook, redraw);

  const undoButton = iconButton("Undo", "undo", history.undo, { disabled: true });
  const redoButton = iconButton("Redo", "redo", history.redo, { disabled: true });
  const top = h(
    "header",
    { class: "nk-top" },
    h(
      inNotebook ? "div" : "h1",
      { class: "nk-brand" },
      s(
        "svg",
        { viewBox: "0 0 20 20", "aria-hidden": "true" },
        s("path", { d: "M1 16.5 19 6.5", class: "m boundary before" }),
        s("circle", { cx: 6, cy: 6, r: 3.6, class: "c1" }),
        s("path", { d: "m14.6 11 3.4 6h-6.8z", class: "c0" }),
      ),
      "novikoff",
      h("span", {}, "studio"),
    ),
    ...(isAlone ? [] : [picker.sets, gallery.button, shelf.button]),
    verdict.pill,
    h(
      "div",
      { class: "nk-tools", role: "group", "aria-label": "Tools" },
      undoButton,
      redoButton,
      h("span", { class: "nk-gap nk-hideable" }),
      ...(isAlone ? [] : saving.elements),
      h("span", { class: "nk-gap" }),
      ...looks.buttons,
      iconButton("Help and keys", "help", dialogs.help),
    ),
  );

  const problem = h("div", { class: "nk-banner", role: "status", hidden: true });
  const zoom = (/** @type {string} */ label, /** @type {any} */ name, /** @type {any} */ what) =>
    h("button", { type: "button", "aria-label": label, title: label, onclick: () => edit(what) }, icon(name));
  const zoomBox = h(
    "div",
    { class: "nk-zoom", role: "group", "aria-label": "Zoom" },
    zoom("Zoom in", "plus", { do: "zoom", steps: 1 }),
    zoom("Zoom out", "minus", { do: "zoom", steps: -1 }),
    zoom("Show all rows", "fit", { do: "fit" }),
    ...(isAlone ? [] : [zoom("A line of your own", "line", { do: "line" })]),
  );
  const ownText = h("p", { class: "nk-own", role: "status", hidden: true });
  const busy = h("div", { class: "nk-busy" });
  plane.append(...picture.layers, ownText, rows.handle, voice.banner, problem);
  const side = h(
    "aside",
    { class: "nk-side", "aria-label": "Data and conventions" },
    ...(isAlone ? [rows.element] : [picker.element, rows.element, reshapeControls(edit)]),
    ...conventions.elements,
  );
  const stage = h(
    "main",
    { class: "nk-stage" },
    h("div", { class: "nk-plane-holder" }, plane, zoomBox, busy),
    transport.element,
    transport.now,
  );
  const empty = h(
    "section",
    { class: "nk-card", "aria-label": "No run", hidden: true },
    h("h2", {}, "No run yet"),
    h(
      "p",
      { class: "nk-note" },
      "The verdict, the update, the table and the proof appear here as soon as there are rows of different classes.",
    ),
  );
  const cards = [verdict.element, update.element, table.element, bound.element, pictures.element];
  const read = h(
    "section",
    { class: "nk-read", "aria-label": "Reading", tabindex: 0 },
    shelf.welcome,
    empty,
    ...cards,
  );

  root.classList.add("nk");
  root.classList.toggle("nk-in-notebook", inNotebook);
  root.classList.toggle("nk-alone", isAlone);
  if (inNotebook) root.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys stay outside
  root.replaceChildren(
    top,
    h("div", { class: "nk-body" }, h("div", { class: "nk-left" }, lesson.element, side), stage, read),
    ...voice.elements,
    ...dialogs.elements,
    shelf.dialog,
    gallery.dialog,
  );
  for (const [name, part] of Object.entries({
    plane,
    transport: transport.element,
    verdict: verdict.element,
    update: update.element,
    table: table.element,
    bound: bound.element,
    views: pictures.element,
    conventions: side,
    sets: picker.sets,
  }))
    part.dataset.part = name;
  if (!inNotebook && !isAlone) shelf.greet();

  // ---- Showing a view.

  /** What each section of the view fills in. @type {Partial<Record<keyof View, () => void>>} */
  const parts = {
    frame: drawPlane,
    scene: drawPlane,
    controls: showControls,
    columns: picker.showColumns,
    selected: showSelected,
    problem: showProblem,
    verdict: showVerdict,
    step: showStep,
    inset: update.draw,
    table: () => store.view.table && table.show(store.view.table),
    chart: bound.draw,
    cursor: bound.draw,
    proof: bound.showProof,
    live: bound.showLive,
    extra: pictures.show,
    overlays: conventions.showOverlays,
    lesson: showLesson,
    own: showOwn,
  };

  /** @param {Reply} reply */
  function show(reply) {
    // Where lists were filled anew, all is shown again.
    /** @type {Partial<View>} */ const before = reply.menu ? {} : { ...store.view };
    const sent = Object.assign(store.sent, reply.view);
    const view = toldView(sent, store.state, store.menu, home.alone);
    const names = /** @type {(keyof View)[]} */ (Object.keys(view));
    const changed = names.filter((name) => JSON.stringify(view[name]) !== JSON.stringify(before[name]));
    Object.assign(store.view, view);
    noteSeen(store);
    root.classList.add("nk-ready");
    root.classList.toggle("nk-fresh", store.view.controls.k === 0 && store.seen.k === 0);
    const todo = new Set(changed.map((name) => parts[name]));
    if (reply.rows || reply.changes?.length) todo.add(drawPlane);
    hideAbsent(); // before anything is drawn: a plot measures itself
    if (todo.delete(drawPlane)) drawPlane(); // first: the others point at rows
    for (const fill of todo) fill?.();
    undoButton.disabled = !history.canUndo();
    redoButton.disabled = !history.canRedo();
  }

  function showControls() {
    for (const one of [conventions, picker, rows, transport]) one.showControls();
    table.mark(store.view.controls.k, store.seen.k);
    if (store.view.verdict) showVerdict();
  }
  function showVerdict() {
    verdict.show(store.view.verdict, store.view.controls.focus);
    saving.showDrawn(Boolean(store.view.verdict?.whole) || store.view.controls.map !== "none");
  }
  /** Without Python a card may have nothing to say. */
  function hideAbsent() {
    if (!isAlone || store.view.problem) return;
    verdict.element.hidden = !store.view.verdict;
    bound.element.hidden = !store.view.chart;
    pictures.element.hidden = !store.view.extra;
  }
  function showStep() {
    transport.showStep();
    update.showStep();
    lesson.lightProgram();
  }
  function showLesson() {
    lesson.show();
    if (lesson.isOpen()) shelf.dismiss();
    drawPlane();
  }
  function showSelected() {
    rows.show();
    lesson.pickRow();
  }
  function showOwn() {
    ownText.textContent = store.view.own?.text ?? "";
    ownText.hidden = !store.view.own?.text;
    drawPlane();
  }
  function showProblem() {
    const text = store.view.problem;
    problem.textContent = text;
    problem.hidden = empty.hidden = !text;
    for (const one of cards) one.hidden = Boolean(text);
    hideAbsent();
  }

  // ---- Drawing.

  function drawPlane() {
    if (!store.view.frame || !store.state) return;
    picture.draw(store.state, store.view, lesson.litRows());
    placeHandle();
  }
  function drawSelection() {
    picture.drawSelection();
    placeHandle();
  }
  /** The buttons beside the selected row. */
  function placeHandle() {
    const one = store.view.selected,
      row = one && store.state.rows[one.row];
    rows.handle.hidden = !row || hand.isDragging() || store.chosenRow === null;
    if (!one || rows.handle.hidden) return;
    const [x, y] = picture.spot(one.row),
      [width, height] = store.state.size;
    const left = Math.max(4, Math.min(x - 55, width - 130)),
      top = y > 70 ? y - 54 : Math.min(y + 24, height - 36);
    rows.handle.style.transform = `translate(${left}px, ${top}px)`;
  }
  function drawCharts() {
    if (!store.view.controls) return;
    update.draw();
    bound.draw();
    pictures.draw();
  }
  function redraw() {
    drawPlane();
    drawCharts();
  }

  // ---- The hand and the keyboard.

  const hand = handOn(plane, picture, {
    edit,
    isReady: () => Boolean(store.state),
    isHandle: (target) => rows.handle.contains(target),
    handleAt: picture.handleAt,
    hasSelection: rows.hasRow,
    select: rows.choose,
    add(at) {
      edit({ do: "add", class: store.brush, at }, { record: true });
      edit({ do: "select", row: null });
    },
    moved(row) {
      say(() => `Row ${row + 1} moved. ${store.view.verdict?.headline ?? ""}`);
      if (talk.isIdle()) picture.catchUp(false);
      drawPlane();
      rest.begin();
    },
  });
  keysInPlane(plane, { edit, isHandle: (target) => rows.handle.contains(target), rows });
  const keys = keysOnPage(inNotebook ? root : document, {
    undo: history.undo,
    redo: history.redo,
    escape: saving.close,
    isAlone: inNotebook,
    hasPages: lesson.isOpen,
    keys: {
      " ": transport.toggle,
      ArrowLeft: () => transport.step(-1),
      ArrowRight: () => transport.step(1),
      PageDown: lesson.next,
      PageUp: lesson.back,
      Home: () => transport.end(false),
      End: () => transport.end(true),
      v: transport.toggleVisits,
      "?": dialogs.help,
    },
  });

  /** @param {string} fragment */
  function openLink(fragment) {
    if (!fragment || !talk.isIdle()) return false;
    history.remember();
    return talk.send({ open: fragment });
  }

  const watch = new ResizeObserver(() => {
    const rect = plane.getBoundingClientRect(),
      { state } = store;
    if (
      state &&
      rect.width &&
      (Math.abs(rect.width - state.size[0]) > 0.5 || Math.abs(rect.height - state.size[1]) > 0.5)
    )
      edit({ do: "size", size: [rect.width, rect.height] });
    drawCharts();
  });
  watch.observe(plane);
  watch.observe(bound.picture);

  return {
    close() {
      transport.play(false);
      watch.disconnect();
      looks.close();
      keys.close();
      talk.close();
    },
    rows: () => [store.state?.rows, store.state?.classes, store.state?.selected],
    /** Both can be undone. @param {string} fragment */
    open(fragment) {
      if (!openLink(fragment)) waiting = fragment;
    },
    /** @param {any} state */
    restore: (state) => edit({ do: "restore", state }, { record: true }),
  };
}
