/* SPDX-License-Identifier: Apache-2.0 */
/* What the owner does on its own goes on across takeovers: nobody is served twice, and nobody is skipped. */
'use strict';

const assert = require('node:assert/strict');
const { setTimeout: pause } = require('node:timers/promises');

const { schedule } = require('./lib/schedule.js');
const { Postgres } = require('../cluster/lib/postgres.js');
const { makeEvent, items, seats } = require('../conformance/lib/catalogue.js');
const { queue, waitingList } = require('../conformance/lib/entries.js');
const { Receiver, SECRET } = require('../conformance/lib/receiver.js');
const { eventually } = require('../conformance/lib/http.js');

const PATIENCE_MS = 90_000;
const AWAY_MS = 8000;
const options = { database: () => new Postgres().start(), load: { clients: 4 }, options: { args: ['--hooks-private', 'on'] } };

/* Kills owners, at once and for long, until `work` is done. */
async function whileKilling({ nodes, random }, work) {
    let done = false;
    const ended = work().finally(() => (done = true));
    ended.catch(() => {});
    while (!done) {
        await Promise.race([ended.catch(() => {}), pause(300 + random(3000))]);
        if (!done) {
            nodes.kill(await nodes.owner(), random(2) * AWAY_MS);
        }
    }
    return ended;
}

function ok({ status, json, text }, ...wanted) {
    assert.ok(wanted.includes(status), text);
    return json;
}

/* A read of the owner; undefined: none answered. */
async function shown(nodes, target) {
    const answer = await nodes.ask(null, 'GET', target).catch(() => undefined);
    return answer?.status === 200 ? answer.json : undefined;
}

const buy = async (nodes, event, seat, user, more = {}) =>
    ok(await nodes.decided('POST', '/v1/reservations', { key: `${event}-${seat}`, user, body: { items: items(event, seat), ...more } }), 201);

schedule('an event is cancelled: each sale is refunded once, and hooks say so under one id', options, async (run) => {
    const { nodes, until, traffic } = run;
    for (let round = 0; until(); round++) {
        const receiver = await new Receiver().start();
        const hook = `hook-${round}`;
        const names = ['reservation.confirmed', 'refund.due'];
        ok(await nodes.decided('PUT', `/v1/hooks/${hook}`, { body: { url: receiver.url, events: names, secret: SECRET } }), 201, 200);
        const count = 120;
        const event = await makeEvent(await nodes.owner(), { seats: seats(`A1-A${count}`, { price: 500 }) });
        const sold = await whileKilling(run, async () => {
            const all = [];
            for (let i = 1; i <= count; i += 8) {
                all.push(...await Promise.all(Array.from({ length: 8 }, async (_, k) => {
                    const seat = `A${i + k}`;
                    const r = await buy(nodes, event, seat, `user-${seat}`);
                    const paid = await nodes.decided('POST', `/v1/reservations/${r.reservation_id}/commit`, { body: { payment_ref: `pay-${event}-${seat}` } });
                    ok(paid, 200);
                    return r.reservation_id;
                })));
            }
            ok(await nodes.decided('POST', `/v1/events/${event}/cancel`, { body: {} }), 202);
            await eventually(() => shown(nodes, `/v1/events/${event}/cancel`), (json) => json?.state === 'done', 'the end of the event', PATIENCE_MS);
            return all;
        });
        const last = await (await nodes.owner()).admin.get('/v1/keys');
        const due = [];
        for (let cursor = ''; cursor !== null;) {
            const page = await eventually(() => (nodes.ask(null, 'GET', `/v1/refunds-due?status=all&limit=500${cursor}`,
                { headers: { 'Holdfast-Min-Seq': String(last.seq) } })), (answer) => answer.status === 200 && answer.seq >= last.seq, 'refunds');
            due.push(...page.json.data.filter(({ reservation_id }) => sold.includes(reservation_id)));
            cursor = page.json.next_cursor === null ? null : `&cursor=${page.json.next_cursor}`;
        }
        assert.deepEqual(due.map(({ reservation_id }) => reservation_id).sort(), [...sold].sort(), 'one refund for each sale');
        await eventually(() => shown(nodes, `/v1/hooks/${hook}`), (json) => json?.waiting === 0, 'nothing to wait', PATIENCE_MS);
        const ids = new Map();
        for (const { id, type, data } of receiver.messages()) {
            const what = `${type} ${data.reservation_id ?? data.reservation?.reservation_id}`;
            assert.ok(!ids.has(what) || ids.get(what) === id, `${what} came as ${id} and as ${ids.get(what)}`);
            ids.set(what, id);
        }
        for (const id of sold) {
            for (const name of names) {
                assert.ok(ids.has(`${name} ${id}`), `no message ${name} of ${id}; ${[...ids.keys()].slice(0, 3)}`);
            }
        }
        ok(await nodes.decided('DELETE', `/v1/hooks/${hook}`, {}), 204, 404);
        await receiver.close();
    }
    await traffic.progress(20);
});

