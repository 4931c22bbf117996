// @ts-check
/** What opens over the page: help, a text to copy, a link, and how a file is to be read. */

import { button, field, fill, h } from "./elements.js";

/** @typedef {import("./types.js").Question} Question */

const HELP = [
  ["click", "add a row of the chosen class"],
  ["drag", "move a row; on empty ground, move the plane"],
  ["double-click", "flip a row's sign"],
  ["space", "play or pause"],
  ["← →", "back, forward one mistake"],
  ["Home End", "start, end of the run"],
  ["V", "step by visits instead of mistakes, and back"],
  ["Page ↓ ↑", "next, previous step of a lesson"],
  ["Ctrl Z", "undo (with Shift: redo)"],
  [
    "in the plane",
    "N P choose a row · arrows move it (Shift: further) · F flip · Delete · A add · + − 0 zoom · " +
      "Escape lets go",
  ],
  ["Ctrl wheel", "zoom"],
];

/**
 * @param {{copy: (text: string) => void, download: (name: string, text: string, type: string) => void,
 *   open: (fragment: string) => boolean, read: (file: string, label: string | null, reading: any) => void}} on
 */
export function openDialogs(on) {
  const help = h(
    "dialog",
    { "aria-label": "Help and keys" },
    h("h2", {}, "In the studio"),
    h(
      "p",
      {},
      "A perceptron learns a line that separates two kinds of rows. It looks at one row after the other; each " +
        "time one is on the wrong side, it moves the line. Play the run under the plane, drag rows to change it, " +
        "read what is proven on the right. New here? Take the tour, under Lessons.",
    ),
    h("dl", {}, ...HELP.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h(
      "p",
      { class: "nk-note" },
      "Every number comes from Python in exact arithmetic where it matters. A solid line is the boundary after " +
        "k mistakes, the dotted one the boundary before. Hollow rows are on the wrong side.",
    ),
    h("form", { method: "dialog", class: "nk-rowline" }, h("button", { class: "primary" }, "Close")),
  );

  const textTitle = h("h2", {}),
    textBody = h("pre", { tabindex: 0 });
  let textName = "";
  const textDialog = h(
    "dialog",
    { "aria-label": "Export" },
    textTitle,
    textBody,
    h(
      "div",
      { class: "nk-rowline" },
      button("Copy", () => on.copy(textBody.textContent ?? "")),
      button("Download", () => on.download(textName, textBody.textContent ?? "", "text/plain")),
      button("Close", () => textDialog.close(), { class: "primary" }),
    ),
  );

  const linkInput = h("input", {
    type: "text",
    readonly: true,
    "aria-label": "Link",
    onfocus: () => linkInput.select(),
  });
  const openInput = h("input", { type: "text", "aria-label": "A link to open", placeholder: "Paste a link" });
  const shareDialog = h(
    "dialog",
    { "aria-label": "Share" },
    h("h2", {}, "Share what is on the screen"),
    h(
      "p",
      { class: "nk-note" },
      'The link holds the rows that are drawn and every choice, and no secret. It opens in this studio, and in ' +
        'another one with: novikoff studio "LINK".',
    ),
    h(
      "div",
      { class: "nk-group" },
      linkInput,
      h(
        "div",
        { class: "nk-rowline" },
        button("Copy the link", () => on.copy(linkInput.value)),
      ),
      openInput,
      h(
        "div",
        { class: "nk-rowline" },
        button("Open it", () => on.open(openInput.value.trim()) && shareDialog.close()),
        button("Close", () => shareDialog.close(), { class: "primary" }),
      ),
    ),
  );

  // How a file is to be read: asked where its reader would have to guess.
  /** @type {Question | null} */ let question = null;
  const why = h("p", {}),
    choice = h("select", {}),
    typed = h("input", { type: "text", placeholder: "the last column" });
  const drop = h("input", { type: "text", placeholder: "none" });
  const missing = h(
    "select",
    {},
    h("option", { value: "error" }, "are an error"),
    h("option", { value: "drop" }, "are left out"),
  );
  const keep = h("input", { type: "text", placeholder: "none" }),
    categorical = h("input", { type: "text", placeholder: "none" });
  const decimal = h(
    "select",
    {},
    h("option", { value: "" }, "a point, 1.5"),
    h("option", { value: "," }, "a comma, 1,5"),
  );
  const thousands = h(
    "select",
    {},
    h("option", { value: "" }, "nothing, 1234"),
    ...[",", ".", " ", "'", "’", "_"].map((mark) => h("option", { value: mark }, `1${mark}234`)),
  );
  const choiceField = field("Label column", choice),
    typedField = field("Label column", typed);
  const readDialog = h(
    "dialog",
    { "aria-label": "How to read the file" },
    h("h2", {}, "How is this file to be read?"),
    why,
    h(
      "div",
      { class: "nk-group" },
      choiceField,
      typedField,
      field("Leave out", drop),
      field("Keep, though they number the rows", keep),
      field("Take as words", categorical),
      h("p", { class: "nk-note" }, "Columns by name, with commas between them."),
      field("Rows with a missing value", missing),
      field("Decimal mark", decimal),
      field("Between thousands", thousands),
    ),
    h(
      "div",
      { class: "nk-rowline" },
      button("Read it", readFile, { class: "primary" }),
      button("Cancel", () => readDialog.close()),
    ),
  );

  function readFile() {
    if (!question) return;
    const label = question.choices.length ? choice.value : typed.value.trim();
    const reading = Object.fromEntries(
      Object.entries({ drop, keep, categorical })
        .map(([name, input]) => [
          name,
          input.value
            .split(",")
            .map((/** @type {string} */ column) => column.trim())
            .filter(Boolean),
        ])
        .filter(([, columns]) => columns.length),
    );
    readDialog.close();
    on.read(question.file, label || null, {
      ...reading,
      ...(missing.value === "drop" && { missing: "drop" }),
      ...(decimal.value && { decimal: decimal.value }),
      ...(thousands.value && { thousands: thousands.value }),
    });
  }

  return {
    elements: [help, textDialog, shareDialog, readDialog],
    help: () => help.showModal(),
    /** @param {string} title @param {string} name @param {string} text */
    text(title, name, text) {
      textName = name;
      textTitle.textContent = title;
      textBody.textContent = text;
      textDialog.showModal();
    },
    /** @param {string} link */
    share(link) {
      linkInput.value = link;
      shareDialog.showModal();
      linkInput.select();
    },
    /** @param {Question} asked */
    askReading(asked) {
      question = asked;
      why.textContent = asked.text;
      choiceField.hidden = !asked.choices.length;
      typedField.hidden = Boolean(asked.choices.length);
      fill(
        choice,
        asked.choices.map((name) => h("option", { value: name }, name)),
      );
      drop.value = (asked.reading.drop ?? []).join(", ");
      keep.value = (asked.reading.keep ?? []).join(", ");
      categorical.value = (asked.reading.categorical ?? []).join(", ");
      missing.value = asked.reading.missing ?? "error";
      decimal.value = asked.reading.decimal ?? "";
      thousands.value = asked.reading.thousands ?? "";
      if (!readDialog.open) readDialog.showModal();
    },
  };
}
