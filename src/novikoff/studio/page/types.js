// @ts-check
/**
 * What Python sends, and what the page makes of it (telling.js), as types: the one place where a field is written
 * down. A test reads them too.
 */

/** @typedef {[number, number, number]} Row  x, y and the place of the class */
/**
 * @typedef {{kind: string, role: string, at: any, label?: string, label_at?: number[], text?: string, anchor?: string,
 *   closed?: boolean, code?: number, side?: number, place?: number, row?: number}} Mark  A shape in coordinates of the
 *   plane; its role says how it looks
 */
/** @typedef {{at: number, text: string}} Tick */
/** @typedef {{x: Tick[], y: Tick[]}} Ticks */
/** @typedef {{role: string, text: string}} LegendLine */
/**
 * @typedef {{window: number[], ticks?: Ticks, marks: Mark[], x_label?: string, legend?: LegendLine[]}} Plot  A small
 *   picture with axes of its own
 */
/**
 * @typedef {{k: number, owner: number, row: number, sign: number, score: number, weights: number[], after?: number,
 *   count?: number, before?: number[], features?: number[]}} Update  The class whose run made it, its row, the score
 *   that the row had, the weights after it; of the one shown the score that the row has now, the mistakes of its class
 *   so far, the weights before it, the row itself
 */
/** @typedef {{first: number, updates: Update[]}} Updates  Lines of the table from k = first on; 0 is the start */
/**
 * @typedef {{row: number, wrong: boolean, score: number | null, ticked: any[][]}} Looked  The row of the newest visit,
 *   and the rows of its pass so far, each with whether it was wrong
 */
/** @typedef {{first: number, last: number}} Cycle  The passes with the same weights at their ends */
/** @typedef {{place: number, total: number, converged: boolean, weights: number[]}} RunBeside */
/**
 * @typedef {{k: number, total: number, owner: number, visit: VisitView | null, passes: number, converged: boolean,
 *   limit: string, cycle: Cycle | null, start: number[], looked: Looked | null, update: Update | null, made: number,
 *   overlays: RunBeside[]}} Run  The facts of a run at k
 */
/**
 * @typedef {{lines: number[][], proof: ProofMarks | null, under: Mark[], wrong: number[]}} SentScene  Lines of
 *   weights, what is drawn of a verdict, the curves of a feature map, rows that are wrong
 */
/**
 * @typedef {{kind: string, question: any[], options: any[][], because: any[][], right_option: number, right: any[],
 *   hint: any[], until: any[][], hides: string[], value: any}} Asked  A question with its answer
 */
/**
 * @typedef {{name: string, title: any[], step: number, headings: string[], head: any[], body: any[], light: string[],
 *   ask: Asked | null, fault: string, quantities: any}} SentLesson  A step of a lesson, and the quantities of the rows
 *   as they are that its task speaks of
 */
/**
 * @typedef {{owner: number, status: string, reason: string, has_proof: boolean, numbers: string, margin: number[],
 *   distance: number[], radius: number, bound: number | null, support: any[][], columns: number, rows: number[],
 *   n_rows: number}} Found  What is known about one class against the rest; reason: why nothing is
 */
/**
 * @typedef {{owner: number, drawn: Found[], whole: Found[], fewest: Fewest | null, regression: Regression | null}}
 *   SentVerdict  The verdicts on the drawn columns, and on all where there are more
 */
/** @typedef {{lower: number, upper: number, rows: number[]}} Fewest  The fewest mistakes of a line */
/**
 * @typedef {{run: Run | null, lines: Updates | null, scene: SentScene | null, columns: ColumnChoice | null, problem:
 *   string, needs: string | null, deciding: string | null, chart: Plot | null, cursor: Mark[] | null, verdict:
 *   SentVerdict | null, proof: ProofLine[] | null, live: LiveLine[] | null, extra: Extra | null, own: OwnLine | null,
 *   lesson: SentLesson | null}} Sent  What Python sends of a state
 */
/** @typedef {{window: number[], axes: string[]}} Frame */
/** @typedef {{at: number, total: number}} VisitView  Where a run stands that is stepped visit by visit */
/**
 * @typedef {{classes: string[], binary: boolean, title: string, note: string, tie: string, order: string, order_text:
 *   string, start: string, start_text: string, seed: number, seeded: boolean, offset: boolean, map: string, notation:
 *   string, numbers: string, passes: number, limit: number, show: string[], focus: number, k: number, total: number,
 *   visit: VisitView | null, slider: string, slider_value: string}} Controls
 */
/** @typedef {{names: string[], chosen: any, labels: string[]}} ColumnChoice */
/**
 * @typedef {{row: number, number: number, x: string, y: string, class: number, text: string, made: string}} Selected
 */
/**
 * @typedef {{row: number, sign: number, text: string, before: number[]}} UpdateMarks  The row of an update, its scores
 *   in words, and the line before it, if that is one
 */
/**
 * @typedef {{place: number, text: string, lines: number[][]}} OtherRun  A run drawn over this one: its last lines, and
 *   its name in the legend
 */
/** @typedef {{line: number[], half: number}} Band  A line and how far its band reaches to either side */
/**
 * @typedef {{line: number[], half: number, name: string, radius: number, radius_name: string}} Best  The theorem's two
 *   lengths: the unit vector with its margin, and the ball
 */
/**
 * @typedef {{under: Mark[], over: Mark[], widest: Band | null, best: Best | null}} ProofMarks  What is drawn of a
 *   verdict
 */
