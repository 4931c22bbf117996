// @ts-check
/**
 * A lesson beside the plane: its words, its question, the way to the next step.
 */

import { button, h, icon, iconButton } from "./elements.js";
import { built } from "./nodes.js";

/** @typedef {import("./store.js").Store} Store */

const SMALLEST = 0.66,
  SMALLEST_IN_A_HALL = 0.6; // of its size, for a formula that is too wide; beyond, it is scrolled

/** What the padding takes of an element's width. @param {Element} element */
function inset(element) {
  const looks = getComputedStyle(element);
  return parseFloat(looks.paddingLeft) + parseFloat(looks.paddingRight);
}

/**
 * @param {any} root @param {Store} store
 * @param {{edit: (edit: any, how?: any) => void, say: (tell: () => string) => void, save: (what: string) => void,
 *   isAlone: boolean}} on
 */
export function lessonPanel(root, store, on) {
  const title = h("p", { class: "nk-lesson-title" }),
    place = h("p", { class: "nk-lesson-place" });
  const heading = h("h2", { tabindex: -1 }),
    body = h("div", { class: "nk-lesson-body" }),
    fault = h("p", { class: "nk-fault", role: "status" }),
    onward = h("p", { class: "nk-onward", hidden: true });
  const steps = h("select", { "aria-label": "Step of the lesson", onchange: () => go(Number(steps.value)) });
  const question = h("p", { class: "nk-question" }),
    answer = h("div", { class: "nk-answer" }),
    said = h("p", { class: "nk-answered", role: "status" });
  const ask = h("section", { class: "nk-ask", "aria-label": "Question" }, question, answer, said);
  const scroller = h(
    "div",
    { class: "nk-lesson-scroll", tabindex: 0, role: "region", "aria-label": "Text of the lesson" },
    heading,
    body,
    ask,
    fault,
    onward,
  );
  const back = button("Back", () => go(now() - 1)),
    next = button("Next", () => go(now() + 1), { class: "nk-button primary" });
  const sideButton = iconButton(
    "Data and conventions",
    "sliders",
    () => showSide(!root.classList.contains("nk-with-side")),
    { "aria-pressed": "false" },
  );
  const element = h(
    "section",
    { class: "nk-lesson", "aria-label": "Lesson", hidden: true },
    h(
      "div",
      { class: "nk-lesson-head" },
      h("div", {}, title, place),
      sideButton,
      ...(on.isAlone
        ? []
        : [
            iconButton("Save this lesson as a file", "save", () => on.save("lesson")),
            iconButton("Close the lesson", "no", close),
          ]),
    ),
    scroller,
    h("div", { class: "nk-lesson-foot" }, back, steps, next),
  );
  /** @type {import("./types.js").LessonName[]} */ let lessons = [];
  /** @type {import("./types.js").PageBeside | undefined} */ let beside;
  let shown = "",
    asked = "",
    lit = "",
    isRead = false; // whether somebody has done something since the step came
  /** What was asked for last, while Python has not shown it. @type {{name: string, step: number} | null} */
  let wanted = null;

  const now = () => wanted?.step ?? store.view.lesson?.step ?? 0;
  const isOpen = () => Boolean(store.view.lesson);

  /** @param {number} step */
  function go(step) {
    const lesson = store.view.lesson,
      name = wanted?.name ?? lesson?.name;
    if (!name || step < 0 || (name === lesson?.name && step >= lesson.headings.length)) return;
    open(name, step);
  }
  /** @param {string} name @param {number} [step] */
  function open(name, step = 0) {
    wanted = { name, step };
    on.say(() => `${store.view.lesson?.headings[store.view.lesson.step]}. ${body.textContent}`);
    on.edit({ do: "lesson", name, step }, { record: true });
  }
  function close() {
    showSide(false);
    on.edit({ do: "lesson", name: null }, { record: true });
  }
  /** @param {boolean} isOn */
  function showSide(isOn) {
    root.classList.toggle("nk-with-side", isOn);
    sideButton.setAttribute("aria-pressed", String(isOn));
  }
  /** @param {any} value */
  function give(value) {
    on.say(() => said.textContent);
    on.edit({ do: "answer", value });
  }

  function show() {
    const lesson = store.view.lesson;
    root.classList.toggle("nk-teaching", Boolean(lesson));
    element.hidden = !lesson;
    light(lesson?.light ?? []);
    if (!lesson) {
      shown = "";
      wanted = null;
      return;
    }
    const total = lesson.headings.length,
      key = JSON.stringify([lesson.name, lesson.step, lesson.headings, lesson.title, lesson.head, lesson.body]);
    if (wanted && lesson.name === wanted.name && lesson.step === Math.min(wanted.step, total - 1)) wanted = null;
    place.textContent = `Step ${lesson.step + 1} of ${total}`;
    back.disabled = lesson.step === 0;
    next.disabled = lesson.step === total - 1;
    fault.textContent = lesson.fault;
    fault.hidden = !lesson.fault;
    if (key !== shown) {
      shown = key;
      asked = "";
      title.replaceChildren(...lesson.title.map(built));
      heading.replaceChildren(...lesson.head.map(built));
      body.replaceChildren(...lesson.body.map(built));
      steps.replaceChildren(...lesson.headings.map((text, i) => h("option", { value: i }, `${i + 1}. ${text}`)));
      scroller.scrollTop = 0;
      fitFormulas();
      lightProgram();
      isRead = false;
    }
    showOnward(lesson);
    if (!isRead) requestAnimationFrame(bring); // when all that has come so far is drawn
    steps.value = String(lesson.step);
    showAsk(lesson.ask);
  }

  /** At the end of a lesson, the way to the next one. @param {import("./types.js").LessonView} lesson */
  function showOnward({ name, step, headings }) {
    const at = lessons.findIndex((one) => one.name === name) + 1;
    const following = beside ?? (at > 0 ? lessons[at] : undefined);
    onward.hidden = step < headings.length - 1 || !following;
    if (onward.hidden || !following) return;
    const words = h("span", {}, "Next lesson: ", ...following.title.map(built));
    const way = beside
      ? h("a", { class: "nk-button", href: beside.href }, words)
      : h("button", { type: "button", class: "nk-button", onclick: () => open(following.name) }, words);
    onward.replaceChildren(way);
  }

  /** A formula on lines of its own that is too wide for the column is written smaller, within reason. */
  function fitFormulas() {
    const smallest = root.classList.contains("presenting") ? SMALLEST_IN_A_HALL : SMALLEST;
    for (const formula of body.querySelectorAll('math[display="block"]')) {
      formula.style.fontSize = "";
      formula.removeAttribute("tabindex");
      const room = formula.parentElement.clientWidth - inset(formula.parentElement),
        width = formula.scrollWidth;
      if (!(room > 0 && width > room)) continue;
      formula.style.fontSize = `${Math.max(smallest, Math.floor((98 * room) / width) / 100)}em`;
      if (formula.scrollWidth > room + 1) formula.setAttribute("tabindex", "0"); // a keyboard scrolls it
    }
  }
  new ResizeObserver(fitFormulas).observe(scroller);

  /** @param {import("./types.js").AskView | null} one */
  function showAsk(one) {
    ask.hidden = !one;
    if (!one) return;
    const key = JSON.stringify([one.question, one.options]);
    if (key !== asked) {
      asked = key;
      question.replaceChildren(...one.question.map(built));
      answer.replaceChildren(...inputs(one));
    }
    pickRow();
    [...answer.querySelectorAll("[data-option]")].forEach((each, i) =>
      each.setAttribute("aria-pressed", String(one.given === i)),
    );
    said.className = `nk-answered ${one.right === true ? "yes" : one.right === false ? "no" : ""}`;
    said.replaceChildren(
      ...(one.right == null
        ? []
        : [
            icon(one.right ? "yes" : ["do", "draw"].includes(one.kind) ? "wait" : "no"),
            h("span", {}, ...one.said.map(built)),
          ]),
    );
  }

  /** The selected row is the answer to a question about a row, until another number is typed. */
  function pickRow() {
    const field = /** @type {HTMLInputElement | null} */ (answer.querySelector("input"));
    if (field && store.view.lesson?.ask?.kind === "row" && document.activeElement !== field && store.view.selected)
      field.value = String(store.view.selected.number);
  }

  /** @param {import("./types.js").AskView} one @returns {any[]} */
  function inputs(one) {
    if (one.kind === "choice")
      return one.options.map((nodes, i) =>
        h(
          "button",
          {
            type: "button",
            class: "nk-button",
            "data-option": i,
            "aria-pressed": "false",
            "aria-label": nodes
              .map(built)
              .map((each) => each.textContent)
              .join(""),
            onclick: () => give(i),
          },
          h("span", {}, ...nodes.map(built)),
        ),
      );
    if (one.kind === "do" || one.kind === "draw") return [];
    const label = one.kind === "row" ? "Row, by its number; or click it" : "Your number";
    const field = h("input", { type: "text", inputmode: "decimal", "aria-label": label, placeholder: label });
    const check = () => field.value.trim() && give(field.value.trim());
    field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && check());
    return [field, button("Check", check)];
  }

  /** The line of a program at which the run stands: an update, a row that was right, the start or the end. */
  function lightProgram() {
    const { step, controls } = store.view,
      isUpdate = Boolean(step?.title.startsWith("Mistake"));
    const stands = isUpdate ? "update" : step?.last ? "stop" : controls.visit?.at ? "look" : "start";
    for (const line of body.querySelectorAll('[class^="nk-at-"]')) {
      line.toggleAttribute("data-lit", line.className === `nk-at-${stands}`);
    }
  }

  /** Light the parts of the page that a step speaks of. @param {string[]} names */
  function light(names) {
    if (names.join() === lit) return;
    lit = names.join();
    for (const one of root.querySelectorAll(".nk-lit")) one.classList.remove("nk-lit");
    for (const name of names) root.querySelector(`[data-part="${name}"]`)?.classList.add("nk-lit");
    sideButton.classList.toggle("nk-lit", names.includes("conventions")); // it brings them
  }

  /**
   * The card that is lit is brought into sight, until somebody scrolls, clicks or types. On a phone the
   * words stay at the top of the screen, and below them is that card, or the plane, where what is asked is done.
   */
  function bring() {
    if (element.hidden || isRead) return;
    const left = element.parentElement,
      room = root.querySelector(".nk-read"),
      card = room.querySelector(".nk-lit");
    if (getComputedStyle(left).position === "sticky") {
      const isDone = ["do", "draw", "row"].includes(store.view.lesson?.ask?.kind ?? "");
      const shown = isDone && card?.dataset.part !== "views" ? null : card;
      const { top } = (shown ?? root.querySelector('[data-part="plane"]')).getBoundingClientRect();
      scrollBy(0, top - left.offsetHeight - (shown ? 10 : 0));
    } else if (card && room.scrollHeight > room.clientHeight + 1)
      room.scrollTop += card.getBoundingClientRect().top - room.getBoundingClientRect().top - 14;
  }
  for (const act of ["wheel", "touchmove", "pointerdown", "keydown"])
    root.addEventListener(act, () => (isRead = true), { passive: true, capture: true });

  return {
    element,
    /** @param {import("./types.js").Menu} menu */
    fillMenu(menu) {
      lessons = menu.lessons;
      beside = menu.following;
    },
    show,
    lightProgram,
    open,
    isOpen,
    pickRow,
    litRows: () =>
      (store.view.lesson?.light ?? [])
        .filter((name) => name.startsWith("row "))
        .map((name) => Number(name.slice(4)) - 1),
    next: () => go(now() + 1),
    back: () => go(now() - 1),
  };
}
