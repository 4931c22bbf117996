// @ts-check
/** The list of lessons, and the card that greets a first visit. */

import { button, h, icon } from "./elements.js";
import { built } from "./nodes.js";

/** @typedef {import("./types.js").Menu} Menu */

/**
 * The list of lessons, in a dialog; and on a first visit, a card that offers the tour.
 * @param {{open: (name: string) => void}} on
 */
export function lessonShelf(on) {
  const list = h("ul", { class: "nk-shelf" });
  const dialog = h(
    "dialog",
    { "aria-label": "Lessons" },
    h("h2", {}, "Lessons"),
    h(
      "p",
      { class: "nk-note" },
      "Each takes a class through one lecture, step by step. Write your own: novikoff studio lesson.md.",
    ),
    list,
    h("form", { method: "dialog", class: "nk-rowline" }, h("button", { class: "primary" }, "Close")),
  );
  const welcome = h(
    "section",
    { class: "nk-card nk-welcome", "aria-label": "Welcome", hidden: true },
    h("h2", {}, "New here?"),
    h(
      "p",
      {},
      "A perceptron looks at one row after the other. Whenever a row is on the wrong side of its line, it moves " +
        "the line. Press play to watch it; drag a row to change what it learns.",
    ),
    h(
      "div",
      { class: "nk-rowline" },
      button(
        "Tour: one minute",
        () => {
          on.open("tour");
          dismiss();
        },
        { class: "nk-button primary" },
      ),
      button("Lessons", () => dialog.showModal()),
      button("No, thanks", dismiss),
    ),
  );

  function dismiss() {
    welcome.hidden = true;
    try {
      localStorage.setItem("novikoff-met", "yes");
    } catch {
      /* private windows keep nothing */
    }
  }
  return {
    dialog,
    welcome,
    dismiss,
    button: h(
      "button",
      { type: "button", class: "nk-button nk-lessons", onclick: () => dialog.showModal() },
      icon("book"),
      h("span", {}, "Lessons"),
    ),
    /** @param {Menu} menu */
    fillMenu(menu) {
      list.replaceChildren(
        ...menu.lessons.map((one) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                onclick: () => {
                  dialog.close();
                  dismiss();
                  on.open(one.name);
                },
              },
              h("strong", {}, ...one.title.map(built)),
              h("span", {}, ...one.about.map(built)),
            ),
          ),
        ),
      );
    },
    /** A first visit, unless a lesson or data of one's own are open. */
    greet() {
      let met = "yes";
      try {
        met = localStorage.getItem("novikoff-met") ?? "";
      } catch {
        /* then nobody is greeted */
      }
      welcome.hidden = Boolean(met);
    },
  };
}
