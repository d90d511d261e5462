/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that are repeated with their keys at other nodes across a takeover have one effect and one answer; a race for an
 * empty day has one winner; a seat that is sold, moved, given back and sold again belongs to one. */
'use strict';

const assert = require('node:assert/strict');
const { setTimeout: pause } = require('node:timers/promises');

const { schedule } = require('./lib/schedule.js');
const { Postgres } = require('../cluster/lib/postgres.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { request, exchange, eventually } = require('../conformance/lib/http.js');

const database = () => new Postgres().start();
const AWAY_MS = 8000;
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

schedule('keys are repeated at other nodes across takeovers', { database }, async ({ nodes, traffic, random, until }) => {
    const event = await makeEvent(await nodes.owner(), { seats: 'A1-A3000' });
    const answered = new Map();
    let next = 0;
    const send = async (key, seat) => {
        const answer = await nodes.decided('POST', '/v1/reservations', {
            key, user: 'ann', body: { items: items(event, seat), commit: true },
        });
        assert.equal(answer.status, 201, `${key}: ${answer.text}`);
        const before = answered.get(key);
        assert.ok(!before || before === answer.json.reservation_id, `${key} made two reservations`);
        answered.set(key, answer.json.reservation_id);
    };
    while (until()) {
        const kill = random(20);
        await Promise.all(Array.from({ length: 24 }, async (_, i) => {
            const seat = `A${++next}`;
            const sent = [send(seat, seat), send(seat, seat)]; /* at once, with one key */
            if (i === kill) {
                nodes.kill(await nodes.owner(), random(2) * AWAY_MS);
            }
            await Promise.all(sent);
        }));
        for (const key of [...answered.keys()].filter(() => random(20) === 0)) {
            await send(key, key);
        }
        assert.ok(next < 2900);
    }
    const wanted = answered.size;
    assert.equal(new Set(answered.values()).size, wanted);
    const { json } = await (await nodes.owner()).admin.get(`/v1/events/${event}`);
    assert.equal(json.counts.sold, wanted);
    await Promise.all([...answered.values()].map((id) => nodes.decided('POST', `/v1/reservations/${id}/refund`, { body: {} })));
    await traffic.progress(20);
});

schedule('a day that is empty is booked by one', { database }, async ({ nodes, random, until }) => {
    const slots = { name: 'A room', timezone: 'Europe/Berlin', slot_minutes: 60, hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }] };
    for (let day = 0; until(); day++) {
        const calendar = `room-${day}`;
        const made = await nodes.decided('PUT', `/v1/calendars/${calendar}`, { body: slots });
        assert.ok(made.status < 300, made.text);
        const from = new Date(Date.now() + 86_400_000 * 3);
        from.setUTCMinutes(0, 0, 0);
        const start = from.toISOString();
        const end = new Date(from.getTime() + 3_600_000).toISOString();
        const race = Array.from({ length: 12 }, (_, i) => nodes.decided('POST', '/v1/reservations', {
            key: `${calendar}-${i}`, user: `user-${i}`, body: { items: [{ calendar, start, end }], commit: true },
        }));
        if (random(4) === 0) {
            nodes.kill(await nodes.owner(), random(2) * AWAY_MS);
        }
        const answers = await Promise.all(race);
        const won = answers.filter(({ status }) => status === 201);
        assert.equal(won.length, 1, answers.map(({ status, json }) => json?.code ?? status).join());
        assert.ok(answers.every(({ status, json }) => status === 201 || json.code === 'taken'), answers.map(({ text }) => text).join());
    }
});

schedule('a seat is sold, transferred, moved, refunded and sold again', { database }, async ({ nodes, traffic, random, until }) => {
    const event = await makeEvent(await nodes.owner(), { seats: 'A1-A8' });
    const done = async (method, target, body, key) => {
        const answer = await nodes.decided(method, target, { body, key });
        return answer;
    };
    let rounds = 0;
    const turn = async (mine, name) => {
        for (let i = 0; until(); i++) {
            const key = `${name}-${i}`;
            const bought = await nodes.decided('POST', '/v1/reservations', { key, user: name, body: { items: items(event, mine[i % 2]), commit: true } });
            assert.equal(bought.status, 201, bought.text);
            const r = bought.json;
            const item = place(r, `/items/${r.items[0].item_id}`);
            assert.equal((await done('PATCH', item, { seat: mine[(i + 1) % 2] }, `${key}-move`)).status, 200);
            assert.equal((await done('POST', place(r, '/transfer'), { to_user_id: `${name}-too` }, `${key}-transfer`)).status, 200);
            if (random(2)) {
                assert.equal((await done('PATCH', item, { seat: mine[i % 2] }, `${key}-back`)).status, 200);
            }
            const refund = await done('POST', place(r, '/refund'), {}, `${key}-refund`);
            assert.equal(refund.status, 200, refund.text);
            rounds++;
        }
    };
    /* The same on one connection, so that it is one batch. */
    const batch = async (mine, name) => {
        for (let i = 0; until(); i++) {
            const made = await nodes.decided('POST', '/v1/reservations', { key: `${name}-${i}`, user: name, body: { items: items(event, mine[0]) } });
            assert.equal(made.status, 201, made.text);
            const r = made.json;
            const item = place(r, `/items/${r.items[0].item_id}`);
            const commands = [['POST', place(r, '/commit'), {}], ['PATCH', item, { seat: mine[1] }],
                ['POST', place(r, '/transfer'), { to_user_id: `${name}-too` }], ['PATCH', item, { seat: mine[0] }], ['POST', place(r, '/refund'), {}]];
            const owner = await nodes.owner();
            const line = ([method, target, body], at) => request(method, target, { body: JSON.stringify(body), lines: [
                `Authorization: Bearer ${owner.adminKey}`, 'Content-Type: application/json',
                `Content-Length: ${JSON.stringify(body).length}`, `Idempotency-Key: ${name}-${i}-${at}`] });
            await exchange(owner.url, commands.map(line).join(''), { enough: commands.length, patience: 6000 }).catch(() => {});
            /* Those that were not decided are repeated; but a transfer, whose answer is of what the reservation is now. */
            for (const [at, [method, target, body]] of commands.entries()) {
                const answer = target.endsWith('/transfer') ? { status: 200 } : await done(method, target, body, `${name}-${i}-${at}`);
                /* Judged anew, as it is without effect now: the first answer may have been lost. */
                assert.ok(answer.status === 200 || /^already_|not_confirmed/.test(answer.json.code), `${method} ${target}: ${answer.text}`);
            }
            rounds++;
        }
    };
    const all = [turn(['A1', 'A2'], 'ann'), turn(['A3', 'A4'], 'bob'), batch(['A5', 'A6'], 'cy'), batch(['A7', 'A8'], 'dora')];
    const ended = Promise.all(all);
    ended.catch(() => {});
    while (until()) {
        await pause(2000 + random(3000));
        nodes.kill(await nodes.owner(), random(2) * AWAY_MS);
    }
    await ended;
    assert.ok(rounds > 4, `${rounds} rounds`);
    const seats = await eventually(async () => (await (await nodes.owner()).admin.get(`/v1/events/${event}`)).json, (json) => json, 'the event');
    assert.equal(seats.counts.available, 8);
    await traffic.progress(20);
});
