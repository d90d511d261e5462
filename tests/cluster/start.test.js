/* SPDX-License-Identifier: Apache-2.0 */
/* What a node needs of its database: it exits with 64 and a sentence where it would fail later. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { Pooler } = require('./lib/pooler.js');
const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { hold, items, makeEvent } = require('../conformance/lib/catalogue.js');

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

/* A node with this database ends with 64 and such a sentence. */
async function refused(database, text, like = {}) {
    const site = Object.assign(new Site(database), { ...like, pg: database, nodes: [] });
    await assert.rejects(site.node('one'), text);
    const [node] = site.nodes;
    assert.deepEqual(await node.exit, { code: 64, signal: null }, node.stderr);
    node.child = null;
    await site.close();
}

async function through(size, body) {
    const pooler = await new Pooler(pg, size).start();
    try {
        await body(pooler);
    } finally {
        await pooler.close();
    }
}

for (const size of [1, 2, 3]) {
    test(`behind a pooler in transaction mode with ${size} connections no node starts`, () =>
        through(size, (pooler) => refused(pooler, /a pooler in transaction mode/)));
}

for (const [table, right, sentence] of [['lease', 'SELECT', /cannot read the lease of the site: .*permission denied/],
    ['fence', 'UPDATE', /cannot take over the lease: .*permission denied/]]) {
    test(`without the right to ${right} ${table} no node starts`, async () => {
        const site = new Site(pg);
        await (await site.node('one')).stop();
        pg.sql(`CREATE ROLE limited LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO limited;
            REVOKE ${right} ON ${table} FROM limited`);
        try {
            const limited = { url: pg.url.replace('holdfast@', 'limited@') };
            await refused(limited, sentence, site);
        } finally {
            pg.sql('DROP OWNED BY limited; DROP ROLE limited');
            site.nodes[0].child = null;
            await site.close();
        }
    });
}

test('a connection that lost its prepared statements is opened again', () => through(null, async (pooler) => {
    const site = new Site(pooler);
    try {
        const one = await site.node('one');
        const event = await makeEvent(one, { seats: 'A1-A9' });
        await hold(one.app, items(event, 'A1'), { user_id: 'ann' });
        await pooler.forget();
        await hold(one.app, items(event, 'A2'), { user_id: 'ann' });
        await one.stop();
    } finally {
        await site.close();
    }
}));
