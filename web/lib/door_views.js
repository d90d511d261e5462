/* SPDX-License-Identifier: Apache-2.0 */
/* door_views.js — what the page of a gate shows: the form, the result, the log, the contradictions. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { isStorageRefused } from './door_store.js';
import { clock, dateTime, locale, timeOfDay } from './format.js';
import { note } from './states.js';
import { isolated, t } from './texts.js';

const RESULTS = { /* word, symbol */
    in: ['door_in', '✓'],
    refused: ['door_refused', '✕'],
    unchecked: ['door_unchecked', '?'],
};
const WHY = {
    already_checked_in: 'door_why_already', void: 'door_why_void', wrong_event: 'door_why_event', no_such_ticket: 'door_why_unknown',
    needs_signature: 'door_why_signature', undone: 'door_why_undone',
};
const CONFLICTS = { duplicate: 'door_conflict_duplicate', void: 'door_conflict_void' };
const LOG_SHOWN = 20;
const GATE_BYTES_MAX = 64;
const OLD_MS = 24 * 3600_000;

/* "Seat A12", "Standing room", "Booking at dr-rivera" */
function placeName({ seat, pool, calendar }, door) {
    if (seat) {
        return t('seat', { seat });
    }
    if (pool) {
        return door.setup?.event?.pools[pool] ?? pool;
    }
    return calendar ? t('door_booking', { calendar }) : '';
}

/* When and where a ticket was checked in. */
function whenWhere(since, by) {
    return [since && t('door_since', { time: timeOfDay(since) }), by && t('door_gate_named', { gate: by })].filter(Boolean).join(', ');
}

function reason({ result, why, since, by }) {
    if (result === 'unchecked') {
        return t('door_unchecked_why');
    }
    const detail = why === 'already_checked_in' ? whenWhere(since, by) : '';
    return why ? `${t(WHY[why])}${detail ? ` ${detail}.` : ''}` : '';
}

const short = (code) => (code.length > 8 ? `…${code.slice(-6)}` : code);
const canUndo = ({ result, undone, conflict }) => result !== 'refused' && !undone && !conflict;

/* ---- The result ---- */

/* Word, symbol and colour; the sound is the page's. Spoken at once. */
export function resultPanel(door, last, undo) {
    const state = door.busy ? 'busy' : last ? last.result : 'ready';
    const [word, symbol] = RESULTS[state] ?? [state === 'busy' ? 'door_busy' : 'door_ready', state === 'busy' ? '…' : '▢'];
    const scan = state === last?.result ? last : null;
    const undone = scan?.undone;
    return html`<section class=${`result ${undone ? 'undone' : state}`} data-result=${state} aria-label=${t('door_result')}>
        <div class="words" role="status" aria-live="assertive">
            <span class="symbol" aria-hidden="true">${symbol}</span>
            <p class="word">${undone ? t('door_undone') : t(word)}</p>
            ${scan ? html`<p class="place">${placeName(scan.place, door)}</p><p class="why">${reason(scan)}</p>` : nothing}
            ${state === 'ready' ? html`<p class="why">${t('door_ready_why')}</p>` : nothing}</div>
        ${scan && canUndo(scan) ? html`<button class="button" type="button" @click=${() => undo(scan)}>${t('door_undo')}</button>` : nothing}
    </section>`;
}

/* ---- How things stand ---- */

export function statusLine(door, kept) {
    const n = door.waiting.length;
    return html`<p class="status" data-reachable=${door.reachable && Boolean(door.key)} data-kept=${kept} data-waiting=${n}>
        <span class=${`tag ${door.reachable && door.key ? 'good' : 'warn'}`}>${door.reachable && door.key ? t('door_online') : t('door_alone')}</span>
        ${n ? html`<span class="tag warn">${t('door_waiting', { n })}</span>` : nothing}
        ${door.listedAt ? html`<span>${t('door_listed', { time: timeOfDay(door.listedAt) })}</span>` : nothing}
        ${kept ? html`<span>${t('door_kept')}</span>` : nothing}</p>`;
}

export function stateNotes(door, change) {
    const { event } = door.setup;
    const enter = html`<button class="button" type="button" @click=${change}>${t('door_enter_key')}</button>`;
    const notes = [];
    if (door.keyRefused) {
        notes.push(note('bad', t('door_key_refused'), t('door_key_refused_why'), enter));
    } else if (!door.key) {
        notes.push(note('warn', t('door_no_key'), t('door_no_key_why'), enter));
    }
    if (door.eventGone) {
        notes.push(note('bad', t('door_gone'), t('door_gone_why')));
    }
    if (event?.cancelled_at) {
        notes.push(note('bad', t('event_cancelled'), t('door_cancelled_why')));
    } else if (event?.starts_at && door.now() - Date.parse(event.starts_at) > OLD_MS) {
        notes.push(note('warn', t('door_old'), t('door_old_why', { when: dateTime(event.starts_at, event.timezone) })));
    }
    return notes;
}

/* ---- What was scanned ---- */

