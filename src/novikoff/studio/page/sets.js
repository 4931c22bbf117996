// @ts-check
/** The built-in sets as small pictures, to choose one by its looks. */

import { h, iconButton, s } from "./elements.js";

const SIZE = 76,
  EDGE = 8; // pixels

/** @param {{ask: (what: string) => Promise<any>, load: (name: string) => void, toast: (text: string) => void}} on */
export function setGallery(on) {
  const body = h(
    "div",
    { class: "nk-sets-list", tabindex: 0, role: "region", "aria-label": "Pictures" },
    h("p", { class: "nk-note" }, "The pictures are being drawn …"),
  );
  const dialog = h(
    "dialog",
    { "aria-label": "Choose a set", class: "nk-sets-dialog" },
    h("h2", {}, "Sets that ship with the studio"),
    body,
    h("form", { method: "dialog", class: "nk-rowline" }, h("button", { class: "primary" }, "Close")),
  );
  let filled = false;

  async function open() {
    dialog.showModal();
    if (filled) return;
    try {
      const groups = await on.ask("thumbnails");
      filled = true;
      body.replaceChildren(
        ...groups.map((/** @type {any} */ one) =>
          h(
            "section",
            { "aria-label": one.title },
            h("h3", {}, one.title),
            h("div", { class: "nk-thumbs" }, ...one.sets.map(thumbnail)),
          ),
        ),
      );
    } catch (error) {
      on.toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {{name: string, rows: number[][]}} set */
  function thumbnail(set) {
    const place = (/** @type {number} */ value) => EDGE + value * (SIZE - 2 * EDGE);
    const dots = set.rows.map(([x, y, code]) =>
      s("circle", { class: `c${code}`, cx: place(x), cy: place(1 - y), r: set.rows.length > 12 ? 2.1 : 4 }),
    );
    return h(
      "button",
      {
        type: "button",
        onclick: () => {
          dialog.close();
          on.load(set.name);
        },
      },
      s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, ...dots),
      h("span", {}, set.name),
    );
  }

  return { dialog, button: iconButton("Choose a set by its picture", "grid", open) };
}
