// @ts-check
/**
 * Lines that come from where they were: the boundary turns, and what it parts turns with it.
 *
 * Between two drawings the page goes from the lines of the one to those of the other, wherever the motion stood. A
 * single update that has the time is shown as one: first y·x travels to w, then the sum forms and the boundary turns.
 * Whoever asks for less motion sees none.
 */

const LONGEST_TURN = 360,
  LONGEST_UPDATE = 1300,
  LEAST_UPDATE = 450; // milliseconds
const SHARE = 0.85; // of the time between two drawings
const TRAVEL = 0.5,
  SUM = 0.92; // of an update's time: the end of the way, and of the sum
const STEADY = 150; // milliseconds: what is shorter is one of many, and goes on without rest
const OPPOSITE = -0.999; // the cosine of two normal vectors that point away from each other

/** @typedef {number[]} Weights */
/** @typedef {{lines: Weights[], update: {travel: number, sum: number} | null, isLast: boolean}} Stage */

/** @param {number} t */
const eased = (t) => t * t * (3 - 2 * t);

/**
 * A line between two others: it turns evenly, about the point in which they meet.
 * @param {Weights} one @param {Weights} two @param {number} t from 0 to 1
 */
export function between(one, two, t) {
  const sizes = [one, two].map((line) => Math.hypot(line[0], line[1]) || 1);
  const a = one.map((value) => value / sizes[0]),
    b = two.map((value) => value / sizes[1]);
  const cosine = Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1])),
    angle = Math.acos(cosine);
  if (cosine < OPPOSITE) {
    const turn = Math.atan2(a[1], a[0]) + angle * t;
    return [Math.cos(turn), Math.sin(turn), a[2] + (b[2] - a[2]) * t];
  }
  const parts = angle < 1e-6 ? [1 - t, t] : [Math.sin((1 - t) * angle), Math.sin(t * angle)];
  return a.map((value, j) => parts[0] * value + parts[1] * b[j]);
}

/** Whether there is a boundary. @param {Weights[]} lines */
const areDrawn = (lines) => lines.length > 0 && lines.every((line) => line[0] || line[1]);

/** @param {(stage: Stage) => void} paint what is drawn at a stage of the motion */
export function newMotion(paint) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Weights[]} */ let from = [];
  /** @type {Weights[]} */ let to = [];
  /** @type {Weights[]} */ let seen = [];
  let place = "",
    drawnAt = 0,
    begun = 0,
    lasts = 0,
    isUpdate = false,
    frame = 0;

  /** @param {number} now */
  function stageAt(now) {
    const t = lasts ? Math.min(1, (now - begun) / lasts) : 1;
    if (t >= 1) return { lines: to, update: null, isLast: true };
    if (isUpdate) {
      const travel = eased(Math.min(1, t / TRAVEL)),
        sum = eased(Math.max(0, Math.min(1, (t - TRAVEL) / (SUM - TRAVEL))));
      const lines = to.map((line, i) => line.map((value, j) => from[i][j] + sum * (value - from[i][j])));
      return { lines, update: { travel, sum }, isLast: false };
    }
    const part = lasts > STEADY ? eased(t) : t;
    const lines = to.map((line, i) =>
      to.length === 1
        ? between(from[i], line, part)
        : line.map((value, j) => from[i][j] + part * (value - from[i][j])),
    );
    return { lines, update: null, isLast: false };
  }
  function show() {
    cancelAnimationFrame(frame);
    const stage = stageAt(performance.now());
    seen = stage.lines;
    if (!stage.isLast) frame = requestAnimationFrame(show);
    paint(stage);
  }

  return {
    /**
     * The lines that are now to be seen.
     * @param {Weights[]} lines @param {string} where what must not have changed meanwhile, or nothing turns
     * @param {Weights | null} before the weights before the update that is shown, where it can be seen as one
     */
    turn(lines, where, before) {
      const now = performance.now(),
        isNew = JSON.stringify(lines) !== JSON.stringify(to);
      if (isNew || where !== place) {
        const wait = now - drawnAt,
          canMove = where === place && !calm.matches && lines.length === to.length;
        const isNext = before !== null && to.length === 1 && JSON.stringify(before) === JSON.stringify(to[0]);
        isUpdate = canMove && isNext && SHARE * wait > LEAST_UPDATE;
        const canTurn = canMove && areDrawn(lines) && areDrawn(seen);
        from = isUpdate ? to : seen;
        lasts = isUpdate ? Math.min(LONGEST_UPDATE, SHARE * wait) : canTurn ? Math.min(LONGEST_TURN, SHARE * wait) : 0;
        [to, begun, drawnAt, place] = [lines, now, now, where];
      }
      show();
    },
    close: () => cancelAnimationFrame(frame),
  };
}
