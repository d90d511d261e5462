/* SPDX-License-Identifier: Apache-2.0 */
/* order.js — the page of an order, opened by its manage link: /o/{reservation}#t={manage token}, or by its owner's browser.
 *
 * The token stays in the fragment, which browsers send nowhere: it goes to the API alone, as Authorization.
 */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { dateTime, price } from '../lib/format.js';
import { giveBack, heldIn } from '../lib/focus.js';
import { goingBack, history, withoutRepeats } from '../lib/history.js';
import { calendarFile } from '../lib/ics.js';
import { aboutItems, cancelUntil, moveUntil, zoneOf } from '../lib/order.js';
import { PageClient } from '../lib/page_client.js';
import { server } from '../lib/server.js';
import { show, subject } from '../lib/shell.js';
import { cancelled, note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import '../components/ticket.js';

const id = subject();
const { client: visitor, basket } = server();
const tokenOfAddress = () => new URLSearchParams(location.hash.slice(1)).get('t');
const path = `/v1/reservations/${encodeURIComponent(id)}`;
const SHOWN = 100; /* entries of the history, more when they are asked for */
const page = { token: null, client: null, reservation: null, about: null, changes: [], shown: SHOWN, asking: null, busy: false, message: nothing, gone: null, copied: false };

/* ---- Loading ---- */

async function load() {
    page.token = tokenOfAddress();
    page.client = page.token ? new PageClient({ token: page.token, guest: false }) : visitor;
    try {
        page.reservation = await page.client.call('GET', path, { auth: true });
    } catch (problem) {
        if (![401, 403, 404].includes(problem.status)) {
            throw problem;
        }
        page.reservation = null;
        return;
    }
    const { reservation } = page;
    if (!page.token && reservation.status === 'confirmed') { /* the owner's own browser */
        page.token = (await visitor.reservation(id, { manage_token: 1 })).manage_token;
    }
    page.changes = withoutRepeats(await page.client.all(`${path}/history`, { auth: true, query: { limit: 1000 }, headers: { 'Holdfast-Min-Seq': page.client.seq } }));
    await learn();
    if (reservation.status === 'confirmed') {
        basket.forget(id);
    }
}

const shown = () => page.changes.slice(-page.shown);

/* What the order and the part of its history that is shown are about. */
async function learn() {
    const once = shown().flatMap(({ what }) => (what?.items ?? []).flatMap(({ before, after }) => [before, after])).filter(Boolean);
    page.about = await aboutItems(visitor, [...page.reservation.items, ...once]);
}

async function act(call) {
    page.busy = true;
    page.message = nothing;
    draw();
    try {
        await call();
    } catch (problem) {
        if (!problem.code) {
            throw problem;
        }
        page.message = note('bad', t('refused'), problem.message);
    }
    page.busy = false;
    page.asking = null;
    draw();
}

const transfer = (user) => act(async () => {
    await page.client.post(`${path}/transfer`, { to_user_id: user });
    page.gone = user;
});

/* Whoever has the link may have the order: into this browser, without knowing any id. */
const take = () => act(async () => {
    await visitor.session.token();
    await page.client.post(`${path}/transfer`, { to_user_id: visitor.session.userId });
    window.history.replaceState(null, '', location.pathname); /* the link's token is void */
    await load();
    page.message = note('good', t('order_taken'), t('order_taken_why'));
});

const earlier = () => act(async () => {
    page.shown += SHOWN;
    await learn();
});

const cancel = () => act(async () => {
    await page.client.post(`${path}/cancel`);
    await load();
});

/* ---- Templates ---- */

const link = () => `${location.origin}/o/${encodeURIComponent(id)}#t=${page.token}`;

async function copy() {
    const input = document.getElementById('link');
    input.select();
    try {
        await navigator.clipboard.writeText(input.value);
        page.copied = true;
        draw();
    } catch { /* not over plain http: it is selected */ }
}

/* For the visitor's calendar program: each event once, and each booking. */
function entries({ items, reservation_id: own, pnr }) {
    const list = items.filter((item) => page.about(item).start(item)).map((item) => {
        const { name, venue, zone = 'UTC', start } = page.about(item);
        return { uid: `${own}-${item.event ?? item.item_id}@${location.host}`, name, place: venue, note: `${t('ticket_reference')}: ${pnr}`, start: start(item), end: item.end, zone };
    });
    return [...new Map(list.map((entry) => [entry.uid, entry])).values()];
}

function download(reservation) {
    const url = URL.createObjectURL(new Blob([calendarFile(entries(reservation), page.changes.at(-1)?.at ?? reservation.confirmed_at)], { type: 'text/calendar' }));
    Object.assign(document.createElement('a'), { href: url, download: `${reservation.pnr}.ics` }).click();
    setTimeout(() => URL.revokeObjectURL(url));
}

/* What cannot be taken back is asked twice. */
const sure = (question, yes, go) => html`<div class="sure" role="group" tabindex="-1" aria-label=${question}><strong>${question}</strong><div class="actions">
    <button class="button primary" type="button" aria-disabled=${page.busy} @click=${() => page.busy || go()}>${yes}</button>
    <button class="button" type="button" aria-disabled=${page.busy} @click=${() => { page.asking = page.busy ? page.asking : null; draw(); }}>${t('order_keep')}</button></div></div>`;

const mine = () => page.reservation.user_id === visitor.session?.userId;

function transferPart(reservation) {
    if (reservation.items.some((item) => page.about(item).record?.transfer === 'off')) {
        return html`<p class="eyebrow">${t('order_transfer_not')}</p>`;
    }
    if (page.asking?.take) {
        return sure(t('order_take_sure'), t('order_take_yes'), take);
    }
    if (page.asking?.to) {
        return sure(t('order_transfer_sure', { user: page.asking.to }), t('order_transfer_yes'), () => transfer(page.asking.to));
    }
    return html`${mine() ? html`<p class="eyebrow">${t('order_transfer_why')}</p>` : html`<p class="eyebrow">${t('order_take_why')}</p>
            <button class="button" type="button" @click=${() => { page.asking = { take: true }; draw(); }}>${t('order_take')}</button>`}
        <details><summary>${t('order_transfer_account')}</summary>
            <form class="stack" @submit=${(e) => { e.preventDefault(); page.asking = { to: new FormData(e.target).get('to').trim() }; draw(); }}>
            <p class="eyebrow">${t('order_transfer_account_why')}</p>
            <label class="field"><span>${t('order_transfer_to')}</span><input name="to" maxlength="128" required autocomplete="off" spellcheck="false"></label>
            <button class="button" type="submit">${t('order_transfer')}</button></form></details>`;
}

function cancelPart(reservation) {
    const until = cancelUntil(reservation.items, page.about);
    if (!until || Date.parse(until) <= page.client.clock.now()) {
        return html`<p class="eyebrow">${until ? t('order_cancel_late', { when: dateTime(until, zoneOf(reservation.items, page.about)) }) : t('order_cancel_not')}</p>`;
    }
    if (page.asking?.cancel) {
        return sure(t('order_cancel_sure'), t('order_cancel_yes'), cancel);
    }
    return html`<p class="eyebrow">${t('order_cancel_why', { when: dateTime(until, zoneOf(reservation.items, page.about)) })}</p>
        <button class="button" type="button" @click=${() => { page.asking = { cancel: true }; draw(); }}>${t('order_cancel')}</button>`;
}

/* A booking on a calendar is moved on its page, by its owner: the link of an order does not open that. */
function movePart(reservation) {
    const item = reservation.items.find((one) => moveUntil(one, page.about) && Date.parse(moveUntil(one, page.about)) > page.client.clock.now());
    if (!item) {
        return nothing;
    }
    const when = dateTime(moveUntil(item, page.about), page.about(item).zone);
    const where = item.group ? `/c/group/${encodeURIComponent(item.group)}` : `/c/${encodeURIComponent(item.calendar)}`;
    return html`<section class="card part no-print"><h2>${t('order_move')}</h2>${reservation.user_id === visitor.session?.userId
        ? html`<p class="eyebrow">${t('order_move_why', { when })}</p><a class="button" href=${`${where}#move=${encodeURIComponent(id)}`}>${t('order_move_choose')}</a>`
        : html`<p class="eyebrow">${t('order_move_elsewhere', { when })}</p>`}</section>`;
}

function facts(reservation) {
    const { amount, currency } = reservation.total;
    return html`<dl class="facts card">
        <div><dt>${t('ticket_reference')}</dt><dd class="pnr" data-pnr=${reservation.pnr}>${reservation.pnr}</dd></div>
        <div><dt>${t('order_total')}</dt><dd class="number">${price(amount, currency)}${amount && reservation.paid?.amount === amount ? html` <span class="tag good">${t('order_paid')}</span>` : nothing}</dd></div>
        ${reservation.attributes?.name ? html`<div><dt>${t('order_buyer')}</dt><dd>${reservation.attributes.name}</dd></div>` : nothing}
        ${reservation.confirmed_at ? html`<div><dt>${t('order_bought')}</dt><dd>${dateTime(reservation.confirmed_at)}</dd></div>` : nothing}</dl>`;
}

const manage = (reservation) => html`<section class="card part no-print"><h2 id="link-title">${t('order_link')}</h2>
        <p class="eyebrow">${t('order_link_why')}</p>
        <input id="link" readonly aria-labelledby="link-title" .value=${link()} @focus=${(e) => e.target.select()}>
        <button class="button" type="button" @click=${copy}>${t('order_copy')}</button>
        <p class="copied eyebrow" role="status">${page.copied ? t('order_copied') : nothing}</p></section>
    ${movePart(reservation)}
    <section class="card part no-print"><h2>${t('order_transfer')}</h2>${transferPart(reservation)}</section>
    <section class="card part no-print"><h2>${t('order_cancel')}</h2>${cancelPart(reservation)}</section>`;

/* A hold that came to nothing: what becomes of a payment. */
function over(reservation) {
    const due = goingBack(page.changes);
    if (due) {
        return t('order_over_refund', { amount: price(due.amount, due.currency) });
    }
    return t(reservation.status === 'expired' && reservation.payment_started_at ? 'order_over_paying' : 'order_over_why');
}

function state(reservation) {
    const back = reservation.items.find((item) => item.event);
    const due = goingBack(page.changes);
    const returned = due ? t('order_back_paid', { amount: price(due.amount, due.currency) }) : t('order_back');
    switch (reservation.status) {
    case 'confirmed': return note('good', t('order_thanks'), t('order_thanks_why'));
    case 'cancelled': return note('warn', t('order_cancelled'), returned);
    case 'refunded': return note('warn', t('order_refunded'), returned);
    case 'held': return note('', t('order_held'), t('order_held_why'),
        back ? html`<a class="button primary" href=${`/e/${encodeURIComponent(back.event)}`}>${t('order_finish')}</a>` : nothing);
    default: return note('warn', t('order_over'), over(reservation), html`<a class="button" href="/">${t('order_home')}</a>`);
    }
}

/* Whatever became of the order: what does not take place. */
function cancelledEvents(reservation) {
    const gone = new Map(reservation.items.map((item) => page.about(item)).filter(({ record }) => record?.cancelled_at).map((about) => [about.name, about]));
    return [...gone].map(([event, { record }]) => cancelled(record, t('order_event_cancelled', { event }), t('order_event_cancelled_why')));
}

const past = () => html`<section class="card part past no-print" aria-labelledby="past"><h2 id="past">${t('order_history')}</h2>
    ${page.shown < page.changes.length ? html`<button class="button" type="button" aria-disabled=${page.busy} @click=${() => page.busy || earlier()}>${t('order_earlier')}</button>` : nothing}
    <ol>${history(shown(), page.about, page.reservation.total.currency).map(({ at, what, by }) => html`<li>
        <time datetime=${at}>${dateTime(at)}</time><span><strong>${what}</strong> ${by}</span></li>`)}</ol></section>`;

function order() {
    const { reservation } = page;
    if (page.gone) {
        return html`<h1 tabindex="-1">${t('order_title')}</h1>${note('good', t('order_transferred', { user: page.gone }), t('order_transferred_why'),
            html`<a class="button" href="/">${t('order_home')}</a>`)}`;
    }
    if (!reservation) {
        return html`<h1 tabindex="-1">${t('order_title')}</h1>${note('warn', t('order_unknown'), t('order_unknown_why'), html`<a class="button" href="/">${t('order_home')}</a>`)}`;
    }
    const open = reservation.status === 'confirmed';
    return html`<div class="top"><h1 tabindex="-1">${t('order_title')}</h1>
            ${open ? html`<div class="actions no-print">${entries(reservation).length ? html`<button class="button" type="button" @click=${() => download(reservation)}>${t('order_calendar')}</button>` : nothing}
                <button class="button primary" type="button" @click=${() => print()}>${t('order_print')}</button></div>` : nothing}</div>
        <div class="no-print stack" role="none">${cancelledEvents(reservation)}${state(reservation)}</div>
        <div aria-live="polite" class="no-print">${page.message}</div>
        <div class="order"><div class="main"><holdfast-ticket .order=${{ reservation, about: page.about }}></holdfast-ticket>${past()}</div>
            <aside class="side">${facts(reservation)}${open ? manage(reservation) : nothing}</aside></div>`;
}

function draw() {
    const root = document.querySelector('main > .content');
    const held = heldIn(root);
    render(order(), root);
    giveBack(held);
}

const start = () => show(async () => {
    await load();
    return order();
});

document.querySelector('.skip').addEventListener('click', (e) => { /* without a fragment: that has the token */
    e.preventDefault();
    const main = document.querySelector('main');
    main.tabIndex = -1;
    main.focus();
});
addEventListener('hashchange', start);
await start();
