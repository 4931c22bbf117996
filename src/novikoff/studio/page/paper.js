// @ts-check
/** The pictures of a printed lesson: the plane of every step, drawn by the code that draws the screen. */

import { h } from "./elements.js";
import { planePicture } from "./plane.js";
import { toldView } from "./telling.js";

const PAPER_SIZE = [640, 480]; // pixels of a plane on paper

/**
 * Before the page is printed for the first time, give each step of the words its picture.
 * @param {HTMLElement} article the words
 * @param {(step: number, size: number[]) => any} shown a reply that shows a step
 */
export function picturesOnPaper(article, shown) {
  addEventListener("beforeprint", () => {
    article.style.display = "block"; // labels are measured, which nothing hidden can be
    [...article.querySelectorAll("section")].forEach((section, step) => {
      const { menu, rows, ...reply } = shown(step, PAPER_SIZE), state = { ...reply.state, rows };
      const view = toldView(reply.view, state, menu), plane = h("div", { class: "nk-plane" });
      const root = h("figure", { class: "nk nk-paper" }, plane), picture = planePicture(root, plane);
      plane.append(...picture.layers);
      const { title, text, outcome, last } = view.step ?? { title: "", text: view.problem };
      root.append(h("figcaption", {}, `${title}. ${last ? outcome : text}`));
      section.querySelector(".nk-lesson-body")?.after(root);
      picture.draw(state, view);
    });
    article.style.display = "";
  }, { once: true });
}
