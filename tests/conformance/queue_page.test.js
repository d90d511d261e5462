/* SPDX-License-Identifier: Apache-2.0 */
/* The program of docs/waiting-room.md that a page waits in line with, as written there: through 429s, a crash and a
 * restart, to each of its ends. Its pauses advance the server's clock. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownProcess } = require('./lib/server.js');
const { items } = require('./lib/catalogue.js');
const { queue, makeRoom, look, withPass, pageFromDocs } = require('./lib/entries.js');
const { iso } = require('./lib/calendars.js');

const hf = shared({ limits: 'on' });

/* The page of a user. `during` can do something in a pause; `paused` and `answers` show what it did and got. */
function page(user, during = async () => {}) {
    const told = { paused: [], answers: [], shown: [] };
    const later = (next, ms) => {
        told.paused.push(ms);
        during(told).then(() => {
            hf.clock.advance(Math.ceil(ms));
            next();
        });
    };
    const send = async (path, options) => {
        const answer = await fetch(hf.url + path, { ...options, headers: { ...options?.headers, connection: 'close' } })
            .catch((error) => {
                told.answers.push('none');
                throw error;
            });
        told.answers.push(answer.status);
        return answer;
    };
    const { waitForTurn } = pageFromDocs(send, later);
    return { told, wait: (event) => waitForTurn(event, user.bearer, (entry) => told.shown.push(entry)) };
}

test('a page keeps its place through 429 and a crash, and buys with its pass', ownProcess, async () => {
    const ann = hf.user('ann', 24 * 3600);
    const event = await makeRoom(hf, { seats: 'A1-A3', room: { open_at: iso(hf.now() + 120_000) } });
    const { json: first } = await ann.post(queue(event), {});
    let answer;
    do {
        answer = await ann.post(queue(event), {});
    } while (answer.status !== 429);
    let killed = false;
    const { told, wait } = page(ann, async ({ shown }) => {
        if (shown.length === 2 && !killed) {
            killed = true;
            await hf.kill9();
        } else if (!hf.child) {
            await hf.launch();
        }
    });
    const entry = await wait(event);
    assert.equal(entry.status, 'admitted');
    assert.equal(entry.entry_id, first.entry_id);
    assert.deepEqual([told.answers[0], told.answers.includes('none')], [429, true], told.answers.join());
    assert.ok(told.paused[0] >= 1000 && told.paused[0] <= 2 * Number(answer.headers['retry-after']) * 1000);
    told.shown.slice(0, -1).forEach(({ status, position }) => assert.deepEqual([status, position], ['waiting', 1]));
    const bought = await ann.post('/v1/reservations', { items: items(event, 'A1') }, withPass(entry.pass));
    assert.equal(bought.status, 201, bought.text);
});

test('it ends when the user has left, when the room is closed, and with the code of a refusal', ownProcess, async () => {
    const [bob, eve] = [hf.user('bob', 24 * 3600), hf.user('eve', 24 * 3600)];
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000) } });
    const gone = page(bob, async ({ shown: [entry] }) => {
        await bob.delete(queue(event, `/${entry.entry_id}`));
    });
    assert.equal((await gone.wait(event)).status, 'left');
    const closed = page(eve, async ({ shown }) => {
        if (shown.length === 2) {
            await hf.admin.put(`/v1/events/${event}`, { name: 'Open to all' });
        }
    });
    assert.equal(await closed.wait(event), null);
    assert.equal(await page(eve).wait(event), null);
    assert.equal((await look(eve, closed.told.shown[0])).status, 'waiting');
    await assert.rejects(page(eve).wait('nowhere'), /no_such_event/);
    await assert.rejects(page(hf.anyone).wait(event), /unauthenticated/);
});
