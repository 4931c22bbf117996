// @ts-check
/** numpy's RandomState: the Mersenne Twister, and the permutations that it makes of n rows. */

const TWISTED = 624, MIDDLE = 397;

/** @param {number} seed a whole number below 2^32 */
export function randomState(seed) {
  const key = new Uint32Array(TWISTED);
  let at = TWISTED;
  key[0] = seed;
  for (let i = 1; i < TWISTED; i++) key[i] = Math.imul(1812433253, key[i - 1] ^ (key[i - 1] >>> 30)) + i;

  function twist() {
    for (let i = 0; i < TWISTED; i++) {
      const both = (key[i] & 0x80000000) | (key[(i + 1) % TWISTED] & 0x7fffffff);
      key[i] = key[(i + MIDDLE) % TWISTED] ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0);
    }
    at = 0;
  }
  function next() {
    if (at === TWISTED) twist();
    let y = key[at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }
  /** A number from 0 to `most`, each equally likely. @param {number} most */
  function upTo(most) {
    const mask = 2 ** Math.ceil(Math.log2(most + 1)) - 1;
    for (;;) {
      const drawnNumber = (next() & mask) >>> 0;
      if (drawnNumber <= most) return drawnNumber;
    }
  }
  const unit = () => (next() >>> 5) * 2 ** -27 + (next() >>> 6) * 2 ** -53;

  return {
    /** @param {number} n */
    permutation(n) {
      const rows = Array.from({ length: n }, (_, i) => i);
      for (let i = n - 1; i > 0; i--) {
        const j = upTo(i);
        [rows[i], rows[j]] = [rows[j], rows[i]];
      }
      return rows;
    },
    /** Draw what standard normal numbers are made of, and leave it: two of them at a time. @param {number} n */
    passNormals(n) {
      for (let made = 0; made < n; made += 2) {
        let square = 0;
        do square = (2 * unit() - 1) ** 2 + (2 * unit() - 1) ** 2; while (square >= 1 || square === 0);
      }
    },
  };
}
