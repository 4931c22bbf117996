// @ts-check
/** The table of updates: only the lines near the present one exist; the rest is empty height. */

import { h } from "./elements.js";

/** @typedef {import("./types.js").Lines} Lines */

// Lines of one height, as in the style sheet: plain; with the weights on a line of their own; on two.
const HEIGHTS = [26, 46, 64];
const ROOM = [22, 46]; // characters of weights that the first two have room for

/**
 * @param {{go: (k: number) => void, ask: (first: number) => Promise<Lines | null>}} on
 *   `ask` gives null where the run has changed meanwhile
 */
export function tableCard(on) {
  /** @type {Lines | null} */ let lines = null;
  let k = 0,
    seen = 0,
    fetching = false,
    size = 0;
  const lineHeight = () => HEIGHTS[size];
  const head = h("thead", { role: "rowgroup" }),
    body = h("tbody", { role: "rowgroup" }),
    note = h("p", { class: "nk-note" });
  const table = h(
    "table",
    { class: "nk-lines", role: "table" },
    h("caption", { class: "nk-sr" }, "Every update of the run"),
    head,
    body,
  );
  const scroller = h(
    "div",
    { class: "nk-scroll", tabindex: 0, role: "region", "aria-label": "Table of updates", onscroll: fetchMore },
    table,
  );
  const element = h(
    "section",
    { class: "nk-card nk-table", "aria-label": "Table" },
    h("h2", {}, "Table"),
    note,
    scroller,
  );

  /** @param {number} count @param {number} span */
  function pad(count, span) {
    const row = h("tr", { class: "pad", "aria-hidden": "true", hidden: count === 0 }, h("td", { colspan: span }));
    row.firstChild.style.height = `${count * lineHeight()}px`;
    return row;
  }

  /** @param {Lines} given @param {boolean} [keepPlace] */
  function show(given, keepPlace = false) {
    const other = !lines || lines.total !== given.total || lines.header.join() !== given.header.join();
    const longest = Math.max(0, ...given.entries.map((line) => line[line.length - 1].length));
    const needed = longest > ROOM[1] ? 2 : longest > ROOM[0] - (given.header.length > 5 ? 10 : 0) ? 1 : 0;
    size = other ? needed : Math.max(size, needed);
    table.className = `nk-lines size${size}${given.header.length > 5 ? " classes" : ""}`;
    lines = given;
    note.textContent = given.caption;
    head.replaceChildren(
      h("tr", { role: "row" }, ...given.header.map((text) => h("th", { scope: "col", role: "columnheader" }, text))),
    );
    const span = given.header.length,
      after = given.total + 1 - given.first - given.entries.length;
    const made = given.entries.map((line, i) =>
      h(
        "tr",
        {
          role: "row",
          "data-k": given.first + i,
          "aria-rowindex": given.first + i + 2,
          onclick: () => on.go(given.first + i),
        },
        ...line.map((text) => h("td", { role: "cell" }, text)),
      ),
    );
    body.replaceChildren(pad(given.first, span), ...made, pad(after, span));
    table.setAttribute("aria-rowcount", String(given.total + 2));
    mark(k, seen, keepPlace);
  }

  /**
   * Mark line k, and bring it into view as a whole. Lines that the run has not come to yet are not shown.
   * @param {number} at @param {number} last that has been seen @param {boolean} [keepPlace]
   */
  function mark(at, last, keepPlace = false) {
    [k, seen] = [at, last];
    for (const row of body.children) {
      row.classList.toggle("ahead", Number(row.dataset.k ?? 0) > seen);
      if (row.dataset.k && Number(row.dataset.k) === k) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    if (keepPlace || !lines) return;
    const top = k * lineHeight(),
      room = scroller.clientHeight - head.offsetHeight;
    if (k >= lines.total) scroller.scrollTop = scroller.scrollHeight;
    else if (top < scroller.scrollTop || top > scroller.scrollTop + room - lineHeight())
      scroller.scrollTop = Math.max(0, top - room / 2);
  }

  async function fetchMore() {
    if (!lines || fetching) return;
    const first = Math.floor(scroller.scrollTop / lineHeight()),
      last = Math.min(first + Math.ceil(scroller.clientHeight / lineHeight()), lines.total + 1);
    if (first >= lines.first && last <= lines.first + lines.entries.length) return;
    fetching = true;
    try {
      const more = await on.ask(Math.max(0, Math.min(first - 6, lines.total)));
      if (more) show(more, true);
    } catch {
      /* the connection is lost; the banner says so */
    }
    fetching = false;
  }

  return { element, show, mark };
}