schedule('freed seats are offered in the order of the list, each to one', options, async (run) => {
    const { nodes, until, traffic, random } = run;
    for (let round = 0; until(); round++) {
        const count = 24;
        const event = await makeEvent(await nodes.owner(), { seats: `A1-A${count}`, waiting_list: true, hold_ttl_seconds: 900 });
        const held = await Promise.all(Array.from({ length: count }, (_, i) => buy(nodes, event, `A${i + 1}`, 'seller')));
        const entries = [];
        for (let i = 0; i < count; i++) {
            const made = await nodes.decided('POST', waitingList(event), { key: `${event}-wish-${i}`, body: { quantity: 1, user_id: `w${i}` } });
            entries.push(ok(made, 201, 200).entry_id);
        }
        const look = () => Promise.all(entries.map((id) => shown(nodes, waitingList(event, `/${id}`))));
        const freed = Math.floor(count / 2) + random(count / 2);
        await whileKilling(run, async () => {
            for (const { reservation_id } of held.slice(0, freed)) {
                ok(await nodes.decided('POST', `/v1/reservations/${reservation_id}/release`, { body: {} }), 200);
                await pause(random(300));
            }
            await eventually(look, (all) => all.filter((e) => e?.status === 'offered').length >= freed, `${freed} offers`, PATIENCE_MS);
        });
        const all = await eventually(look, (list) => list.every(Boolean), 'all entries');
        assert.deepEqual(all.map(({ status }) => status), all.map((_, i) => (i < freed ? 'offered' : 'waiting')));
        const offers = await Promise.all(all.slice(0, freed).map((e) =>
            eventually(() => shown(nodes, `/v1/reservations/${e.reservation_id}`), Boolean, 'an offer')));
        assert.equal(new Set(offers.map(({ items: [item] }) => item.seat)).size, freed, 'a seat was offered twice');
    }
    await traffic.progress(20);
});

schedule('a ticket admits one person', options, async (run) => {
    const { nodes, until, traffic } = run;
    for (let round = 0; until(); round++) {
        const event = await makeEvent(await nodes.owner(), { seats: 'A1-A60' });
        traffic.others += 60;
        await whileKilling(run, async () => {
            for (let i = 1; i <= 60; i += 6) {
                await Promise.all(Array.from({ length: 6 }, async (_, k) => {
                    const { tickets: [{ code }] } = await buy(nodes, event, `A${i + k}`, 'ann', { commit: true });
                    const scans = await Promise.all(['north', 'south', 'east'].map((gate) =>
                        nodes.decided('POST', '/v1/check-ins', { body: { code, gate, nonce: `${code}-${gate}` } })));
                    const results = scans.map(({ status, json }) => (status === 200 ? json.result : json.code)).sort();
                    assert.deepEqual(results, ['already_checked_in', 'already_checked_in', 'ok']);
                }));
            }
        });
    }
    await traffic.progress(20);
});

schedule('a room admits in order, and no more than it may', options, async (run) => {
    const { nodes, until, traffic } = run;
    const ACTIVE = 4;
    for (let round = 0; until(); round++) {
        const event = await makeEvent(await nodes.owner(), { pools: { floor: 100 },
            waiting_room: { by_inventory: false, max_active: ACTIVE } });
        const people = [];
        for (let i = 0; i < 80; i++) {
            const made = await nodes.decided('POST', queue(event), { key: `${event}-join-${i}`, body: { user_id: `p${i}` } });
            people.push(ok(made, 201, 200).entry_id);
        }
        const gone = new Set();
        await whileKilling(run, async () => {
            const began = Date.now();
            while (gone.size < people.length) {
                assert.ok(Date.now() - began < PATIENCE_MS * 2, `${gone.size} of ${people.length} were admitted`);
                const all = await Promise.all(people.map((id) => shown(nodes, queue(event, `/${id}`))));
                const inside = people.filter((id, i) => all[i]?.status === 'admitted' && !gone.has(id));
                assert.ok(inside.length <= ACTIVE, `${inside.length} are inside`);
                assert.ok(all.every((e) => e?.status !== 'passed_over'), 'a present person was passed over');
                for (const id of inside) {
                    const before = people.slice(0, people.indexOf(id)).filter((other) => !gone.has(other) && !inside.includes(other));
                    const skipped = before.filter((other) => all[people.indexOf(other)]?.status === 'waiting');
                    assert.deepEqual(skipped, [], `${id} came before its turn`);
                }
                for (const id of inside) {
                    ok(await nodes.decided('DELETE', queue(event, `/${id}`), {}), 200, 204);
                    gone.add(id);
                }
                await pause(100);
            }
        });
    }
    await traffic.progress(20);
});
