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
async function refused(database, text, name) {
    const site = new Site(database);
    site.name = name ?? site.name;
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
