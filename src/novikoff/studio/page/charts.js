// @ts-check
/** The cards with small pictures: one update as a sum of vectors, and the bound with its proof. */

import { h, icon, lineIcon, s } from "./elements.js";
import { drawPlot } from "./marks.js";
import { sumPicture } from "./sketch.js";
import { sumParts } from "./transport.js";

/** @typedef {import("./store.js").Store} Store */

/** @param {Store} store */
export function updateCard(store) {
  const title = h("p", {}),
    text = h("p", { class: "nk-note" }),
    sum = h("p", { class: "nk-sum" });
  const picture = s("svg", { class: "nk-inset", role: "img" });
  let wasMoving = false;
  return {
    element: h(
      "section",
      { class: "nk-card nk-update", "aria-label": "Update" },
      h("h2", {}, "Update"),
      title,
      text,
      sum,
      picture,
    ),
    showStep() {
      const one = store.view.step;
      if (!one) return;
      title.replaceChildren(h("strong", {}, one.title));
      text.textContent = one.text;
      sum.replaceChildren(...sumParts(one.sum));
    },
    /** As far as the plane shows the update. @param {import("./motion.js").Stage["update"]} update */
    stage(update) {
      const { inset } = store.view;
      if (!update && !wasMoving) return;
      wasMoving = Boolean(update);
      if (inset) drawPlot(picture, sumPicture(inset, update?.travel, update?.sum), [], 0);
    },
    draw() {
      const { inset, step } = store.view;
      picture.style.display = inset ? "" : "none";
      picture.setAttribute("aria-label", step ? `The update as a sum of vectors: ${step.sum.join(" ")}` : "");
      drawPlot(picture, inset && sumPicture(inset), [], 0);
    },
  };
}

/**
 * Light the marks of some roles in the plane, the chart and the update, and the line of the table.
 * @param {any} root @param {string[]} roles @param {boolean} isOn
 */
function lightUp(root, roles, isOn) {
  for (const one of root.querySelectorAll(".lit-mark")) one.classList.remove("lit-mark");
  root.classList.toggle("nk-pointing", isOn);
  if (!isOn) return;
  for (const role of roles)
    for (const one of root.querySelectorAll(`.nk-plane .${role}, .nk-chart .${role}, .nk-inset .${role}`))
      one.classList.add("lit-mark");
  root.querySelector(".nk-lines tr[aria-current=step]")?.classList.add("lit-mark");
}

/** The chart with the run's own curves up to a place. @param {import("./types.js").Plot} chart @param {number} last */
function upTo(chart, last) {
  const marks = chart.marks.map((mark) => {
    if (mark.role !== "norm" && mark.role !== "progress") return mark;
    const flat = mark.at[0],
      ends = flat.findIndex((/** @type {number} */ x, /** @type {number} */ i) => i % 2 === 0 && x > last + 1e-9);
    return ends < 0 ? mark : { ...mark, at: [flat.slice(0, ends)] };
  });
  return { ...chart, marks };
}

/** @param {any} root @param {Store} store */
export function boundCard(root, store) {
  const picture = s("svg", { class: "nk-chart", role: "img" });
  const live = h("ul", { class: "nk-live" });
  const legend = h("ul", { class: "nk-legend" }),
    checks = h("ul", { class: "nk-checks" }),
    note = h("p", { class: "nk-note" });
  return {
    element: h(
      "section",
      { class: "nk-card nk-bound", "aria-label": "Proof sandwich" },
      h("h2", {}, "The bound and its proof"),
      note,
      picture,
      legend,
      live,
      checks,
    ),
    picture,
    draw() {
      const { controls, chart, cursor } = store.view;
      picture.setAttribute("aria-label", `The proof's inequalities against k, at ${controls.slider}`);
      note.textContent = controls.binary ? "" : `Class ${controls.classes[controls.focus]} against the rest.`;
      note.hidden = controls.binary;
      const past = chart && controls.binary ? upTo(chart, store.seen.x) : chart;
      drawPlot(picture, past, cursor ?? [], root.classList.contains("presenting") ? 46 : 34);
      if (chart === null && store.view.lesson?.ask) {
        note.textContent = "It is shown once you have answered.";
        note.hidden = false;
      }
      legend.hidden = !chart;
      if (chart?.legend)
        legend.replaceChildren(...chart.legend.map((one) => h("li", {}, lineIcon(one.role), one.text)));
    },
    /** The inequalities at this mistake; to point at one lights what it speaks of. */
    showLive() {
      live.replaceChildren(
        ...(store.view.live ?? []).map((one) => {
          const lit = (/** @type {boolean} */ isOn) => () => lightUp(root, one.lights, isOn);
          return h(
            "li",
            {
              tabindex: 0,
              onpointerenter: lit(true),
              onpointerleave: lit(false),
              onfocus: lit(true),
              onblur: lit(false),
            },
            h("span", { class: one.holds ? "yes" : "no" }, icon(one.holds ? "yes" : "no")),
            h("span", {}, one.text, h("small", {}, one.why)),
          );
        }),
      );
      // Of a height that no step changes: the page below keeps its place.
      live.className = `nk-live ${store.view.verdict?.status === "separable" ? "three" : "one"}`;
    },
    showProof() {
      checks.replaceChildren(
        ...(store.view.proof ?? []).map((one) => {
          const look = one.holds === true ? "yes" : one.holds === false ? "no" : "open";
          return h(
            "li",
            { title: one.note },
            h("span", { class: look }, icon(look)),
            h("span", {}, one.formula),
            h("span", {}, one.text),
          );
        }),
      );
    },
  };
}
