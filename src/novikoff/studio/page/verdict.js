// @ts-check
/** The verdict: a pill at the top, and a card that says what is true of which columns. */

import { button, h, icon, shapeIcon } from "./elements.js";

/** @typedef {import("./types.js").Verdict} Verdict */

/** @param {string} status */
const statusIcon = (status) =>
  status === "separable" ? "yes" : status === "overlapping" ? "no" : status === "deciding" ? "wait" : "open";

/** @param {{name: string, value: string}[]} facts */
const factList = (facts) =>
  facts.flatMap((fact) => [
    h("dt", { class: `fact-${fact.name}` }, fact.name),
    h("dd", { class: `fact-${fact.name}` }, fact.value),
  ]);

/** @param {{select: (row: number) => void, focus: (code: number) => void, save: (what: string) => void}} on */
export function verdictCard(on) {
  const pill = h("div", { class: "nk-pill", hidden: true });
  const wholeWord = h("p", { class: "nk-word" }),
    wholeSentence = h("p", {}),
    wholeFacts = h("dl", { class: "nk-facts" });
  const wholeProof = button("Export the proof", () => on.save("proof"));
  const whole = h(
    "div",
    { class: "nk-whole" },
    wholeWord,
    wholeSentence,
    wholeFacts,
    h("div", { class: "nk-rowline" }, wholeProof),
  );
  const drawnTitle = h("p", { class: "nk-drawn" });
  const word = h("p", { class: "nk-word" }),
    sentence = h("p", {}),
    facts = h("dl", { class: "nk-facts" });
  const support = h("ul", { class: "nk-support" }),
    classes = h("div", { class: "nk-classes" });
  const proof = button("Export the proof", () => on.save("proof"));
  const drawnProof = button("Export the proof of what is drawn", () => on.save("drawn_proof"));
  const remark = h("p", {}),
    infinite = h("dl", { class: "nk-facts nk-infinite" }),
    infiniteTitle = h("p", { class: "nk-drawn" }, "Infinite coefficients");
  const rowsTitle = h("p", { class: "nk-drawn" }, "Blocking rows, in full"),
    rowsMore = h("p", { class: "nk-note" });
  const rowsTable = h("table", { class: "nk-full-rows" }),
    rowsBox = h(
      "div",
      { class: "nk-wide", tabindex: 0, role: "region", "aria-label": "Blocking rows with all their columns" },
      rowsTable,
    );
  const regression = h(
    "details",
    { class: "nk-more nk-regression" },
    h("summary", {}, "For a regression"),
    h(
      "div",
      {},
      remark,
      infiniteTitle,
      infinite,
      rowsTitle,
      rowsBox,
      rowsMore,
      h(
        "div",
        { class: "nk-rowline" },
        button("Report (HTML)", () => on.save("report")),
        button("Proof", () => on.save("proof")),
      ),
    ),
  );
  const element = h(
    "section",
    { class: "nk-card nk-verdict", "aria-label": "Verdict" },
    h("h2", {}, "Verdict"),
    whole,
    drawnTitle,
    word,
    sentence,
    facts,
    support,
    h("div", { class: "nk-rowline" }, proof, drawnProof),
    regression,
    classes,
  );

  /** @param {Verdict | null} v @param {number} focus */
  function show(v, focus) {
    pill.className = `nk-pill ${v ? v.headline_status : ""}`;
    pill.replaceChildren(...(v ? [icon(statusIcon(v.headline_status)), h("span", {}, v.headline)] : []));
    pill.hidden = !v;
    if (!v) return;
    whole.hidden = drawnTitle.hidden = !v.whole;
    word.hidden = Boolean(v.whole);
    if (v.whole) {
      wholeWord.className = `nk-word ${v.whole.status}`;
      wholeWord.replaceChildren(icon(statusIcon(v.whole.status)), h("span", {}, v.whole.title));
      wholeSentence.textContent = v.whole.sentence;
      wholeFacts.replaceChildren(...factList(v.whole.facts));
      wholeProof.disabled = !v.whole.has_proof;
      drawnTitle.className = `nk-drawn ${v.status}`;
      drawnTitle.textContent = v.drawn_title;
    }
    word.className = `nk-word ${v.status}`;
    word.replaceChildren(icon(statusIcon(v.status)), h("span", {}, v.title));
    sentence.textContent = v.sentence;
    facts.replaceChildren(...factList(v.facts));
    support.replaceChildren(
      ...v.support.map((one) =>
        h(
          "li",
          {},
          button(`row ${one.number} (${one.sign})  λ ${one.weight}`, () => on.select(one.row)),
        ),
      ),
    );
    support.hidden = !v.support.length;
    proof.hidden = Boolean(v.whole);
    drawnProof.hidden = !v.whole;
    proof.disabled = drawnProof.disabled = !v.has_proof;
    classes.replaceChildren(
      ...v.classes.map((one) =>
        h(
          "button",
          { type: "button", "aria-pressed": String(one.code === focus), onclick: () => on.focus(one.code) },
          shapeIcon(one.code),
          h("span", {}, one.name),
          h("span", {}, one.status),
        ),
      ),
    );
    classes.hidden = !v.classes.length;
    showRegression(v.regression);
  }

  /** @param {import("./types.js").Regression | null} one */
  function showRegression(one) {
    regression.classList.toggle("behind", !one); // it keeps its place while a hand is faster
    if (!one) return;
    remark.textContent = one.remark;
    infinite.replaceChildren(...factList(one.infinite));
    infinite.hidden = infiniteTitle.hidden = !one.infinite.length;
    rowsBox.hidden = rowsTitle.hidden = !one.rows.length;
    rowsMore.textContent = one.rows.length ? one.more : "";
    rowsTable.replaceChildren(
      h("thead", {}, h("tr", {}, ...one.header.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...one.rows.map((line) => h("tr", {}, ...line.map((text) => h("td", {}, text))))),
    );
  }

  return { element, pill, show };
}
