/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about fleets, drivers, rides and offers. No two drivers are in the same place, so none is a tie. */
'use strict';

const { ref } = require('./pair.js');
const { keyed } = require('./acts_claim.js');

const path = (fleet, rest = '') => `/v1/fleets/${fleet.id}${rest}`;
const aFleet = (w) => w.pick(w.fleets);

const place = (w) => ({ lat: 52.5 + w.r.int(1, 40_000) / 1_000_000, lng: 13.4 + w.r.int(1, 40_000) / 1_000_000 });

function put(w, id) {
    const old = !id && w.r.chance(0.4) ? aFleet(w) : undefined;
    const fleet = { id: id ?? old?.id ?? w.unique('fleet-') };
    const body = {
        presence_seconds: w.r.pick([600, 86_400, 86_400]), offer_seconds: w.r.pick([15, 40]),
        search_seconds: w.r.pick([180, 900]), max_rings: 20,
        ...w.r.maybe(0.3, { weights: { eta: 1, rating: w.r.pick([0, 1]), surge: w.r.pick([0, 2]), waiting: 0 } }),
        ...w.r.maybe(0.3, { speed_kmh: 20 }),
        ...w.r.maybe(0.3, { rides_per_rider: w.r.pick([0, 2]) }), ...w.r.maybe(0.3, { guests: true }),
        ...w.r.maybe(0.15, { batch_ms: 10_000 }),
        ...w.r.maybe(0.1, { resolution: 8 }),
    };
    return { method: 'PUT', path: path(fleet), as: w.admin, body, fleet,
        done: () => w.fleets.put(fleet.id, { ...fleet, body }) };
}

/* ---- Drivers ---- */

const driverPath = (fleet, driver, rest = '') => path(fleet, `/drivers/${encodeURIComponent(driver)}${rest}`);

function driver(w) {
    const fleet = aFleet(w);
    if (!fleet) {
        return undefined;
    }
    const known = w.r.chance(0.55) ? w.pick(w.drivers, (it) => it.fleet.id === fleet.id) : undefined;
    const name = known?.name ?? `driver-${w.r.int(1, 12)}`;
    const own = known && w.r.chance(0.5);
    const body = { ...place(w), available: w.r.chance(0.85),
        ...(!own && w.r.chance(0.3) ? { rating: w.r.int(2, 10) / 2, types: w.r.pick([[], ['van'], ['van', 'xl']]) } : {}),
        ...w.r.maybe(0.2, { surge: w.r.chance(0.5) }) };
    return { method: 'PUT', path: driverPath(fleet, name), as: own ? w.user(name) : w.staff, body, fleet, driver: name,
        done: () => w.drivers.put(`${fleet.id}/${name}`, { name, fleet }) };
}

function positions(w) {
    const fleet = aFleet(w);
    const names = fleet && w.drivers.list((it) => it.fleet.id === fleet.id).map((it) => it.name);
    const body = names?.length && w.r.some(names, w.r.int(1, 5))
        .map((name) => ({ driver: name, ...place(w), ...w.r.maybe(0.3, { available: true }) }));
    return body && { method: 'POST', path: path(fleet, '/positions'), as: w.staff, fleet, body: w.r.chance(0.1)
        ? [...body, { driver: 'nobody', ...place(w) }] : body };
}

function showDriver(w) {
    const known = w.pick(w.drivers);
    if (!known) {
        return undefined;
    }
    const { fleet, name } = known;
    const what = w.r.weighted({ offer: 5, driver: 2, list: 1, overview: 1, fleet: 1, fleets: 0.5 });
    const own = w.r.chance(0.6) ? w.user(name) : w.staff;
    return { method: 'GET', fleet, driver: name, as: own, ...({
        offer: () => ({ path: driverPath(fleet, name, '/offer') }), driver: () => ({ path: driverPath(fleet, name) }),
        list: () => ({ path: path(fleet, `/drivers?limit=${w.r.int(1, 20)}`), as: w.staff, list: true }),
        overview: () => ({ path: path(fleet, '/overview'), as: w.staff }), fleet: () => ({ path: path(fleet), as: w.staff }),
        fleets: () => ({ path: '/v1/fleets?limit=5', as: w.staff, list: true }),
    }[what]()) };
}

function removeDriver(w) {
    const known = w.pick(w.drivers);
    return known && { method: 'DELETE', path: driverPath(known.fleet, known.name), as: w.staff, fleet: known.fleet,
        done: () => w.drivers.remove(`${known.fleet.id}/${known.name}`) };
}

/* ---- Rides and offers ---- */

/* What happens to most rides, step by step: the driver is asked, says yes or no, and brings the rider there. Offers do not
 * last, so each step comes next. */
