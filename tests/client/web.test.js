/* SPDX-License-Identifier: Apache-2.0 */
/* What can be tested of web/ without a browser: colours, the plan of a hall, a draw, the days of a zone, the
 * description of the API, a map of drivers. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { drawFromDocs } = require('../conformance/lib/entries.js');

const web = path.join(__dirname, '../../web');
const below = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
    (one.isDirectory() ? below(path.join(folder, one.name)) : [path.join(folder, one.name)]));
const modules = ['pages', 'components', 'lib'].flatMap((folder) => below(path.join(web, folder))).filter((file) => file.endsWith('.js'));
const load = (name) => import(path.join(web, name));

test('no colour is named outside design.css, and no template has a style attribute', () => {
    for (const file of below(path.join(web, 'style')).filter((one) => !one.endsWith('design.css'))) {
        const rules = fs.readFileSync(file, 'utf8').replace(/@media print \{[^]*?\n\}/g, '');
        assert.doesNotMatch(rules, /#[0-9a-f]{3,8}\b|rgb\((?!0 0 0 \/)/i, file);
    }
    for (const file of modules) {
        assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /<[^>]*\sstyle=/, file);
    }
});

const EVENT = { currency: 'EUR', categories: null, prices: null };
const row = (name, y, count) => Array.from({ length: count }, (_, i) => ({ id: `${name}${i + 1}`, section: 'S', row: name, number: String(i + 1), x: i, y, price: 100 }));

test('a hall knows neighbours, nearby seats, and how many are left', async () => {
    const { Hall } = await load('lib/hall.js');
    const hall = new Hall({ seats: [...row('A', 0, 5), ...row('B', 1, 5)] }, EVENT);
    const at = (id) => hall.index.get(id);
    assert.equal(hall.pitch, 1);
    assert.equal(hall.beside(at('A2'), 'ArrowRight').id, 'A3');
    assert.equal(hall.beside(at('A1'), 'ArrowLeft'), null);
    assert.equal(hall.beside(at('A4'), 'ArrowDown').id, 'B4');
    assert.equal(hall.beside(at('B4'), 'ArrowUp').id, 'A4');
    assert.equal(hall.beside(at('B4'), 'Home').id, 'B1');
    assert.equal(hall.free, 10);
    hall.setMap('aahsbaaaaa');
    assert.equal(hall.free, 7);
    assert.equal(hall.statusOf(at('A4')), 'sold');
    assert.equal(hall.nearest(at('A3')).id, 'A2');
    assert.ok(hall.set(at('A3'), 'available') && !hall.set(at('A3'), 'available'));
    assert.equal(hall.sections[0].free, 8);
});

test('seats without coordinates are put into rows, in the order of their numbers', async () => {
    const { Hall } = await load('lib/hall.js');
    const hall = new Hall({ seats: ['10', '9', '1'].map((number) => ({ id: `A${number}`, row: 'A', number, price: 0 })) }, EVENT);
    assert.deepEqual(hall.rows[0].map((seat) => seat.number), ['1', '9', '10']);
    assert.ok(hall.width > 0 && hall.height > 0);
});

test('a price is the tier\'s in its category, else the seat\'s own in the first one, else none', async () => {
    const { Hall } = await load('lib/hall.js');
    const event = { currency: 'EUR', categories: ['adult', 'child'], prices: { gold: { adult: 500, child: 200 } } };
    const hall = new Hall({ seats: [{ id: 'G', tier: 'gold', price: 900 }, { id: 'P', tier: 'plain', price: 300 }] }, event);
    assert.deepEqual(['adult', 'child'].map((category) => hall.seats.map((seat) => hall.price(seat, category))), [[500, 300], [200, null]]);
});

test('neighbours are those of the server: the smallest step of the row, an aisle ends a run, without numbers the order of the layout', async () => {
    const { Hall } = await load('lib/hall.js');
    const seats = (row, numbers) => numbers.map((number, i) => ({ id: `${row}${number || i}`, row, number: String(number), price: 0 }));
    const runOf = (list, id) => {
        const hall = new Hall({ seats: list }, EVENT);
        const { run, place } = hall.runOf(hall.index.get(id));
        return [run.map((seat) => seat.id).join(' '), place];
    };
    assert.deepEqual(runOf(seats('A', [5, 1, 3, 11, 9]), 'A5'), ['A1 A3 A5', 2], 'odd numbers, an aisle');
    assert.deepEqual(runOf(seats('A', [5, 1, 3, 11, 9]), 'A9'), ['A9 A11', 0]);
    assert.deepEqual(runOf(seats('B', ['', '', '']), 'B1'), ['B0 B1 B2', 1]);
});

/* A row in letters: f is free, x is taken, m is in the basket; ! before a free one: it is left alone, before one of the basket: it is accessible. */
async function basketIn(letters) {
    const [{ Hall }, { movesFor, singlesOf }] = await Promise.all([load('lib/hall.js'), load('lib/single_seats.js')]);
    const signs = letters.match(/!?[fxm]/g);
    const event = { ...EVENT, id: 'E' };
    const hall = new Hall({ seats: row('A', 0, signs.length).map((seat, i) => ({ ...seat, accessible: signs[i] === '!m' })) }, event);
    signs.forEach((sign, i) => hall.set(i, sign.endsWith('f') ? 'available' : 'held'));
    const items = signs.flatMap((sign, i) => (sign.endsWith('m') ? [{ item_id: String(i), event: 'E', seat: `A${i + 1}` }] : []));
    const basket = { items, itemOf: (_, seat) => items.find((item) => item.seat === seat),
        reservation: { leaves_single: signs.flatMap((sign, i) => (sign === '!f' ? [`A${i + 1}`] : [])) } };
    const singles = singlesOf(basket, { about: () => ({ event, hall }) });
    return movesFor(basket, singles)?.map(({ from, to }) => `${from.id}>${to.id}`).join(' ') ?? null;
}

