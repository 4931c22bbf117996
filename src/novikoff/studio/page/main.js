// @ts-check
/** The two homes of the studio: a page served by `novikoff studio`, and a notebook's output. */

import { keep, kept, tabName } from "./keep.js";
import { socketTo } from "./link.js";
import { studio } from "./studio.js";

/** @typedef {import("./types.js").Reply} Reply */

const KEPT = "#kept"; // the address of a state that is too large for one

/**
 * Where a state is: its lesson, its step, its set. A move from one to another can be gone back on.
 * @param {any} state
 */
const placeOf = ({ lesson, source }) =>
  JSON.stringify([lesson?.name, lesson?.step, source.kind, source.name, source.file]);

/** @param {HTMLElement} root */
async function servePage(root) {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  try {
    localStorage.setItem("novikoff-token", token);
  } catch {
    /* then links need the token */
  }
  const tab = tabName();
  const saved = location.hash === KEPT ? await kept(`state:${tab}`) : null;
  const talkAt = (/** @type {string} */ word) =>
    `${location.origin.replace("http", "ws")}/talk?token=${encodeURIComponent(word)}`;
  // A studio that was started anew in another tab has left its token here.
  const addresses = () => {
    let other = null;
    try {
      other = localStorage.getItem("novikoff-token");
    } catch {
      /* as above */
    }
    return [...new Set([token, other ?? token])].map(talkAt);
  };
  const one = studio(root, socketTo(addresses), {
    saved,
    opening: () => (location.hash.startsWith("#s1.") ? location.hash : null),
    link: (fragment) => `${location.origin}/#${fragment}`,
    drawn: (state) => way.drawn(state),
    async settled(ask, state) {
      const entry = way.entry();
      let address = KEPT; // of too many rows for an address: the browser keeps them
      try {
        address = `#${(await ask("share")).fragment}`;
      } catch {
        await keep(`state:${tab}`, state);
      }
      if (entry === way.entry() && location.hash !== address) history.replaceState(history.state, "", address);
    },
  });
  const way = wayBack(one);
}

/**
 * The browser's back and forward: a move between lessons, steps or sets makes an entry, and an
 * entry that is left keeps its state as it was then. After a reload its address holds it.
 * @param {{open: (fragment: string) => void, restore: (state: any) => void}} one
 */
function wayBack(one) {
  /** @type {Map<number, any>} */ const left = new Map();
  let entry = Number(history.state?.entry ?? 0),
    place = "";
  /** @type {any} */ let last = null;
  history.replaceState({ entry }, "");
  addEventListener("popstate", (event) => {
    if (last) left.set(entry, last);
    entry = event.state?.entry ?? entry + 1; // none: somebody has written another address
    history.replaceState({ entry }, "");
    const known = event.state && left.get(entry);
    place = known ? placeOf(known) : ""; // the next one that is drawn
    if (known) one.restore(known);
    else if (location.hash.startsWith("#s1.")) one.open(location.hash);
  });
  return {
    entry: () => entry,
    /** A state is on the screen, and nothing else is under way. @param {any} state */
    drawn(state) {
      const here = placeOf(state);
      if (place && here !== place) {
        left.set(entry++, last);
        history.pushState({ entry }, "");
      }
      place = here;
      last = state;
    },
  };
}

/** anywidget's entry: the same page in a notebook's output. */
export default {
  /** @param {{model: any, el: HTMLElement}} context */
  render({ model, el }) {
    const root = document.createElement("div");
    el.append(root);
    /** @type {(reply: Reply) => void} */ let receive = () => {};
    const onMessage = (/** @type {Reply} */ reply) => receive(reply);
    const one = studio(
      root,
      (handlers) => {
        receive = handlers.reply;
        model.on("msg:custom", onMessage);
        setTimeout(handlers.open);
        return { send: (message) => model.send(message), close: () => model.off("msg:custom", onMessage) };
      },
      {
        notebook: true,
        // A synced trait that changes with the rows: what marimo runs dependent cells again for.
        async settled() {
          if (JSON.stringify(one.rows()) === told) return;
          told = JSON.stringify(one.rows());
          model.set("revision", model.get("revision") + 1);
          model.save_changes();
        },
      },
    );
    let told = JSON.stringify(one.rows());
    return () => one.close();
  },
};

const host = typeof document === "undefined" ? null : document.getElementById("novikoff-studio");
if (host) servePage(host);
