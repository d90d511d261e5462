/* SPDX-License-Identifier: Apache-2.0 */
/* import.js — seats from a file: looked at before they are imported, every wrong line marked, also by what the server says. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { HallSurface } from '../../components/hall_surface.js';
import { groupsOf } from '../../lib/drawing/groups.js';
import { count } from '../../lib/format.js';
import { COLUMNS, SeatSheet } from '../../lib/seat_sheet.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { CatalogueView } from './catalogue_view.js';
import { heading } from './fields.js';
import { to } from './view.js';

const ROWS_SHOWN = 200; /* wrong ones first among those that are not at the top */
const SAMPLE = 'id,section,row,number,x,y,tier,price\nA1,Stalls,A,1,0,0,gold,4500\nA2,Stalls,A,2,1,0,gold,4500\nB1,Stalls,B,1,0,1.2,,3000\n';

/* What is wrong, in words: of a header or of a row. */
const said = ({ key, ...values }) => t(key, values);

export class ImportView extends CatalogueView {
    sheet = null;

    async load() {
        this.event = await this.client.event(this.parts[1]);
        this.surface = new HallSurface({ label: t('imp_plan'), shrinks: true, drag: () => {}, open: () => {}, choose: () => {} });
        this.surface.start(this.signal);
    }

    rendered() {
        this.sheet && this.surface.show({ groups: this.groups, tool: 'move', ranks: this.ranks });
    }

    async read(file) {
        if (!file) {
            return;
        }
        this.message = nothing;
        this.name = file.name;
        this.file = file;
        this.sheet = new SeatSheet(await file.text());
        Object.assign(this, groupsOf({ seats: this.sheet.seats }, this.event));
        this.update();
    }

    /* The bytes as they are: the server reads them itself. */
    async send() {
        const { id } = this.event;
        const done = await this.act(async () => {
            try {
                this.result = await this.client.upload(`/v1/events/${encodeURIComponent(id)}/seats`, this.file, 'text/csv');
            } catch (problem) {
                problem.body && this.sheet.mark(problem.body, problem.message);
                throw problem;
            }
        });
        if (done) {
            this.message = note('good', t('imp_done', { created: count(this.result.created), updated: count(this.result.updated) }), null,
                html`<a class="button primary" href=${to('events', 'seats', id)}>${t('cat_to_seats')}</a>
                    <a class="button" href=${`/e/${encodeURIComponent(id)}`}>${t('cat_open_page')}</a>`);
            this.sheet = null;
            this.update();
        }
        this.root.querySelector('.told').scrollIntoView({ block: 'nearest' });
    }

    drop(e) {
        e.preventDefault();
        this.read(e.dataTransfer?.files[0]);
    }

    template() {
        return html`${heading(this.event.name, html`<a class="button" href=${to('events', 'seats', this.event.id)}>${t('cat_to_seats')}</a>`)}
            <section class="card part"><header><h3>${t('imp_file')}</h3><p class="eyebrow">${t('imp_file_lead')}</p></header>
                <label class="drop" @dragover=${(e) => e.preventDefault()} @drop=${(e) => this.drop(e)}><strong>${t('imp_choose')}</strong><span class="fine">${t('imp_drop')}</span>
                    <input type="file" accept=".csv,text/csv" @change=${(e) => this.read(e.target.files[0])}></label>
                <details><summary>${t('imp_columns')}</summary><p class="fine">${t('imp_columns_lead')}</p>
                    <p class="columns">${COLUMNS.map((name) => html`<code>${name}</code> `)}</p><pre tabindex="0">${SAMPLE}</pre></details></section>
            ${this.sheet ? this.preview() : nothing}`;
    }

    preview() {
        const { sheet } = this;
        const wrong = sheet.wrong.length;
        return html`<section class="card part preview"><header><h3>${this.name}</h3><p class="eyebrow" role="status">${sheet.good
                ? t('imp_good', { n: sheet.rows.length, seats: count(sheet.rows.length) })
                : t('imp_wrong', { n: wrong + (sheet.faults.length ? 1 : 0), lines: count(wrong + (sheet.faults.length ? 1 : 0)), all: count(sheet.rows.length) })}</p></header>
            ${sheet.faults.map((fault) => html`<p class="fault" data-line="1">${t('imp_line', { line: 1 })}: ${said(fault)}</p>`)}
            ${this.table()}
            ${this.groups.length ? html`<div class="small">${this.surface.root}</div>` : nothing}
            <div class="actions"><button class="button primary" type="button" ?disabled=${this.busy || !sheet.good} @click=${() => this.send()}>
                ${t('imp_send', { n: sheet.rows.length, seats: count(sheet.rows.length) })}</button>
                ${sheet.good ? nothing : html`<p class="fine">${t('imp_mend')}</p>`}</div></section>`;
    }

    /* The first rows, and every wrong one as far as there is room. */
    get shown() {
        const { rows, wrong } = this.sheet;
        const first = new Set([...wrong.slice(0, ROWS_SHOWN), ...rows.slice(0, Math.max(20, ROWS_SHOWN - wrong.length))]);
        return rows.filter((row) => first.has(row));
    }

    table() {
        const { columns, rows } = this.sheet;
        const shown = this.shown;
        const cell = (row, i) => {
            const bad = row.faults.some(({ column }) => column !== undefined && column === columns[i]);
            return html`<td class=${bad ? 'bad' : ''}>${row.fields[i] ?? ''}</td>`;
        };
        return html`<div class="sideways" tabindex="0" role="group" aria-label=${t('imp_preview')}><table class="sheet"><thead><tr><th scope="col">${t('imp_line_short')}</th>
                ${columns.map((name) => html`<th scope="col" class=${COLUMNS.includes(name) ? '' : 'bad'}>${name}</th>`)}<th scope="col">${t('imp_problem')}</th></tr></thead>
            <tbody>${shown.map((row) => html`<tr class=${row.faults.length ? 'wrong' : ''} data-line=${row.line}><th scope="row">${row.line}</th>
                ${columns.map((_, i) => cell(row, i))}<td>${row.faults.length ? html`<span class="fault">${row.faults.map(said).join(' ')}</span>` : nothing}</td></tr>`)}</tbody></table></div>
            ${shown.length < rows.length ? html`<p class="fine">${t('imp_more', { n: rows.length - shown.length, rows: count(rows.length - shown.length) })}</p>` : nothing}`;
    }
}
