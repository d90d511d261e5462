/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of dispatch: a ride at each change and its driver's position, a driver's offers and their ends. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownClock, ownProcess, Server } = require('./lib/server.js');
const { Wire, request } = require('./lib/http.js');
const { HERE, north, makeFleet, makeDriver, driverPath, ride, shown, ridePath, askRide, offerOf, answerOffer, assigned } =
    require('./lib/fleets.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const offers = (caller, fleet, driver, options) => caller.stream(driverPath(fleet, driver, '/stream'), options);
const follow = (caller, fleet, r, options) => caller.stream(ridePath(fleet, r, '/stream'), options);
const ended = (stream) => hf.eventually(async () => stream.ended, Boolean, 'the stream ends');
const is = (status) => ({ name, json }) => name === 'ride' && json.status === status;

/* The next event, with this name. */
async function told(stream, name) {
    const event = await stream.next();
    assert.equal(event.name, name, event.data);
    return event;
}

test('a ride is streamed from beginning to end, as each caller may see it', async () => {
    const fleet = await makeFleet(hf);
    const r = await askRide(hf.user('ann'), fleet);
    const [ann, app] = [await follow(hf.user('ann'), fleet, r), await follow(hf.app, fleet, r)];
    assert.match(ann.headers['content-type'], /^text\/event-stream\b/);
    assert.equal(ann.headers['cache-control'], 'no-store');
    for (const stream of [ann, app]) {
        const reset = await told(stream, 'reset');
        assert.equal(String(reset.json.version), reset.id);
        const first = await told(stream, 'ride');
        assert.ok(Number(first.id) <= Number(reset.id));
        assert.deepEqual(ride(first.json), r);
    }
    const driver = await makeDriver(hf, fleet);
    const offer = await offerOf(hf, fleet, driver);
    assert.equal(ride((await ann.next(is('offered'))).json).offers[0].driver_id, null);
    assert.equal(ride((await app.next(is('offered'))).json).offers[0].driver_id, driver);
    const taken = shown(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 200);
    const events = [await ann.next(is('assigned')), await app.next(is('assigned'))];
    for (const { json } of events) {
        assert.deepEqual(ride(json, { driver_id: driver }), taken);
    }
    const done = shown(await hf.user(driver).post(ridePath(fleet, r, '/complete'), {}), 200);
    for (const stream of [ann, app]) {
        const last = await stream.next(is('completed'));
        assert.deepEqual(last.json, done);
        assert.ok(Number(last.id) > Number(events[0].id));
        await ended(stream);
    }
    /* A stream of an ended ride says so, and ends. */
    const after = await follow(hf.user(driver), fleet, r);
    assert.deepEqual((await after.next(is('completed'))).json, done);
    await ended(after);
});

test('Last-Event-ID: a ride is sent again only if it has changed', async () => {
    const fleet = await makeFleet(hf);
    const r = await askRide(hf.user('ann'), fleet);
    const first = await follow(hf.user('ann'), fleet, r);
    await told(first, 'reset');
    const { id } = await told(first, 'ride');
    first.close();
    const same = await follow(hf.user('ann'), fleet, r, { lastEventId: id });
    const driver = await makeDriver(hf, fleet);
    await offerOf(hf, fleet, driver);
    ride((await told(same, 'ride')).json, { status: 'offered' });
    const behind = await follow(hf.user('ann'), fleet, r, { lastEventId: id });
    ride((await told(behind, 'ride')).json, { status: 'offered' });
    for (const lastEventId of ['x', '99999999999', '']) {
        await told(await follow(hf.user('ann'), fleet, r, { lastEventId }), 'reset');
    }
});

test('Last-Event-ID: a client that has seen the end of a ride does not get it again', async () => {
    const fleet = await makeFleet(hf);
    const r = await askRide(hf.user('ann'), fleet);
    const first = await follow(hf.user('ann'), fleet, r);
    await told(first, 'reset');
    const before = (await told(first, 'ride')).id;
    await hf.user('ann').post(ridePath(fleet, r, '/cancel'), {});
    const { id } = await told(first, 'ride');
    await ended(first);
    const seen = await follow(hf.user('ann'), fleet, r, { lastEventId: id });
    await ended(seen);
    assert.deepEqual(seen.events, []);
    const behind = await follow(hf.user('ann'), fleet, r, { lastEventId: before });
    ride((await told(behind, 'ride')).json, { status: 'cancelled' });
    await ended(behind);
});

test('Last-Event-ID: events missed before a restart are sent after it', ownProcess, async () => {
    const own = await new Server().start();
    try {
        own.app = await own.key('app');
        const fleet = await makeFleet(own, { offer_seconds: 600, presence_seconds: 600 });
        const r = await askRide(own.user('ann'), fleet);
        const stream = await follow(own.user('ann'), fleet, r);
        const { id } = await told(stream, 'reset');
        await told(stream, 'ride');
        stream.close();
        const driver = await makeDriver(own, fleet);
        await offerOf(own, fleet, driver);
        await own.restart();
        for (let i = 0; i < 2; i++) {
            const back = await follow(own.user('ann'), fleet, r, { lastEventId: id });
            ride((await told(back, 'ride')).json, { status: 'offered' });
            back.close();
        }
    } finally {
        await own.close();
    }
});

test('the driver\'s position is sent while it is assigned, at most once a second, without an id', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet, 1_000);
    const r = await assigned(hf, fleet, driver, 'ann');
    const stream = await follow(hf.user('ann'), fleet, r);
    await told(stream, 'reset');
    await told(stream, 'ride');
    const began = Date.now();
    const move = async (metres) => hf.app.post(`${fleet}/positions`, [{ driver, ...north(metres) }]);
    await move(900);
    const one = await told(stream, 'driver');
    assert.deepEqual([one.id, Object.keys(one.json), one.json.eta_seconds], [undefined, ['lat', 'lng', 'eta_seconds'], 108]);
    for (const metres of [800, 700, 600]) {
        await move(metres);
    }
    const next = await told(stream, 'driver');
    assert.ok(Date.now() - began >= 1_000, `two in ${Date.now() - began} ms`);
    assert.deepEqual([Math.round((next.json.lat - HERE.lat) * 111_195), next.json.lng, next.json.eta_seconds], [600, HERE.lng, 72]);
    /* Not any more after its end. */
    await hf.user(driver).post(ridePath(fleet, r, '/complete'), {});
    await told(stream, 'ride');
    await ended(stream);
});

