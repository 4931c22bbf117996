// @ts-check
/** Exact numbers for a page without Python: fractions over one scale, and the float nearest to one. */

/** @typedef {{whole: bigint, two: number, ten: number}} Exact  whole / 2^two / 10^ten */

const floatBits = new DataView(new ArrayBuffer(8));

/** A float as it is stored. @param {number} value @returns {Exact} */
export function storedExactly(value) {
  floatBits.setFloat64(0, value);
  const raw = floatBits.getBigUint64(0), power = Number((raw >> 52n) & 0x7ffn);
  const size = (raw & 0xfffffffffffffn) | (power ? 0x10000000000000n : 0n), shift = Math.max(power, 1) - 1075;
  const whole = (value < 0 ? -size : size) << BigInt(Math.max(shift, 0));
  let two = Math.max(-shift, 0), rest = whole;
  while (two && rest && !(rest & 1n)) [rest, two] = [rest >> 1n, two - 1];
  return { whole: rest, two: rest ? two : 0, ten: 0 };
}

/** A float as its shortest decimal is written. @param {number} value @returns {Exact} */
export function writtenExactly(value) {
  const [digits, power = "0"] = String(value).split("e"), [before, after = ""] = digits.split(".");
  const places = after.length - Number(power), whole = BigInt(before + after);
  return { whole: whole * 10n ** BigInt(Math.max(-places, 0)), two: 0, ten: Math.max(places, 0) };
}

/** Integers over one scale. @param {Exact[]} all @returns {{wholes: bigint[], scale: bigint}} */
export function overOneScale(all) {
  const two = all.reduce((most, one) => Math.max(most, one.two), 0);
  const ten = all.reduce((most, one) => Math.max(most, one.ten), 0);
  const wholes = all.map((one) => (one.whole << BigInt(two - one.two)) * 10n ** BigInt(ten - one.ten));
  return { wholes, scale: (1n << BigInt(two)) * 10n ** BigInt(ten) };
}

/** About how many bits a whole number has. @param {bigint} size */
const bitsOf = (size) => size.toString(16).length * 4;

/** The float nearest to a fraction. @param {bigint} top @param {bigint} bottom a positive one */
export function nearestFloat(top, bottom) {
  if (!top) return 0;
  const size = top < 0n ? -top : top;
  let shift = bitsOf(bottom) - bitsOf(size) + 72;
  const dividend = shift > 0 ? size << BigInt(shift) : size, divisor = shift > 0 ? bottom : bottom << BigInt(-shift);
  // One bit more than is kept, set where anything was left: then rounding knows of it.
  const quotient = ((dividend / divisor) << 1n) | (dividend % divisor ? 1n : 0n);
  let value = Number(quotient);
  shift += 1;
  while (Math.abs(shift) > 1000) {
    const part = Math.sign(shift) * 1000;
    value *= 2 ** -part;
    shift -= part;
  }
  return (top < 0n ? -value : value) * 2 ** -shift;
}

/** -1, 0 or 1. @param {bigint} value */
export const signOf = (value) => (value > 0n ? 1 : value < 0n ? -1 : 0);
