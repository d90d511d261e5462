// SPDX-License-Identifier: Apache-2.0
// A city of drivers and riders over HTTP: every ride is followed by a stream of its own until it has a driver, and a driver
// accepts an offer, declines it, or lets it lapse. Positions come in bulk every four seconds.
import http from 'node:http';
import { adminKey } from '../holdfast.mjs';
import { sleep, until } from '../measure.mjs';

const FLEET = '/v1/fleets/city';
const BULK = 1000;
const REPORT_MS = 4000;
const OFFER_S = 3; // short, so that many lapse
const RIDE_MS = 45000; // from assignment to completion
const STREAMS = 1000; // open at a time; riders who have a driver watch it come while there are fewer
const EARLY_MS = 200; // an accept sent so long before its deadline must be in time
const SOUTH = 52.4, WEST = 13.2, SIDE = 0.4;

// The same city each time.
function dice(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

class City {
    constructor(server, drivers) {
        this.server = server;
        // An accept may not wait behind others for a connection: it counts from when it was sent.
        server.agent = new http.Agent({ keepAlive: true, maxSockets: 512 });
        this.roll = dice(7);
        this.streams = new http.Agent({ keepAlive: true, maxSockets: Infinity });
        this.drivers = Array.from({ length: drivers }, (_, i) => ({ driver: `d${i}`, ...this.place() }));
        this.open = this.left = 0;
        this.watching = new Set(); // streams of rides that have a driver, the oldest first
        this.next_ms = []; // as the stream shows it
        this.made_ms = []; // as the server's clock has it
        this.report = { rides: 0, assigned: 0, noDriver: 0, accepts: 0, lapsed: 0, expired: 0, expiredEarly: 0, streamsMost: 0 };
    }

    place() {
        return { lat: SOUTH + this.roll() * SIDE, lng: WEST + this.roll() * SIDE };
    }

    async fill() {
        const settings = { offer_seconds: OFFER_S, max_rings: 12, search_seconds: 60, presence_seconds: 30 };
        await this.server.need(201, 'PUT', FLEET, { body: JSON.stringify(settings) });
        for (let i = 0; i < this.drivers.length; i += 64)
            await Promise.all(this.drivers.slice(i, i + 64).map(({ driver, lat, lng }) =>
                this.server.need(201, 'PUT', `${FLEET}/drivers/${driver}`, { body: JSON.stringify({ lat, lng, available: true }) })));
    }

    // Each driver reports once in REPORT_MS, whatever the answers take.
    async reportPositions() {
        const groups = Math.ceil(this.drivers.length / BULK);
        for (let i = 0; !this.stopping; i++) {
            const began = Date.now();
            const some = this.drivers.slice((i % groups) * BULK, (i % groups + 1) * BULK);
            for (const d of some) {
                d.lat = Math.min(SOUTH + SIDE, Math.max(SOUTH, d.lat + (this.roll() - 0.5) * 0.0006));
                d.lng = Math.min(WEST + SIDE, Math.max(WEST, d.lng + (this.roll() - 0.5) * 0.0006));
            }
            await this.server.need(200, 'POST', `${FLEET}/positions`, { body: JSON.stringify(some) });
            await sleep(Math.max(0, REPORT_MS / groups - (Date.now() - began)));
        }
    }

    async ride(number) {
        this.report.rides++;
        const body = JSON.stringify({ rider_id: `r${number}`, ...this.place(), to: this.place() });
        const { text } = await this.server.need(201, 'POST', `${FLEET}/rides`, { body });
        this.follow(JSON.parse(text).ride_id);
    }

    // Its stream, until it is assigned or over.
    follow(id) {
        let rest = '';
        let lapses; // deadline of the last offer that no driver answers
        let last;
        const headers = { Authorization: `Bearer ${adminKey}`, Accept: 'text/event-stream' };
        const request = http.request({ host: '127.0.0.1', port: this.server.port, path: `${FLEET}/rides/${id}/stream`, headers, agent: this.streams }, (answer) => {
            if (answer.statusCode !== 200) this.fault ??= new Error(`the stream of a ride answered ${answer.statusCode}`);
            answer.setEncoding('utf8');
            answer.on('data', (text) => {
                rest += text;
                for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
                    const event = rest.slice(0, end);
                    if (!/^event: ride$/m.test(event)) continue;
                    const ride = JSON.parse(event.match(/^data: (.*)$/m)[1]);
                    const live = ride.offers.findLast((offer) => offer.end === null);
                    if (live && live.offer_id !== last) {
                        last = live.offer_id;
                        const made = Date.parse(live.made_at);
                        if (lapses !== undefined && made >= lapses) {
                            this.next_ms.push(Math.max(0, Date.now() - lapses));
                            this.made_ms.push(made - lapses);
                        }
                        lapses = this.consider(id, live, made + OFFER_S * 1000);
                    }
                    if (ride.status === 'assigned') this.assigned(id, ride.driver_id);
                    else if (ride.status === 'no_driver') this.report.noDriver++;
                    if (ride.status === 'assigned') this.watching.add(request);
                    else if (ride.status !== 'searching' && ride.status !== 'offered') request.destroy();
                }
            });
        });
        request.on('error', () => {});
        request.on('close', () => {
            this.open--;
            this.watching.delete(request);
        });
        this.report.streamsMost = Math.max(this.report.streamsMost, ++this.open);
        for (const oldest of this.watching) {
            if (this.open - this.left <= STREAMS) break;
            this.leave(oldest);
        }
        request.end();
    }

    // `left` counts those that are on their way out, and still open.
    leave(request) {
        this.watching.delete(request);
        this.left++;
        request.once('close', () => this.left--);
        request.destroy();
    }

    // The deadline, if the offer is to lapse.
    consider(ride, offer, deadline) {
        const mood = this.roll();
        if (mood < 0.25) {
            this.report.lapsed++;
            return deadline;
        }
        const late = mood < 0.35; // as late as is safe
        const at = late ? deadline - EARLY_MS - 30 : Date.now() + 500 + this.roll() * 1500;
        setTimeout(() => this.answer(offer, mood < 0.45 && !late ? 'decline' : 'accept', deadline), Math.max(0, at - Date.now()));
        return undefined;
    }

    async answer(offer, verb, deadline) {
        const sent = Date.now();
        const body = JSON.stringify({ driver_id: offer.driver_id });
        const answer = await this.server.call('POST', `${FLEET}/offers/${offer.offer_id}/${verb}`, { body });
        this.report.accepts += verb === 'accept';
        if (answer.status === 409 && JSON.parse(answer.text).code === 'offer_expired') {
            this.report.expired++;
            this.report.expiredEarly += deadline - sent >= EARLY_MS && verb === 'accept';
        } else if (answer.status !== 200) {
            this.fault ??= new Error(`${verb} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
        }
    }

    assigned(ride, driver) {
        this.report.assigned++;
        setTimeout(() => {
            if (this.stopping) return;
            this.server.need(200, 'POST', `${FLEET}/rides/${ride}/complete`, { body: JSON.stringify({ driver_id: driver }) })
                .catch((error) => (this.fault ??= error));
        }, RIDE_MS);
    }
}

function shares(values) {
    const sorted = values.sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

// Requests rides at this rate for `seconds`, and returns what became of them.
export async function drive(server, { drivers, ridesAMinute, seconds }) {
    const city = new City(server, drivers);
    await city.fill();
    const positions = city.reportPositions();
    const began = Date.now();
    const asked = [];
    for (let number = 0; Date.now() - began < seconds * 1000 && !city.fault; await sleep(5))
        for (; number < ((Date.now() - began) * ridesAMinute) / 60000; number++)
            asked.push(city.ride(number).catch((error) => (city.fault ??= error)));
    await Promise.all(asked);
    const settled = async () => city.fault || city.open === city.watching.size;
    await until('all rides to have a driver or none', settled, { every: 50, within: 120 });
    city.stopping = true;
    for (const request of city.watching) city.leave(request);
    await positions;
    city.streams.destroy();
    if (city.fault) throw city.fault;
    return { ...city.report, next_ms: shares(city.next_ms), made_ms: shares(city.made_ms) };
}
