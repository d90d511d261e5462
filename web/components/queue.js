/* SPDX-License-Identifier: Apache-2.0 */
/* queue.js — <holdfast-queue event="arena">: the waiting room: joins it, shows the place in it, says when it is over.
 *
 * `data-status` is how things stand (joining, waiting, passed_over, admitted, finished, left, refused, failed, none),
 * `data-position` the place in line once it is known. `timezone` is the zone of the event, for the time at which it opens. On admission the pass is kept for this tab, where <holdfast-seats>
 * finds it, and 'admitted' is said with the entry; with null when the event has no waiting room any more.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import css from '../style/queue.css.js';
import { canCheck, drawHolds } from '../lib/draw.js';
import { HoldfastElement } from '../lib/element.js';
import { count, dateTime, span, timeOfDay } from '../lib/format.js';
import { Line } from '../lib/line.js';
import { failed, loading, note } from '../lib/states.js';
import { t } from '../lib/texts.js';

export class HoldfastQueue extends HoldfastElement {
    static styles = [css];

    leaving = false;
    checked = null; /* null, true, false: what came of checking the draw */
    spoken = '';
    #before = '';

    connected(signal) {
        this.line = new Line(this.shared.client, this.getAttribute('event'), signal);
        this.line.addEventListener('change', () => this.#changed(), { signal });
        this.line.start();
    }

    #changed() {
        const { status, entry } = this.line;
        if (status !== this.#before) {
            const waited = ['waiting', 'passed_over'].includes(this.#before);
            this.#before = status;
            this.leaving = false;
            if (status === 'admitted') {
                this.shared.basket.keepPass(entry.event, entry.pass);
                this.say('admitted', entry);
            } else if (status === 'none' && waited) {
                this.say('admitted', null);
            }
        }
        this.#speak();
        this.update();
    }

    /* The place in line is spoken when half of what was left is gone, not every second. */
    #speak() {
        const { ahead } = this.line;
        if (this.line.status === 'waiting' && ahead !== null && (this.spokenAhead === undefined || ahead <= this.spokenAhead / 2)) {
            this.spokenAhead = ahead;
            this.spoken = t('queue_spoken', { n: ahead, ahead: count(ahead) });
        }
    }

    async #check() {
        this.checked = await drawHolds(this.line.room.draw, this.line.entry, this.line.kept.commitment);
        this.update();
    }

    /* ---- Templates ---- */

    #estimate() {
        const { room, estimate, entry } = this.line;
        if (room?.paused) {
            return note('warn', t('queue_paused'), t('queue_paused_why'));
        }
        if (entry.position === null) {
            return html`<p>${t('queue_before_draw')}</p>`;
        }
        if (estimate === null) {
            return html`<p>${t('queue_no_estimate')}</p>`;
        }
        return html`<p class="estimate" data-eta=${Math.round(estimate)}><strong>${t('queue_about', { time: estimate < 60 ? t('span_under_minute') : span(estimate) })}</strong>
            <span class="eyebrow">${t('queue_about_why')}</span></p>`;
    }

    #opening() {
        const { room } = this.line;
        return room && !room.opened_at && room.open_at
            ? html`<p class="opens">${t('queue_opens', { when: dateTime(room.open_at, this.getAttribute('timezone') ?? undefined) })}</p>` : nothing;
    }

    /* First what changes: who is ahead. The number stays the same, so it is shown beside the one that is served. */
    #place() {
        const { entry, ahead, progress } = this.line;
        const drawn = entry.position !== null && ahead !== null;
        const [name, n] = drawn ? [t('queue_ahead'), ahead] : [t('queue_number'), entry.number];
        return html`<dl class="numbers"><div><dt>${name}</dt><dd class="number great" data-ahead=${drawn ? ahead : nothing}>${count(n)}</dd></div></dl>
            ${progress === null ? nothing : html`<progress aria-label=${t('queue_progress')} max="100" .value=${Math.round(progress * 100)}></progress>`}`;
    }

    #number() {
        const { entry, room } = this.line;
        if (entry.position === null) {
            return nothing;
        }
        const number = count(entry.position);
        return html`<p class="eyebrow">${room?.serving ? t('queue_yours_serving', { number, serving: count(room.serving) }) : t('queue_yours', { number })}</p>`;
    }

    #waiting() {
        const { line } = this;
        const over = line.status === 'passed_over';
        return html`${over ? note('warn', t('queue_passed_over'), line.entry.returns_until
                ? t('queue_passed_over_until', { when: timeOfDay(line.entry.returns_until) }) : t('queue_passed_over_back')) : nothing}
            ${this.#opening()}${this.#place()}${over ? nothing : this.#estimate()}${this.#number()}
            ${line.problem ? note('warn', t('queue_trouble'), line.problem.message) : nothing}
            <p class="note"><strong>${t('queue_stay')}</strong><span>${t('queue_stay_why')}</span></p>
            ${this.#leave()}${this.#draw()}`;
    }

    #leave() {
        return this.leaving ? html`<div class="leave" role="group" aria-label=${t('queue_leave')}><p>${t('queue_leave_means')}</p><div class="actions">
                <button class="button" type="button" @click=${() => this.line.leave()}>${t('queue_leave_yes')}</button>
                <button class="button quiet" type="button" @click=${() => { this.leaving = false; this.update(); }}>${t('queue_leave_no')}</button></div></div>`
            : html`<div><button class="button quiet" type="button" @click=${() => { this.leaving = true; this.update(); }}>${t('queue_leave')}</button></div>`;
    }

    /* How the order came about, and how to check it. */
    #draw() {
        const draw = this.line.room?.draw;
        const { entry, kept } = this.line;
        if (!draw) {
            return html`<details><summary>${t('queue_order')}</summary><p>${t('queue_order_arrival')}</p></details>`;
        }
        const value = (name, text) => html`<div><dt>${name}</dt><dd><code>${text}</code></dd></div>`;
        return html`<details class="draw"><summary>${t('queue_draw')}</summary>
            <p>${t('queue_draw_how')}</p>
            <dl>${value(t('queue_draw_number'), entry.number)}
                ${value(t('queue_draw_commitment'), kept.commitment ?? draw.commitment)}
                ${draw.seed ? html`${value(t('queue_draw_seed'), draw.seed)}${value(t('queue_draw_entries'), draw.entries)}` : nothing}</dl>
            ${draw.seed && entry.position !== null ? this.#verdict() : html`<p class="fine">${t('queue_draw_later')}</p>`}</details>`;
    }

    #verdict() {
        const { entry } = this.line;
        if (!canCheck()) {
            return html`<p class="fine">${t('queue_draw_insecure')}</p>`;
        }
        if (this.checked === null) {
            return html`<button class="button" type="button" @click=${() => this.#check()}>${t('queue_draw_check')}</button>`;
        }
        return this.checked ? note('good', t('queue_draw_good'), t('queue_draw_good_why', { number: entry.number, position: entry.position }))
            : note('bad', t('queue_draw_bad'), t('queue_draw_bad_why'));
    }

    #again() {
        return html`<button class="button primary" type="button" @click=${() => this.line.join()}>${t('queue_again')}</button>`;
    }

    #refused() {
        const { problem } = this.line;
        if (problem.code !== 'code_required' && problem.code !== 'code_invalid') {
            return note('warn', t('queue_refused'), problem.message);
        }
        const submit = (e) => {
            e.preventDefault();
            const code = e.target.elements.code.value.trim();
            this.shared.basket.codes.set(this.line.event, code);
            this.line.join(code);
        };
        return html`<form class="code" @submit=${submit}><h2>${t('code_needed')}</h2>
            ${problem.code === 'code_invalid' ? note('bad', t('refused'), problem.message) : nothing}
            <label class="field"><span>${t('code_label')}</span><input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="64" required></label>
            <button class="button primary">${t('queue_join')}</button></form>`;
    }

    #body() {
        const { line } = this;
        switch (line.status) {
        case 'joining': return loading(3);
        case 'waiting':
        case 'passed_over': return this.#waiting();
        case 'admitted': return note('good', t('queue_admitted'), t('queue_admitted_why', { when: timeOfDay(line.entry.pass_expires_at) }));
        case 'finished': return note('', t('queue_finished'), t('queue_finished_why'), this.#again());
        case 'left': return note('', t('queue_left'), t('queue_left_why'), this.#again());
        case 'refused': return this.#refused();
        case 'none': return note('', t('queue_none'), t('queue_none_why'));
        default: return failed(line.problem, () => line.join());
        }
    }

    template() {
        const { status, entry } = this.line;
        return html`<section class="queue card" data-status=${status} data-position=${entry?.position ?? nothing} aria-busy=${status === 'joining'}>
            ${this.#body()}<p class="visually-hidden" role="status">${this.spoken}</p></section>`;
    }
}

customElements.define('holdfast-queue', HoldfastQueue);
