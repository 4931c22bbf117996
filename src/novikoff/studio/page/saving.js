// @ts-check
/** What leaves the page: links, files, pictures; and what is copied. */

import { h, icon } from "./elements.js";

/**
 * @param {{root: any, state: () => any, ask: (what: string, more?: any) => Promise<any>,
 *   toast: (text: string) => void, picture: () => string, link: (fragment: string) => string,
 *   dialogs: () => ReturnType<typeof import("./dialogs.js").openDialogs>}} on
 */
export function newSaving(on) {
  const item = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", onclick }, text);
  const drawnItems = h(
    "div",
    { class: "nk-items" },
    item("Proof of what is drawn", () => save("drawn_proof")),
    item("Rows of that proof as CSV", () => save("drawn_rows")),
  );
  const menu = h(
    "details",
    { class: "nk-menu" },
    h(
      "summary",
      { class: "nk-button", role: "button", "aria-label": "Export" },
      icon("save"),
      h("span", {}, "Export"),
    ),
    h(
      "div",
      {},
      item("Python code", () => save("code")),
      item("Rows as CSV", () => save("csv")),
      item("Proof (certificate)", () => save("proof")),
      item("Rows of the proof as CSV", () => save("proof_rows")),
      drawnItems,
      item("Picture as SVG", () => savePicture("svg")),
      item("Picture as PNG", () => savePicture("png")),
    ),
  );
  const shareButton = h(
    "button",
    { type: "button", class: "nk-button nk-hideable", onclick: share },
    icon("link"),
    h("span", {}, "Share"),
  );

  on.root.addEventListener("click", (/** @type {Event} */ event) => {
    if (menu.open && !menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });

  async function share() {
    try {
      const { fragment } = await on.ask("share");
      on.dialogs().share(on.link(fragment));
    } catch (error) {
      on.toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} what */
  async function save(what) {
    menu.open = false;
    try {
      const { name, text } = await on.ask(what);
      if (what === "code") return on.dialogs().text("Python that makes what is on the screen", name, text);
      download(
        name,
        text,
        name.endsWith(".json") ? "application/json" : name.endsWith(".html") ? "text/html" : "text/csv",
      );
    } catch (error) {
      on.toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {"svg" | "png"} kind */
  async function savePicture(kind) {
    menu.open = false;
    const text = on.picture();
    if (kind === "svg") return download("studio.svg", text, "image/svg+xml");
    const [width, height] = on.state().size,
      image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    const sheet = h("canvas", { width: width * 2, height: height * 2 });
    sheet.getContext("2d").drawImage(image, 0, 0, width * 2, height * 2);
    URL.revokeObjectURL(image.src);
    sheet.toBlob((/** @type {Blob} */ blob) => download("studio.png", blob, "image/png"));
  }

  /** @param {string} name @param {string | Blob} content @param {string} type */
  function download(name, content, type) {
    const href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const anchor = h("a", { href, download: name, class: "nk-sr" });
    on.root.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }

  /** @param {string} text */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      on.toast("Copied.");
    } catch {
      on.toast("The browser does not let the page copy; select the text and copy it.");
    }
  }

  return {
    elements: [shareButton, h("div", { class: "nk-hideable" }, menu)],
    save,
    download,
    copy,
    /** Close the menu; whether it was open. */
    close() {
      const was = menu.open;
      menu.open = false;
      return was;
    },
    /** Whether the drawn columns have a proof of their own. @param {boolean} has */
    showDrawn(has) {
      drawnItems.hidden = !has;
    },
  };
}
