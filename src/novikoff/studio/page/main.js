// @ts-check
/** The two homes of the studio: a page served by `novikoff studio`, and a notebook's output. */

import { keep, kept, tabName } from "./keep.js";
import { socketTo } from "./link.js";
import { studio } from "./studio.js";

/** @typedef {import("./types.js").Reply} Reply */

const KEPT = "#kept"; // the address of a state that is too large for one

/** @param {HTMLElement} root */
async function servePage(root) {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  try { localStorage.setItem("novikoff-token", token); } catch { /* then links need the token */ }
  let written = location.hash;
  const tab = tabName();
  const saved = written === KEPT ? await kept(`state:${tab}`) : null;
  const talkAt = (/** @type {string} */ word) => `${location.origin.replace("http", "ws")}/talk?token=${encodeURIComponent(word)}`;
  // A studio that was started anew in another tab has left its token here.
  const addresses = () => {
    let other = null;
    try { other = localStorage.getItem("novikoff-token"); } catch { /* as above */ }
    return [...new Set([token, other ?? token])].map(talkAt);
  };
  const one = studio(root, socketTo(addresses), {
    saved,
    opening: () => (location.hash.startsWith("#s1.") ? location.hash : null),
    link: (fragment) => `${location.origin}/#${fragment}`,
    async settled(ask, state) {
      try {
        const { fragment } = await ask("share");
        written = `#${fragment}`;
      } catch { // too many rows for an address: the browser keeps them
        written = KEPT;
        await keep(`state:${tab}`, state);
      }
      if (location.hash !== written) history.replaceState(null, "", written);
    },
  });
  addEventListener("hashchange", () => {
    if (location.hash !== written && location.hash.startsWith("#s1.")) one.open(location.hash);
  });
}

/** anywidget's entry: the same page in a notebook's output. */
export default {
  /** @param {{model: any, el: HTMLElement}} context */
  render({ model, el }) {
    const root = document.createElement("div");
    el.append(root);
    /** @type {(reply: Reply) => void} */ let receive = () => {};
    const onMessage = (/** @type {Reply} */ reply) => receive(reply);
    const one = studio(root, (handlers) => {
      receive = handlers.reply;
      model.on("msg:custom", onMessage);
      setTimeout(handlers.open);
      return { send: (message) => model.send(message), close: () => model.off("msg:custom", onMessage) };
    }, {
      notebook: true,
      // A synced trait that changes with the rows: what marimo runs dependent cells again for.
      async settled() {
        if (JSON.stringify(one.rows()) === told) return;
        told = JSON.stringify(one.rows());
        model.set("revision", model.get("revision") + 1);
        model.save_changes();
      },
    });
    let told = JSON.stringify(one.rows());
    return () => one.close();
  },
};

const host = typeof document === "undefined" ? null : document.getElementById("novikoff-studio");
if (host) servePage(host);
