/* SPDX-License-Identifier: Apache-2.0 */
/* door.js — the page of a gate: choose the event, then scan or type; it works on while the network is away.
 *
 * What it shows of a scan is in lib/door_views.js, what it does with one in lib/door.js.
 */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { Holdfast } from '../client/client.js';
import { Camera, cameraAllowed, loadReader } from '../lib/camera.js';
import { chime, wakeSound } from '../lib/chime.js';
import { Door } from '../lib/door.js';
import { DoorStore, isStorageRefused } from '../lib/door_store.js';
import { conflictList, resultPanel, scanLog, setupForm, stateNotes, statusLine } from '../lib/door_views.js';
import { loadEd25519 } from '../lib/ed25519.js';
import { sayOffline, show } from '../lib/shell.js';
import { loading, note } from '../lib/states.js';
import { t } from '../lib/texts.js';

const WORKER = '/door_worker.js';
const page = {
    door: null, events: null, of: null, setting: true, /* the form, or the gate */
    loaded: false, opening: false, problem: null, last: null, message: null, sound: true, camera: 'off', kept: false,
};
const visitor = new Holdfast({ guest: false, attempts: 1 }); /* for what is public: it needs no key, and no good one */
const camera = new Camera(scan, () => { page.camera = 'off'; draw(); });

/* ---- Doing ---- */

async function scan(text) {
    page.message = null;
    try {
        const done = await page.door.scan(text);
        if (done) {
            page.last = done;
            if (page.sound) {
                chime(done.result);
            }
        }
    } catch (problem) {
        page.last = null; /* what is on the screen must not be taken for this one */
        if (page.door.keyRefused) {
            await change();
        } else {
            page.message = note('bad', t('door_failed'), t('door_failed_why'));
            reportError(problem);
        }
    }
    draw();
}

async function submitCode(event) {
    event.preventDefault();
    const field = event.target.elements.code;
    const text = field.value;
    field.value = '';
    field.focus();
    await scan(text);
}

async function undo(one) {
    page.message = null;
    try {
        await page.door.undo(one);
    } catch (problem) {
        if (problem.status === undefined && problem.name !== 'TimeoutError') {
            throw problem;
        }
        page.message = note('bad', t('door_undo_failed'), problem.status > 0 ? problem.message : t('door_undo_offline'));
    }
    draw();
}

async function open(event) {
    event.preventDefault();
    wakeSound();
    const { key, of, gate } = Object.fromEntries(new FormData(event.target));
    page.opening = true;
    page.problem = null;
    draw();
    try {
        const chosen = page.events.find(({ id }) => id === of) ?? null;
        const pools = chosen ? await visitor.pools(of) : [];
        await page.door.open({
            key: key.trim(), gate: gate.trim(),
            event: chosen && { id: chosen.id, name: chosen.name, starts_at: chosen.starts_at, cancelled_at: chosen.cancelled_at,
                pools: Object.fromEntries(pools.map(({ id, name }) => [id, name])) },
        });
        page.setting = false;
        page.last = null;
        navigator.storage?.persist?.(); /* what waits to be sent is not the browser's to clear */
        page.door.sync();
    } catch (problem) {
        page.problem = problem;
    }
    page.opening = false;
    draw();
    document.querySelector(page.setting ? '[name=key]' : '[name=code]').focus();
}

function choose(of) {
    page.of = of;
    draw();
}

/* Back to the form: another event, gate or key. */
async function change() {
    camera.stop();
    Object.assign(page, { setting: true, of: null, camera: 'off', problem: null });
    draw();
    await start();
    document.querySelector('[name=of], [name=code]')?.focus();
}

async function leave() {
    await page.door.leave();
    await change();
}

async function toggleCamera() {
    wakeSound();
    if (page.camera === 'on' || page.camera === 'starting') {
        camera.stop();
        page.camera = 'off';
        draw();
        return;
    }
    page.camera = 'starting';
    draw();
    try {
        await camera.start(document.querySelector('video'));
        if (page.camera !== 'starting') { /* stopped in the meantime */
            camera.stop();
            return;
        }
        page.camera = 'on';
    } catch (error) {
        camera.stop();
        page.camera = error.name === 'NotAllowedError' ? 'refused' : 'missing';
    }
    draw();
}

/* ---- Showing ---- */

const soundButton = () => html`<button class="button" type="button" @click=${() => { page.sound = !page.sound; draw(); }}>
    ${page.sound ? t('door_sound_on') : t('door_sound_off')}</button>`;

