/* SPDX-License-Identifier: Apache-2.0 */
/* differential.js — the run: makes requests, has both servers answer them, and compares. */
'use strict';

const { execFileSync } = require('node:child_process');
const net = require('node:net');
const { eventually } = require('../../conformance/lib/http.js');
const { Matcher } = require('./match.js');
const { Pair } = require('./pair.js');
const { Random } = require('./random.js');
const { spoil } = require('./spoil.js');
const { Tally } = require('./tally.js');
const { World } = require('./world.js');

const ROOMS = ['catalogue', 'claim', 'calendar', 'queue', 'money', 'door', 'dispatch', 'access', 'report'];
const modules = Object.fromEntries(ROOMS.map((room) => [room, require(`./acts_${room}.js`)]));

const SPOILED = 0.075;
const JUMPS = 0.05;
const STOP_AFTER = 25; /* differences: what comes next is likely to follow from them */
const LATE_MS = 3_000; /* for what may lag behind: asked again until both say the same */
const PAYS_MS = 30;    /* between two payments: older builds tell only one of those of a millisecond */
const HOOKS_MS = 20 * 3_600_000; /* messages are given up after a day, at an instant that is drawn */

/* Each act has a weight and makes a request, or undefined: there is nothing to make it of. */
const ACTS = {};
const WEIGHTS = {};
for (const [room, { acts }] of Object.entries(modules)) {
    for (const [name, [weight, make]] of Object.entries(acts)) {
        ACTS[`${room} ${name}`] = make;
        WEIGHTS[`${room} ${name}`] = weight;
    }
}

/* ---- What is asked next ---- */

/* Something of everything, so that the first requests find what they need. */
function begin(w) {
    const { catalogue, calendar, money, dispatch, access } = modules;
    w.plan.push(
        () => access.createKey(w, 'app', 'shop'), () => access.createKey(w, 'door', 'gate'), () => access.session(w),
        () => money.provider(w), () => catalogue.create(w, 'default'), () => catalogue.create(w), () => catalogue.create(w),
        () => calendar.put(w, 'room-1', 'UTC'), () => calendar.put(w, 'room-2', 'UTC'), () => calendar.putGroup(w),
        () => dispatch.put(w, 'fleet-a'), () => catalogue.create(w), () => ({ method: 'GET', path: '/openapi.json' }),
    );
}

function next(w) {
    if (w.plan.length && w.r.chance(0.6)) {
        return w.plan.shift()(w);
    }
    const request = ACTS[w.r.weighted(WEIGHTS)](w);
    return request && w.r.chance(SPOILED) ? spoil(w, request) : request;
}

function seconds(w) {
    const size = w.r.weighted({ seconds: 50, minute: 25, minutes: 17, hours: 6, days: 2 });
    const [least, most] = { seconds: [2, 20], minute: [20, 130], minutes: [130, 900], hours: [3_600, 21_600],
        days: [86_400, 260_000] }[size];
    return w.r.int(least, most);
}

/* ---- The run ---- */

class Run {
    constructor({ programs, seed, accept, show }, say) {
        this.matcher = new Matcher();
        this.pair = new Pair(programs, this.matcher.names);
        this.world = new World(new Random(seed), this.pair);
        this.tally = new Tally(say, show);
        this.accept = accept ?? ((request, old, now, found) => found);
    }

    async start() {
        await this.pair.start();
        const { json } = await this.pair.send(0, { method: 'GET', path: '/openapi.json' });
        this.tally.know(json);
        this.world.nowhere = `http://127.0.0.1:${await closedPort()}`;
        begin(this.world);
    }

    async all(requests, restarts) {
        const every = restarts ? Math.ceil(requests / (restarts + 1)) : Infinity;
        const { tally, world } = this;
        while (tally.sent < requests && tally.differences < STOP_AFTER) {
            const request = next(world);
            if (!request) {
                continue;
            }
            await this.one(request);
            if (tally.sent % every === 0 && tally.sent < requests) {
                await this.restart(tally.sent % (2 * every) === 0);
            } else if (world.r.chance(JUMPS)) {
                await this.jump(1_000 * seconds(world));
            }
        }
    }

    /* ---- One request ---- */

    async one(request) {
        const { pair, tally, world } = this;
        request.id = `request-${tally.sent + 1}`;
        if (pair.crowded(request.later)) {
            await this.pass();
        }
        if (request.later) {
            await this.tick(request.later);
        }
        pair.now += request.pays ? PAYS_MS : 0;
        const asked = pair.render(0, request);
        tally.asking = `${request.method} ${asked.path}`;
        let answers = await pair.both(request);
        let found = this.compare(request, answers);
        if (found.length && request.looks && answers[0].status === answers[1].status) {
            [answers, found] = await this.again(request);
        }
        tally.count(request.method, asked.path, answers[0], pair.seen);
        answers.forEach((answer, side) => world.learn(request, answer, side));
        world.polls(...answers.map(({ json }) => json));
        if (found.length) {
            tally.difference(request, asked, answers, found);
        }
        await this.settle(request, answers[0]);
    }

