/* SPDX-License-Identifier: Apache-2.0 */
/* Calendars: what a user token may book, when, how long, how often and at what price; back ends are not limited. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { hold } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, makeCalendar, slot, starts } = require('./lib/calendars.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const create = (caller, ...items) => caller.post('/v1/reservations', { items });
const move = (caller, r, start, minutes) => caller.patch(`/v1/reservations/${r.reservation_id}/items/1`,
    { start: iso(start), end: iso(start + minutes * MINUTE) });

function notBookable(answer, rule) {
    const problem = refused(answer, 409, 'not_bookable');
    assert.equal(problem.rule, rule, JSON.stringify(problem));
    return problem;
}

test('with services one must be named, and no price can be avoided', async () => {
    const at = midnight(hf);
    const services = [{ id: 'cut', duration_minutes: 30, price: 2500 }];
    const calendar = await makeCalendar(hf, { payment: 'required', services });
    const ann = hf.user(unique('ann'));
    notBookable(await create(ann, slot(calendar, at)), 'service');
    const r = await hold(ann, [{ calendar, start: iso(at), service: 'cut' }]);
    assert.equal(r.total.amount, 2500);
    refused(await ann.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 402, 'payment_required');
    notBookable(await move(ann, r, at, 1440), 'length');
});

test('a millisecond, a year, a start between two slots: refused for a user, allowed for a back end', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { price: 500 });
    const ann = hf.user(unique('ann'));
    const short = { calendar, start: iso(at), end: iso(at + 1) };
    notBookable(await create(ann, short), 'length');
    notBookable(await create(ann, slot(calendar, at, 365 * 1440)), 'length');
    assert.equal(notBookable(await create(ann, slot(calendar, at), slot(calendar, at + 70 * MINUTE)), 'grid').item, 1);
    const r = await hold(ann, [slot(calendar, at)]);
    notBookable(await move(ann, r, at, 1440), 'length');
    await hold(hf.app, [{ ...short, start: iso(at - 1), end: iso(at) }], { user_id: 'ann' });
    const year = await hold(hf.app, [slot(calendar, at + DAY, 365 * 1440)], { user_id: 'ann' });
    assert.equal(year.total.amount, 365 * 48 * 500);
});

test('price_per claim costs the same for any length', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { price: 500, price_per: 'claim', max_minutes: 90 });
    assert.equal((await hold(hf.user('ann'), [slot(calendar, at, 90)])).total.amount, 500);
});

test('shortest and longest; a minimum over the default maximum is also the maximum', async () => {
    const at = midnight(hf);
    const [wide, least] = [await makeCalendar(hf, { min_minutes: 60, max_minutes: 120 }),
        await makeCalendar(hf, { min_minutes: 60 })];
    const ann = hf.user('ann');
    notBookable(await create(ann, slot(wide, at, 30)), 'length');
    notBookable(await create(ann, slot(wide, at, 150)), 'length');
    granted(await create(ann, slot(wide, at, 90)), 201);
    notBookable(await create(ann, slot(least, at, 90)), 'length');
    granted(await create(ann, slot(least, at, 60)), 201);
});

test('notice and horizon, in the list and in bookings; a back end sees and books everything', async () => {
    const at = midnight(hf, 1);
    const ahead = Math.ceil((at - hf.now()) / MINUTE);
    const calendar = await makeCalendar(hf, { slot_minutes: 360, notice_minutes: ahead + 60, horizon_days: 4 });
    const ann = hf.user('ann');
    notBookable(await create(ann, slot(calendar, at, 360)), 'notice');
    notBookable(await create(ann, slot(calendar, at + 6 * DAY, 360)), 'horizon');
    const shown = await starts(hf, calendar, { from: at, to: at + 10 * DAY });
    assert.equal(shown[0], at + 6 * HOUR);
    assert.ok(shown.at(-1) <= hf.now() + 4 * DAY && shown.at(-1) > hf.now() + 3.7 * DAY);
    granted(await create(ann, slot(calendar, shown[0], 360)), 201);
    const query = new URLSearchParams({ from: iso(at), to: iso(at + 10 * DAY) });
    const { json } = await hf.app.get(`/v1/calendars/${calendar}/slots?${query}`);
    assert.deepEqual([Date.parse(json.data[0].start), json.data.length], [at, 39]);
    granted(await create(hf.acting('ann'), slot(calendar, at + 6 * DAY, 360)), 201);
});

test('a limit per user counts claims that are not over, and applies to user tokens only', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { per_user_limit: 2 });
    const ann = hf.user(unique('ann'));
    const first = await hold(ann, [slot(calendar, at)]);
    await hold(hf.app, [slot(calendar, at + HOUR)], { user_id: ann.name });
    const problem = refused(await create(ann, slot(calendar, at + 2 * HOUR)), 409, 'limit_exceeded');
    assert.deepEqual([problem.calendar, problem.limit, problem.have], [calendar, 2, 2]);
    granted(await move(ann, first, at + 5 * HOUR, 30), 200);
    await hold(hf.app, [slot(calendar, at + 3 * HOUR)], { user_id: ann.name });
    granted(await ann.delete(`/v1/reservations/${first.reservation_id}`), 200);
    assert.equal(refused(await create(ann, slot(calendar, at + 2 * HOUR)), 409, 'limit_exceeded').have, 2);
});

test('guests are refused where the calendar says so', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { guests: false });
    const { json } = await hf.anyone.post('/v1/sessions', {});
    refused(await create(hf.bearer(json.token), slot(calendar, at)), 403, 'guests_refused');
    granted(await create(hf.acting(json.user_id), slot(calendar, at)), 201);
});

test('a held claim that moves gets the current price; a bought one gets neither longer nor more expensive for a user', async () => {
    const at = midnight(hf);
    const settings = { name: 'x', price: 700, max_minutes: 120 };
    const calendar = await makeCalendar(hf, { ...settings, payment: 'required' });
    const ann = hf.user(unique('ann'));
    const r = await hold(ann, [slot(calendar, at)]);
    assert.equal(granted(await move(ann, r, at, 90), 200).total.amount, 2100);
    granted(await hf.app.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200);
    refused(await move(ann, r, at, 120), 402, 'payment_required');
    assert.equal(granted(await move(ann, r, at + HOUR, 60), 200).total.amount, 2100);
    await makeCalendar(hf, { ...settings, id: calendar, price: 1500 });
    assert.equal(granted(await move(ann, r, at, 60), 200).total.amount, 2100, 'it keeps its price per unit');
    granted(await move(hf.app, r, at, 240), 200);
});

test('from change_until_minutes before its start on only a back end can move a booking', async () => {
    const at = midnight(hf, 1);
    const ahead = Math.ceil((at - hf.now()) / MINUTE);
    const calendar = await makeCalendar(hf, { change_until_minutes: ahead + 60 });
    const ann = hf.user(unique('ann'));
    const [soon, later] = [await hold(ann, [slot(calendar, at)]), await hold(ann, [slot(calendar, at + 3 * HOUR)])];
    notBookable(await move(ann, soon, at + 5 * HOUR, 30), 'change');
    granted(await move(ann, later, at + 4 * HOUR, 30), 200);
    granted(await move(hf.app, soon, at + 5 * HOUR, 30), 200);
});
