// SPDX-License-Identifier: Apache-2.0
// A site whose log is in PostgreSQL, and the nodes that serve it.
import fs from 'node:fs';
import path from 'node:path';
import { Holdfast } from './holdfast.mjs';
import { until } from './measure.mjs';

const TICKET_KEY = '7'.repeat(64);
let sites = 0;

class Node extends Holdfast {
    constructor(site, id, program) {
        super(site.figure, program);
        this.site = site;
        this.id = id;
        this.sockets = 256; // forwarded calls may wait
        this.agent = this.makeAgent();
        this.env = { ...this.env, HOLDFAST_TICKET_KEY: TICKET_KEY };
        this.more = ['--store', site.pg.url, '--site', site.name, '--advertise', 'http://127.0.0.1:0', '--node', id, ...site.args];
    }

    // What it says about itself: { role, epoch, lag_ms, … }.
    async readiness() {
        return JSON.parse((await this.call('GET', '/readyz')).text);
    }

    untilRole(role) {
        return until(`node ${this.id} to be ${role}`, async () => (await this.readiness()).role === role, { every: 5, within: 60 });
    }

    // What it has written to its log so far.
    told() {
        return fs.readFileSync(path.join(this.folder, 'log'), 'utf8');
    }
}

export class Site {
    // `args`: further arguments of each node.
    constructor(figure, pg, args = []) {
        this.figure = figure;
        this.pg = pg;
        this.args = args;
        this.name = `site-${++sites}`;
        this.nodes = [];
    }

    // The first one that is started owns the site, and the others follow.
    async node(id, program) {
        const node = new Node(this, id, program);
        this.nodes.push(node);
        await node.start();
        await node.untilRole(this.nodes.length === 1 ? 'owner' : 'follower');
        return node;
    }

    // The only row and column; `this` in the text is the site's number.
    async value(text) {
        return Number(await this.pg.psql(`${text.replaceAll('this', `(SELECT shard FROM site WHERE name='${this.name}')`)};`));
    }

    // Waits until every node has applied and recorded what the owner has written, so that no side is measured while another
    // still works.
    async settle(owner = this.nodes[0]) {
        await owner.settle();
        const { seq } = await owner.progress();
        for (const node of this.nodes)
            await until(`node ${node.id} to have everything`, async () => {
                const now = await node.progress();
                return now.seq >= seq && now.book >= seq;
            }, { every: 20, within: 600 });
        await this.pg.psql('CHECKPOINT;');
    }

    async stop() {
        for (const node of [...this.nodes].reverse()) await node.stop();
    }
}
