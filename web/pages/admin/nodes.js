/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.js — the card "Nodes" of the view of the server's health: which process decides, which ones follow it, and how far
 * behind they are.
 *
 * Only the node that answers knows its own lag; the others say every second or few that they run. `nodes` is null while the
 * list cannot be read. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count, span } from '../../lib/format.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';

const AWAY_MS = 30_000; /* many rows were due, even while it makes a snapshot */
const LAG_MS = 1_000; /* from there on a follower refuses nothing from its copy */

/* By the server's own time, which its row in the list has. */
const newest = (nodes) => Math.max(...nodes.map(({ seen_at: seen }) => Date.parse(seen)));

function state(node, away) {
    if (away >= AWAY_MS) {
        return ['warn', t('admin_node_away', { time: span(Math.round(away / 1000)) })];
    }
    if (node.lag_ms >= LAG_MS) {
        return ['warn', t('admin_node_behind')];
    }
    return ['good', node.role === 'owner' ? t('admin_node_decides') : t('admin_node_follows')];
}

function row(node, now) {
    const [kind, words] = state(node, now - Date.parse(node.seen_at));
    return html`<li class="row" data-node=${node.node}><div><strong>${node.node}</strong>${node.lag_ms === undefined ? nothing : html` <span class="tag">${t('admin_node_this')}</span>`}
            <p class="eyebrow">${t('admin_node_about', { version: node.version, seq: count(node.book_seq) })}${node.lag_ms === undefined || node.role === 'owner' ? nothing
                : html` · <span data-lag>${t('admin_node_lag', { n: count(node.lag_ms) })}</span>`}</p></div>
        <strong>${node.role === 'owner' ? t('admin_node_owner') : t('admin_node_follower')}</strong>
        <span class=${`tag verdict ${kind}`}>${words}</span></li>`;
}

export function nodesCard(nodes) {
    const missing = nodes && !nodes.some(({ role }) => role === 'owner');
    return html`<section class="card part" data-nodes aria-label=${t('admin_nodes')}><h2>${t('admin_nodes')}</h2>
        ${nodes ? nothing : note('warn', t('admin_nodes_unknown'), t('admin_nodes_unknown_why'))}
        ${missing ? note('warn', t('admin_nodes_no_owner'), t('admin_nodes_no_owner_why')) : nothing}
        ${nodes ? html`<ul class="rows">${nodes.map((node) => row(node, newest(nodes)))}</ul>` : nothing}</section>`;
}
