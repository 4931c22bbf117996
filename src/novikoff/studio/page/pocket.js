// @ts-check
/**
 * The studio without Python: a lesson, or a set, that answers its own messages in the page.
 *
 * The run is made here, exactly (perceptron.js). What needs a proof or the library was found when the page was
 * written, and stands in it for the rows of each step; of rows that were changed since it is left out.
 * A step with several classes or with features is shown as it was recorded, at some of its mistakes.
 */

import { picturesOnPaper } from "./paper.js";
import { perceptronRun } from "./perceptron.js";
import { separability } from "./separable.js";
import { fitted, nudgesOf, pointUnder, sightOf, snapped } from "./sight.js";
import { firstEnds } from "./sketch.js";
import { studio } from "./studio.js";

const LINES_AROUND = 12; // of the table, on either side of the present one
const ZOOM_STEP = 1.25,
  LARGEST = 1e12,
  MOST_ROWS = 2000,
  MOST_DECIDED = 500; // rows that can be added, and decided on
const KEPT_RUNS = 24,
  MORE_LINES = 24; // of the table in one answer
const RUN_SETTINGS = ["tie", "order", "start", "seed", "passes", "limit", "numbers", "offset", "map"];
const NOTED = ["tie", "order", "start", "seed", "offset"]; // of which a set's own words speak
const ABSENT = {
  run: null, lines: null, scene: null, chart: null, cursor: null, verdict: null, proof: null, live: null, extra: null,
  own: null, deciding: null, columns: null, needs: null,
};

/** The space of weights without the walk of a run. @param {any} extra */
function weightsAlone(extra) {
  if (extra?.name !== "weights" || !extra.plot) return null;
  const marks = extra.plot.marks.filter((/** @type {any} */ { role }) => !["walk", "walked", "now"].includes(role));
  return { ...extra, plot: { ...extra.plot, marks } };
}

const SENTENCES = {
  separable: "A line separates the rows as they are now.",
  "quasi-separable": "A line has both classes on its sides, but only with rows of them on the line itself.",
  overlapping: "No line separates the rows as they are now.",
};
/**
 * The verdict on rows that were changed in the page.
 * @param {keyof typeof SENTENCES} status @param {string} command
 */
function changedVerdict(status, command) {
  const there = `For the margin, the bound and the proof, open the studio: ${command}`;
  const found = {
    owner: 1, status, reason: `${SENTENCES[status]} This page has decided it exactly. ${there}`, has_proof: false,
    numbers: "", margin: [0, 0], distance: [0, 0], radius: 0, bound: null, support: [], columns: 2, rows: [],
    n_rows: 0,
  };
  return { owner: 1, drawn: [found], whole: [], fewest: null, regression: null };
}

/** Rows that are not as they were; rows that are gone or new count too. @param {any[]} now @param {any[]} began */
function movedRows(now, began) {
  const both = Math.min(now.length, began.length);
  const differ = now.slice(0, both).filter((row, i) => [0, 1, 2].some((j) => row[j] !== began[i][j]));
  return differ.length + Math.abs(now.length - began.length);
}

/** @param {any} one @param {any} two */
const isSame = (one, two) => JSON.stringify(one) === JSON.stringify(two);
/** @param {number} value */
const within = (value) => Math.min(Math.max(value, -LARGEST), LARGEST);

/** A number that a person has typed. @param {any} text */
function typedNumber(text) {
  const word = String(text).trim().replaceAll("−", "-"),
    value = word ? Number(word) : NaN;
  if (Math.abs(value) <= LARGEST) return value;
  throw new Error(`'${word.slice(0, 40)}' is not a number; write one such as -0.8.`);
}

/**
 * From messages to replies, for the data of one page.
 * @param {any} data as lessons/handout.py writes it
 */
