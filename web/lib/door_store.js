/* SPDX-License-Identifier: Apache-2.0 */
/* door_store.js — what a door keeps over a reload, in IndexedDB.
 *
 *     settings   by name: the gate, the keys that sign tickets, how far this clock is off, since when the list is known
 *     list       by event and code: the last word of GET /v1/check-ins on a ticket
 *     scans      by number: what was scanned here, with those that wait to be sent
 *
 * A write is done when it is on disk: people are admitted because of it.
 */
const NAME = 'holdfast-door';
const VERSION = 1;

const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

function upgrade(db) {
    db.createObjectStore('settings');
    db.createObjectStore('list', { keyPath: ['of', 'code'] });
    db.createObjectStore('scans', { keyPath: 'id', autoIncrement: true });
}

/* Whether it is this browser that refuses to keep something: storage is blocked, or full. */
export const isStorageRefused = (problem) => problem instanceof DOMException && !['TimeoutError', 'AbortError'].includes(problem.name);

export class DoorStore {
    #db;

    static async open() {
        const store = new DoorStore();
        if (!globalThis.indexedDB) {
            throw new DOMException('There is no IndexedDB.', 'NotSupportedError');
        }
        const request = indexedDB.open(NAME, VERSION);
        request.onupgradeneeded = () => upgrade(request.result);
        store.#db = await answer(request);
        return store;
    }

    #read(name, ask) {
        return answer(ask(this.#db.transaction(name).objectStore(name)));
    }

    #write(name, change) {
        return new Promise((resolve, reject) => {
            const transaction = this.#db.transaction(name, 'readwrite', { durability: 'strict' });
            const made = change(transaction.objectStore(name));
            transaction.oncomplete = () => resolve(made?.result);
            transaction.onabort = () => reject(transaction.error);
        });
    }

    setting(name) {
        return this.#read('settings', (all) => all.get(name));
    }

    set(name, value) {
        return this.#write('settings', (all) => all.put(value, name));
    }

    /* of: the event, or '' at a gate for any. */
    entry(of, code) {
        return this.#read('list', (all) => all.get([of, code]));
    }

    /* Each takes the place of what is there for its code. */
    learn(of, entries) {
        return this.#write('list', (all) => entries.forEach((entry) => all.put({ ...entry, of })));
    }

    scans() {
        return this.#read('scans', (all) => all.getAll());
    }

    /* Numbers it, if it is new. */
    async keep(scan) {
        scan.id = await this.#write('scans', (all) => all.put(scan));
    }

    drop(scans) {
        return this.#write('scans', (all) => scans.forEach(({ id }) => all.delete(id)));
    }

    forgetList() {
        return this.#write('list', (all) => all.clear());
    }

    forgetSettings() {
        return this.#write('settings', (all) => all.clear());
    }
}
