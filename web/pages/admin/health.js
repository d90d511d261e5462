/* SPDX-License-Identifier: Apache-2.0 */
/* health.js — journal, book and memory of the server, from /readyz and /metrics, each with a word about it, and the nodes of
 * the site. What is worth watching is in docs/operations.md. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count } from '../../lib/format.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { nodesCard } from './nodes.js';
import { readMetrics } from './readings.js';
import { View } from './view.js';

const EVERY_MS = 2_000;
const CAUSES = { stopping: 'admin_degraded_stopping', lagging: 'admin_degraded_lagging', owner_away: 'admin_degraded_owner_away', log_away: 'admin_degraded_log_away', storage_full: 'admin_degraded_storage_full', book_behind: 'admin_degraded_book_behind', book_pinned: 'admin_degraded_book_pinned', gate_away: 'admin_degraded_gate_away' };
const megabytes = (bytes) => t('admin_health_bytes', { n: count(Math.round(bytes / 1e5) / 10) });
const millis = (s) => t('admin_live_ms', { n: count(Math.round(s * 10_000) / 10) });

/* What is shown: [name, label, value, written, why it should be watched if it should]. */
const PARTS = [
    [() => t('admin_health_journal'), (m) => [
        ['seq', t('admin_health_seq'), m('holdfast_seq'), count],
        ['journal_lag', t('admin_health_journal_lag'), m('holdfast_journal_lag'), count, (n) => n > 10_000 && t('admin_health_watch_lag')],
        ['journal_bytes', t('admin_health_journal_bytes'), m('holdfast_journal_bytes'), megabytes],
        ['sync', t('admin_health_sync'), m('holdfast_sync_seconds_total') / Math.max(1, m('holdfast_batches_total')), millis, (s) => s > 0.02 && t('admin_health_watch_sync')],
        ['sync_longest', t('admin_health_sync_most'), m('holdfast_sync_longest_seconds'), millis, (s) => s > 0.5 && t('admin_health_watch_sync')]]],
    [() => t('admin_health_book'), (m) => [
        ['book_seq', t('admin_health_book_seq'), m('holdfast_book_seq'), count],
        ['book_lag', t('admin_health_book_lag'), m('holdfast_book_lag'), count, (n) => n > 100_000 && t('admin_health_watch_book')]]],
    [() => t('admin_health_process'), (m) => [
        ['memory', t('admin_health_memory'), m('process_resident_memory_bytes'), megabytes],
        ['turn', t('admin_health_turn'), m('holdfast_loop_turn_busiest_seconds'), millis, (s) => s > 0.01 && t('admin_health_watch_turn')],
        ['connections', t('admin_health_connections'), m('holdfast_connections'), count],
        ['refused', t('admin_health_refused'), m('holdfast_connections_refused_total'), count, (n) => n > 0 && t('admin_health_watch_refused')],
        ['clock', t('admin_health_clock'), m('holdfast_clock_offset_seconds'), millis, (s) => Math.abs(s) > 1 && t('admin_health_watch_clock')]]],
];

export default class extends View {
    async load() {
        await this.read();
        this.watch(EVERY_MS, () => this.read());
    }

    async read() {
        const ready = this.client.get('/readyz', { attempts: 1, signal: this.signal }).catch((problem) => {
            if (problem.status !== 503 || !problem.body?.degraded) {
                throw problem;
            }
            return problem.body;
        });
        /* A node that is too far behind answers nothing else: then its health matters most. */
        const nodes = this.client.get('/v1/nodes', { attempts: 1, signal: this.signal }).then(({ data }) => data, (problem) => {
            if (problem.status !== 503) {
                throw problem;
            }
            return null;
        });
        [this.ready, this.nodes, this.metrics] = await Promise.all([ready, nodes, readMetrics(this.client, this.signal)]);
    }

    #row([name, label, value, write, judge]) {
        const trouble = judge?.(value);
        return html`<li class="row" data-health=${name}><div><span>${label}</span>${trouble ? html`<p class="eyebrow">${trouble}</p>` : nothing}</div>
            <strong class="number" data-figure=${name}>${write(value)}</strong>
            ${judge ? html`<span class=${`tag verdict ${trouble ? 'warn' : 'good'}`}>${trouble ? t('admin_health_watch') : t('admin_health_fine')}</span>` : html`<span class="verdict"></span>`}</li>`;
    }

    template() {
        const value = (name) => this.metrics.sum(name);
        const { status, degraded } = this.ready;
        const why = degraded.map((cause) => (CAUSES[cause] ? t(CAUSES[cause]) : cause)).join(' ') || t('admin_ready_why');
        return html`${status === 'degraded' ? note('bad', t('admin_degraded'), why) : note(degraded.length ? 'warn' : 'good', t('admin_ready'), why)}
            ${nodesCard(this.nodes)}
            ${PARTS.map(([title, rows]) => html`<section class="card part" aria-label=${title()}><h2>${title()}</h2><ul class="rows">${rows(value).map((row) => this.#row(row))}</ul></section>`)}`;
    }
}
