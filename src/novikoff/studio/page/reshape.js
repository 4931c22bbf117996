// @ts-check
/** Sliders that change all rows at once: turned, scaled, moved apart, shaken. */

import { field, h } from "./elements.js";

/**
 * What each slider sends when it goes from one value to another.
 * @type {[string, number, number, number, (from: number, to: number) => any][]}
 */
const SLIDERS = [
  ["Rotation", -180, 180, 5, (from, to) => ({ turn: to - from })],
  ["Scale", -10, 10, 1, (from, to) => ({ scale: 10 ** ((to - from) / 10) })],
  ["Margin", -20, 20, 1, (from, to) => ({ apart: (to - from) / 20 })],
  ["Noise", 0, 20, 1, (from, to) => ({ noise: (to - from) / 40 })],
];

/** @param {(edit: any, how?: any) => void} edit */
export function reshapeControls(edit) {
  const fields = SLIDERS.map(([name, least, most, step, change]) => {
    let was = 0,
      isNew = true;
    const slider = h("input", {
      type: "range",
      min: least,
      max: most,
      step,
      value: 0,
      oninput() {
        const now = Number(slider.value);
        if (now === was) return;
        edit({ do: "reshape", ...change(was, now) }, { record: isNew });
        was = now;
        isNew = false;
      },
      onchange: () => (isNew = true),
    });
    return field(name, slider);
  });
  return h("details", { class: "nk-more nk-reshape" }, h("summary", {}, "Change all rows"), h("div", {}, ...fields));
}