    /* What is different, but for what is intended. */
    compare(request, [old, now]) {
        const found = this.matcher.compare(request, old, now);
        const left = found.length ? this.accept(request, old, now, found) : found;
        this.tally.accepted += found.length && !left.length ? 1 : 0;
        return left;
    }

    /* What is shown may lag behind by a moment: it counts if the two do not agree in the end. */
    async again(request) {
        const until = Date.now() + LATE_MS;
        this.tally.late++;
        for (;;) {
            const answers = await this.pair.both(request);
            const found = this.compare(request, answers);
            if (!found.length || Date.now() > until) {
                return [answers, found];
            }
        }
    }

    /* What goes on in the background because of it is awaited. */
    async settle(request, { status, json }) {
        const { pair, world, matcher } = this;
        if (request.cancels && status === 202) {
            const before = Math.min(...pair.seen);
            await this.over({ method: 'GET', path: `/v1/events/${request.cancels}/cancel`, as: { admin: true } });
            matcher.seqs.most = Math.max(matcher.seqs.most, ...pair.seen.map((seq) => seq - before)); /* in any order */
        }
        if (request.erases && status === 202) {
            await pair.settle();
            await this.over({ method: 'GET', path: `/v1/users/${request.erases}/erasure`, as: { admin: true }, book: true });
        }
        const moves = request.method !== 'GET' && request.method !== 'HEAD' && status < 300;
        const returns = request.method === 'GET' && json?.entry_id && json.status === 'passed_over';
        if ((moves || returns) && world.stirs(request)) {
            world.dispatches(({ id }) => id === request.fleet?.id);
            world.absences(({ event }) => event === request.event?.id);
            await this.tick();
        }
    }

    /* Waits until both sides have finished. */
    async over(request) {
        const ended = (side) => eventually(() => this.pair.send(side, request), ({ json }) => json.state !== 'running',
            request.path);
        await Promise.all([0, 1].map(ended));
    }

    /* ---- Time ---- */

    async jump(ms) {
        const w = this.world;
        if (w.hooksSince !== null && w.now + ms - w.hooksSince > HOOKS_MS) {
            w.plan.unshift(...w.hooks.list().map((hook) => () => modules.access.removeHook(w, hook)));
        } else {
            await this.pass(ms);
        }
    }

    async pass(ms) {
        await this.pair.settle(ms);
        await this.tick();
    }

    /* Then both have made the same number of changes. Only while there are hooks one may have written as one change that two
     * holds lapsed, and the other as two: before a message is sent its reservation is looked at. */
    async tick(ms) {
        const { pair, tally, world, matcher } = this;
        await pair.tick(ms);
        if (await pair.even()) {
            return;
        }
        pair.ahead = pair.seen[0] - pair.seen[1];
        matcher.seqs.most += Math.abs(pair.ahead);
        if (world.hooks.size) {
            tally.regrouped++;
        } else {
            tally.uneven(pair.seen);
        }
    }

    async restart(kill) {
        await this.pass();
        await this.pair.restart(kill);
        this.world.absences();
        this.world.dispatches(() => true);
        await this.pass();
    }
}

/* A port that refuses connections. */
async function closedPort() {
    const server = net.createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    return port;
}

/* The folder is sound in the end, by the program that wrote it. */
function check({ program, data }) {
    execFileSync(program, ['check', data], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/* Gives {sent, fine, differences}: requests, those that were granted, and what is left when intended ones are taken off. */
async function run(options, say) {
    const it = new Run(options, say);
    const { pair, tally } = it;
    try {
        await it.start();
        await it.all(options.requests, options.restarts);
        tally.summary(`${pair.jumps} jumps of time, ${pair.ticks} ticks awaited; ${it.matcher.names.there.size} names`);
        await Promise.all(pair.servers.map((server) => server.stop()));
        pair.servers.forEach(check);
    } catch (error) {
        tally.recent.forEach((line) => say(line));
        say(`failed during or after ${tally.asking ?? 'the start'}`);
        pair.servers.forEach(({ program, stderr }) => say(`${program}: ${stderr.slice(-2_000)}`));
        throw error;
    } finally {
        await pair.close();
    }
    return tally;
}

module.exports = { run };