test('a driver gets offers and their ends', ownClock, async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 10, search_seconds: 3600 });
    const driver = await makeDriver(hf, fleet);
    const [own, app] = [await offers(hf.user(driver), fleet, driver), await offers(hf.app, fleet, driver)];
    for (const stream of [own, app]) {
        await told(stream, 'reset');
    }
    const finish = {
        timed_out: async () => hf.clock.advance(10_000),
        declined: (offer) => answerOffer(hf.user(driver), fleet, offer, 'decline'),
        withdrawn: (offer) => hf.app.post(`${fleet}/rides/${offer.ride_id}/cancel`, {}),
        accepted: (offer) => answerOffer(hf.user(driver), fleet, offer, 'accept'),
    };
    for (const [end, how] of Object.entries(finish)) {
        const r = await askRide(hf.user('ann'), fleet, { to: north(5) });
        let last = 0;
        for (const stream of [own, app]) {
            const { json, id } = await told(stream, 'offer');
            assert.equal(json.ride_id, r.ride_id);
            assert.deepEqual(Object.keys(json), ['offer_id', 'ride_id', 'pickup', 'to', 'eta_seconds', 'expires_at', 'expires_in_ms']);
            if (stream === own) {
                last = Number(id);
                await how(json);
            }
            const over = await told(stream, 'offer_ended');
            assert.deepEqual(over.json, { offer_id: json.offer_id, end });
            assert.ok(Number(over.id) > last);
        }
        await hf.app.post(ridePath(fleet, r, '/cancel'), {});
        for (const stream of end === 'timed_out' ? [own, app] : []) {
            await stream.next(({ name }) => name === 'offer_ended'); /* it was asked again, because there is no other */
        }
    }
    assert.equal((await hf.app.delete(driverPath(fleet, driver))).status, 204);
    await ended(own);
    await ended(app);
});

test('a driver who reconnects misses nothing; a stream that cannot resume begins with reset and the live offer', async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 600 });
    const [driver, other] = [await makeDriver(hf, fleet, 10), await makeDriver(hf, fleet, 500)];
    const stream = await offers(hf.user(driver), fleet, driver);
    const { id } = await told(stream, 'reset');
    stream.close();
    const first = await askRide(hf.user('ann'), fleet);
    const offer = await offerOf(hf, fleet, driver);
    await answerOffer(hf.user(driver), fleet, offer, 'decline');
    await offerOf(hf, fleet, other); /* not for this driver */
    const second = await askRide(hf.user('bob'), fleet);
    await offerOf(hf, fleet, driver);
    const back = await offers(hf.user(driver), fleet, driver, { lastEventId: id });
    const events = [await told(back, 'offer'), await told(back, 'offer_ended'), await told(back, 'offer')];
    assert.deepEqual(events.map(({ json }) => json.ride_id ?? json.end), [first.ride_id, 'declined', second.ride_id]);
    /* From the middle, and then continuing from there. */
    const middle = await offers(hf.user(driver), fleet, driver, { lastEventId: events[0].id });
    await told(middle, 'offer_ended');
    assert.equal((await told(middle, 'offer')).json.ride_id, second.ride_id);
    await hf.user('bob').post(ridePath(fleet, second, '/cancel'), {});
    for (const one of [back, middle]) {
        assert.equal((await told(one, 'offer_ended')).json.end, 'withdrawn');
    }
    const third = await askRide(hf.user('cid'), fleet);
    await offerOf(hf, fleet, driver);
    for (const lastEventId of [undefined, 'x', '1', '99999999999']) {
        const resumed = await offers(hf.user(driver), fleet, driver, { lastEventId });
        if (lastEventId !== '1') { /* everything since the start is known */
            await told(resumed, 'reset');
            assert.equal((await told(resumed, 'offer')).json.ride_id, third.ride_id);
        } else {
            assert.equal((await told(resumed, 'offer')).json.ride_id, first.ride_id);
        }
        resumed.close();
    }
});