export function pocketDesk(data) {
  const { command } = data,
    onlyThere = `This is for the studio: ${command}`;
  const part = (/** @type {number | null | undefined} */ place) => (place == null ? null : data.parts[place]);
  /** @type {Map<string, any>} */ const runs = new Map();
  /** @type {Record<string, string>} */ let sent = {};
  let state = opened(0, [], [640, 480]);

  const stepNow = () => data.steps[state.lesson?.step ?? 0];

  /** What a step shows. @param {number} step @param {any[]} answers @param {number[]} size */
  function opened(step, answers, size) {
    const one = data.steps[step],
      rows = part(one.rows);
    const place = data.lesson && { name: data.lesson.name, step, answers };
    const made = { ...one.state, rows, size, lesson: place, center: [0, 0], span: 8, stretch: 1 };
    const seen = { ...made, ...fitted(made) };
    return one.ask?.kind === "draw" ? { ...seen, line: firstEnds(sightOf(seen)) } : seen;
  }

  /** The run of a state, by its own conventions or by others. @param {any} [other] */
  function runOf(other = {}) {
    const asked = { ...state, ...other };
    const key = JSON.stringify([asked.rows, ...RUN_SETTINGS.map((name) => asked[name])]);
    if (!runs.has(key)) {
      runs.set(
        key,
        perceptronRun(asked, (size, seed) => data.starts[size][seed]),
      );
      if (runs.size > KEPT_RUNS) runs.delete(runs.keys().next().value ?? "");
    }
    return runs.get(key);
  }

  /**
   * Why there is no run, by the state's own conventions or by others; empty where there is one.
   * @param {any} [other]
   */
  function problem(other = {}) {
    const { rows, order, start, offset, seed } = { ...state, ...other };
    const present = new Set(rows.map((/** @type {number[]} */ row) => row[2]));
    if (!rows.length) return "There are no rows. Click into the plane to add one.";
    if (present.size < 2) return `Every row has the same sign; add a ${present.has(1) ? "negative" : "positive"} row.`;
    const isOrder = (/** @type {number[]} */ one) =>
      isSame(
        [...one].sort((a, b) => a - b),
        [...rows.keys()],
      );
    if (Array.isArray(order) && !isOrder(order)) return `The order must name each of the ${rows.length} rows once.`;
    const needed = offset ? 3 : 2;
    if (Array.isArray(start) && start.length !== needed) {
      return `The start needs ${needed} numbers${offset ? ", the offset last" : ""}.`;
    }
    const isKnown = start !== "random" || data.starts[needed][seed];
    return isKnown ? "" : `Random starts with the seed ${seed} are for the studio: ${command}`;
  }

  const areRowsGiven = () => state.offset === stepNow().state.offset && isSame(state.rows, part(stepNow().rows));
  const isRunGiven = () => areRowsGiven() && RUN_SETTINGS.every((name) => isSame(state[name], stepNow().state[name]));
  /** The recorded mistake nearest to where a frozen step stands. */
  function recordedK() {
    const wanted = state.k ?? stepNow().total,
      known = Object.keys(stepNow().at).map(Number);
    return known.reduce((best, k) => (Math.abs(k - wanted) < Math.abs(best - wanted) ? k : best));
  }

  // ---- The sections of a screen, as Python sends them.

  function view() {
    const one = stepNow(), trouble = one.frozen ? "" : problem();
    /** @type {any} */ const made = { ...ABSENT, problem: trouble, lesson: lessonOf(one) };
    const at = one.frozen ? one.at[recordedK()] : {};
    for (const name of Object.keys(at)) made[name] = part(at[name]);
    if (!one.frozen && !trouble) Object.assign(made, computed(one, runOf()));
    if (state.line) made.own = { text: "", handles: [state.line.slice(0, 2), state.line.slice(2)] };
    return made;
  }

  /** @param {any} one @param {any} run */
  function computed(one, run) {
    const isGiven = areRowsGiven(), isRun = isRunGiven(), k = Math.min(state.k ?? run.total, run.total);
    const at = isRun ? (one.at[k] ?? {}) : {}, proof = isGiven ? part(one.proven) : null;
    const given = state.level === one.state.level ? at.extra : one.levels[state.level];
    return {
      run: runFacts(run, k),
      lines: linesAfter(run, k - LINES_AROUND, k + LINES_AROUND),
      scene: { lines: [run.weights(k)], proof, under: [], wrong: run.wrong(k) },
      verdict: isGiven ? part(one.verdict) : isDecidable() ? changedVerdict(status(), command) : null,
      chart: isRun ? part(one.chart) : null,
      proof: isRun ? part(one.proof) : null,
      cursor: part(at.cursor),
      live: part(at.live),
      extra: isRun ? part(given) : isGiven ? weightsAlone(part(given)) : null,
    };
  }

  /** The facts of a run after k mistakes. @param {any} run @param {number} k */
  function runFacts(run, k) {
    const beside = state.overlays.flatMap((/** @type {any} */ other, /** @type {number} */ place) => {
      if (problem(other)) return [];
      const { total, converged, weights } = runOf(other);
      return [{ place, total, converged, weights: weights(total) }];
    });
    const row = k && run.tape[k - 1];
    return {
      k, total: run.total, owner: 1, visit: null, passes: run.passes, converged: run.converged,
      limit: run.reason === "limit" ? "mistakes" : "passes", cycle: run.cycle(), start: run.weights(0), looked: null,
      made: run.tape.filter((/** @type {number} */ one) => one === state.selected).length, overlays: beside,
      update: k ? {
        ...updateOf(run, k), after: run.score(k, row), count: k, before: run.weights(k - 1),
        features: state.rows[row].slice(0, 2),
      } : null,
    };
  }

  /** @param {any} run @param {number} k */
  function updateOf(run, k) {
    const row = run.tape[k - 1];
    return { k, owner: 1, row, sign: run.signs[row], score: run.score(k - 1, row), weights: run.weights(k) };
  }

  /** Lines of the table. @param {any} run @param {number} from @param {number} to */
  function linesAfter(run, from, to) {
    const first = Math.max(0, from), updates = [];
    for (let k = Math.max(1, first); k <= Math.min(to, run.total); k++) updates.push(updateOf(run, k));
    return { first, updates };
  }

  const isDecidable = () => state.rows.length <= MOST_DECIDED;
  function status() {
    const { points, signs } = runOf();
    return separability(points, signs, state.offset);
  }

  /** A quantity of a task; undefined where only the studio can tell. @param {string} name */
  function quantity(name) {
    const one = stepNow();
    if (one.frozen) return undefined;
    if (name === "moved") return movedRows(state.rows, part(one.rows));
    if (name === "rows") return state.rows.length;
    if (name === "offset") return state.offset ? "yes" : "no";
    if (name === "order") return Array.isArray(state.order) ? "given" : state.order;
    if (name === "tie") return state.tie;
    if (name === "features") return state.map;
    if (problem()) return null;
    const run = runOf(),
      k = Math.min(state.k ?? run.total, run.total);
    if (name === "status" && isDecidable()) return status();
    const known = { mistakes: run.total, passes: run.passes, k, converged: run.converged ? "yes" : "no" };
    if (name in known) return known[/** @type {"k"} */ (name)];
    if (name === "wrong") return run.wrong(k).length;
    return areRowsGiven() && name in one.found ? one.found[name] : undefined;
  }

  /** @param {any} one */
  function lessonOf(one) {
    if (!data.lesson) return null;
    const { name, title, headings } = data.lesson, { head, body, light, ask } = one;
    const asked = (ask?.until ?? []).map((/** @type {any[]} */ [of]) => [of, quantity(of)]);
    const quantities = Object.fromEntries(asked);
    return { name, title, step: state.lesson.step, headings, head, body, light, fault: "", ask, quantities };
  }

  // ---- Edits.

  /** @param {any} edit */
  const rowOf = (edit) => {
    const row = edit.row ?? state.selected;
    if (row === null || !state.rows[row]) throw new Error("no row is selected; click one, or press N in the plane.");
    return row;
  };
  /** @param {number[][]} rows @param {any} [more] */
  function changeRows(rows, more = {}) {
    if (stepNow().frozen) throw new Error(`The rows of this step can be changed in the studio: ${command}`);
    // With another number of rows, a given order means nothing any more; a set's own words speak of its own rows.
    const isOther = rows.length !== state.rows.length;
    const order = isOther && Array.isArray(state.order) ? "cyclic" : state.order;
    const overlays = state.overlays.filter((/** @type {any} */ run) => !isOther || !Array.isArray(run.order));
    const source = { ...state.source, note: "", edited: true };
    state = { ...state, rows, order, overlays, source, ...more };
  }
  /** @param {number} row @param {number[]} point @param {any} [more] */
  function placeRow(row, point, more = {}) {
    const rows = state.rows.slice();
    rows[row] = [within(point[0]), within(point[1]), rows[row][2]];
    changeRows(rows, { selected: row, ...more });
  }
  const total = () => (stepNow().frozen ? stepNow().total : problem() ? 0 : runOf().total);
  /** @param {number | null} k */
  const go = (k) => void (state = { ...state, k: k !== null && k >= total() ? null : k });

  /** @type {Record<string, (edit: any) => void>} */
  const edits = {
    line({ end, at }) {
      if (end === undefined) return void (state = { ...state, line: state.line ? null : firstEnds(sightOf(state)) });
      const ends = [...(state.line ?? firstEnds(sightOf(state)))],
        point = pointUnder(sightOf(state), at);
      ends.splice(2 * end, 2, ...point.map(within));
      state = { ...state, line: ends };
    },
    size: ({ size }) => void (state = { ...state, size }),
    fit: () => void (state = { ...state, ...fitted(state) }),
    lesson({ step }) {
      if (step >= 0 && step < data.steps.length) state = opened(step, state.lesson.answers, state.size);
    },
    answer({ value }) {
      const { step, answers } = state.lesson,
        kept = answers.filter((/** @type {any} */ one) => one[0] !== step);
      state = { ...state, lesson: { ...state.lesson, answers: [...kept, [step, value]] } };
    },
    select({ by, row }) {
      const n = state.rows.length,
        first = by > 0 ? 0 : n - 1;
      if (by === undefined && row !== null && !state.rows[row]) throw new Error(`there is no row ${row + 1}.`);
      const next = state.selected === null ? first : (state.selected + by + n) % n;
      state = { ...state, selected: by === undefined ? row : next };
    },
    go: ({ k }) => go(k),
    end: ({ last }) => go(last ? null : 0),
    step({ by = 1 }) {
      const all = total(),
        one = stepNow(),
        known = one.frozen ? Object.keys(one.at).map(Number) : [];
      const at = one.frozen ? known.indexOf(recordedK()) : Math.min(state.k ?? all, all);
      const next = Math.max(0, Math.min(at + by, one.frozen ? known.length - 1 : all));
      go(one.frozen ? known[next] : next);
    },
    move: ({ row, at }) => placeRow(rowOf({ row }), pointUnder(sightOf(state), at), { selected: state.selected }),
    place: (edit) => placeRow(rowOf(edit), [typedNumber(edit.x), typedNumber(edit.y)]),
    nudge(edit) {
      const row = rowOf(edit),
        grids = nudgesOf(sightOf(state));
      placeRow(
        row,
        grids.map((grid, j) => snapped(state.rows[row][j] + edit.by[j] * grid, grid / 10)),
      );
    },
    add(edit) {
      if (state.rows.length >= MOST_ROWS) throw new Error(`this page takes at most ${MOST_ROWS} rows.`);
      const at = edit.at ?? [state.size[0] / 2, state.size[1] / 2];
      const row = [...pointUnder(sightOf(state), at), edit.class ?? 1];
      changeRows([...state.rows, row], { selected: state.rows.length });
    },
    flip(edit) {
      const i = rowOf(edit),
        rows = state.rows.slice();
      rows[i] = [rows[i][0], rows[i][1], edit.class ?? 1 - rows[i][2]];
      changeRows(rows);
    },
    delete(edit) {
      const i = rowOf(edit),
        left = state.rows.length - 1;
      const rows = [...state.rows.slice(0, i), ...state.rows.slice(i + 1)];
      changeRows(rows, { selected: left ? Math.min(i, left - 1) : null });
    },
    set: ({ key, value }) => set(key, value),
    overlay({ preset }) {
      const { order, start, seed } = state,
        own = { order, start, seed };
      const others = state.overlays.filter((/** @type {any} */ one) => !isSame(one, own));
      state = { ...state, overlays: preset === "pin" ? [...others, own].slice(-12) : (data.presets[preset] ?? []) };
    },
    zoom({ steps, at = [state.size[0] / 2, state.size[1] / 2] }) {
      const sight = sightOf(state),
        span = Math.min(Math.max(state.span * ZOOM_STEP ** -steps, 1e-9), 2 * LARGEST);
      const unit = (sight.right - sight.left) / sight.width,
        factor = span / state.span;
      const under = [sight.left + at[0] * unit, sight.top - at[1] * unit * state.stretch];
      state = { ...state, span, center: under.map((x, j) => within(x + (state.center[j] - x) * factor)) };
    },
    pan({ by }) {
      const sight = sightOf(state),
        unit = (sight.right - sight.left) / sight.width,
        [x, y] = state.center;
      state = { ...state, center: [within(x - by[0] * unit), within(y + by[1] * unit * state.stretch)] };
    },
  };

  /** @param {string} key @param {any} value */
  function set(key, value) {
    if (key === "show" || key === "level") return void (state = { ...state, [key]: value });
    if (stepNow().frozen) throw new Error(onlyThere);
    if (key === "order" && typeof value === "string" && value.includes(",")) {
      value = value.split(",").map((word) => typedNumber(word) - 1);
    } else if (key === "start" && typeof value === "string" && value !== "random") {
      value = value.trim() ? value.replace(/[()]/g, "").split(",").map(typedNumber) : null;
    } else if (key === "offset" && value !== state.offset && Array.isArray(state.start)) {
      state = { ...state, start: [...state.start.slice(0, 2), ...(value ? [0] : [])] };
    }
    if (NOTED.includes(key) && !isSame(value, state[key])) state = { ...state, source: { ...state.source, note: "" } };
    state = { ...state, [key]: value };
  }

  // ---- Messages.

  /** @param {any} message @returns {any} */
  function answer(message) {
    /** @type {any} */ const reply = { id: message.id };
    if (message.ask === "table" && !stepNow().frozen) {
      return { ...reply, answer: linesAfter(runOf(), message.first, message.first + MORE_LINES) };
    }
    if (message.ask) return { ...reply, error: onlyThere };
    if (message.hello) {
      sent = {};
      reply.menu = data.menu;
    }
    if (message.state) state = message.state;
    for (const edit of message.edits ?? []) {
      try {
        edits[edit.do]?.(edit);
      } catch (error) {
        reply.error = /** @type {Error} */ (error).message;
      }
    }
    const { rows, ...settings } = state;
    /** @type {any} */ const changed = {};
    for (const [name, section] of Object.entries(view())) {
      const text = JSON.stringify(section);
      if (sent[name] !== text) changed[name] = section;
      sent[name] = text;
    }
    return { ...reply, view: changed, rows, state: settings };
  }

  return { answer, count: data.steps.length };
}

