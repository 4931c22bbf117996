// @ts-check
/**
 * The verdict in words: the answer in a word, in a sentence, and in figures. Where the plane shows two of more columns
 * there are two answers, and the card says which is of what: "Separable in 30 columns; these two alone: overlapping".
 */

import { counted, figures } from "./figures.js";

/** @typedef {import("./types.js").Found} Found */
/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Letters} Letters */

/** @type {Record<string, string>} */
const STATUS = {
  separable: "Separable", "quasi-separable": "Quasi-separable", overlapping: "Overlapping", undecided: "Undecided",
  deciding: "Deciding …", unknown: "Not known",
};
const NUMBERS = { binary64: "float64", decimal: "decimal", rational: "rational" };
const MOST_NAMED = 8; // rows that the best line gets wrong
const AFTER = "Weighed by λ, the positive and the negative ones meet in one point.";

/** @param {string} name @param {string} value */
const fact = (name, value) => ({ name, value });
/** One number where both ends agree to six figures, else both. @param {number[]} ends */
function bracket([lower, upper]) {
  const [low, high] = [figures(lower), figures(upper)];
  return low === high ? low : `${low} to ${high}`;
}
/** @param {Found} found @returns {Fact[]} */
const proofFacts = ({ numbers }) =>
  numbers ? [fact("proof", `checked exactly on the ${NUMBERS[/** @type {"decimal"} */ (numbers)]} numbers`)] : [];
/** @param {any} state */
const columnsOf = (state) => counted(state.source.width ?? 2, "column");

/**
 * The card for the class on the screen.
 * @param {any} state @param {import("./types.js").SentVerdict} sent @param {Letters} letters
 * @param {string} features the name of the feature map
 */
export function verdictOf(state, sent, letters, features) {
  const isBinary = state.classes.length === 2;
  const against = isBinary ? "" : `: ${state.classes[sent.owner]} against the rest`;
  const of = (/** @type {Found[]} */ list) => list.find((one) => one.owner === sent.owner);
  const shown = /** @type {Found} */ (of(sent.drawn)), first = of(sent.whole), word = STATUS[shown.status];
  const facts = [...(sent.fewest ? [fewestFact(sent.fewest)] : []), ...factsOf(state, shown, letters)];
  const sign = (/** @type {number} */ code) => (isBinary ? "−+"[code] : state.classes[code]);
  /** @type {import("./types.js").Verdict} */ const card = {
    ...answer(shown, word + against, drawnSentence(state, shown, features), facts),
    headline: word,
    headline_status: shown.status,
    support: shown.support.map(([row, weight]) => ({ row, number: row + 1, sign: sign(state.rows[row][2]), weight })),
    whole: null,
    regression: sent.regression,
    drawn_title: "",
    classes: [],
  };
  if (first) {
    const deciding = first.status === "deciding", columns = columnsOf(state);
    const title = deciding ? `Deciding on ${columns} …` : `${STATUS[first.status]} in ${columns}`;
    const drawn = `${drawnWords(state)}: ${word.toLowerCase()}`;
    card.whole = answer(first, title + against, wholeSentence(state, first), proofFacts(first));
    Object.assign(card, { headline: `${title}; ${drawn[0].toLowerCase()}${drawn.slice(1)}`, drawn_title: drawn });
    card.headline_status = first.status;
  }
  return isBinary ? card : { ...card, ...ofClasses(state, sent) };
}

/** @param {Found} found @param {string} title @param {string} sentence @param {Fact[]} facts */
const answer = ({ status, has_proof }, title, sentence, facts) => ({ status, title, sentence, facts, has_proof });

/** @param {{lower: number, upper: number, rows: number[]}} fewest */
function fewestFact({ lower, upper, rows }) {
  const range = lower === upper ? String(upper) : `${lower} to ${upper}`;
  const isFew = rows.length > 0 && rows.length <= MOST_NAMED;
  const named = `: ${rows.length === 1 ? "row" : "rows"} ${rows.map((row) => row + 1).join(", ")}`;
  return fact("fewest mistakes", range + (isFew ? named : range === "1" ? " row" : " rows"));
}

