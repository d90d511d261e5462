/* SPDX-License-Identifier: Apache-2.0 */
/* paged.js — a list of /admin that is read page by page: its rows so far, and the button for more. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';

const PAGE = 50;

export class Paged {
    rows = [];
    cursor = undefined;

    constructor(view, path, query = {}) {
        Object.assign(this, { view, path, query });
    }

    /* Reads the next page, or the first one: with every change that this page has seen acknowledged. Returns itself. */
    async more() {
        const { client, signal } = this.view;
        const { data, next_cursor: next } = await client.get(this.path, { signal, query: { ...this.query, limit: PAGE, cursor: this.cursor },
            headers: { 'Holdfast-Min-Seq': client.seq } });
        this.rows.push(...data);
        this.cursor = next;
        return this;
    }

    drop(row) {
        this.rows = this.rows.filter((one) => one !== row);
    }

    button() {
        return this.cursor ? html`<div class="actions"><button class="button" type="button" ?disabled=${this.view.busy}
            @click=${() => this.view.act(() => this.more())}>${t('admin_refund_more')}</button></div>` : nothing;
    }
}
