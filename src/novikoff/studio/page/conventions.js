// @ts-check
/** How a run is made and what of it is drawn: conventions, limits, layers, runs to compare. */

import { button, checkbox, field, fill, group, h, lineIcon, option } from "./elements.js";
import { thousands } from "./figures.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Menu} Menu */

const LAYERS = [
  ["regions", "Half-spaces", "boundary"],
  ["update", "Before the update", "boundary before"],
  ["maximum", "Largest margin", "maximum"],
  ["hulls", "Hulls, obstruction", "hull c1"],
  ["ball", "Ball R, band γ", "ball"],
];
const STARTS = [
  ["zeros", "zeros"],
  ["random", "random"],
  ["given", "given numbers"],
];
const MISTAKES = ["100", "1000", "10000", "100000", "200000"],
  PASSES = ["10", "100", "1000", "100000", "1000000"];

/**
 * @param {Store} store
 * @param {{edit: (edit: any, how?: any) => void, isAlone: boolean}} on
 */
export function conventionControls(store, on) {
  const set = (/** @type {string} */ key, /** @type {any} */ value) =>
    on.edit({ do: "set", key, value }, { record: true });
  /** @param {string} key @param {(value: any) => any} [read] */
  const chooser = (key, read = (value) => value) =>
    h("select", { onchange: (/** @type {any} */ e) => set(key, read(e.target.value)) });
  const tie = chooser("tie"),
    order = h("select", { onchange: chooseOrder }),
    start = h("select", { onchange: chooseStart });
  const orderText = h("input", {
    type: "text",
    "aria-label": "Order as row numbers",
    placeholder: "3, 1, 2",
    onchange: () => set("order", orderText.value),
  });
  const startText = h("input", {
    type: "text",
    "aria-label": "Starting weights, the offset last",
    placeholder: "1, -0.8",
    onchange: () => set("start", startText.value),
  });
  const reseed = button("Another seed", () => set("seed", (store.state.seed + 1) % 1000));
  const offset = checkbox("Offset (a constant 1 in each row)", (isOn) => set("offset", isOn));
  const map = chooser("map"),
    notation = chooser("notation"),
    numbers = chooser("numbers");
  const limit = chooser("limit", Number),
    passes = chooser("passes", Number);
  for (const value of MISTAKES) limit.append(h("option", { value }, `${thousands(Number(value))} mistakes`));
  for (const value of PASSES) passes.append(h("option", { value }, `${thousands(Number(value))} passes`));
  const overlays = h("ul", { class: "nk-overlays" });
  /** @type {Record<string, any>} */
  const layers = Object.fromEntries(
    LAYERS.map(([key, text, role]) => [key, checkbox(text, showLayers, lineIcon(role))]),
  );
  const compare = (/** @type {string} */ preset) => on.edit({ do: "overlay", preset }, { record: true });
  const elements = [
    group(
      "Conventions",
      field("A tie is", tie),
      field("Order", order),
      orderText,
      field("Start", start),
      startText,
      reseed,
      offset.element,
      ...(on.isAlone
        ? []
        : [
            field("Features", map),
            field("Notation", notation),
            h(
              "details",
              { class: "nk-more" },
              h("summary", {}, "Numbers and limits"),
              h("div", {}, field("Numbers", numbers), field("At most", limit), field("At most", passes)),
            ),
          ]),
    ),
    group("Show", ...Object.values(layers).map((one) => one.element)),
    group(
      "Compare runs",
      h(
        "div",
        { class: "nk-rowline" },
        button("Orders", () => compare("orders")),
        button("Shuffles", () => compare("shuffles")),
        button("Starts", () => compare("starts")),
        button("Pin this run", () => compare("pin")),
        button("None", () => compare("none")),
      ),
      overlays,
    ),
  ];

  function showLayers() {
    on.edit({ do: "set", key: "show", value: Object.keys(layers).filter((one) => layers[one].input.checked) });
  }
  function chooseOrder() {
    if (order.value !== "given") return set("order", order.value);
    orderText.hidden = false;
    orderText.focus();
  }
  function chooseStart() {
    if (start.value !== "given") return set("start", start.value === "zeros" ? null : start.value);
    startText.hidden = false;
    startText.focus();
  }

  return {
    elements,
    /** @param {Menu} menu */
    fillMenu(menu) {
      fill(tie, menu.ties.map(option));
      fill(order, [...menu.orders.map(option), h("option", { value: "given" }, "given row numbers")]);
      fill(
        start,
        STARTS.map(([value, text]) => option({ value, text })),
      );
      fill(map, menu.maps.map(option));
      fill(notation, menu.notations.map(option));
      fill(numbers, menu.numbers.map(option));
    },
    showControls() {
      const c = store.view.controls;
      tie.value = c.tie;
      order.value = c.order;
      start.value = c.start;
      map.value = c.map;
      notation.value = c.notation;
      numbers.value = c.numbers;
      limit.value = String(c.limit);
      passes.value = String(c.passes);
      orderText.hidden = c.order !== "given";
      startText.hidden = c.start !== "given";
      reseed.hidden = !c.seeded;
      if (document.activeElement !== orderText) orderText.value = c.order === "given" ? c.order_text : "";
      if (document.activeElement !== startText) startText.value = c.start_text;
      offset.input.checked = c.offset;
      for (const [key, one] of Object.entries(layers)) one.input.checked = c.show.includes(key);
    },
    showOverlays() {
      const lines = store.view.overlays ?? [];
      overlays.replaceChildren(
        ...lines.map((one) =>
          h(
            "li",
            {},
            lineIcon(`overlay o${one.place}`),
            h("span", {}, one.name, h("small", {}, `${one.text}${one.weights ? ` → ${one.weights}` : ""}`)),
          ),
        ),
      );
      overlays.hidden = !lines.length;
    },
  };
}
