/* SPDX-License-Identifier: Apache-2.0 */
/* The judge of sales: PostgreSQL's table `sold` has exactly the seats that are sold, whatever happens to them; and a server
 * that would sell one twice is stopped before it acknowledges that. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const path = require('node:path');

const { Postgres } = require('./lib/postgres.js');
const { patched } = require('./lib/patched.js');
const { Server } = require('../conformance/lib/server.js');
const { Wire, eventually, request } = require('../conformance/lib/http.js');
const { makeEvent, addSeats, seats, items, hold, seatStatus } = require('../conformance/lib/catalogue.js');

const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const ticketKey = crypto.randomBytes(32).toString('hex');

const serve = (pg, options = {}) => new Server({
    args: ['--store', pg.url, '--advertise', 'http://127.0.0.1:1'], env: { HOLDFAST_TICKET_KEY: ticketKey }, ...options,
}).start();

function ok(answer, wanted = 200) {
    assert.equal(answer.status, wanted, answer.text);
    return answer.json;
}

async function buy(hf, event, wanted, user = 'ann') {
    const r = await hold(hf.acting(user), items(event, wanted));
    return ok(await hf.admin.post(place(r, '/commit'), {}));
}

/* [fence, position] of each sold seat, by the API: the version of a sold seat is the fence of its item. */
async function shown(hf, events) {
    const all = [];
    for (const event of events) {
        const layout = ok(await hf.anyone.get(`/v1/events/${event}/seats`)).seats;
        for (const [position, { id }] of layout.entries()) {
            const seat = ok(await hf.anyone.get(`/v1/events/${event}/seats/${id}`));
            if (seat.status === 'sold') {
                all.push([Number(seat.version), position]);
            }
        }
    }
    return all.sort(([a, b], [c, d]) => a - c || b - d);
}

const judged = (pg) => pg.sql('SELECT fence, seat FROM sold WHERE fence<>0 ORDER BY fence, seat').map((row) => row.map(Number));
const last = (pg) => Number(pg.sql('SELECT max(first_seq+count-1) FROM log')[0][0]);

async function same(hf, pg, events, least = 0) {
    const wanted = await shown(hf, events);
    assert.ok(wanted.length >= least, `${wanted.length} are sold`);
    assert.deepEqual(judged(pg), wanted);
}

const line = (hf, method, target, body = {}) => {
    const text = JSON.stringify(body);
    const lines = [`Authorization: Bearer ${hf.adminKey}`, 'Content-Type: application/json', `Content-Length: ${text.length}`];
    return request(method, target, { lines, body: text });
};

