/* SPDX-License-Identifier: Apache-2.0 */
/* draw.js — a simple hall, drawn: blocks of rows and tables, moved on the plan or by their forms, saved by the import.
 *
 * The drawing is one state with a way back (lib/undo.js); it stays in this browser or in a file (draw_file.js), the seats go to
 * the server. Seats that the event has besides are shown, and stay as they are.
 */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { HallSurface } from '../../components/hall_surface.js';
import { seatsOf } from '../../lib/drawing/block.js';
import { storeDraft, storedDraft, whenStoredElsewhere } from '../../lib/drawing/draft.js';
import { addBlock, besideOf, blockOf, changeBlock, copyBlock, countOf, faultsOf, goneOf, importOf, removeBlock } from '../../lib/drawing/plan.js';
import { saveSeats, stillReached } from '../../lib/drawing/saving.js';
import { count } from '../../lib/format.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { Undo } from '../../lib/undo.js';
import { CatalogueView } from './catalogue_view.js';
import { blockForm } from './draw_block.js';
import { filePanel } from './draw_file.js';
import { seatPanel, togglePicks } from './draw_seats.js';
import { tierPanel } from './draw_tiers.js';
import { heading } from './fields.js';
import { to } from './view.js';

export class DrawView extends CatalogueView {
    tool = 'move';
    opened = null; /* the block whose form is shown */
    picks = new Map(); /* block → keys of chosen seats */
    sought = { rows: '', numbers: '' };
    kept = true; /* by this browser */

    async load() {
        const [, id] = this.parts;
        [this.event, this.layout] = await Promise.all([this.client.event(id), this.client.layout(id)]);
        const { plan, saved, reached } = storedDraft(id);
        this.undo = new Undo(plan);
        Object.assign(this, { saved, reached: stillReached(importOf(plan), reached, this.layout.seats), filed: plan }); /* no part of the way back: it is about the server and files */
        this.opened = this.plan.blocks[0]?.id ?? null;
        this.surface = new HallSurface({
            label: t('hall_plan'),
            drag: (block, dx, dy) => this.moved(block, dx, dy),
            choose: (picks, adds) => this.choose(picks, adds),
            open: (block) => this.openBlock(block),
        });
        this.surface.start(this.signal);
        addEventListener('keydown', (e) => this.key(e), { signal: this.signal });
        whenStoredElsewhere(id, this.signal, () => {
            this.elsewhere = true;
            this.update();
        });
    }

    get plan() {
        return this.undo.state;
    }

    get block() {
        return blockOf(this.plan, this.opened);
    }

    /* It is in this browser, or in a file, or was never touched; and no save is under way. */
    get unsaved() {
        return this.sending !== undefined || (!this.kept && this.plan !== this.filed);
    }

    /* Another state of the drawing; with the same tag as the last it is the same step. */
    put(plan, tag = null) {
        this.undo.put(plan, tag);
        this.reached = 0;
        this.settled();
    }

    keep() {
        this.elsewhere = false;
        this.kept = storeDraft(this.event.id, { plan: this.plan, saved: this.saved, reached: this.reached });
    }

    settled() {
        this.keep();
        if (!this.block) {
            this.opened = this.plan.blocks.at(-1)?.id ?? null;
        }
        this.picks = new Map([...this.picks].filter(([id]) => blockOf(this.plan, id)));
        this.update();
    }

    step(way) {
        this.undo[way]();
        this.reached = 0;
        this.settled();
    }

    key(e) {
        const typing = e.target.closest?.('input, textarea, select');
        if ((e.ctrlKey || e.metaKey) && !typing && ['z', 'y'].includes(e.key.toLowerCase())) {
            e.preventDefault();
            this.step(e.key.toLowerCase() === 'y' || e.shiftKey ? 'redo' : 'undo');
        }
    }

    /* ---- Blocks ---- */

    add(kind) {
        const name = t(kind === 'rows' ? 'hall_block_name' : 'hall_tables_name', { n: this.plan.blocks.length + 1 });
        this.put(addBlock(this.plan, kind, name));
        this.openBlock(this.plan.blocks.at(-1).id);
        queueMicrotask(() => this.root.querySelector('.block-form input')?.select());
    }