/** The facts, by the letters of a lecture. @param {any} state @param {Found} found @param {Letters} letters */
function factsOf(state, found, letters) {
  if (found.status !== "separable" || found.reason) return proofFacts(found);
  const [low, high] = found.margin, length = fact("B = 1/γ", bracket([1 / high, 1 / low]));
  const bound = letters.by_length ? "(R·B)²" : `(R/${letters.margin})²`, isGiven = state.start !== null;
  return [
    fact(`margin ${letters.margin}`, bracket(found.margin)),
    ...(letters.by_length ? [length] : []),
    fact("radius R", figures(found.radius)),
    fact(`bound ${bound}`, counted(found.bound ?? 0, "mistake") + (isGiven ? ", from a start at zero" : "")),
    ...(state.map === "none" ? [fact("largest distance", bracket(found.distance))] : []),
    ...proofFacts(found),
  ];
}

/** @param {any} state @param {Found} found @param {string} features */
function drawnSentence(state, found, features) {
  if (found.reason || found.status === "deciding") return found.reason;
  const line = state.offset ? "line" : "line through the origin", n = found.support.length;
  const surface = state.map === "none" ? line : `curve of the ${features} map`;
  const prove = n === 1 ? "This row proves it." : `These ${n} rows prove it.`;
  if (found.status === "separable") return `A ${surface} has every row strictly on its side.`;
  if (found.status === "quasi-separable") {
    const none = "but none has every row strictly on its side";
    return `The hulls touch: a ${surface} has no row on its wrong side, ${none}. ${prove}`;
  }
  const meet = state.offset && state.map === "none" ? ` ${AFTER}` : "";
  return `No ${surface} separates them, not even weakly. ${prove}${meet}`;
}

/** @param {any} state @param {Found} found */
function wholeSentence(state, found) {
  if (found.reason) return found.reason;
  const surface = (found.columns > 2 ? "hyperplane" : "line") + (state.offset ? "" : " through the origin");
  const rows = found.rows.map((row) => row + 1).join(", ") + (found.rows.length < found.n_rows ? ", …" : "");
  const proof = `${counted(found.n_rows, "row")} ${found.n_rows === 1 ? "proves" : "prove"} it: ${rows}.`;
  const all = `all ${found.columns} columns`;
  if (found.status === "separable") return `A ${surface} in ${all} has every row strictly on its side.`;
  if (found.status === "quasi-separable") return `In ${all} the hulls touch; ${proof}`;
  return `No ${surface} in ${all} separates them; ${proof}`;
}

/**
 * The line at the top, the status that gives it its colour, and a line for each class.
 * @param {any} state @param {import("./types.js").SentVerdict} sent
 */
function ofClasses(state, { drawn, whole }) {
  const n = state.classes.length, decided = whole.length ? whole : drawn, known = decided.map((one) => one.status);
  const classes = drawn.map(({ owner, status }, i) => ({
    code: owner,
    name: state.classes[owner],
    status: STATUS[known[i]].toLowerCase() + (whole.length ? `; drawn: ${STATUS[status].toLowerCase()}` : ""),
  }));
  const alone = known.filter((one) => one === "separable").length;
  const where = whole.length ? ` in ${columnsOf(state)}` : "";
  const isAll = (/** @type {string} */ status) => known.every((one) => one === status);
  let headline = `${alone} of ${n} classes separable${where}`;
  let colour = isAll("separable") || isAll("overlapping") ? known[0] : "undecided"; // of some, neither a yes nor a no
  if (known.includes("deciding")) [headline, colour] = [`Deciding on ${n} classes …`, "deciding"];
  else if (isAll("unknown")) [headline, colour] = [`Not known${where}`, "unknown"];
  return { headline, headline_status: colour, classes };
}

/** @param {any} state */
function drawnWords({ source, map }) {
  if (source.columns === "projection") return "This projection alone";
  if ((source.width ?? 2) <= 2) return "As drawn";
  return `These two alone${map === "none" ? "" : `, with ${map} features`}`;
}