function follow(w, it) {
    const soon = (make) => w.r.chance(0.85) && w.plan.unshift(make);
    const asked = it.status === 'offered' && it.offers.find((offer) => offer.end === null)?.driver_id;
    const look = () => ({ method: 'GET', path: driverPath(it.fleet, asked, '/offer'), as: w.user(asked), fleet: it.fleet,
        driver: asked, done: ({ offer_id }) => offer_id && soon(answer(offer_id)) });
    const answer = (id) => () => ({ method: 'POST', path: path(it.fleet,
        `/offers/${ref(id)}/${w.r.chance(0.7) ? 'accept' : 'decline'}`), as: w.user(asked), fleet: it.fleet, body: {},
        done: ({ status }) => status === 'assigned' && soon(end) });
    const end = () => ({ method: 'POST', path: ridePath(it, w.r.chance(0.7) ? '/complete' : '/driver-cancel'),
        as: w.user(asked), fleet: it.fleet, body: {} });
    return asked && soon(look);
}

function ride(w) {
    const fleet = aFleet(w);
    if (!fleet) {
        return undefined;
    }
    const staff = w.r.chance(0.4);
    const user = w.r.pick(w.users);
    const body = { ...(staff ? { rider_id: w.name(user) } : {}), ...place(w), ...w.r.maybe(0.5, { to: place(w) }),
        ...w.r.maybe(0.12, { type: 'van' }), ...w.r.maybe(0.15, { surge: 1.5 }) };
    const guest = !staff && w.r.chance(0.1) ? w.guest : undefined;
    return keyed(w, { method: 'POST', path: path(fleet, '/rides'), as: guest ?? (staff ? w.staff : w.user(user)), body, fleet,
        done: (it) => w.plan.unshift(() => follows(w, { ...it, fleet })) }, 0.15);
}

const follows = (w, it) => ({ method: 'GET', path: ridePath(it), as: w.staff, fleet: it.fleet,
    done: (now) => follow(w, { ...now, fleet: it.fleet }) });
const ridePath = (it, rest = '') => path(it.fleet, `/rides/${ref(it.ride_id)}${rest}`);
const LIVE = ['searching', 'offered', 'assigned'];
function aRide(w) {
    return w.r.chance(0.8) ? w.pick(w.rides, (it) => it.fleet && LIVE.includes(it.status)) : w.pick(w.rides, (it) => it.fleet);
}

function showRide(w) {
    const it = aRide(w);
    const list = it && w.r.chance(0.25);
    const query = w.r.pick(['', `status=${w.r.pick([...LIVE, 'no_driver', 'completed'])}&`, it?.driver_id
        ? `driver_id=${encodeURIComponent(it.driver_id)}&` : '']);
    return it && (list ? { method: 'GET', path: path(it.fleet, `/rides?${query}limit=${w.r.int(1, 20)}`), as: w.staff,
        fleet: it.fleet, book: true, list: true } :
        { method: 'GET', path: ridePath(it), as: w.caller(it.rider_id), fleet: it.fleet });
}

function endRide(w) {
    const it = aRide(w);
    const how = it && w.r.weighted({ cancel: 2, complete: it.status === 'assigned' ? 6 : 0.4,
        'driver-cancel': it.status === 'assigned' ? 2 : 0.3 });
    const by = it && (how === 'cancel' ? it.rider_id : it.driver_id ?? 'driver-1');
    return it && { method: 'POST', path: ridePath(it, `/${how}`), as: w.r.chance(0.6) ? w.user(by) : w.staff, fleet: it.fleet,
        body: {} };
}

function answerOffer(w) {
    const offer = w.r.chance(0.85) ? w.pick(w.offers, (it) => Date.parse(it.expires_at) > w.now) : w.pick(w.offers);
    const how = w.r.weighted({ accept: 5, decline: 2 });
    return offer && { method: 'POST', path: path(offer.fleet, `/offers/${ref(offer.offer_id)}/${how}`), as: w.r.chance(0.75)
        ? w.user(offer.driver) : w.caller(offer.driver), fleet: offer.fleet,
        body: w.r.chance(0.1) ? { driver_id: offer.driver } : {} };
}

function remove(w) {
    const fleet = aFleet(w);
    return fleet && { method: 'DELETE', path: path(fleet), as: w.admin, done: () => w.fleets.remove(fleet.id) };
}

module.exports = {
    put,
    acts: { put: [0.35, put], driver: [3, driver], positions: [1.2, positions], showDriver: [4, showDriver],
        removeDriver: [0.3, removeDriver], ride: [2.2, ride], showRide: [2, showRide],
        endRide: [1.5, endRide], answerOffer: [2.5, answerOffer], remove: [0.1, remove] },
};