/**
 * @typedef {{lines: number[][], regions: boolean, letter: string, update: UpdateMarks | null, proof: ProofMarks |
 *   null, others: OtherRun[], under: Mark[], over: Mark[], wrong: number[]}} Scene  What the plane shows; a line is
 *   [a, b, c] of a·x + b·y + c, one for each run
 */
/**
 * @typedef {{old: number[], new: number[], names: string[]}} VectorSum  The sum of an update: w before and after, two
 *   entries each, and the names of the arrows
 */
/**
 * @typedef {{caption: string, header: string[], first: number, entries: string[][], total: number}} Lines  Some lines
 *   of the table
 */
/** @typedef {{title: string, text: string, symbol: string, sum: string[], outcome: string, last: boolean}} Step */
/** @typedef {{name: string, value: string}} Fact */
/** @typedef {{row: number, number: number, sign: string, weight: string}} Support */
/** @typedef {{code: number, name: string, status: string}} ClassLine */
/**
 * @typedef {{status: string, title: string, sentence: string, facts: Fact[], has_proof: boolean}} Whole  The verdict
 *   on all columns
 */
/**
 * @typedef {{remark: string, infinite: Fact[], header: string[], rows: string[][], more: string}} Regression  What a
 *   statistician asks: the remark, infinite coefficients, blocking rows in full
 */
/**
 * @typedef {{status: string, headline: string, headline_status: string, title: string, sentence: string, facts:
 *   Fact[], support: Support[], classes: ClassLine[], has_proof: boolean, drawn_title: string, whole: Whole | null,
 *   regression: Regression | null}} Verdict
 */
/** @typedef {{place: number, name: string, text: string, weights: string}} Overlay */
/** @typedef {{formula: string, text: string, holds: boolean | null, note: string}} ProofLine */
/**
 * @typedef {{text: string, why: string, holds: boolean, lights: string[]}} LiveLine  An inequality of the proof at one
 *   mistake; `lights` are the roles of what it speaks of
 */
/** @typedef {{label: string, least: number, most: number, value: number, text: string}} Slider */
/**
 * @typedef {{title: string, text: string, plot: Plot, bars: number[]}} Panel  One of several small pictures; bars are
 *   shares of 1
 */
/** @typedef {{name: string, at: number[]}} AxisEnd */
/**
 * @typedef {{rows: number[][], wrong: number[], rays: boolean, origin: number[], axes: AxisEnd[], plane: number[][],
 *   floor: number[][], normal: number[], label: string}} Space  Three dimensions in the cube from -1 to 1, which the
 *   page turns; a row has its code last
 */
/**
 * @typedef {{name: string, title: string, note: string, plot: Plot | null, panels: Panel[], space: Space | null,
 *   slider: Slider | null}} Extra  A further picture
 */
/**
 * @typedef {{text: string, handles: number[][]}} OwnLine  A person's own line: what is said of it, and its two handles
 */
/**
 * @typedef {{kind: string, question: any[], options: any[][], given: string | number | null, right: boolean | null,
 *   said: any[]}} AskView  The question of a step, and how it stands; texts are nodes, see lessons/prose.py
 */
/**
 * @typedef {{name: string, title: any[], step: number, headings: string[], head: any[], body: any[], light: string[],
 *   ask: AskView | null, fault: string}} LessonView  A step of a lesson; `headings` are lines of text, other words are
 *   nodes
 */
/**
 * @typedef {{frame: Frame, controls: Controls, columns: ColumnChoice | null, selected: Selected | null, problem:
 *   string, needs: string | null, deciding: string | null, scene: Scene, table: Lines | null, chart: Plot | null,
 *   cursor: Mark[] | null, inset: VectorSum | null, step: Step | null, verdict: Verdict | null, overlays: Overlay[] |
 *   null, proof: ProofLine[] | null, live: LiveLine[] | null, extra: Extra | null, own: OwnLine | null, lesson:
 *   LessonView | null}} View  All sections of the screen
 */
/** @typedef {{value: string, text: string}} Choice */
/** @typedef {{value: string, text: string, names: string[]}} MapChoice */
/**
 * @typedef {{value: string, text: string, weights: string, first: number, offset: string, best: string, margin:
 *   string, by_length: boolean}} Letters  How a lecture writes weights
 */
/** @typedef {{name: string, about: string}} SetName */
/** @typedef {{title: string, names: SetName[]}} SetGroup */
/** @typedef {{name: string, title: any[], about: any[]}} LessonName */
/** @typedef {{name: string, href: string, title: any[]}} PageBeside  A lesson as a page in the same folder */
/**
 * @typedef {{lessons: LessonName[], sets: SetGroup[], ties: Choice[], orders: Choice[], maps: MapChoice[],
 *   notations: Letters[], views: Choice[], numbers: Choice[], following?: PageBeside}} Menu  Everything that can be
 *   chosen; it never changes
 */
/**
 * @typedef {{drop?: string[], keep?: string[], categorical?: string[], missing?: string, decimal?: string, thousands?:
 *   string}} Reading
 */
/** @typedef {{text: string, choices: string[], file: string, reading: Reading}} Question  How a file is to be read */
/**
 * @typedef {{id?: number, menu?: Menu, view?: any, rows?: Row[], changes?: number[][], state?: any, error?: string,
 *   question?: Question, answer?: any}} Reply  What answers a message; of the view, the sections that changed
 */
/** @typedef {{send: (message: any) => void, close: () => void}} Link */
/**
 * @typedef {(handlers: {open: () => void, reply: (reply: Reply) => void, lost: (why: string) => void}) => Link}
 *   Connect
 */

export {};
