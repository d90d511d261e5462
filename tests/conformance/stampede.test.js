/* SPDX-License-Identifier: Apache-2.0 */
/* A stampede: five hundred people and one seat, with nothing, with a waiting room, and with a waiting list. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { Client } = require('./lib/http.js');
const { makeEvent, items, hold, seatStatus, availability, counts } = require('./lib/catalogue.js');
const { queue, makeRoom, join, look, withPass, room, wish, lookAtWish, wishBecomes } = require('./lib/entries.js');
const { refused, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const PEOPLE = 500;
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const crowd = (stem) => Array.from({ length: PEOPLE }, (_, i) => hf.user(`${stem}${i}`));

test('500 in line, max_active 5, one seat: sold once, and never more than 5 try', async () => {
    const event = await makeRoom(hf, { seats: 'A1', room: { max_active: 5, rate_per_second: 100000 } });
    const people = crowd('p');
    const entries = await Promise.all(people.map((user) => join(user, event)));
    const order = people.map((user, i) => ({ user, entry: entries[i] })).sort((a, b) => a.entry.position - b.entry.position);
    let most = 0;
    let sold = 0;
    let tries = 0;
    /* Each one waits for its turn, tries, and leaves. Those admitted together try together. */
    const turn = async ({ user, entry }) => {
        let now = entry;
        while (now.status === 'waiting' || now.status === 'passed_over') {
            now = await look(user, entry);
        }
        assert.equal(now.status, 'admitted', `${now.position}: ${now.status}`);
        const answer = await user.post('/v1/reservations', { items: items(event, 'A1') }, withPass(now.pass));
        tries++;
        if (answer.status === 201) {
            granted(await user.post(path(answer.json, '/commit'), {}), 200, { status: 'confirmed' });
            sold++;
        } else {
            refused(answer, 409, 'taken');
            const left = await user.delete(queue(event, `/${entry.entry_id}`));
            assert.equal(left.json.status, 'left');
        }
    };
    let over = false;
    const watch = (async () => {
        while (!over) {
            const { active } = await room(hf, event);
            most = Math.max(most, active);
        }
    })();
    let at = 0;
    const walk = async () => {
        while (at < order.length) {
            await turn(order[at++]);
        }
    };
    await Promise.all(Array.from({ length: 16 }, walk));
    over = true;
    await watch;
    assert.equal(sold, 1);
    assert.equal(tries, PEOPLE);
    assert.ok(most <= 5, `${most} at a time`);
    const { finished, left, waiting, active, serving } = await room(hf, event);
    assert.deepEqual([finished, left, waiting, active, serving], [1, PEOPLE - 1, 0, 0, PEOPLE]);
    assert.deepEqual(await counts(hf, event), { seats: 1, available: 0, held: 0, sold: 1, blocked: 0 });
});

test('the same, and those not admitted cannot try: 495 of 500 at once are refused', async () => {
    const event = await makeRoom(hf, { seats: 'A1', room: { max_active: 5, rate_per_second: 100000 } });
    const people = crowd('q');
    const entries = await Promise.all(people.map((user) => join(user, event)));
    await hf.eventually(() => room(hf, event), ({ active }) => active === 5, 'five are in');
    const answers = await Promise.all(people.map(async (user, i) => {
        const { pass } = await look(user, entries[i]);
        return user.post('/v1/reservations', { items: items(event, 'A1') }, pass ? withPass(pass) : {});
    }));
    const codes = {};
    answers.forEach((answer) => {
        const code = answer.status === 201 ? 'held' : answer.json.code;
        codes[code] = (codes[code] ?? 0) + 1;
    });
    assert.deepEqual(codes, { held: 1, taken: 4, pass_required: PEOPLE - 5 });
});

/* Everyone reloads, in every way there is, until stopped; returns what was seen of the seat. */
function refreshers(event, stop) {
    const seen = new Set();
    const ways = [
        async () => seen.add((await availability(hf, event)).seats.A1),
        async () => seen.add(await seatStatus(hf, event, 'A1')),
        async () => seen.add((await counts(hf, event)).available > 0 ? 'available' : 'held'),
        async () => {
            const { map } = await availability(hf, event, '?format=map');
            seen.add({ a: 'available', h: 'held', s: 'sold', b: 'blocked' }[map]);
        },
    ];
    const loops = ways.map(async (look_) => {
        while (!stop.now) {
            await look_();
        }
    });
    return { seen, ended: Promise.all(loops) };
}

test('500 refreshing for one released seat without a queue: one wins, 499 get taken', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(hf.user('holder'), items(event, 'A1'));
    const people = crowd('r');
    const clients = Array.from({ length: 64 }, () => new Client(hf.url, { connections: 1 }));
    let released = false;
    const answers = await Promise.all([
        ...people.map(async (user, i) => {
            for (;;) {
                const after = released;
                const answer = await user.post('/v1/reservations', { items: items(event, 'A1') }, { client: clients[i % 64] });
                if (answer.status === 201 || after) {
                    return answer;
                }
                refused(answer, 409, 'taken');
            }
        }),
        hf.user('holder').delete(path(r)).then((answer) => {
            released = true;
            return answer;
        }),
    ]);
    granted(answers.pop(), 200, { status: 'released' });
    clients.forEach((client) => client.close());
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
    answers.filter((answer) => answer.status !== 201).forEach((answer) => refused(answer, 409, 'taken'));
    assert.equal(answers.length, PEOPLE);
});

for (const how of ['release', 'expiry']) {
    test(`the same with a waiting list, freed by ${how}: the first entry gets it, and it is never shown as available`, ownClock,
        async () => {
            const event = await makeEvent(hf, { seats: 'A1', waiting_list: true, hold_ttl_seconds: 300 });
            const r = await hold(hf.user('holder'), items(event, 'A1'));
            const first = hf.user('first');
            const e = await wish(first, event);
            await wish(hf.user('second'), event);
            const told = await hf.anyone.stream(`/v1/events/${event}/stream`);
            await told.next();
            const stop = { now: false };
            const watchers = refreshers(event, stop);
            let free = false;
            const claims = Promise.all(crowd(unique('c')).map(async (user) => {
                for (;;) {
                    const after = free;
                    const answer = await user.post('/v1/reservations', { items: items(event, 'A1') });
                    refused(answer, 409, 'taken');
                    if (after) {
                        return;
                    }
                }
            }));
            if (how === 'release') {
                granted(await hf.user('holder').delete(path(r)), 200, { status: 'released' });
            } else {
                hf.clock.goto(Date.parse(r.expires_at));
            }
            await wishBecomes(hf, first, e, 'offered');
            free = true;
            await claims;
            stop.now = true;
            await watchers.ended;
            assert.deepEqual([...watchers.seen], ['held'], 'nobody saw anything else');
            const { reservation_id } = await lookAtWish(first, e);
            const offer = granted(await first.get(`/v1/reservations/${reservation_id}`), 200, { status: 'held' });
            assert.deepEqual(seatsOf(offer), ['A1']);
            granted(await first.post(path(offer, '/commit'), {}), 200, { status: 'confirmed' });
            const statuses = () => told.events.filter((one) => one.name === 'seat').map((one) => one.json.status);
            await told.until(() => statuses().includes('sold'), 'the sale');
            assert.ok(statuses().every((status) => status === 'held' || status === 'sold'), `${statuses()}`);
            told.close();
        });
}