test('seats left alone: the far end of a block of the basket moves onto them', async () => {
    const cases = [
        ['!fmff', 'A2>A1'], ['!fmmff', 'A3>A1'], ['!fmmfx', 'A3>A1'], ['mfx!fmffx', 'A5>A4'],
        ['m!fmff', 'A3>A2'], ['fm!fmx', 'A2>A3'], /* the other side ends at a taken seat */
        ['!fm!fmff', 'A2>A1'], /* and both are free again */
        ['fm!fm!fmf', 'A2>A5'], /* one move for both */
        ['!f!mff', null], ['x!fx', null],
    ];
    for (const [letters, moves] of cases) {
        assert.equal(await basketIn(letters), moves, letters);
    }
});

test('a sale is early, open, sold out, over, cancelled or empty', async () => {
    const { saleOf } = await load('lib/sale.js');
    const counts = (available, seats = 9) => ({ seats, available, pools: { capacity: 0, available: 0 } });
    const now = Date.parse('2030-01-02T00:00:00Z');
    const [before, after] = ['2030-01-01T00:00:00Z', '2030-01-03T00:00:00Z'];
    const cases = [
        [{ counts: counts(3) }, 'open'], [{ counts: counts(0) }, 'sold_out'], [{ counts: counts(0, 0) }, 'empty'],
        [{ counts: counts(3), on_sale_at: after }, 'early'], [{ counts: counts(3), starts_at: before }, 'over'],
        [{ counts: counts(3), off_sale_at: before, starts_at: after }, 'over'], [{ counts: counts(3), cancelled_at: before }, 'cancelled'],
        [{ counts: counts(3), starts_at: new Date(now).toISOString() }, 'over'],
    ];
    for (const [event, state] of cases) {
        assert.equal(saleOf(event, now).state, state, JSON.stringify(event));
    }
});

/* What functions of lib/format.js return for a visitor with this language, in this time zone. A process of its own: the language
 * is chosen once. */
