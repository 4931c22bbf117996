// @ts-check
/** What Python sends and what it is told, as types. Nothing here runs. */

/** @typedef {[number, number, number]} Row  x, y and the place of the class */
/** @typedef {{kind: string, role: string, at: any, label?: string, label_at?: number[], text?: string, anchor?: string, closed?: boolean, code?: number, side?: number, place?: number, row?: number}} Mark */
/** @typedef {{at: number, text: string}} Tick */
/** @typedef {{window: number[], ticks: {x: Tick[], y: Tick[]}, marks: Mark[], x_label?: string, legend?: {role: string, text: string}[]}} Plot */
/** @typedef {{caption: string, header: string[], first: number, lines: string[][], total: number}} Lines */
/** @typedef {{status: string, headline: string, headline_status: string, title: string, sentence: string, facts: {name: string, value: string}[], support: {row: number, number: number, sign: string, weight: string}[], classes: {code: number, name: string, status: string}[], has_proof: boolean, drawn_title: string, whole: null | {status: string, title: string, sentence: string, facts: {name: string, value: string}[], has_proof: boolean}}} Verdict */
/** @typedef {{title: string, text: string, sum: string[], outcome: string, last: boolean}} Step */
/** @typedef {{classes: string[], binary: boolean, title: string, note: string, tie: string, order: string, order_text: string, start: string, start_text: string, seed: number, seeded: boolean, offset: boolean, map: string, numbers: string, passes: number, limit: number, show: string[], focus: number, n_rows: number, n_overlays: number, k: number, total: number, slider: string, slider_value: string}} Controls */
/** @typedef {{frame: {window: number[], ticks: {x: Tick[], y: Tick[]}, axes: string[], nudge: string}, controls: Controls, columns: null | {names: string[], chosen: any, labels: string[]}, selected: null | {row: number, number: number, x: string, y: string, class: number, text: string, made: string}, problem: string, needs: string | null, deciding: string | null, scene: {under: Mark[], over: Mark[], wrong: number[]}, table: Lines | null, chart: Plot | null, cursor: Mark[] | null, inset: Plot | null, step: Step | null, verdict: Verdict | null, overlays: {place: number, name: string, text: string, weights: string}[] | null, proof: {formula: string, text: string, holds: boolean | null, note: string}[] | null}} View */
/** @typedef {{sets: {title: string, names: {name: string, about: string}[]}[], ties: Choice[], orders: Choice[], maps: Choice[], numbers: Choice[], presets: string[]}} Menu */
/** @typedef {{value: string, text: string}} Choice */
/** @typedef {{id?: number, menu?: Menu, view?: Partial<View>, rows?: Row[], changes?: number[][], state?: any, error?: string, question?: Question, answer?: any}} Reply */
/** @typedef {{text: string, choices: string[], file: string, reading: {drop?: string[], missing?: string}}} Question  how a file is to be read */
/** @typedef {{send: (message: any) => void, close: () => void}} Link */
/** @typedef {(handlers: {open: () => void, reply: (reply: Reply) => void, lost: (why: string) => void}) => Link} Connect */

export {};
