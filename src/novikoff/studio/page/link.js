// @ts-check
/**
 * The link to Python: one message of edits at a time; while it is away, newer ones gather, and of
 * moves of one row only the newest is sent. So an answer is never older than the last but one
 * message, and what waits is known: `pending` lists the edits that no answer has confirmed.
 */

/** @typedef {import("./types.js").Reply} Reply */
/** @typedef {import("./types.js").Connect} Connect */

const FIRST_WAIT = 300,
  LONGEST_WAIT = 4000; // milliseconds between two attempts to come back

/**
 * A WebSocket that comes back, each time with the next of the addresses.
 * @param {() => string[]} addresses @returns {Connect}
 */
export function socketTo(addresses) {
  return (handlers) => {
    /** @type {WebSocket | null} */ let socket = null;
    /** @type {any} */ let waiting = 0;
    let wait = FIRST_WAIT,
      closed = false,
      met = false,
      tries = 0;
    function open() {
      clearTimeout(waiting);
      const known = addresses();
      socket = new WebSocket(known[tries++ % known.length]);
      const own = socket;
      socket.onopen = () => {
        met = true;
        wait = FIRST_WAIT;
        tries = 0;
        handlers.open();
      };
      socket.onmessage = (event) => own === socket && handlers.reply(JSON.parse(event.data));
      socket.onclose = () => {
        if (closed || own !== socket) return;
        handlers.lost(lostWords(met, tries));
        waiting = setTimeout(open, wait);
        wait = Math.min(wait * 1.5, LONGEST_WAIT);
      };
    }
    // A page that is looked at again does not wait for its turn.
    const look = () =>
      document.visibilityState === "visible" && socket?.readyState === WebSocket.CLOSED && !closed && open();
    document.addEventListener("visibilitychange", look);
    waiting = setTimeout(open);
    return {
      send: (message) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
      close: () => {
        closed = true;
        clearTimeout(waiting);
        document.removeEventListener("visibilitychange", look);
        socket?.close();
      },
    };
  };
}

/** @param {boolean} met whether Python has ever answered @param {number} tries since the last time */
function lostWords(met, tries) {
  if (!met) return "Python does not answer. Open the address that novikoff studio printed.";
  const anew = tries > 5 ? " If it runs again, open the address that it printed: your rows are brought along." : "";
  return `The connection to Python is lost. Your rows are kept; trying again …${anew}`;
}

/** Whether a newer edit makes an older one that waits superfluous. @param {any} old @param {any} edit */
function replaces(old, edit) {
  if (!old || old.do !== edit.do || edit.record) return false;
  return edit.do === "move" ? old.row === edit.row : edit.do === "go" || edit.do === "size";
}

/**
 * @param {Connect} connect
 * @param {{hello: () => any, reply: (reply: Reply) => void, lost: (why: string) => void, found: () => void,
 *   busy: (on: boolean) => void, record: () => void, state: () => any, idle: () => void}} on
 */
export function talkTo(connect, on) {
  let next = 1,
    away = 0,
    online = false;
  /** @type {any[]} */ let outbox = [];
  /** @type {any[]} */ let flying = [];
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */ const asked = new Map();

  const link = connect({
    open() {
      online = true;
      away = next++;
      on.busy(true);
      link.send({ id: away, ...on.hello() });
      on.found();
    },
    reply: receive,
    lost(why) {
      online = false;
      away = 0;
      outbox = [...flying.map(({ record, ...rest }) => rest), ...outbox];
      flying = [];
      for (const { reject } of asked.values()) reject(new Error("The connection is lost."));
      asked.clear();
      on.busy(false);
      on.lost(why);
    },
  });

  /** @param {any} one @param {{record?: boolean, hand?: boolean}} [how] */
  function edit(one, { record = false, hand = false } = {}) {
    let made = { ...one, ...(record && { record }), ...(hand && { hand }) };
    const last = outbox[outbox.length - 1];
    if (replaces(last, made)) {
      if (last.record) made = { ...made, record: true };
      outbox.pop();
    }
    outbox.push(made);
    flush();
  }

  function flush() {
    if (away || !online || !outbox.length) return;
    const sent = (flying = outbox);
    outbox = [];
    if (sent.some((one) => one.record)) on.record();
    /** @type {any} */ const message = { id: (away = next++) };
    if (sent.some((one) => one.hand)) message.hand = true;
    const restored = sent.map((one) => one.do).lastIndexOf("restore");
    if (restored >= 0) message.state = { ...sent[restored].state, size: on.state().size };
    message.edits = sent
      .slice(restored + 1)
      .filter((one) => one.do !== "look")
      .map(({ record, hand, ...rest }) => rest);
    on.busy(true);
    link.send(message);
  }

  /** Something that is no edit, such as a file: Python's answer is a view. @param {any} message */
  function send(message) {
    if (away || !online) return false;
    link.send({ id: (away = next++), ...message });
    on.busy(true);
    return true;
  }

  /** @param {string} what @param {any} [more] @returns {Promise<any>} */
  function ask(what, more = {}) {
    return new Promise((resolve, reject) => {
      if (!online) return reject(new Error("The connection is lost."));
      const id = next++;
      asked.set(id, { resolve, reject });
      link.send({ id, ask: what, ...more });
    });
  }

  /** @param {Reply} reply */
  function receive(reply) {
    const waiting = asked.get(reply.id ?? -1);
    if (waiting) {
      asked.delete(reply.id ?? -1);
      return reply.error ? waiting.reject(new Error(reply.error)) : waiting.resolve(reply.answer);
    }
    if (reply.id === away) {
      away = 0;
      flying = [];
      on.busy(false);
    }
    on.reply(reply);
    flush();
    if (!away && !outbox.length) on.idle();
  }

  return {
    edit,
    ask,
    send,
    close: () => link.close(),
    pending: () => [...flying, ...outbox],
    /** Whether nothing is under way. */
    isIdle: () => online && !away && !outbox.length,
  };
}