function formatted(tag, zone, ...calls) {
    const script = `Object.defineProperty(globalThis, 'navigator', { value: { languages: [${JSON.stringify(tag)}] } });
        const format = await import(${JSON.stringify(path.join(web, 'lib/format.js'))});
        console.log(JSON.stringify(${JSON.stringify(calls)}.map(([name, ...values]) => format[name](...values))));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { ...process.env, TZ: zone }, encoding: 'utf8' });
    return JSON.parse(out).map((text) => text.replace(/[\u00a0\u202f]/g, ' '));
}

test('a time is that of the place, with the name of its zone where the reader\'s clocks differ, and 24 hours by the language', () => {
    const play = '2026-07-01T18:00:00Z'; /* 20:00 in Berlin */
    for (const [tag, zone, shown] of [
        ['en-GB', 'Europe/Berlin', 'Wed, 1 July 2026 at 20:00'], ['en-GB', 'Europe/Madrid', 'Wed, 1 July 2026 at 20:00'],
        ['en-US', 'America/New_York', 'Wed, July 1, 2026 at 8:00 PM Central European Time'],
        ['de-DE', 'Europe/Berlin', 'Mi., 1. Juli 2026 um 20:00'], ['de-DE', 'Europe/London', 'Mi., 1. Juli 2026 um 20:00 Mitteleuropäische Zeit'],
    ]) {
        assert.deepEqual(formatted(tag, zone, ['dateTime', play, 'Europe/Berlin']), [shown], `${tag}, ${zone}`);
    }
    assert.deepEqual(formatted('en-GB', 'America/New_York', ['clock', '2026-07-01T07:05:00Z', 'Europe/Berlin'], ['timeOfDay', play, 'UTC'], ['timeOfDay', play]),
        ['09:05', '18:00 UTC', '14:00']);
});

test('a night is a night, also when the clocks change, and a day a day', () => {
    const inn = { hours: [{ days: ['mon'], from: '15:00', to: '15:00' }] };
    const stays = [['2026-10-24T13:00:00Z', '2026-10-25T14:00:00Z', '1 night'], ['2026-10-24T13:00:00Z', '2026-10-26T10:00:00Z', '2 nights'],
        ['2026-06-24T08:00:00Z', '2026-06-26T08:00:00Z', '2 days'], ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '1 h']];
    assert.deepEqual(formatted('en-GB', 'Europe/Berlin', ...stays.map(([from, to]) => ['stayText', from, to, 'Europe/Berlin'])), stays.map(([, , length]) => length));
    assert.deepEqual(formatted('en-GB', 'Europe/Berlin', ...[1440, 1200, 9840, 90].map((minutes) => ['stayLength', minutes, inn]), ['stayLength', 1440, { hours: [] }]),
        ['1 night', '1 night', '7 nights', '1 h 30 min', '1 day']);
});

test('an order as iCalendar: times of the place, with the offsets that they have, in lines of at most 75 octets', async () => {
    const { calendarFile } = await load('lib/ics.js');
    const text = calendarFile([
        { uid: 'a', name: 'Hamlet; a play, für alle'.padEnd(120, 'ü'), place: 'The old theatre', start: '2026-07-01T18:00:00.000Z', zone: 'Europe/Berlin' },
        { uid: 'b', name: 'The inn', start: '2026-10-24T13:00:00Z', end: '2026-10-25T10:00:00Z', zone: 'Europe/Berlin' },
        { uid: 'c', name: 'Online', start: '2026-07-01T18:00:00Z', zone: 'UTC' },
    ], '2026-01-02T03:04:05.678Z');
    const lines = text.split('\r\n');
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75) && lines.at(-1) === '');
    const whole = text.replaceAll('\r\n ', '').split('\r\n');
    for (const line of ['DTSTAMP:20260102T030405Z', 'DTSTART;TZID=Europe/Berlin:20260701T200000', 'DTEND;TZID=Europe/Berlin:20261025T110000',
        'DTSTART:20260701T180000Z', 'LOCATION:The old theatre', `SUMMARY:Hamlet\\; a play\\, ${'für alle'.padEnd(120 - 16, 'ü')}`]) {
        assert.ok(whole.includes(line), `${line}\n${text}`);
    }
    assert.deepEqual(whole.filter((line) => line.startsWith('TZOFFSETTO')), ['TZOFFSETTO:+0200', 'TZOFFSETTO:+0100']);
    assert.equal(whole.filter((line) => line === 'BEGIN:VTIMEZONE').length, 1);
});

test('the draw in the browser is the one of the docs', async () => {
    const { drawPosition: docs, drawHolds: docsHolds } = drawFromDocs();
    const { drawPosition, drawHolds } = await load('lib/draw.js');
    const seed = crypto.randomBytes(32).toString('hex');
    for (const entries of [1, 2, 255, 257, 70_000]) {
        for (const number of [1, Math.ceil(entries / 2), entries]) {
            assert.equal(await drawPosition(seed, entries, number), docs(seed, entries, number), `${number} of ${entries}`);
        }
    }
    const draw = { seed, entries: 9, commitment: crypto.createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex') };
    const entry = { number: 4, position: docs(seed, 9, 4) };
    assert.ok(docsHolds(draw, entry) && await drawHolds(draw, entry));
    assert.ok(await drawHolds(draw, { number: 12, position: 12 }), 'who came later stands behind');
    assert.ok(!await drawHolds(draw, { ...entry, position: entry.position + 1 }));
    assert.ok(!await drawHolds(draw, entry, '00'.repeat(32)), 'another fingerprint was promised');
});

test('a day of a zone begins at its midnight, also where the clocks change at midnight, and has 23, 24 or 25 hours', async () => {
    const { startOf, hoursOf, dayOf } = await load('lib/zone.js');
    const starts = [
        ['2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00Z', 23], ['2027-10-31', 'Europe/Berlin', '2027-10-30T22:00:00Z', 25],
        ['2027-03-29', 'Europe/Berlin', '2027-03-28T22:00:00Z', 24], ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z', 23],
        ['2018-02-17', 'America/Sao_Paulo', '2018-02-17T02:00:00Z', 25], ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00Z', 25],
        ['2026-05-05', 'Pacific/Kiritimati', '2026-05-04T10:00:00Z', 24], ['2026-05-05', 'Asia/Kathmandu', '2026-05-04T18:15:00Z', 24],
    ];
    for (const [day, zone, start, hours] of starts) {
        assert.equal(startOf(day, zone), Date.parse(start), `${day} ${zone}`);
        assert.equal(hoursOf(day, zone), hours, `${day} ${zone}`);
        assert.notEqual(dayOf(startOf(day, zone) - 1, zone), day);
    }
});

test('a time of day of a zone is an instant, and the other way round, also where the clocks change', async () => {
    const { instantOf, localOf } = await load('lib/zone.js');
    const times = [
        ['2027-06-01T19:30', 'Europe/Berlin', '2027-06-01T17:30:00.000Z'], ['2027-01-01T00:00', 'Asia/Kathmandu', '2026-12-31T18:15:00.000Z'],
        ['2027-10-31T02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'], ['2027-03-28T12:00', 'Europe/Berlin', '2027-03-28T10:00:00.000Z'],
    ];
    for (const [local, zone, instant] of times) {
        assert.equal(instantOf(local, zone), instant, `${local} ${zone}`);
        assert.equal(localOf(instant, zone), local, `${instant} ${zone}`);
    }
    assert.equal(instantOf('2027-03-28T02:30', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z', 'in the gap, with the offset before it');
});

test('weeks begin where the visitor\'s do, and a month has the weeks that it touches', async () => {
    const { weekOf, monthOf, addMonths, firstWeekday } = await load('lib/zone.js');
    assert.deepEqual([weekOf('2027-03-28', 1)[0], weekOf('2027-03-28', 7)[0]], ['2027-03-22', '2027-03-28']);
    assert.deepEqual(monthOf('2027-02-10', 1).map(([first]) => first), ['2027-02-01', '2027-02-08', '2027-02-15', '2027-02-22']);
    assert.equal(monthOf('2026-08-31', 1).length, 6);
    assert.deepEqual(monthOf('2026-12-05', 7).map(([first]) => first).at(-1), '2026-12-27');
    assert.deepEqual([addMonths('2026-12-31', 1), addMonths('2027-01-31', -1)], ['2027-01-01', '2026-12-01']);
    assert.equal(firstWeekday('de-DE'), 1);
});

test('a booking on an agenda: lengths, services and prices over its calendars', async () => {
    const { Agenda } = await load('lib/agenda.js');
    const room = (more) => ({ id: 'r', timezone: 'UTC', currency: 'EUR', size: 1, horizon_days: 9, services: [], slot_minutes: 30, price: 1000, price_per: 'slot', ...more });
    const agenda = (...calendars) => new Agenda(null, { id: 'a', group: calendars.length > 1 ? 'a' : null, calendars });
    assert.deepEqual(agenda(room()).lengths, [30]);
    assert.deepEqual(agenda(room({ min_minutes: 45, max_minutes: 120 })).lengths, [60, 90, 120]);
    assert.deepEqual(agenda(room()).price({ minutes: 90 }), { least: 3000, most: 3000 });
    assert.deepEqual(agenda(room({ price_per: 'claim' })).price({ minutes: 90 }), { least: 1000, most: 1000 });
    const both = agenda(room({ services: [{ id: 'cut', duration_minutes: 30, price: 700 }] }), room({ id: 's', size: 4, services: [{ id: 'cut', duration_minutes: 30, price: null }] }));
    assert.deepEqual([both.largest, both.services.length, both.price({ service: 'cut' }), both.price({ service: 'cut', party: 3 })],
        [4, 1, { least: 700, most: 1000 }, { least: 1000, most: 1000 }]);
    assert.deepEqual(both.item({ start: 'S', end: 'E' }, { minutes: 30, party: 2 }), { group: 'a', party: 2, start: 'S', end: 'E' });
    assert.ok(both.has({ group: 'a', calendar: 's' }) && !both.has({ calendar: 's' }));
});

test('metrics: labels, sums, rates and quantiles between two readings', async () => {
    const { Reading, rate, quantile } = await load('lib/metrics.js');
    const text = (n, slow) => ['# HELP a_total x', '# TYPE a_total counter', `a_total{route="/v1/e{x}",status="4xx"} ${n}`, `a_total{route="\\"q\\"",status="2xx"} 7`, 'plain 1.5e3',
        `t_bucket{kind="hold",le="0.01"} ${n}`, `t_bucket{kind="hold",le="0.1"} ${n + slow}`, `t_bucket{kind="hold",le="+Inf"} ${n + slow}`,
        't_bucket{kind="read",le="0.01"} 0', 't_bucket{kind="read",le="+Inf"} 999', ''].join('\n');
    const [before, after] = [new Reading(text(10, 0), 1_000), new Reading(text(30, 20), 3_000)];
    assert.equal(after.sum('a_total'), 37);
    assert.equal(after.sum('a_total', ({ status }) => status === '4xx'), 30);
    assert.equal(after.sum('plain'), 1500);
    assert.equal(after.sum('nothing'), 0);
    assert.deepEqual(after.samples('a_total').map(({ labels }) => labels.route), ['/v1/e{x}', '\\"q\\"']);
    assert.equal(rate(before, after, 'a_total'), 10);
    assert.equal(rate(after, before, 'a_total'), null, 'it began again');
    const hold = ({ kind }) => kind === 'hold';
    assert.equal(quantile(before, after, 't', 0.5, hold), 0.01);
    assert.ok(Math.abs(quantile(before, after, 't', 0.75, hold) - 0.055) < 1e-9);
    assert.equal(quantile(before, before, 't', 0.5, hold), null, 'nothing happened');
    assert.equal(quantile(new Reading('', 0), after, 't', 0.99, ({ kind }) => kind === 'read'), 0.01, 'beyond the last bound: that bound');
});

test('a description: codes of an answer are its own, forms of a field are joined, words find calls', async () => {
    const { Description } = await load('lib/openapi.js');
    const problem = { type: 'object', properties: { code: { enum: ['taken', 'gone', 'late'] } } };
    const seat = { type: 'object', required: ['event', 'seat'], properties: { event: { type: 'string' }, seat: { type: 'string' } } };
    const pool = { type: 'object', required: ['event'], properties: { event: { type: 'string' }, quantity: { type: 'integer', minimum: 1, maximum: 9 } } };
    const call = { tags: ['t'], operationId: 'hold', summary: 'Hold.', security: [{}, { admin: [] }], parameters: [{ $ref: '#/components/parameters/a~1b' }],
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { items: { type: 'array', items: { oneOf: [seat, pool] } } } }, example: { items: [] } } } },
        responses: { 409: { description: 'No.', content: { 'application/problem+json': { schema: { allOf: [{ $ref: '#/components/schemas/problem' }, { properties: { code: { enum: ['taken'] } } }] } } } } } };
    const description = new Description({ tags: [{ name: 't' }], paths: { '/v1/x': { post: call }, '/x': { 'x-alias-of': '/v1/x', post: call } },
        components: { schemas: { problem }, parameters: { 'a/b': { name: 'p', in: 'query', schema: {} } } } });
    const [one, ...others] = description.operations;
    assert.equal(others.length, 0, 'an alias is no call of its own');
    assert.deepEqual(one.answers[0].codes, ['taken']);
    assert.deepEqual(one.who, ['anyone', 'admin']);
    assert.equal(one.parameters[0].name, 'p');
    assert.deepEqual(description.forms(one.body.schema)[0].fields.map(({ name, type, required }) => [name, type, required]),
        [['items', 'object[]', false], ['items[].event', 'string', true], ['items[].seat', 'string', false], ['items[].quantity', 'integer 1…9', false]]);
    assert.deepEqual([description.search('TAKEN /x').length, description.search('gone').length], [1, 0]);
});

test('a call that is tried: its address, and the same from a shell', async () => {
    const { Trial } = await load('lib/trial.js');
    const trial = new Trial({ method: 'POST', path: '/v1/users/{user}/x', body: { type: 'application/json', examples: [{ value: { a: "it's" } }] }, parameters: [
        { in: 'path', name: 'user', required: true, example: 'ann/é' }, { in: 'query', name: 'limit' }, { in: 'header', name: 'Idempotency-Key' }] }, () => {});
    assert.equal(trial.target, '/v1/users/ann%2F%C3%A9/x');
    Object.assign(trial.values, { 'query:limit': ' 5 ', 'header:Idempotency-Key': 'k"1' });
    assert.equal(trial.target, '/v1/users/ann%2F%C3%A9/x?limit=5');
    assert.deepEqual(trial.missing, []);
    assert.equal(trial.curl('http://h', 'secret'), `curl -X POST 'http://h/v1/users/ann%2F%C3%A9/x?limit=5' \\\n  -H "Authorization: Bearer $TOKEN" \\\n` +
        '  -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: k\\"1" \\\n' + `  -d '{\n  "a": "it'\\''s"\n}'`);
    trial.values['path:user'] = '';
    assert.deepEqual([trial.missing, trial.target], [['user'], '/v1/users/{user}/x?limit=5']);
});

