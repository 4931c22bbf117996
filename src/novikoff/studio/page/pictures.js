// @ts-check
/** The card of further pictures: which one is shown, its plot, its slider, its small pictures. */

import { field, fill, h, lineIcon, option, s } from "./elements.js";
import { shortened } from "./figures.js";
import { drawPlot, plotBox } from "./marks.js";
import { spacePicture } from "./space.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Menu} Menu */
/** @typedef {import("./types.js").Panel} Panel */

const PLOT_EDGE = 34; // pixels below a plot, for its numbers

/**
 * @param {any} root @param {Store} store
 * @param {{edit: (edit: any, how?: any) => void}} on
 */
export function pictureCard(root, store, on) {
  const chooser = h("select", {
    onchange: () => on.edit({ do: "set", key: "view", value: chooser.value }, { record: true }),
  });
  const note = h("p", { class: "nk-note" }),
    plot = s("svg", { class: "nk-chart nk-extra", role: "img" }),
    legend = h("ul", { class: "nk-legend" });
  const slider = h("input", {
    type: "range",
    step: 1,
    oninput: () => on.edit({ do: "set", key: "level", value: Number(slider.value) }),
  });
  const sliderField = field("", slider),
    sliderText = h("output", {});
  sliderField.append(sliderText);
  sliderField.classList.add("nk-slide");
  const panels = h("ul", { class: "nk-panels" }),
    space = spacePicture(root);
  const element = h(
    "section",
    { class: "nk-card nk-pictures", "aria-label": "Further pictures" },
    h("h2", {}, "Look closer"),
    field("Picture", chooser),
    note,
    sliderField,
    plot,
    legend,
    space.element,
    panels,
  );

  /** A click into the space of weights is a start. @param {MouseEvent} event */
  function startHere(event) {
    const extra = store.view.extra,
      { window } = extra?.plot ?? {},
      { controls } = store.view;
    if (!window || extra?.name !== "weights") return;
    const box = plotBox(plot, PLOT_EDGE),
      rect = plot.getBoundingClientRect(),
      [left, right, bottom, top] = window;
    const x = left + ((event.clientX - rect.left - box.left) / box.width) * (right - left);
    const y = top - ((event.clientY - rect.top - box.top) / box.height) * (top - bottom);
    const offset = controls.offset ? [store.view.scene.lines[0][2]] : [],
      short = [x, y].map((one) => shortened(one, 3));
    on.edit({ do: "set", key: "start", value: [...short, ...offset].join(", ") }, { record: true });
  }
  plot.addEventListener("click", startHere);

  function draw() {
    const extra = store.view.extra ?? null;
    drawPlot(plot, extra?.plot ?? null, [], PLOT_EDGE);
    plot.classList.toggle("nk-picks", extra?.name === "weights");
    space.draw();
    [...panels.children].forEach(
      (one, i) => extra?.panels[i] && drawPlot(one.querySelector("svg"), extra.panels[i].plot, [], 0),
    );
  }

  /** @param {Panel} one */
  function panel(one) {
    const bars = one.bars.length
      ? h(
          "div",
          { class: "nk-bars", role: "img", "aria-label": `The votes of ${one.bars.length} weight vectors, in order` },
          ...one.bars.map((share) => {
            const bar = h("span", {});
            bar.style.height = `${Math.max(4, 100 * share)}%`;
            return bar;
          }),
        )
      : null;
    return h(
      "li",
      {},
      h("strong", {}, one.title),
      s("svg", { role: "img", "aria-label": `The boundary of ${one.title}` }),
      bars,
      h("span", {}, one.text),
    );
  }

  return {
    element,
    draw,
    /** @param {Menu} menu */
    fillMenu(menu) {
      fill(chooser, menu.views.map(option));
    },
    show() {
      const extra = store.view.extra ?? null;
      chooser.value = store.state.view;
      note.textContent =
        extra?.note ?? "Errors for each pass, three dimensions, the space of weights, other perceptrons, streams.";
      plot.style.display = extra?.plot ? "" : "none";
      plot.setAttribute("aria-label", extra ? `${extra.title}. ${extra.note}` : "");
      legend.replaceChildren(...(extra?.plot?.legend ?? []).map((one) => h("li", {}, lineIcon(one.role), one.text)));
      sliderField.hidden = !extra?.slider;
      if (extra?.slider) {
        const { label, least, most, value, text } = extra.slider;
        sliderField.querySelector("label").textContent = label;
        slider.min = String(least);
        slider.max = String(most);
        if (document.activeElement !== slider) slider.value = String(value);
        slider.setAttribute("aria-valuetext", text);
        sliderText.textContent = text;
      }
      panels.hidden = !extra?.panels.length;
      panels.replaceChildren(...(extra?.panels ?? []).map(panel));
      space.show(extra?.space ?? null);
      draw();
    },
  };
}
