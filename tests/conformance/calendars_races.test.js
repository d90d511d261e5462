/* SPDX-License-Identifier: Apache-2.0 */
/* The empty day: the first booking of a calendar has no row to lock, and still exactly one of the callers gets it,
 * every time, and every other one gets taken. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { Client } = require('./lib/http.js');
const { hold, whole } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, makeCalendar, slot, slots } = require('./lib/calendars.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const ROUNDS = 200;
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* Real connections, one each, open before the race begins. */
async function racers(count) {
    const clients = Array.from({ length: count }, () => new Client(hf.url, { connections: 1 }));
    await Promise.all(clients.map((client) => client.call('GET', '/healthz')));
    const users = clients.map((client, i) => ({ client, bearer: hf.adminKey, user_id: `racer${i}` }));
    return Object.assign(users, { close: () => clients.forEach((client) => client.close()) });
}

const create = ({ client, bearer, user_id }, ...items) =>
    client.call('POST', '/v1/reservations', { bearer, body: { user_id, items } });

function oneWinner(answers) {
    const won = answers.filter((answer) => answer.status === 201);
    assert.equal(won.length, 1, `${won.length} winners`);
    answers.filter((answer) => answer !== won[0]).forEach((answer) => refused(answer, 409, 'taken'));
    return won[0].json;
}

/* What each requests: the same slot, or another one that overlaps all the others. */
const SHAPES = {
    'the same slot': (calendar, at) => slot(calendar, at),
    'overlapping slots': (calendar, at, i) => slot(calendar, at + i * MINUTE, 120 - i),
};

for (const count of [2, 64]) {
    test(`the first slot of an empty day, ${count} connections, ${ROUNDS} times: exactly one wins`, async () => {
        const field = await racers(count);
        const at = midnight(hf) + 9 * HOUR;
        for (let round = 0; round < ROUNDS; round++) {
            const [, shape] = Object.entries(SHAPES)[round % 2];
            const calendar = await makeCalendar(hf);
            oneWinner(await Promise.all(field.map((racer, i) => create(racer, shape(calendar, at, i)))));
        }
        field.close();
    });
}

test('day after day on one calendar, and afterwards every view agrees', async () => {
    const field = await racers(16);
    const first = midnight(hf);
    const calendar = await makeCalendar(hf);
    const won = [];
    for (let day = 0; day < 30; day++) {
        const at = first + day * DAY + 9 * HOUR;
        won.push(oneWinner(await Promise.all(field.map((racer) => create(racer,
            slot(calendar, at))))).items[0].start);
    }
    const seen = await hf.anyone.get(`/v1/calendars/${calendar}`);
    const list = await whole(hf.admin, `/v1/reservations?calendar=${calendar}&status=held`, hf.since(seen));
    assert.deepEqual(list.map((r) => r.items[0].start).sort(), won);
    const free = new Set((await slots(hf, calendar, { from: first, to: first + 30 * DAY,
        limit: 1000 })).map(([at]) => iso(at)));
    assert.equal(free.size, 30 * 47);
    won.forEach((start) => assert.ok(!free.has(start)));
    field.close();
});

test('a hotel: 20 rooms, 64 requests for a night: 20 get one', async () => {
    const field = await racers(64);
    const at = midnight(hf);
    for (let round = 0; round < 10; round++) {
        const calendar = await makeCalendar(hf, { capacity: 20 });
        /* Stays that overlap in one night only, so that no two stays have to be alike. */
        const answers = await Promise.all(field.map(
            (racer, i) => create(racer, slot(calendar, at - (i % 5) * DAY, (i % 5 + 1 + i % 3) * 1440))
        ));
        assert.equal(answers.filter((answer) => answer.status === 201).length, 20);
        answers.filter((answer) => answer.status !== 201).forEach((answer) => refused(answer, 409, 'taken'));
    }
    field.close();
});

test('two bookings move to the same time: one gets it, the other stays where it was', async () => {
    const field = await racers(2);
    const at = midnight(hf);
    for (let round = 0; round < 50; round++) {
        const calendar = await makeCalendar(hf);
        const held = [];
        for (const [i, racer] of field.entries()) {
            held.push(granted(await create(racer, slot(calendar, at + i * DAY)), 201));
        }
        const target = { start: iso(at + 5 * DAY), end: iso(at + 5 * DAY + HOUR) };
        const answers = await Promise.all(field.map(({ client, bearer }, i) => client.call(
            'PATCH', path(held[i], '/items/1'), { bearer, body: target }
        )));
        const lost = answers.findIndex((answer) => answer.status !== 200);
        refused(answers[lost], 409, 'taken');
        granted(answers[1 - lost], 200);
        const still = await field[lost].client.call('GET', path(held[lost]), { bearer: field[lost].bearer });
        granted(still, 200, { items: held[lost].items, version: 1 });
    }
    field.close();
});

test('commit against release, claim against claim: no time has two owners', async () => {
    const field = await racers(32);
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { buffer_minutes: 1 });
    const sold = [];
    const worker = async (racer, n) => {
        for (let turn = 0; turn < 20; turn++) {
            const start = at + ((n * 7 + turn * 13) % 97) * 10 * MINUTE;
            const answer = await create(racer, slot(calendar, start, 5 + (n + turn) % 20));
            if (answer.status !== 201) {
                refused(answer, 409, 'taken');
                continue;
            }
            const r = answer.json;
            const call = (what) => racer.client.call('POST', path(r, `/${what}`), { bearer: racer.bearer, body: {} });
            if (turn % 3 === 0) {
                granted(await call('release'), 200);
            } else {
                sold.push(granted(await call('commit'), 200).items[0]);
            }
        }
    };
    await Promise.all(field.map(worker));
    const spans = sold.map((it) => [Date.parse(it.start), Date.parse(it.end)]).sort((a, b) => a[0] - b[0]);
    assert.ok(spans.length > 10);
    for (let i = 1; i < spans.length; i++) {
        assert.ok(spans[i - 1][1] + MINUTE <= spans[i][0], 'they overlap, or one begins in the buffer of the other');
    }
    field.close();
    await hold(hf.acting(unique('late')), [slot(calendar, at - DAY)]);
});