    openBlock(id) {
        this.opened = id;
        this.undo.settle();
        this.update();
    }

    change(change, tag) {
        this.put(changeBlock(this.plan, this.opened, change), `${this.opened} ${tag}`);
    }

    moved(id, dx, dy) {
        const { x, y } = blockOf(this.plan, id);
        this.put(changeBlock(this.plan, id, { x: x + dx, y: y + dy }));
    }

    copy(mirrored) {
        this.put(copyBlock(this.plan, this.opened, { mirrored, name: t('hall_mirrored', { name: this.block.name }) }));
        this.openBlock(this.plan.blocks.at(-1).id);
    }

    remove() {
        this.put(removeBlock(this.plan, this.opened));
    }

    choose(picks, adds) {
        this.picks = togglePicks(this.picks, picks, adds);
        this.update();
    }

    use(tool) {
        this.tool = tool;
        this.update();
    }

    /* ---- Saving ---- */

    async save() {
        const { id } = this.event;
        const { plan } = this;
        const seats = importOf(plan);
        const gone = goneOf(plan, this.saved);
        const taken = (slice, reached) => this.took(plan, slice, reached);
        this.sending = { reached: this.reached, all: seats.length };
        const done = await this.act(async () => {
            await saveSeats(this.client, id, { seats, gone, reached: this.reached, taken }).catch((problem) => {
                this.opened = problem.item?.block ?? this.opened; /* the block of the seat that the server names */
                throw problem;
            });
            this.layout = await this.client.layout(id);
        }).finally(() => {
            this.sending = undefined;
            this.update();
        });
        if (done) {
            this.saved = seats.map(({ seat }) => seat.id);
            this.reached = 0;
            this.message = note('good', t('hall_saved', { n: seats.length, seats: count(seats.length) }), gone.length ? t('hall_removed', { n: gone.length, seats: count(gone.length) }) : null,
                html`<a class="button" href=${`/e/${encodeURIComponent(id)}`}>${t('cat_open_page')}</a>`);
            this.settled();
        }
        this.root.querySelector('.told').scrollIntoView({ block: 'nearest' });
    }

    /* The server has these: they are removed when they are drawn no more, and not sent again while the drawing is the same. */
    took(plan, slice, reached) {
        this.saved = [...new Set([...this.saved, ...slice.map(({ seat }) => seat.id)])];
        this.sending.reached = reached;
        this.reached = plan === this.plan ? reached : 0;
        this.keep();
        this.update();
    }

    /* ---- What is shown ---- */

    /* What the event has besides what is drawn; the same object as long as it is the same. */
    get beside() {
        if (this.besideOf !== this.plan || this.besideIn !== this.layout) {
            Object.assign(this, { besideOf: this.plan, besideIn: this.layout });
            const { others, changed } = besideOf(this.plan, this.saved, this.layout.seats);
            const placed = others.filter(({ x, y }) => typeof x === 'number' && typeof y === 'number').map((seat) => ({ ...seat, key: seat.id }));
            const same = placed.length === this.shownBeside?.others.length;
            this.shownBeside = { others: same ? this.shownBeside.others : placed, changed };
        }
        return this.shownBeside;
    }

    get ranks() {
        if (this.ranksOf !== this.plan.tiers) {
            this.ranksOf = this.plan.tiers;
            this.rankMap = new Map(this.plan.tiers.map(({ name }, i) => [name, i]));
        }
        return this.rankMap;
    }

    rendered() {
        const groups = this.plan.blocks.map((block) => ({ id: block.id, seats: seatsOf(block) }));
        const { others } = this.beside;
        const still = others.length ? [{ id: 'others', seats: others, still: true }] : [];
        this.surface.show({ groups: [...still, ...groups], tool: this.tool, opened: this.opened, picks: this.picks, ranks: this.ranks });
    }

