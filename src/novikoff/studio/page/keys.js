// @ts-check
/** The keyboard: in the plane it moves rows, elsewhere it steps through the run. */

/** Elements that want their keys for themselves. */
const OWN_KEYS = "input, select, textarea, summary, .nk-scroll, [contenteditable]";
/** Keys that turn a lesson's pages, wherever the focus is but in a field: a presenter's remote sends them. */
const PAGES = ["PageDown", "PageUp"];

/**
 * @param {any} plane
 * @param {{edit: (edit: any, how?: any) => void, isHandle: (target: Node) => boolean, rows: ReturnType<typeof
 *   import("./rows.js").rowEditing>}} on
 */
export function keysInPlane(plane, { edit, isHandle, rows }) {
  plane.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isHandle(/** @type {Node} */ (event.target))) return;
    const far = event.shiftKey ? 10 : 1,
      key = event.key;
    /** @type {Record<string, [number, number]>} */
    const arrows = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    const zoom = (/** @type {number} */ steps) => () => edit({ do: "zoom", steps });
    /** @type {Record<string, () => void>} */
    const keys = {
      n: () => rows.step(1),
      p: () => rows.step(-1),
      f: rows.flip,
      a: rows.add,
      Delete: rows.remove,
      Backspace: rows.remove,
      "+": zoom(1),
      "=": zoom(1),
      "-": zoom(-1),
      0: () => edit({ do: "fit" }),
      Escape: () => rows.choose(null),
    };
    if (arrows[key] && rows.hasRow()) rows.nudge(arrows[key]);
    else if (keys[key]) keys[key]();
    else if (keys[key.toLowerCase()]) keys[key.toLowerCase()]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * @param {any} place the document, or in a notebook the studio alone
 * @param {{undo: () => void, redo: () => void, escape: () => void, keys: Record<string, () => void>, hasPages: () =>
 *   boolean, isAlone: boolean}} on
 *   isAlone: no key that is used here goes on to what is around
 */
export function keysOnPage(place, on) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("dialog")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !target.matches("input[type=text]")) {
      event.preventDefault();
      return event.shiftKey ? on.redo() : on.undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") on.escape();
    if (target.matches(PAGES.includes(event.key) ? "select, textarea, .nk-scroll" : OWN_KEYS)) return;
    if (event.key === " " && target.matches("button")) return;
    if (!on.keys[event.key] || (PAGES.includes(event.key) && !on.hasPages())) return;
    event.preventDefault();
    if (on.isAlone) event.stopPropagation();
    on.keys[event.key]();
  }
  place.addEventListener("keydown", onKey);
  return { close: () => place.removeEventListener("keydown", onKey) };
}