test('a town on a screen: there and back, everything in view, across the 180th meridian too', async () => {
    const { Plane } = await load('lib/plane.js');
    const plane = new Plane();
    plane.resize(800, 500);
    for (const lng of [13.4, 179.999]) {
        const points = [{ lat: 52.5, lng }, { lat: 52.52, lng: lng > 170 ? -179.98 : lng + 0.03 }];
        plane.fit(points);
        for (const point of points) {
            const [x, y] = plane.project(point);
            assert.ok(x > 20 && x < 780 && y > 20 && y < 480, `${x}, ${y}`);
            const back = plane.unproject(x, y);
            assert.ok(Math.abs(back.lat - point.lat) < 1e-4 && Math.abs(back.lng - point.lng) < 1e-4, JSON.stringify(back));
        }
        const [x, y] = plane.project(points[1]);
        plane.zoom(2, x, y);
        assert.ok(Math.hypot(plane.project(points[1])[0] - x, plane.project(points[1])[1] - y) < 1, 'what is under the pointer stays there');
    }
});

test('how drivers spent their time: each sample counts until the next', async () => {
    const { sharesOf } = await load('lib/fleet.js');
    const sample = (at, free, busy) => ({ at, free, offered: 0, busy, away: 0 });
    assert.deepEqual(sharesOf([sample(0, 2, 0), sample(1000, 0, 2), sample(4000, 2, 0)]), { free: 0.25, offered: 0, busy: 0.75, away: 0 });
    assert.deepEqual(sharesOf([sample(0, 1, 3)]), { free: 0.25, offered: 0, busy: 0.75, away: 0 });
});

test('two changes of one record: merged, and where they conflict', async () => {
    const { applyPatch, contradictions, mergePatch } = await load('lib/merge_patch.js');
    const record = { name: 'Opera', venue: 'Hall', prices: { gold: { adult: 1, child: 2 } }, hours: [1] };
    const mine = mergePatch(record, { ...record, venue: null, prices: { gold: { adult: 3, child: 2 } }, hours: [1, 2] });
    assert.deepEqual(mine, { venue: null, prices: { gold: { adult: 3 } }, hours: [1, 2] });
    assert.deepEqual(applyPatch({ ...record, name: 'Theirs' }, mine), { name: 'Theirs', prices: { gold: { adult: 3, child: 2 } }, hours: [1, 2] });
    assert.equal(record.venue, 'Hall', 'the record stays');
    assert.deepEqual(contradictions(mine, { name: 'Theirs', prices: { gold: { child: 9 } }, hours: [1, 2] }), [], 'the same change is none');
    assert.deepEqual(contradictions(mine, { venue: 'Other', prices: { gold: { adult: 4 } }, hours: [] }), [['venue'], ['prices', 'gold', 'adult'], ['hours']]);
    assert.deepEqual(contradictions(mine, { prices: null }), [['prices']]);
});
