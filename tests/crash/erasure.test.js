/* SPDX-License-Identifier: Apache-2.0 */
/* kill -9 while the book erases a person: between any two of its writes; it continues automatically until no byte is
 * left. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { inject, whyNoStrace } = require('./lib/fault.js');
const { own } = require('./lib/own.js');

const SALES = 40;
const PATIENCE = 60_000;
const KILLS_MIN = 5; /* fewer would mean that the kills missed the work of the book */

const files = (hf) => ['book.sqlite', 'book.sqlite-wal'].map((name) => path.join(hf.data, name));
const place = (user, rest = '') => `/v1/users/${user}${rest}`;

function having(folder, word) {
    return fs.readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
        .map((entry) => path.join(entry.path, entry.name))
        .filter((file) => fs.existsSync(file) && fs.readFileSync(file).includes(word));
}

async function ended(hf) {
    await hf.exit;
    hf.client.close();
    hf.child = null;
    await hf.start();
}

own('killed at any write of the book, an erasure continues and leaves nothing of the person', async (hf, t) => {
    const app = await hf.key('app');
    const event = await makeEvent(hf, { pools: { floor: { capacity: 100000, price: 5 } }, payment: 'none' });
    const sold = async (user) => {
        for (let i = 0; i < SALES; i++) {
            const answer = await app.post('/v1/reservations', {
                user_id: user, commit: true, items: [{ event, pool: 'floor', quantity: 1 }], attributes: { note: `${user}note${i}` },
            });
            assert.equal(answer.status, 201, answer.text);
        }
    };
    let kills = 0;
    for (let n = 1, killed = true; killed && kills < 12; n = Math.ceil(n * 1.7)) {
        const user = `qqperson${n}x`;
        await sold(user);
        await hf.eventually(() => hf.admin.get(`/v1/reservations?user_id=${user}&limit=1000`),
            ({ json }) => json.data.length === SALES, 'the book has the sales', PATIENCE);
        const fault = await inject(hf, `pwrite64:signal=SIGKILL:when=${n}`, files(hf));
        const asked = await hf.admin.delete(place(user)).catch(() => null);
        if (asked) {
            assert.equal(asked.status, 202, asked.text);
        }
        const state = async () => (await hf.admin.get(place(user, '/erasure'))).json.state;
        killed = await hf.eventually(async () => (hf.child.exitCode === null && hf.child.signalCode === null ? state().catch(() => null) : 'killed'),
            (now) => now === 'killed' || now === 'done', 'a kill or the end', PATIENCE) === 'killed';
        await fault.release();
        if (killed) {
            kills++;
            await ended(hf);
            /* An answered request is never forgotten; an unanswered one may have to be repeated. */
            if (asked) {
                assert.notEqual(await state(), 'none');
            } else if (await state() === 'none') {
                assert.equal((await hf.admin.delete(place(user))).status, 202);
            }
            await hf.eventually(state, (now) => now === 'done', 'the erasure to be done', PATIENCE);
        }
        assert.deepEqual(having(hf.data, user), [], `killed at write ${n}`);
    }
    const left = (await app.get(`/v1/events/${event}/availability`)).json.pools.floor;
    assert.equal((left.capacity - left.available) % SALES, 0, 'the sales stay');
    assert.ok(kills >= KILLS_MIN, `${kills} kills`);
    t.diagnostic(`${kills} kills`);
}, { skip: whyNoStrace() });
