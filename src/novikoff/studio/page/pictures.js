// @ts-check
/** The card of further pictures: which one is shown, its plot, its slider, its small pictures. */

import { field, fill, h, lineIcon, option, s } from "./elements.js";
import { drawPlot } from "./marks.js";
import { spacePicture } from "./space.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Menu} Menu */
/** @typedef {import("./types.js").Panel} Panel */

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

  function draw() {
    const extra = store.view.extra ?? null;
    drawPlot(plot, extra?.plot ?? null, [], 34);
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
