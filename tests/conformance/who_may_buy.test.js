/* SPDX-License-Identifier: Apache-2.0 */
/* Whether guests may buy. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const create = (caller, body) => caller.post('/v1/reservations', body);

test('guests:false refuses a guest token, but not a back end acting for a guest', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4', guests: false });
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.guests, false);
    const { json: session } = await hf.anyone.post('/v1/sessions', {});
    const guest = hf.bearer(session.token);
    refused(await create(guest, { items: items(event, 'A1') }), 403, 'guests_refused');
    refused(await create(guest, { resource_id: `${event}/A1` }), 403, 'guests_refused');
    await hold(hf.user('ann'), items(event, 'A1'));
    granted(await create(hf.app, { user_id: session.user_id, items: items(event, 'A2') }), 201);
    granted(await create(hf.admin, { user_id: session.user_id, items: items(event, 'A3') }), 201);
    await hf.admin.put(`/v1/events/${event}`, { name: 'Everybody' });
    granted(await create(guest, { items: items(event, 'A4') }), 201);
});

test('guests are allowed by default, and only true and false are valid', async () => {
    const event = unique();
    const { json } = await hf.admin.put(`/v1/events/${event}`, { name: 'Open' });
    assert.equal(json.guests, true);
    invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'Open', guests: null }), '/guests');
    invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'Open', guests: 'no' }), '/guests');
});
