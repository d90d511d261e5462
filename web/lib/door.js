/* SPDX-License-Identifier: Apache-2.0 */
/* door.js — a gate: asks the server about each ticket, judges alone while there is none, and brings the two together again.
 *
 * A scan is {id, at, code, event, gate, nonce, result, why, place, …}; `result` is one of
 *
 *     in          the server has admitted the ticket
 *     refused     by the server, or by the last list of it; `why` is its code
 *     unchecked   the signature is good, and the server was not asked: it is kept, `waiting`, until it is sent
 *
 * What waits is sent in the order in which it was scanned, each with the nonce of its first attempt, so that nothing counts
 * twice. If the server judges differently by then (`conflict`: already checked in elsewhere, the ticket is void), the scan is
 * listed until it is marked as resolved.
 *
 * The key is kept in the tab's sessionStorage, everything else in a DoorStore. Says 'change'.
 */
import { Holdfast, Problem } from '../client/client.js';
import { judgeAlone, placeOfForm } from './door_judge.js';
import { codeOf, isGenuine, readForm } from './ticket_form.js';

const KEY = 'holdfast:door:key';
const SCAN_MS = 4_000; /* how long the door waits for an answer before it judges alone */
const LIST_MS = 15_000;
const RETRY_MS = 5_000;
const LAG_MS = 1_000; /* what was sent is in the list by then */
const OVERLAP_MS = 60_000; /* the list may lag behind a little */
const PAGE = 1000;
const LOG_MAX = 100;
const VERDICTS = ['already_checked_in', 'void', 'wrong_event', 'no_such_ticket', 'undone'];

const newNonce = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const refusesKey = ({ code }) => code === 'unauthenticated' || code === 'forbidden';
/* Whether the server has judged the ticket. Anything else, a proxy's page as well, is as good as no answer. */
const isFinal = ({ code }) => VERDICTS.includes(code) || code === 'invalid';
const notReached = (problem) => problem.name === 'TimeoutError' || (problem instanceof Problem && !isFinal(problem) && !refusesKey(problem));

export class Door extends EventTarget {
    setup = null; /* {event, gate}; event null: any */
    reachable = navigator.onLine;
    keyRefused = false;
    eventGone = false; /* removed from the server: whatever is shown, it is for something else */
    busy = false;
    scans = []; /* oldest first */
    #keys = [];
    #listed = null; /* {of, at}: the list of this event is known as it was then */
    #skew = 0; /* the server's clock minus this one, when they last met */
    #syncing = null;
    #timer = null;
    #kept = Promise.resolve(); /* the last change of a scan */

    constructor(store) {
        super();
        this.store = store;
        this.#connect(sessionStorage.getItem(KEY));
    }

    async load() {
        const { store } = this;
        const read = (name, otherwise) => store.setting(name).then((value) => value ?? otherwise);
        [this.setup, this.#keys, this.#listed, this.#skew, this.scans] = await Promise.all([
            read('setup', null), read('keys', []), read('listed', null), read('skew', 0), store.scans()]);
        addEventListener('offline', () => this.#reached(false));
        addEventListener('online', () => this.sync());
        return this;
    }

