/* SPDX-License-Identifier: Apache-2.0 */
/* A server of the URL that accepts connections and says nothing does not keep a node from the next one. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');
const net = require('node:net');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');

test('the first server of the URL is silent', async (t) => {
    const pg = await new Postgres().start();
    const site = new Site(pg);
    const silent = net.createServer(() => {});
    await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const sockets = new Set();
    silent.on('connection', (socket) => sockets.add(socket));
    t.after(async () => {
        await site.close();
        await pg.close();
        sockets.forEach((socket) => socket.destroy());
        silent.close();
    });
    const good = pg.url;
    pg.url = good.replace(`127.0.0.1:${pg.port}`, `127.0.0.1:${silent.address().port},127.0.0.1:${pg.port}`);
    const one = await site.node('one');
    assert.ok(sockets.size > 0, 'it was tried');
    await makeEvent(one, { seats: 'A1' });
    assert.equal((await site.ready(one)).role, 'owner');
    const two = await site.node('two');
    assert.equal((await site.ready(two)).role, 'follower');
});
