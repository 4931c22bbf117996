// @ts-check
/**
 * What this browser keeps over a reload or a restart: the files that were opened, and a state that
 * is too large for the address. Where nothing can be kept (a private window), nothing is.
 */

const MOST_KEPT = 12;

/** @returns {Promise<IDBDatabase>} */
function database() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("novikoff-studio", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("kept");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** @param {IDBRequest} request @returns {Promise<any>} */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Keep a value under a key; the oldest ones go. @param {string} key @param {any} value */
export async function keep(key, value) {
  try {
    const base = await database();
    const store = base.transaction("kept", "readwrite").objectStore("kept");
    await done(store.put({ at: Date.now(), value }, key));
    const [keys, all] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    const byAge = keys.map((/** @type {string} */ one, /** @type {number} */ i) => [all[i].at, one]).sort();
    for (const [, old] of byAge.slice(0, -MOST_KEPT)) store.delete(old);
    base.close();
  } catch { /* then a reload starts anew */ }
}

/** The value under a key; null where there is none. @param {string} key @returns {Promise<any>} */
export async function kept(key) {
  try {
    const base = await database();
    const found = await done(base.transaction("kept").objectStore("kept").get(key));
    base.close();
    return found?.value ?? null;
  } catch { return null; }
}

/** A name for this tab, the same after a reload. */
export function tabName() {
  try {
    const name = sessionStorage.getItem("novikoff-tab") ?? Math.random().toString(36).slice(2);
    sessionStorage.setItem("novikoff-tab", name);
    return name;
  } catch { return "tab"; }
}