    #connect(key) {
        this.key = key;
        this.client = new Holdfast({ token: key ?? undefined, guest: false, attempts: 1 });
    }

    #changed() {
        this.dispatchEvent(new Event('change'));
    }

    /* The server's time. Not the client's clock, which stands still while a device sleeps and is gone after a reload. */
    now() {
        return Math.round(Date.now() + this.#skew);
    }

    get waiting() {
        return this.scans.filter(({ waiting }) => waiting);
    }

    get conflicts() {
        return this.scans.filter(({ conflict, seen }) => conflict && !seen);
    }

    get listedAt() {
        return this.#listed?.of === this.#of ? this.#listed.at : null;
    }

    get #of() {
        return this.setup?.event?.id ?? '';
    }

    /* ---- Opening and leaving ---- */

    /* Asks the server whether the key is good, and learns what is needed to go on without it. Throws what it refuses. */
    async open({ key, event, gate }) {
        const before = this.key;
        this.#connect(key);
        try {
            this.setup = { event, gate };
            if (this.listedAt === null) {
                await this.store.forgetList();
            }
            await this.#learn();
        } catch (problem) {
            this.#connect(before);
            this.setup = await this.store.setting('setup') ?? null;
            throw problem;
        }
        sessionStorage.setItem(KEY, key);
        await this.store.set('setup', this.setup);
        this.keyRefused = this.eventGone = false;
        this.#reached(true);
        this.#again();
    }

    /* Forgets the key and all that was seen; what waits or contradicts stays until it is sent or seen. */
    async leave() {
        clearTimeout(this.#timer);
        sessionStorage.removeItem(KEY);
        this.#connect(null);
        this.setup = this.#listed = null;
        const over = this.scans.filter((scan) => !this.#needed(scan));
        this.scans = this.scans.filter((scan) => this.#needed(scan));
        await this.store.drop(over);
        await this.store.forgetList();
        await this.store.forgetSettings();
        this.#changed();
    }

    #needed({ waiting, conflict, seen }) {
        return waiting || (conflict && !seen);
    }

    /* ---- The server ---- */

    #reached(yes) {
        this.reachable = yes;
        this.#changed();
    }

    #again(soon = false) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.sync(), !this.reachable ? RETRY_MS : soon ? LAG_MS : LIST_MS);
    }

    /* Sends what waits and learns what is new; repeated automatically, now and then. */
    sync() {
        let soon = false;
        this.#syncing ??= this.#meet().then((more) => { soon = more; }).finally(() => {
            this.#syncing = null;
            this.#again(soon);
        });
        return this.#syncing;
    }

    /* Whether there is more soon: what was sent will be in the list, and what was scanned meanwhile waits. */
    async #meet() {
        if (!this.key || !this.setup || this.keyRefused) {
            return false;
        }
        try {
            const sent = await this.#send();
            await this.#learn();
            this.#reached(true);
            return sent || this.waiting.length > 0;
        } catch (problem) {
            if (!(problem instanceof Problem)) {
                throw problem;
            }
            this.keyRefused = refusesKey(problem);
            this.eventGone = problem.code === 'no_such_event';
            this.#reached(this.keyRefused || this.eventGone);
            return false;
        }
    }

    /* Keys, and the tickets that must not be taken for good ones. */
    async #learn() {
        const { client, store } = this;
        const of = this.#of;
        this.#keys = (await client.get('/v1/tickets/key')).keys;
        this.#skew = client.clock.now() - Date.now();
        const at = this.now();
        const since = this.listedAt === null ? undefined : new Date(this.listedAt - OVERLAP_MS).toISOString();
        if (of) {
            await store.learn(of, await client.all('/v1/check-ins', { query: { event: of, since, limit: PAGE } }));
        } else {
            await this.#askAnything();
        }
        this.#listed = { of, at };
        await Promise.all([store.set('keys', this.#keys), store.set('skew', this.#skew), store.set('listed', this.#listed)]);
        await this.#explain();
    }

    /* There is no list of all events, but the key is judged first. */
    async #askAnything() {
        try {
            await this.client.get('/v1/check-ins', { query: { event: '-' } });
        } catch (problem) {
            if (problem.code !== 'no_such_event') {
                throw problem;
            }
        }
    }

    /* ---- A scan ---- */

    /* A code or a signed form, as it was read or typed. Gives the scan once it is kept; null while another one is judged. */
    async scan(typed) {
        const text = typed.replace(/\s+/g, '');
        if (!text || this.busy) {
            return null;
        }
        this.busy = true;
        this.#changed();
        try {
            const scan = {
                at: this.now(), text, code: codeOf(text), event: this.setup.event?.id ?? null, gate: this.setup.gate,
                nonce: newNonce(), waiting: false, tried: false, undone: false, conflict: null, seen: false, place: {},
            };
            const own = this.waiting.find(({ code, undone }) => code === scan.code && !undone);
            await this.#judge(scan, own);
            await this.#keep(scan, { waiting: scan.result === 'unchecked' });
            return scan;
        } finally {
            this.busy = false;
            this.#changed();
        }
    }

    async #judge(scan, own) {
        if (!own && this.key && this.reachable && await this.#ask(scan)) {
            return;
        }
        const form = readForm(scan.text);
        const [genuine, entry] = await Promise.all([form ? isGenuine(form, this.#keys) : false, this.store.entry(this.#of, scan.code)]);
        const verdict = judgeAlone({ form: scan.text.startsWith('HF1.') ? form ?? {} : null, genuine, event: scan.event, entry, own });
        Object.assign(scan, verdict, { place: genuine ? placeOfForm(form) : {} });
    }

    #body({ text, code, event, gate, nonce }) {
        return { code: text ?? code, event: event ?? undefined, gate: gate || undefined, nonce };
    }

    #post(body) {
        return this.client.post('/v1/check-ins', body, { signal: AbortSignal.timeout(SCAN_MS) });
    }

    /* Whether the server has judged it. */
    async #ask(scan) {
        try {
            const { at, gate, ...place } = await this.#post(this.#body(scan));
            Object.assign(scan, { result: 'in', why: null, code: place.code, at: Date.parse(at), place });
            await this.#remember(scan, 'in', at, gate);
            return true;
        } catch (problem) {
            if (notReached(problem)) {
                scan.tried = true; /* it may have arrived all the same: the nonce shows it */
                this.#reached(false);
                this.#again();
                return false;
            }
            this.keyRefused = refusesKey(problem);
            if (!isFinal(problem)) {
                throw problem;
            }
            const why = VERDICTS.includes(problem.code) ? problem.code : 'no_such_ticket';
            const at = problem.body.at ? Date.parse(problem.body.at) : undefined;
            Object.assign(scan, { result: 'refused', why, since: at, by: problem.body.gate });
            if (why === 'already_checked_in') {
                await this.#remember(scan, 'in', problem.body.at, problem.body.gate);
            }
            return true;
        }
    }

    /* What the next list will say: the network may be gone by then, and for a gate for any event there is none. `guess`: the
     * server has not said who is in. */
    async #remember({ code, event }, result, at, gate, guess = false) {
        const of = event ?? '';
        const known = await this.store.entry(of, code);
        if (guess && known?.result === 'in') {
            return;
        }
        await this.store.learn(of, [{ code, reissue: known?.reissue ?? 0, result, at, gate, guess }]);
    }

    /* Keeps a scan, with what changes of it. Nothing of it is shown before it is on disk; one change at a time. */
    #keep(scan, changes = {}) {
        this.#kept = this.#kept.catch(() => {}).then(() => this.#write(scan, changes));
        return this.#kept;
    }

    async #write(scan, changes) {
        const next = { ...scan, ...changes };
        if (!next.waiting) {
            delete next.text; /* only its code is needed from now on */
        }
        await this.store.keep(next);
        const isNew = scan.id === undefined;
        const over = isNew ? this.scans.slice(0, 1 - LOG_MAX).filter((one) => !this.#needed(one)) : [];
        await this.store.drop(over);
        if (isNew) {
            this.scans = [...this.scans.filter((one) => !over.includes(one)), scan];
        }
        Object.assign(scan, next, { text: next.text });
        this.#changed();
    }

    /* ---- What waits ---- */

    /* Whether there was anything. */
    async #send() {
        let any = false;
        for (const scan of this.waiting) { /* the first that fails ends it: the order stays */
            await this.#keep(scan, { tried: true });
            if (scan.waiting) { /* not undone in the meantime */
                await this.#keep(scan, { ...await this.#deliver(scan), waiting: false });
                any = true;
            }
        }
        return any;
    }

    /* What becomes of a scan by what the server says. */
    async #deliver(scan) {
        try {
            if (scan.undone) {
                await this.#post({ ...this.#body(scan), undo: true });
                return {};
            }
            const { result } = await this.#post({ ...this.#body(scan), scanned_at: new Date(scan.at).toISOString() });
            await this.#remember(scan, 'in', new Date(scan.at).toISOString(), scan.gate, result !== 'ok');
            return result === 'ok' ? { result: 'in' } : { conflict: result };
        } catch (problem) {
            if (!isFinal(problem)) {
                throw notReached(problem) ? Problem.offline(problem) : problem;
            }
            return { conflict: scan.undone ? null : problem.code };
        }
    }

    /* Who came in instead, if the list says so. */
    async #explain() {
        for (const scan of this.conflicts.filter(({ conflict, since }) => conflict === 'duplicate' && !since)) {
            const entry = await this.store.entry(scan.event ?? '', scan.code);
            const guess = entry?.guess ?? Date.parse(entry?.at) === scan.at; /* older pages have not noted it */
            if (entry?.result === 'in' && !guess) {
                await this.#keep(scan, { since: Date.parse(entry.at), by: entry.gate });
            }
        }
    }

    /* Somebody has seen to a contradiction. */
    async settle(scan) {
        await this.#keep(scan, { seen: true });
    }

    /* ---- Undo ---- */

    /* Throws what the server refuses. What waits is not sent at all, unless it may have arrived. */
    async undo(scan) {
        await this.#syncing?.catch(() => {});
        if (scan.waiting) {
            await this.#keep(scan, { undone: true, waiting: scan.tried });
            return;
        }
        const { at } = await this.#post({ ...this.#body(scan), undo: true });
        await this.#remember(scan, 'out', at ?? new Date(this.now()).toISOString(), null);
        await this.#keep(scan, { undone: true });
    }
}
