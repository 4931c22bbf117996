// @ts-check
/** What waits until the hand rests: what takes Python long, a file that it lacks, and the address. */

import { kept } from "./keep.js";

/** @typedef {import("./store.js").Store} Store */

const SHORT_REST = 120, LONG_REST = 350; // milliseconds

/**
 * @param {Store} store @param {ReturnType<typeof import("./link.js").talkTo>} talk
 * @param {{files: () => Map<string, any>, keeps: boolean, settled: () => void}} on
 */
export function newRest(store, talk, on) {
  /** @type {any} */ let settling = 0;
  /** @type {any} */ let resting = 0;
  let asked = "", answered = ""; // of what is to be decided
  /** @type {Set<string>} */ const sent = new Set();

  /** A verdict that is open, or a file that Python lacks. */
  async function decideMore() {
    if (!talk.isIdle()) return;
    const { deciding, needs } = store.view;
    if (needs && !sent.has(needs)) {
      sent.add(needs);
      const file = on.files().get(needs) ?? (on.keeps ? await kept(`file:${needs}`) : null);
      if (file && talk.isIdle()) {
        on.files().set(needs, file);
        talk.send({ file: { file: needs, ...file } });
        return;
      }
    }
    if (!deciding || deciding === asked) return;
    asked = deciding;
    try {
      await talk.ask("decide");
      answered = deciding;
      talk.edit({ do: "look" });
    } catch { asked = ""; }
  }

  return {
    /** The hand rests from now on, until it moves again. */
    begin() {
      clearTimeout(settling);
      clearTimeout(resting);
      settling = setTimeout(() => talk.isIdle() && on.settled(), LONG_REST);
      resting = setTimeout(decideMore, SHORT_REST);
    },
    /** Whether Python still decides what is on the screen, or is about to. */
    isDeciding: () => Boolean(store.view.deciding) && store.view.deciding !== answered,
    /** Another Python knows nothing of what was sent and asked. */
    forget() {
      sent.clear();
      asked = answered = "";
    },
  };
}
