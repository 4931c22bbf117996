// @ts-check
/** Where the rows come from: a built-in set, a file, and which of its columns are drawn. */

import { button, checkbox, field, fill, group, h } from "./elements.js";
import { keep } from "./keep.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Menu} Menu */

const MOST_FILE = 5_000_000; // bytes, as in files.py
const KINDS = ".csv,.tsv,.txt,.parquet,.npy,.npz,.svm,.svmlight,.libsvm,.gz,.zst,text/csv";

/**
 * @param {Store} store
 * @param {{root: any, plane: any, keeps: boolean, edit: (edit: any, how?: any) => void, toast: (text: string) =>
 *   void}} on
 */
export function dataPicker(store, on) {
  /** @type {Map<string, {name: string, data: string}>} */ const files = new Map(); // that were opened, by key
  const sets = h("select", {
    class: "nk-sets",
    "aria-label": "Built-in set",
    onchange: () => sets.value && on.edit({ do: "load", name: sets.value }, { record: true }),
  });
  const input = h("input", {
    type: "file",
    accept: KINDS,
    class: "nk-sr",
    tabindex: -1,
    "aria-hidden": "true",
    onchange: () => input.files?.[0] && open(input.files[0]),
  });
  const note = h("p", { class: "nk-note nk-about" });
  const columnX = h("select", { onchange: choose }),
    columnY = h("select", { onchange: choose });
  const label = h("select", { onchange: choose });
  const projection = checkbox("Principal components", choose);
  const labelField = field("Label", label);
  const columnFields = h(
    "div",
    { class: "nk-group" },
    labelField,
    field("Across", columnX),
    field("Up", columnY),
    projection.element,
  );
  const element = group(
    "Data",
    h(
      "div",
      { class: "nk-rowline" },
      button("Open a file", () => input.click()),
      button("Clear", () => on.edit({ do: "clear" }, { record: true })),
    ),
    input,
    note,
    columnFields,
  );

  function choose() {
    const columns = projection.input.checked ? "projection" : [Number(columnX.value), Number(columnY.value)];
    const source = store.state.source,
      name = label.value || null;
    const chosen = { label: name, columns: !name || name === source.label ? columns : null };
    if (source.kind === "csv")
      on.edit({ do: "file", file: source.file, reading: source.reading, ...chosen }, { record: true });
    else if (source.kind === "given") on.edit({ do: "given", ...chosen }, { record: true });
    else on.edit({ do: "load", name: source.name, columns }, { record: true });
  }

  /** @param {File} file */
  async function open(file) {
    input.value = "";
    if (file.size > MOST_FILE) return on.toast(`${file.name} is too large: the studio takes ${MOST_FILE / 1e6} MB.`);
    const data = await base64Of(file),
      key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
    files.set(key, { name: file.name, data });
    if (on.keeps) keep(`file:${key}`, { name: file.name, data });
    on.edit({ do: "file", file: key, name: file.name, data }, { record: true });
  }

  for (const type of ["dragover", "dragleave", "drop"]) {
    on.root.addEventListener(type, (/** @type {DragEvent} */ event) => {
      const dropped = event.dataTransfer;
      if (!dropped?.types.includes("Files")) return;
      event.preventDefault();
      on.plane.classList.toggle("nk-drop", type === "dragover");
      if (type === "drop" && dropped.files[0]) open(dropped.files[0]);
    });
  }

  return {
    element,
    sets,
    files,
    /** @param {Menu} menu */
    fillMenu(menu) {
      fill(sets, [
        h("option", { value: "" }, "Choose a set …"),
        ...menu.sets.map((one) =>
          h(
            "optgroup",
            { label: one.title },
            ...one.names.map((set) => h("option", { value: set.name, title: set.about }, set.name)),
          ),
        ),
      ]);
    },
    showControls() {
      const c = store.view.controls,
        source = store.state.source;
      sets.value = [...sets.options].some((one) => one.value === source.name && !source.edited) ? source.name : "";
      sets.options[0].textContent = sets.value ? "Choose a set …" : c.title;
      note.textContent = c.note;
      note.hidden = !c.note;
    },
    showColumns() {
      const c = store.view.columns;
      columnFields.hidden = !c;
      if (!c) return;
      for (const one of [columnX, columnY])
        fill(
          one,
          c.names.map((name, place) => h("option", { value: place }, name)),
        );
      labelField.hidden = !c.labels.length;
      fill(
        label,
        c.labels.map((name) => h("option", { value: name, selected: name === store.state.source.label }, name)),
      );
      projection.input.checked = c.chosen === "projection";
      columnX.disabled = columnY.disabled = projection.input.checked;
      if (Array.isArray(c.chosen)) [columnX.value, columnY.value] = c.chosen.map(String);
    },
  };
}

/** @param {File} file @returns {Promise<string>} */
const base64Of = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
