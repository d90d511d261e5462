/* SPDX-License-Identifier: Apache-2.0 */
/* form_view.js — a view that creates or edits one record of the catalogue.
 *
 *     create: PUT with what was filled in;  edit: PATCH with what was changed, or PUT where there is no PATCH
 *
 * Two may edit the same record: only what was changed here is changed, and where another user has changed the same since it was
 * opened, the later one to save sees that, and chooses.
 *
 * What the server refuses is shown at the field that it names, and that field gets the focus.
 */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { Form, pointerTo } from '../../lib/form.js';
import { applyPatch, contradictions, mergePatch } from '../../lib/merge_patch.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { CatalogueView } from './catalogue_view.js';
import { heading, idOf } from './fields.js';
import { to } from './view.js';

/* "Night at the opera" → "night-at-the-opera" */
export const suggestedId = (name) => (name ?? '').normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase()
    .replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 64);

const ID = /^[A-Za-z0-9._~-]{1,64}$/;

/* Without what was left empty, also inside. */
const given = (value) => (value === null || typeof value !== 'object' || Array.isArray(value) ? value
    : Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined).map(([name, one]) => [name, given(one)])));

export class FormView extends CatalogueView {
    /* `kind` is the view's name in the address; `path` the list in the API. */
    kind = '';
    path = '';

    /* [what is done, to what]: edit/eras, copy/eras or new. */
    get editing() {
        return this.parts[0] === 'edit';
    }

    async load() {
        const [, id] = this.parts;
        this.record = id ? await this.client.get(`${this.path}/${encodeURIComponent(id)}`) : null;
        const draft = this.record ? this.opened(this.record) : this.blank();
        this.form = new Form(this.editing ? draft : { ...draft, id: null }, () => this.update());
        if (this.record && !this.editing) {
            this.form.set('/name', t('cat_copy_name', { name: this.record.name }));
        }
        this.before = structuredClone(this.form.draft);
    }

    get unsaved() {
        return !this.removed && Boolean(this.form) && (this.typing || this.form.differs(this.before));
    }

    /* ---- For each kind of record ---- */

    blank() {
        return {};
    }

    /* A record as the form has it, and what the form has as it is sent. */
    opened(record) {
        return record;
    }

    sent(draft) {
        return draft;
    }

    /* How a change is sent: `patch` is what was changed, `now` the record as the server has it. */
    change(path, patch, now) {
        return this.client.put(path, given(applyPatch(now, patch)));
    }

    fields() {
        return nothing;
    }

    /* Once it exists: where else one can go with it, and what there is to do first. */
    ways() {
        return html`<a class="button" href=${to(this.kind, 'copy', this.record.id)}>${t('cat_copy')}</a>${this.next()}`;
    }

    next() {
        return nothing;
    }

    words() {
        return {};
    }

    /* ---- Saving ---- */

    get suggested() {
        return suggestedId(this.form.draft.name);
    }

    async save(e) {
        e.preventDefault();
        const id = this.editing ? this.record.id : this.form.draft.id ?? this.suggested;
        if (!ID.test(id)) {
            this.form.refuse('/id', t('cat_id_bad'));
        }
        if (this.form.wrong) {
            this.message = note('bad', t('form_wrong'), null);
            this.show();
            return;
        }
        let disputed = null;
        const call = () => this.call(id).catch((problem) => {
            disputed = problem.disputed;
            throw problem;
        });
        if (await this.act(call)) {
            this.message = note('good', t(this.made ? 'cat_created' : 'cat_saved', { name: this.record.name }), null, this.next());
            this.made = false;
        } else if (disputed) {
            this.tellDispute(disputed);
        }
        this.show();
    }

    async call(id) {
        const path = `${this.path}/${encodeURIComponent(id)}`;
        const body = this.sent(this.form.draft, id);
        try {
            if (this.editing) {
                await this.edit(path, id, body);
            } else {
                await this.refuseKnown(id, path);
                this.record = await this.client.put(path, given(body));
                history.replaceState(null, '', to(this.kind, 'edit', id)); /* the same view goes on with it */
                this.parts = ['edit', id];
                this.made = true;
            }
        } catch (problem) {
            this.form.take(problem, (pointer) => document.getElementById(idOf(pointer)));
            throw problem;
        }
        this.form = new Form(this.opened(this.record), () => this.update());
        this.before = structuredClone(this.form.draft);
    }

    async edit(path, id, body) {
        const before = this.sent(this.before, id);
        const theirs = this.opened(await this.client.get(path));
        const now = this.sent(theirs, id);
        const mine = mergePatch(before, body);
        const disputed = contradictions(mine, mergePatch(before, now));
        if (disputed.length) {
            this.form = new Form(applyPatch(theirs, mergePatch(this.before, this.form.draft)), () => this.update());
            this.before = structuredClone(theirs); /* saving once more confirms it */
            throw Object.assign(new Error(), { code: 'disputed', disputed });
        }
        this.record = await this.change(path, mine, now);
    }

    /* Somebody else has changed the same: both are still there. */
    tellDispute(disputed) {
        const label = (names) => this.root.querySelector(`label[for="${idOf(pointerTo(...names))}"]`)?.textContent ?? names.join(' ');
        const take = () => {
            this.form = new Form(this.before, () => this.update());
            this.message = nothing;
            this.update();
        };
        this.message = note('warn', t('cat_disputed'), t('cat_disputed_why', { fields: disputed.map(label).join(', ') }),
            html`<button class="button" type="button" @click=${(e) => this.save(e)}>${t('cat_disputed_mine')}</button>
                <button class="button" type="button" @click=${take}>${t('cat_disputed_theirs')}</button>`);
    }

    /* PUT would replace it. */
    async refuseKnown(id, path) {
        const known = await this.client.get(path).catch((problem) => (problem.status === 404 ? null : Promise.reject(problem)));
        if (known) {
            throw Object.assign(new Error(t('cat_id_taken', { id })), { code: 'exists', pointer: '/id' });
        }
    }

    /* Asks once more before it is gone. */
    async remove() {
        if (!this.sure) {
            this.sure = true;
            this.update();
            return;
        }
        this.sure = false;
        if (await this.act(() => this.client.delete(`${this.path}/${encodeURIComponent(this.record.id)}`))) {
            this.removed = true;
            location.hash = to(this.kind);
        }
    }

    /* Brings what is wrong into view, or what was said. */
    show() {
        this.update();
        queueMicrotask(() => { /* after it is rendered */
            const [first] = [...this.root.querySelectorAll('[aria-invalid=true], .tick:has(.fault) input')];
            first?.closest('details')?.setAttribute('open', '');
            first?.scrollIntoView({ block: 'center' });
            first ? first.focus() : this.root.querySelector('.told').scrollIntoView({ block: 'nearest' });
        });
    }

    template() {
        return html`${this.editing ? heading(this.record.name, this.ways()) : html`<h2>${this.words().create}</h2>`}
            <form class="record" novalidate @submit=${(e) => this.save(e)}>${this.fields()}
            <div class="finish"><button class="button primary" type="submit" ?disabled=${this.busy}>${t(this.editing ? 'cat_save' : 'cat_create')}</button>
                <a class="button" href=${to(this.kind)}>${t('cat_back')}</a>
                ${this.editing ? html`<button class="button quiet danger" type="button" ?disabled=${this.busy} @click=${() => this.remove()}>
                    ${t(this.sure ? 'cat_remove_sure' : 'cat_remove')}</button>` : nothing}</div></form>`;
    }
}