    template() {
        const faults = faultsOf(this.plan);
        const size = countOf(this.plan);
        const { changed } = this.beside;
        return html`${heading(this.event.name, html`<a class="button" href=${to('events', 'seats', this.event.id)}>${t('cat_to_seats')}</a>
                <a class="button" href=${`/e/${encodeURIComponent(this.event.id)}`}>${t('cat_open_page')}</a>`)}
            <div class="drawing"><section class="card board" aria-labelledby="hall-plan"><h3 id="hall-plan" class="visually-hidden">${t('hall_plan')}</h3>${this.tools()}
                    ${this.plan.blocks.length ? nothing : html`<p class="lead begin">${t('hall_begin')}</p>`}${this.surface.root}
                    <p class="fine hint">${t(this.tool === 'move' ? 'hall_hint_move' : 'hall_hint_select')}</p></section>
                <div class="side">${this.blocks(faults)} ${this.block ? blockForm(this) : nothing} ${this.plan.blocks.length ? seatPanel(this) : nothing} ${tierPanel(this)}
                    <div class="card part saving"><p role="status">${t('hall_count', { n: size, seats: count(size), blocks: t('hall_block_count', { n: this.plan.blocks.length }) })}</p>
                        ${changed ? html`<p class="fine">${t('hall_changes', { n: changed, seats: count(changed) })}</p>` : nothing}
                        ${faults.map(({ key, ...values }) => html`<p class="fault">${t(key, values)}</p>`)}${this.progress(size)}
                        <button class="button primary wide" type="button" ?disabled=${this.busy || !size || faults.length > 0} @click=${() => this.save()}>
                            ${t('hall_save', { n: size, seats: count(size) })}</button></div>${filePanel(this)}</div></div>`;
    }

    /* Of a large hall: how far a save is, or where it goes on. */
    progress(size) {
        if (this.sending) {
            const { reached, all } = this.sending;
            return html`<label class="fine" role="status">${t('hall_sending', { seats: count(reached), all: count(all) })}<progress max=${all} .value=${reached}></progress></label>`;
        }
        return this.reached ? html`<p class="fine" role="status">${t('hall_reached', { seats: count(this.reached), all: count(size) })}</p>` : nothing;
    }

    tools() {
        const tool = (name, text) => html`<label><input type="radio" name="tool" .checked=${this.tool === name} @change=${() => this.use(name)}><span>${text}</span></label>`;
        return html`<div class="tools" role="toolbar" aria-label=${t('hall_tools')}>
            <button class="button" type="button" @click=${() => this.add('rows')}>+ ${t('hall_add_rows')}</button>
            <button class="button" type="button" @click=${() => this.add('tables')}>+ ${t('hall_add_table')}</button>
            <span class="cluster"><button class="button icon" type="button" aria-label=${t('hall_undo')} title=${t('hall_undo')} ?disabled=${!this.undo.canUndo} @click=${() => this.step('undo')}>↶</button>
            <button class="button icon" type="button" aria-label=${t('hall_redo')} title=${t('hall_redo')} ?disabled=${!this.undo.canRedo} @click=${() => this.step('redo')}>↷</button></span>
            <fieldset class="segments"><legend class="visually-hidden">${t('hall_tool')}</legend>${tool('move', t('hall_move'))}${tool('select', t('hall_select'))}</fieldset>
            <span class="cluster"><button class="button icon" type="button" aria-label=${t('map_zoom_out')} @click=${() => this.surface.zoomBy(1 / 1.4)}>−</button>
            <button class="button icon" type="button" aria-label=${t('map_zoom_in')} @click=${() => this.surface.zoomBy(1.4)}>+</button>
            <button class="button" type="button" @click=${() => this.surface.fit()}>${t('map_fit')}</button></span></div>`;
    }

    blocks(faults) {
        const wrong = new Set(faults.map(({ block }) => block));
        return this.plan.blocks.length ? html`<section class="card part"><h3>${t('hall_blocks')}</h3><ul class="blocks">${this.plan.blocks.map((block) => html`<li>
            <button type="button" aria-pressed=${block.id === this.opened} @click=${() => this.openBlock(block.id)}><strong>${block.name || t('hall_nameless')}</strong>
                <span class="fine">${t('hall_block_size', { n: seatsOf(block).length, seats: count(seatsOf(block).length) })}${wrong.has(block.id) ? ` · ${t('hall_wrong')}` : ''}</span></button></li>`)}</ul></section>` : nothing;
    }
}
