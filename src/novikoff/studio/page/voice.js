// @ts-check
/** Saying things: to a screen reader, in a passing note, in a banner over the plane. */

import { h } from "./elements.js";

const SHOWN_FOR = 6000; // milliseconds of a note

export function newVoice() {
  const live = h("div", { class: "nk-sr", "aria-live": "polite", role: "log" });
  const note = h("div", { class: "nk-toast", role: "alert", hidden: true });
  const bar = h("div", { class: "nk-banner", role: "status", hidden: true });
  /** @type {(() => string) | null} */ let next = null;
  /** @type {any} */ let passing = 0;

  return {
    elements: [live, note],
    banner: bar,
    /** After the next reply, tell a screen reader. @param {() => string} tell */
    say(tell) {
      next = tell;
    },
    /** The replies have come: what waited is told, unless it is `hushed`. @param {boolean} hushed */
    tellNow(hushed) {
      const tell = next;
      next = null;
      if (tell && !hushed) live.replaceChildren(h("p", {}, tell()));
    },
    /** @param {string} text */
    speak: (text) => live.replaceChildren(h("p", {}, text)),
    /** @param {string} text */
    toast(text) {
      note.textContent = text;
      note.hidden = false;
      clearTimeout(passing);
      passing = setTimeout(() => (note.hidden = true), SHOWN_FOR);
    },
    /** @param {string} text @param {boolean} [bad] */
    setBanner(text, bad = false) {
      bar.textContent = text;
      bar.hidden = !text;
      bar.classList.toggle("bad", bad);
    },
  };
}
/** @typedef {ReturnType<typeof newVoice>} Voice */