function row(scan, door, undo) {
    const [word, symbol] = RESULTS[scan.result];
    const place = placeName(scan.place, door);
    return html`<li class=${scan.undone ? 'undone' : scan.result} data-scan=${scan.result}>
        <time datetime=${new Date(scan.at).toISOString()}>${clock(scan.at)}</time>
        <span class="mark" aria-hidden="true">${scan.undone ? '↶' : symbol}</span>
        <span class="what"><strong>${scan.undone ? t('door_undone') : t(word)}</strong> <bdi>${place}</bdi>
            <span class="eyebrow">${scan.waiting ? t('door_to_send') : scan.result === 'refused' ? reason(scan) : ''}</span></span>
        <code>${short(scan.code)}</code>
        ${canUndo(scan) ? html`<button class="button quiet" type="button" aria-label=${t('door_undo_of', { place: place || short(scan.code) })}
            @click=${() => undo(scan)}>${t('door_undo')}</button>` : nothing}</li>`;
}

export function scanLog(door, undo) {
    const shown = door.scans.slice(-LOG_SHOWN).reverse();
    return html`<section class="card log" aria-labelledby="log"><h2 id="log">${t('door_log')}</h2>
        ${shown.length ? html`<ol>${shown.map((scan) => row(scan, door, undo))}</ol>` : html`<p class="eyebrow">${t('door_log_empty')}</p>`}</section>`;
}

/* Scans that the server judged differently, until each is marked as resolved. */
export function conflictList(door) {
    const { conflicts } = door;
    return conflicts.length === 0 ? nothing : html`<section class="conflicts" role="alert" aria-labelledby="conflicts">
        <h2 id="conflicts">${t('door_conflicts', { n: conflicts.length })}</h2><p>${t('door_conflicts_why')}</p>
        <ul>${conflicts.map((scan) => html`<li data-conflict=${scan.conflict}>
            <span><strong><bdi>${placeName(scan.place, door)}</bdi></strong> <code>${short(scan.code)}</code>, ${t('door_let_in', { time: timeOfDay(scan.at) })}<br>
                ${t(CONFLICTS[scan.conflict] ?? 'door_conflict_other')}
                ${scan.since ? `${whenWhere(scan.since, scan.by)}.` : ''}</span>
            <button class="button" type="button" @click=${() => door.settle(scan)}>${t('door_seen')}</button></li>`)}</ul></section>`;
}

/* ---- The form ---- */

/* What is nearest in time comes first. */
function byNearness(door) {
    const distance = ({ starts_at }) => (starts_at ? Math.abs(Date.parse(starts_at) - door.now()) : Infinity);
    return (a, b) => distance(a) - distance(b) || a.name.localeCompare(b.name, locale);
}

/* The server counts bytes. */
const checkGate = ({ target }) => target.setCustomValidity(
    new TextEncoder().encode(target.value.trim()).length > GATE_BYTES_MAX ? t('door_gate_long') : '');

const option = (event, chosen) => html`<option value=${event.id} ?selected=${event.id === chosen}>
    ${isolated(event.name)}${event.starts_at ? `, ${dateTime(event.starts_at, event.timezone)}` : ''}${event.cancelled_at ? ` (${t('cancelled')})` : ''}</option>`;

/* What the list has no room for. */
const aboutEvent = (event) => [event?.starts_at && dateTime(event.starts_at, event.timezone), event?.venue, event?.cancelled_at && t('cancelled')]
    .filter(Boolean).join(' · ');

function trouble(problem, refused) {
    if (refused) {
        return note('bad', t('door_key_refused'), t('door_key_refused_why'));
    }
    if (isStorageRefused(problem)) {
        return note('bad', t('door_storage'), t('door_storage_why'));
    }
    return note('bad', t('failed'), problem.status === 0 || problem.name === 'TimeoutError' ? t('failed_offline') : problem.message);
}

export function setupForm({ door, events, of, opening, problem }, { open, leave, choose }) {
    const sorted = [...events].sort(byNearness(door));
    const chosen = of ?? (door.setup ? door.setup.event?.id ?? '' : sorted[0]?.id);
    const about = aboutEvent(events.find(({ id }) => id === chosen));
    const refused = door.keyRefused || ['unauthenticated', 'forbidden'].includes(problem?.code);
    return html`<div class="setup"><div><h1>${t('door_title')}</h1><p class="lead">${t('door_lead')}</p></div>
        ${events.length === 0 ? note('', t('door_empty'), t('door_empty_why'), html`<a class="button" href="/admin#events/new">${t('ev_create')}</a>`) : nothing}
        ${door.waiting.length ? note('warn', t('door_waiting', { n: door.waiting.length }), t('door_waiting_why')) : nothing}
        ${problem || refused ? trouble(problem, refused) : nothing}
        <form class="card form" @submit=${open}>
            <label class="field"><span>${t('door_event')}</span><select name="of" @change=${(e) => choose(e.target.value)}>${sorted.map((event) => option(event, chosen))}
                <option value="" ?selected=${chosen === ''}>${t('door_any')}</option></select></label>
            ${about ? html`<p class="fine">${about}</p>` : nothing}
            <label class="field"><span>${t('door_gate')}</span>
                <input name="gate" autocomplete="off" .value=${door.setup?.gate ?? ''} @input=${checkGate}></label>
            <label class="field"><span>${t('door_key')}</span><input name="key" type="password" required autocomplete="off" spellcheck="false"
                aria-describedby="key-why" .value=${door.key ?? ''}></label>
            <p class="fine" id="key-why">${t('door_key_why')}</p>
            <button class="button primary wide" type="submit" ?disabled=${opening}>${opening ? t('loading') : t('door_open')}</button>
        </form>
        ${door.key || door.scans.length ? html`<div class="leave"><button class="button quiet" type="button" @click=${leave}>${t('door_leave')}</button>
            <p class="fine">${t('door_leave_why')}</p></div>` : nothing}</div>`;
}