test('after a restart the streams start again', ownProcess, async () => {
    const own = await new Server().start();
    try {
        own.app = await own.key('app');
        const fleet = await makeFleet(own, { offer_seconds: 600 });
        const driver = await makeDriver(own, fleet);
        const r = await askRide(own.user('ann'), fleet);
        const offer = await offerOf(own, fleet, driver);
        const stream = await offers(own.user(driver), fleet, driver);
        const { id } = await told(stream, 'reset');
        await told(stream, 'offer');
        await own.restart({ kill: true });
        const back = await offers(own.user(driver), fleet, driver, { lastEventId: Number(id) - 1 });
        await told(back, 'reset');
        assert.equal((await told(back, 'offer')).json.offer_id, offer.offer_id);
        /* Each event has the whole ride: it resumes across a restart. */
        const same = await follow(own.user('ann'), fleet, r, { lastEventId: id });
        await answerOffer(own.user(driver), fleet, offer, 'accept');
        assert.equal((await told(back, 'offer_ended')).json.end, 'accepted');
        const first = await told(same, 'ride');
        /* With a shared log it is known by batches what a change touched: what the client has may be repeated. */
        const repeated = process.env.HOLDFAST_SUITE_THROUGH && first.json.status === 'offered';
        ride((repeated ? await told(same, 'ride') : first).json, { status: 'assigned' });
        back.close();
        same.close();
    } finally {
        await own.close();
    }
});

test('a driver who is no longer involved gets nothing more about a ride', async () => {
    const fleet = await makeFleet(hf);
    const [driver, next] = [await makeDriver(hf, fleet, 10), await makeDriver(hf, fleet, 500)];
    const r = await askRide(hf.user('ann'), fleet);
    const offer = await offerOf(hf, fleet, driver);
    const stream = await follow(hf.user(driver), fleet, r);
    await told(stream, 'reset');
    await told(stream, 'ride');
    await answerOffer(hf.user(driver), fleet, offer, 'decline');
    await ended(stream);
    assert.deepEqual(stream.events, []);
    await answerOffer(hf.user(next), fleet, await offerOf(hf, fleet, next), 'accept');
    refused(await hf.user(driver).get(ridePath(fleet, r, '/stream')), 404, 'no_such_ride');
});

test('a comment every 15 seconds, HEAD, and HTTP/1.0 without chunks', ownClock, async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const r = await askRide(hf.user('ann'), fleet);
    await offerOf(hf, fleet, driver);
    for (const [path, user] of [[ridePath(fleet, r, '/stream'), 'ann'], [driverPath(fleet, driver, '/stream'), driver]]) {
        const lines = [`Authorization: Bearer ${hf.user(user).bearer}`];
        const wire = new Wire(hf.url, request('GET', path, { lines }));
        const old = new Wire(hf.url, `GET ${path} HTTP/1.0\r\n${lines[0]}\r\n\r\n`);
        await wire.until((w) => w.chunks.data.length >= 1, 'the beginning');
        await old.until((w) => w.body.endsWith('\n\n'), 'the beginning');
        hf.clock.skip(15_000);
        await wire.until((w) => w.chunks.data.at(-1) === ':\n\n', 'a comment');
        await old.until((w) => w.body.endsWith('\n\n:\n\n'), 'a comment');
        assert.doesNotMatch(old.head, /transfer-encoding/i);
        wire.close?.();
        old.close?.();
        const head = await hf.user(user).head(path);
        assert.deepEqual([head.status, head.size, head.headers.connection], [200, 0, 'close']);
    }
});

test('500 riders and 500 drivers follow, and each gets its own events', async () => {
    const fleet = await makeFleet(hf, { max_rings: 30, resolution: 7, search_seconds: 3600 });
    const count = 500, names = [...Array(count)].map((_, i) => `d${i}`);
    await Promise.all(names.map((name, i) => makeDriver(hf, fleet, i, {}, name)));
    const cars = await Promise.all(names.map((name) => offers(hf.user(name), fleet, name)));
    await Promise.all(cars.map((stream) => told(stream, 'reset')));
    const rides = await Promise.all(names.map((_, i) => askRide(hf.user(`r${i}`), fleet)));
    const riders = await Promise.all(rides.map((r, i) => follow(hf.user(`r${i}`), fleet, r)));
    const taken = await Promise.all(cars.map(async (stream, i) => {
        const { json } = await told(stream, 'offer');
        shown(await answerOffer(hf.user(names[i]), fleet, json, 'accept'), 200);
        assert.deepEqual((await told(stream, 'offer_ended')).json, { offer_id: json.offer_id, end: 'accepted' });
        return json.ride_id;
    }));
    assert.equal(new Set(taken).size, count);
    await Promise.all(riders.map(async (stream, i) => {
        const { json } = await stream.next(is('assigned'));
        assert.deepEqual([json.ride_id, json.driver_id], [rides[i].ride_id, names[taken.indexOf(json.ride_id)]]);
    }));
    [...cars, ...riders].forEach((stream) => stream.close());
});