test('every seat that is sold is in the table, with the fence of its grant, and no other', async (t) => {
    const pg = await new Postgres().start();
    let hf = await serve(pg);
    t.after(() => hf.close());
    t.after(() => pg.close());
    const event = await makeEvent(hf, { seats: 'A1-A20' });
    const other = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 9 } });
    const events = [event, other];

    await t.test('sold, refunded, sold again', async () => {
        await hold(hf.acting('eve'), items(event, 'A20'));
        const r = await buy(hf, event, 'A1-A3');
        await same(hf, pg, events, 3);
        ok(await hf.admin.post(place(r, '/refund'), { items: [r.items[0].item_id] }));
        await same(hf, pg, events, 2);
        await buy(hf, event, 'A1', 'bob');
        await same(hf, pg, events, 3);
        ok(await hf.admin.post(place(r, '/refund'), {}));
        await same(hf, pg, events, 1);
    });

    await t.test('moved, transferred; items of pools are no rows', async () => {
        const r = await buy(hf, event, 'A4 A5');
        ok(await hf.admin.patch(place(r, `/items/${r.items[0].item_id}`), { seat: 'A6' }));
        await same(hf, pg, events, 3);
        const before = judged(pg);
        ok(await hf.admin.post(place(r, '/transfer'), { to_user_id: 'carl' }));
        assert.deepEqual(judged(pg), before);
        ok(await hf.admin.patch(place(r, `/items/${r.items[0].item_id}`), { seat: 'A4' }));
        const floor = await hold(hf.acting('ann'), [{ event: other, pool: 'floor', quantity: 3 }]);
        ok(await hf.admin.post(place(floor, '/commit'), {}));
        await same(hf, pg, events, 3);
    });

    await t.test('sold, refunded and sold again in one batch', async () => {
        const second = await buy(hf, event, 'A8', 'bob');
        const item = place(second, `/items/${second.items[0].item_id}`);
        let together = false;
        /* Requests that arrive together are one batch unless the loop happens to read them in two turns. */
        for (let i = 0; i < 20 && !together; i++) {
            ok(await hf.admin.patch(item, { seat: 'A8' }));
            const first = await hold(hf.acting('ann'), items(event, 'A7'));
            const before = last(pg);
            const wire = new Wire(hf.url, [
                line(hf, 'POST', place(first, '/commit')),
                line(hf, 'POST', place(first, '/refund')),
                line(hf, 'PATCH', item, { seat: 'A7' }),
                line(hf, 'PATCH', item, { seat: 'A8' }),
                line(hf, 'PATCH', item, { seat: 'A7' }),
            ].join(''));
            await wire.until(({ text }) => text.split('HTTP/1.1 200').length === 6, 'five answers');
            wire.close();
            const [[, lastMove]] = [...wire.text.matchAll(/^Holdfast-Seq: (\d+)/gim)].slice(-1);
            const sql = `SELECT count(*) FROM log WHERE first_seq <= ${before + 1} AND first_seq + count > ${lastMove}`;
            together = Number(pg.sql(sql)[0][0]) === 1;
            await same(hf, pg, events, 4);
        }
        assert.ok(together, 'never in one batch');
    });

    await t.test('under load, with an import, and another event cancelled', async () => {
        const lost = await makeEvent(hf, { seats: 'A1-A40' });
        const busy = await makeEvent(hf, { seats: 'A1-A12' });
        events.push(lost, busy);
        for (let i = 1; i <= 40; i += 4) {
            await buy(hf, lost, `A${i}-A${i + 2}`);
        }
        const refusals = new Set();
        const shopper = async (name) => {
            for (let i = 0; i < 40; i++) {
                const seat = () => `A${1 + Math.floor(Math.random() * 12)}`;
                const held = await hf.acting(name).post('/v1/reservations', { items: items(busy, seat()) });
                if (held.status !== 201) {
                    refusals.add(held.status);
                    continue;
                }
                const r = ok(await hf.admin.post(place(held.json, '/commit'), {}));
                const moved = await hf.admin.patch(place(r, `/items/${r.items[0].item_id}`), { seat: seat() });
                refusals.add(moved.status);
                ok(await hf.admin.post(place(r, '/transfer'), { to_user_id: `${name}-too` }));
                if (i < 36) {
                    ok(await hf.admin.post(place(r, '/refund'), {}));
                }
            }
        };
        await Promise.all([
            ...Array.from({ length: 8 }, (_, i) => shopper(`shopper-${i}`)),
            addSeats(hf, busy, seats('B1-B3000')),
            hf.admin.post(`/v1/events/${lost}/cancel`, {}).then((answer) => ok(answer, 202)),
        ]);
        assert.ok([...refusals].every((status) => status === 200 || status === 409), [...refusals].join());
        await eventually(async () => ok(await hf.admin.get(`/v1/events/${lost}/cancel`)), ({ state }) => state === 'done', 'the end of the event');
        assert.equal(Number(pg.sql('SELECT count(*) FROM sold WHERE fence=0')[0][0]) >= 30, true);
        events.pop();
        /* Of 3,012 seats, the first are those that anyone wanted. */
        const sold = [];
        for (let i = 1; i <= 12; i++) {
            const seat = ok(await hf.anyone.get(`/v1/events/${busy}/seats/A${i}`));
            if (seat.status === 'sold') {
                sold.push([Number(seat.version), i - 1]);
            }
        }
        assert.ok(sold.length > 0);
        const all = [...await shown(hf, events), ...sold].sort(([a, b], [c, d]) => a - c || b - d);
        assert.deepEqual(judged(pg), all);
    });

    await t.test('after a restart, a kill, and from an empty folder, what was sold before is given back', async () => {
        const r = await buy(hf, event, 'A10 A11');
        const moves = await buy(hf, event, 'A12');
        const back = await buy(hf, event, 'A14');
        await hf.restart();
        ok(await hf.admin.post(place(r, '/refund'), { items: [r.items[0].item_id] }));
        await hf.restart({ kill: true });
        ok(await hf.admin.patch(place(moves, `/items/${moves.items[0].item_id}`), { seat: 'A13' }));
        const { adminKey, secret } = hf;
        await hf.stop();
        hf = await serve(pg, { adminKey, secret });
        ok(await hf.admin.post(place(back, '/refund'), {}));
        ok(await hf.admin.post(place(r, '/refund'), {}));
        await buy(hf, event, 'A10 A14', 'dora');
        assert.equal(await seatStatus(hf, event, 'A11'), 'available');
        const all = new Set(judged(pg).map(String));
        for (const row of await shown(hf, [event, other])) {
            assert.ok(all.has(String(row)), `${row} is not in the table`);
        }
    });
});

test('a server whose core sells what is sold is stopped, and acknowledges nothing', { timeout: 600_000 }, async (t) => {
    const bad = patched(path.join(__dirname, 'seat-check-taken-out.patch'));
    t.after(() => bad.close());

    const stopped = async (hf, saying) => {
        const { code } = await hf.exit;
        assert.equal(code, 65, hf.stderr.slice(-2000));
        assert.match(hf.stderr, saying);
        hf.child = null;
    };

    await t.test('by the database, across batches', async (tt) => {
        const pg = await new Postgres().start();
        const hf = await serve(pg, { program: bad.program });
        tt.after(() => hf.close());
        tt.after(() => pg.close());
        const event = await makeEvent(hf, { seats: 'A1-A4' });
        const ann = await buy(hf, event, 'A2');
        const seq = last(pg);
        /* Held and sold in one step: the book, which would refuse the hold as well, does not get it. */
        const bob = { items: items(event, 'A1 A2 A3'), user_id: 'bob', commit: true };
        await assert.rejects(hf.admin.post('/v1/reservations', bob));
        await stopped(hf, /a sale was refused/);
        assert.equal(last(pg), seq, 'nothing of the batch was written');
        assert.deepEqual(pg.sql('SELECT seat, fence, prev FROM sold').map((row) => row.map(Number)), [[1, ann.fence, 0]]);
    });

    await t.test('before the database, within one', async (tt) => {
        const pg = await new Postgres().start();
        const hf = await serve(pg, { program: bad.program });
        tt.after(() => hf.close());
        tt.after(() => pg.close());
        const event = await makeEvent(hf, { seats: 'A1-A4' });
        const seq = last(pg);
        const sale = (user) => line(hf, 'POST', '/v1/reservations', { items: items(event, 'A2'), user_id: user, commit: true });
        const wire = new Wire(hf.url, sale('ann') + sale('bob'));
        await stopped(hf, /a sale was refused: seat 1 of event \d+ .* in the same batch/);
        assert.equal(wire.text, '', 'nothing was acknowledged');
        assert.equal(last(pg), seq);
        assert.deepEqual(pg.sql('SELECT * FROM sold'), []);
    });
});
