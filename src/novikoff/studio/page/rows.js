// @ts-check
/** Rows one at a time: the class of new ones, the selected one, and what is done to it. */

import { button, field, fill, group, h, iconButton, shapeIcon } from "./elements.js";

/** @typedef {import("./store.js").Store} Store */

/**
 * @param {Store} store
 * @param {{edit: (edit: any, how?: any) => void, say: (tell: () => string) => void, placeHandle: () => void,
 *   drawSelection: () => void}} on
 */
export function rowEditing(store, on) {
  const tell = () => store.view.selected?.text ?? "No row is selected.";
  const tellAll = () => `${tell()}. ${store.view.verdict?.headline ?? ""}`;
  const brushes = h("div", { class: "nk-brush", role: "group", "aria-label": "Class of new rows" });
  const x = h("input", { type: "text", inputmode: "decimal", onchange: place }),
    y = h("input", { type: "text", inputmode: "decimal", onchange: place });
  const ofClass = h("select", {
    onchange: () =>
      store.view.selected &&
      on.edit({ do: "flip", row: store.view.selected.row, class: ofClass.selectedIndex }, { record: true }),
  });
  const title = h("p", { class: "nk-note" });
  const editor = h(
    "fieldset",
    { class: "nk-group nk-row", disabled: true, "aria-label": "Selected row" },
    title,
    field("Across", x),
    field("Up", y),
    field("Class", ofClass),
    h("div", { class: "nk-rowline" }, button("Flip", flip), button("Delete", remove)),
  );
  const element = group(
    "Rows",
    brushes,
    h(
      "div",
      { class: "nk-steps" },
      button("Add a row", add),
      iconButton("Previous row", "back", () => step(-1)),
      iconButton("Next row", "forward", () => step(1)),
    ),
    editor,
  );
  const handle = h(
    "div",
    { class: "nk-handle", role: "group", "aria-label": "Selected row", hidden: true },
    button("Flip", flip),
    button("Delete", remove),
  );

  // Keys and clicks can be faster than replies: what they do is done to the row that was chosen last.
  const hasRow = () => store.chosenRow !== null && store.state?.rows.length > 0;

  /** @param {number} by */
  function step(by) {
    on.say(tell);
    store.chosenRow ??= 0;
    on.edit({ do: "select", by });
  }
  /** @param {number | null} row */
  function choose(row) {
    if (row !== null) on.say(tell);
    store.chosenRow = row;
    on.placeHandle();
    on.edit({ do: "select", row });
  }
  function flip() {
    if (!hasRow()) return;
    on.say(tellAll);
    on.edit({ do: "flip" }, { record: true });
  }
  function remove() {
    if (!hasRow()) return;
    on.say(() => `Deleted. ${tell()}`);
    on.edit({ do: "delete" }, { record: true });
  }
  function add() {
    on.say(() => `Added. ${tell()}`);
    store.chosenRow = store.state.rows.length;
    on.edit({ do: "add", class: store.brush }, { record: true });
  }
  function place() {
    if (store.view.selected)
      on.edit({ do: "place", row: store.view.selected.row, x: x.value, y: y.value }, { record: true });
  }
  /** @param {[number, number]} by */
  function nudge(by) {
    on.say(tellAll);
    on.edit({ do: "nudge", by }, { record: true });
  }
  function markBrush() {
    [...brushes.children].forEach((one, code) => one.setAttribute("aria-pressed", String(code === store.brush)));
  }

  return {
    element,
    handle,
    hasRow,
    step,
    choose,
    flip,
    remove,
    add,
    nudge,
    showControls() {
      const { classes } = store.view.controls;
      if (store.brush >= classes.length) store.brush = classes.length - 1;
      if (brushes.dataset.names !== classes.join("\n")) {
        brushes.dataset.names = classes.join("\n");
        fill(
          brushes,
          classes.map((name, code) =>
            h(
              "button",
              {
                type: "button",
                title: name,
                "aria-label": `Add rows of class ${name}`,
                onclick: () => {
                  store.brush = code;
                  markBrush();
                },
              },
              shapeIcon(code),
              h("span", {}, name),
            ),
          ),
        );
        fill(
          ofClass,
          classes.map((name) => h("option", {}, name)),
        );
      }
      markBrush();
    },
    show() {
      const one = store.view.selected;
      editor.disabled = !one;
      title.textContent = one ? one.text : "No row is selected: click one, or take the next.";
      if (!one) x.value = y.value = "";
      else {
        if (document.activeElement !== x) x.value = one.x;
        if (document.activeElement !== y) y.value = one.y;
        ofClass.selectedIndex = one.class;
      }
      on.drawSelection();
    },
  };
}
