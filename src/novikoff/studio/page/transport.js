// @ts-check
/** The run as something to play: the slider, the keys beside it, and what the present step says. */

import { h, icon } from "./elements.js";

/** @typedef {import("./store.js").Store} Store */

const SPEEDS = [
  ["1 1700", "slow"],
  ["1 800", "normal"],
  ["1 90", "fast"],
  ["10 60", "× 10"],
  ["100 60", "× 100"],
  ["1000 60", "× 1000"],
];
const LONG = 84; // characters for which two lines have room

/** The parts of a sum, w + x = w′. @param {string[]} sum */
export const sumParts = (sum) =>
  sum.map((part, i) =>
    i === 1 ? h("span", { class: "plus" }, ` ${part} `) : i === 4 ? h("b", {}, part) : i === 3 ? ` ${part} ` : part,
  );

/**
 * @param {Store} store
 * @param {{edit: (edit: any, how?: any) => void, isIdle: () => boolean, say: (tell: () => string) => void, speak:
 *   (text: string) => void}} on
 */
export function transportBar(store, on) {
  let playing = false;
  /** @type {any} */ let ticking = 0;
  const tell = () =>
    [store.view.step?.title, store.view.step?.text, store.view.step?.last ? store.view.step.outcome : ""].join(" ");
  const key = (
    /** @type {string} */ label,
    /** @type {string} */ pressed,
    /** @type {any} */ name,
    /** @type {() => void} */ onclick,
  ) => h("button", { type: "button", "aria-label": label, title: `${label} (${pressed})`, onclick }, icon(name));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    step: 1,
    "aria-label": "Mistake k",
    oninput: () => (byVisits() ? visit({ to: Number(slider.value) }) : go(Number(slider.value))),
  });
  const visits = h(
    "button",
    {
      type: "button",
      class: "nk-visits",
      "aria-pressed": "false",
      title: "Step by visits: every row that is looked at, not only the mistakes (V)",
      onclick: toggleVisits,
    },
    "Visits",
  );
  const place = h("output", {});
  const playButton = h(
    "button",
    { type: "button", class: "nk-play", "aria-label": "Play", title: "Play (space)", onclick: () => play(!playing) },
    icon("play"),
  );
  const speed = h(
    "select",
    { "aria-label": "Speed" },
    ...SPEEDS.map(([value, text]) => h("option", { value, selected: text === "normal" }, text)),
  );
  const element = h(
    "div",
    { class: "nk-transport", role: "group", "aria-label": "Steps of the run" },
    h(
      "div",
      { class: "nk-keys" },
      key("To the start", "Home", "first", () => end(false)),
      key("Back one mistake", "←", "back", () => step(-1)),
      playButton,
      key("Forward one mistake", "→", "forward", () => step(1)),
      key("To the end", "End", "last", () => end(true)),
    ),
    slider,
    place,
    visits,
    speed,
  );
  const now = h("div", { class: "nk-now" });

  const byVisits = () => Boolean(store.view.controls?.visit);
  /** Where the run stands: in visits or in mistakes. */
  const pace = () => store.view.controls.visit ?? { at: store.view.controls.k, total: store.view.controls.total };
  /** @param {{by?: number, to?: number}} where */
  function visit(where) {
    on.say(tell);
    on.edit({ do: "visit", ...where });
  }
  function toggleVisits() {
    if (byVisits()) go(store.view.controls.k);
    else visit({});
  }
  /** @param {number | null} k */
  function go(k) {
    on.say(tell);
    on.edit({ do: "go", k });
  }
  /** @param {number} by */
  function step(by) {
    on.say(tell);
    on.edit({ do: "step", by }); // in visits or in mistakes, as the run is stepped
  }
  /** @param {boolean} last */
  function end(last) {
    on.say(tell);
    on.edit({ do: "end", last });
  }
  /** @param {boolean} isOn */
  function play(isOn) {
    playing = isOn;
    playButton.replaceChildren(icon(isOn ? "pause" : "play"));
    playButton.setAttribute("aria-label", isOn ? "Pause" : "Play");
    clearTimeout(ticking);
    if (!isOn) return;
    if (pace().at >= pace().total) on.edit({ do: "end", last: false });
    tick();
  }
  function tick() {
    const [by, wait] = speed.value.split(" ").map(Number);
    ticking = setTimeout(() => {
      if (!playing) return;
      const { at, total } = pace();
      if (at >= total && on.isIdle()) {
        play(false);
        return on.speak(tell());
      }
      if (on.isIdle()) on.edit({ do: "step", by });
      tick();
    }, wait);
  }

  return {
    element,
    now,
    go,
    step,
    end,
    play,
    toggleVisits,
    toggle: () => play(!playing),
    isPlaying: () => playing,
    showControls() {
      const c = store.view.controls;
      const { at, total } = pace();
      visits.setAttribute("aria-pressed", String(byVisits()));
      slider.max = String(total);
      slider.value = String(at);
      slider.setAttribute("aria-valuetext", c.slider_value);
      slider.disabled = !total;
      place.textContent = c.slider;
    },
    /** Of one height, whatever it says: the plane above keeps its size. A sum that is too long is on its card. */
    showStep() {
      const one = store.view.step;
      now.replaceChildren();
      if (!one) return;
      const isLong = one.title.length + one.sum.join("").length > LONG;
      now.append(
        h(
          "p",
          {},
          h("strong", {}, one.title),
          h(
            "span",
            { class: "nk-sum" },
            ...(isLong ? [`${one.symbol} = `, h("b", {}, one.sum[4])] : sumParts(one.sum)),
          ),
        ),
        h("p", { class: "nk-said" }, one.last ? one.outcome : one.text),
      );
    },
  };
}