function cameraPart() {
    if (!cameraAllowed()) {
        return html`${note('', t('door_camera_insecure'), t('door_camera_insecure_why'))}<div class="tools">${soundButton()}</div>`;
    }
    const on = page.camera === 'on' || page.camera === 'starting';
    return html`<div class="camera" ?hidden=${!on}><video playsinline muted aria-label=${t('door_camera_view')}></video></div>
        ${page.camera === 'refused' ? note('warn', t('door_camera_refused'), t('door_camera_refused_why')) : nothing}
        ${page.camera === 'missing' ? note('warn', t('door_camera_missing'), t('door_camera_missing_why')) : nothing}
        <div class="tools"><button class="button" type="button" data-camera=${page.camera} @click=${toggleCamera}>
            ${on ? t('door_camera_stop') : t('door_camera_start')}</button>${soundButton()}</div>`;
}

const typing = () => html`<form class="typing" @submit=${submitCode}>
    <label class="field"><span>${t('door_code')}</span>
        <input name="code" maxlength="512" autocomplete="off" autocapitalize="characters" spellcheck="false" enterkeyhint="go"></label>
    <button class="button primary" type="submit">${t('door_check')}</button></form>`;

function gate() {
    const { door } = page;
    return html`<div class="head"><div><p class="eyebrow">${t('door_title')}${door.setup.gate ? ` · ${door.setup.gate}` : ''}</p>
            <h1>${door.setup.event?.name ?? t('door_any')}</h1></div>
            <button class="button" type="button" @click=${change}>${t('door_change')}</button></div>
        ${statusLine(door, page.kept)}
        ${stateNotes(door, change)}
        <div aria-live="polite">${page.message ?? nothing}</div>
        ${conflictList(door)}
        <div class="gate"><div class="main">${resultPanel(door, page.last, undo)}</div>
            <div class="side">${cameraPart()}${typing()}</div>
            ${scanLog(door, undo)}</div>`;
}

function view() {
    if (!page.setting) {
        return gate();
    }
    return html`${conflictList(page.door)}${page.events ? setupForm(page, { open, leave, choose }) : loading()}`;
}

function draw() {
    const root = document.querySelector('main > .content');
    if (root && page.loaded) {
        render(view(), root);
    }
}

/* ---- Starting ---- */

/* Two tabs would not know of each other's scans. Without HTTPS there is no way to find out. */
function alone() {
    return new Promise((resolve) => {
        if (!navigator.locks) {
            resolve(true);
            return;
        }
        navigator.locks.request('holdfast-door', { ifAvailable: true }, (lock) => {
            resolve(lock !== null);
            return lock && new Promise(() => {}); /* until the tab is closed */
        });
    });
}

/* Keeps this page over a reload without a network. */
async function keepPage() {
    if (!navigator.serviceWorker) {
        return;
    }
    const policy = globalThis.trustedTypes?.createPolicy('holdfast-door', { createScriptURL: () => WORKER });
    try {
        await navigator.serviceWorker.register(policy?.createScriptURL('') ?? WORKER, { scope: '/door' });
    } catch {
        return; /* forbidden by the browser, as in some private windows: nothing promises that the page is kept */
    }
    await navigator.serviceWorker.ready;
    page.kept = true;
    draw();
}

async function load() {
    page.loaded = false; /* what failed to load stays on the screen */
    if (!page.door) {
        if (!await alone()) {
            return note('warn', t('door_elsewhere'), t('door_elsewhere_why'),
                html`<button class="button" type="button" @click=${() => location.reload()}>${t('try_again')}</button>`);
        }
        try {
            page.door = await new Door(await DoorStore.open()).load();
        } catch (problem) {
            if (!isStorageRefused(problem)) {
                throw problem;
            }
            console.warn(problem); /* the browser's own words help when looking into it */
            return html`<h1>${t('door_title')}</h1>${note('bad', t('door_storage'), t('door_storage_why'),
                html`<button class="button" type="button" @click=${() => location.reload()}>${t('try_again')}</button>`)}`;
        }
        page.door.addEventListener('change', draw);
        page.setting = !page.door.setup || (!page.door.key && navigator.onLine);
    }
    if (page.setting) {
        await loadEvents();
    }
    if (!page.setting) {
        page.door.sync();
    }
    page.loaded = true;
    return view();
}

/* Without an answer it goes on as it was, if it ever was. */
async function loadEvents() {
    try {
        page.events = await visitor.all('/v1/events');
    } catch (problem) {
        if (problem.status !== 0 || !page.door.setup) {
            throw problem;
        }
        page.setting = false;
    }
}

const start = () => show(load);

sayOffline('door_offline');
addEventListener('pointerdown', wakeSound);
addEventListener('keydown', wakeSound);
await start();
await Promise.allSettled([loadEd25519(), cameraAllowed() ? loadReader() : null]);
await keepPage();