/** @param {HTMLElement} root @param {any} data */
function openPocket(root, data) {
  const desk = pocketDesk(data),
    asked = Number(/^#step-([0-9]{1,4})$/.exec(location.hash)?.[1] ?? 1) - 1;
  const one = studio(
    root,
    (handlers) => {
      setTimeout(handlers.open);
      return { send: (message) => void setTimeout(() => handlers.reply(desk.answer(message))), close() {} };
    },
    {
      alone: data.command,
      first: data.lesson && asked > 0 && asked < desk.count ? [{ do: "lesson", step: asked }] : [],
      drawn(/** @type {any} */ state) {
        const address = state.lesson ? `#step-${state.lesson.step + 1}` : "";
        if (address && location.hash !== address) history.replaceState(null, "", address);
      },
    },
  );
  const words = /** @type {HTMLElement | null} */ (document.querySelector(".nk-handout")),
    press = pocketDesk(data);
  if (words)
    picturesOnPaper(words, (step, size) =>
      press.answer({
        hello: true,
        edits: [
          { do: "size", size },
          { do: "lesson", step },
        ],
      }),
    );
  addEventListener("pagehide", () => one.close(), { once: true });
}

const pocketRoot = typeof document === "undefined" ? null : document.getElementById("novikoff-pocket");
if (pocketRoot) openPocket(pocketRoot, JSON.parse(document.getElementById("novikoff-data")?.textContent ?? ""));
