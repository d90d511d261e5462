/* SPDX-License-Identifier: Apache-2.0 */
/* hooks.js — hooks with receivers for one test. */
'use strict';

const assert = require('node:assert/strict');
const { Server, unique } = require('./server.js');
const { Receiver, SECRET } = require('./receiver.js');

const PRIVATE = { args: ['--hooks-private', 'on'] };
const at = (hook, rest = '') => `/v1/hooks/${hook}${rest}`;

/* A receiver with a hook to it. */
async function hooked(t, server, events, answer) {
    const receiver = await new Receiver(answer).start();
    const hook = unique('hook');
    t.after(async () => {
        if (server.child || !server.folder) {
            await server.admin.delete(at(hook));
        }
        await receiver.close();
    });
    const put = await server.admin.put(at(hook), { url: receiver.url, events, secret: SECRET });
    assert.equal(put.status, 201, put.text);
    return { receiver, hook };
}

async function own(t) {
    const server = await new Server(PRIVATE).start();
    t.after(() => server.close());
    return server;
}

const waiting = async (server, hook) => (await server.admin.get(at(hook))).json.waiting;
const drained = (server, hook) => server.eventually(() => waiting(server, hook), (n) => n === 0, 'nothing waits');

module.exports = { PRIVATE, at, hooked, own, waiting, drained };
