// @ts-check
/** What the page knows: the newest state and view, the row that was chosen last, and the way back. */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Row} Row */

const UNDO = 200; // states that can be gone back to

/** @typedef {{run: string, k: number, x: number}} Seen  how far a run is: its mistakes, and the place in the chart */
/**
 * @typedef {{state: any, sent: any, menu: any, view: View, version: number, chosenRow: number | null, brush: number,
 *   seen: Seen}} Store
 */

/** @returns {Store} */
export const newStore = () => ({
  state: null, // as Python has confirmed it, with its rows
  sent: {}, // the sections that came with it
  menu: null, // everything that can be chosen
  view: /** @type {any} */ ({}), // what is to be drawn of all these
  version: 0, // of what is shown: answers about an older one are dropped
  chosenRow: null, // the selected row, before Python has confirmed it
  brush: 1, // the class of new rows
  seen: { run: "", k: 0, x: 0 }, // what comes after is not shown yet
});

/**
 * Take over the state of a reply, whose rows may be all of them, a few or none.
 * @param {Store} store @param {import("./types.js").Reply} reply
 */
export function takeState(store, reply) {
  store.version++;
  let rows = /** @type {Row[]} */ (reply.rows ?? (store.state ? store.state.rows : []));
  if (reply.changes && reply.changes.length) {
    rows = rows.slice();
    for (const [i, x, y, code] of reply.changes) rows[i] = [x, y, code];
  }
  store.state = { ...reply.state, rows };
}

/** The run on the screen has been seen up to here; another run begins anew. @param {Store} store */
export function noteSeen({ view: { controls: c, cursor, lesson }, seen }) {
  const settings = [c.title, c.total, c.tie, c.order_text, c.start_text, c.seed, c.offset, c.map, c.focus];
  const run = JSON.stringify([...settings, lesson?.name, lesson?.step]);
  const x = cursor ? cursor[0].at[0][0] : 0,
    isOther = run !== seen.run;
  Object.assign(seen, { run, k: isOther ? c.k : Math.max(seen.k, c.k), x: isOther ? x : Math.max(seen.x, x) });
}

/**
 * Undo and redo. A snapshot is the whole state; snapshots share the rows that did not change.
 * @param {Store} store
 * @param {{isIdle: () => boolean, restore: (state: any) => void}} on
 */
export function newHistory(store, on) {
  /** @type {any[]} */ const past = [];
  /** @type {any[]} */ const future = [];
  /** @type {(() => void)[]} */ const trips = []; // steps back and forth that wait for a reply

  /** @param {any[]} from @param {any[]} to */
  function travel(from, to) {
    if (!on.isIdle()) return void trips.push(() => travel(from, to));
    if (!from.length) return;
    to.push(store.state);
    on.restore(from.pop());
  }

  return {
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    /** The present state can be come back to. */
    remember() {
      if (!store.state) return;
      past.push(store.state);
      if (past.length > UNDO) past.shift();
      future.length = 0;
    },
    /** What was remembered last did not change anything. */
    forget: () => void past.pop(),
    /** Trips that waited, once nothing is under way. */
    goOn() {
      while (on.isIdle() && trips.length) trips.shift()?.();
    },
  };
}
