// SPDX-License-Identifier: Apache-2.0
// One Holdfast server with its own data folder, and the load generator pointed at it.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { subfolder, startChild, stopChild, logTail } from './children.mjs';
import { sleep, until } from './measure.mjs';

const build = process.env.BUILD || path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..', 'build');
export const binary = path.resolve(build, 'holdfast');
export const loadBinary = path.resolve(build, 'load');
export const receiveBinary = path.resolve(build, 'receive');
export const fleetBinary = path.resolve(build, 'fleet');
const env = { HOLDFAST_SECRET: 'bench-secret-of-at-least-32-bytes', HOLDFAST_ADMIN_KEY: 'bench-admin-key-of-at-least-32-bytes', HOLDFAST_HOOKS_PRIVATE: 'on' };
export const adminKey = env.HOLDFAST_ADMIN_KEY;
const SEATS_A_REQUEST = 1000000; // under 9 MB of CSV, a few times that with more columns
const JOINS_A_LOAD = 500000;
const DAY_MS = 86400000;

export const instant = (fromNowMs) => new Date(Date.now() + fromNowMs).toISOString();

export const TURN_MOST_MS = 10;
// Of every server of this bench: { during, over, wall_ms, worked_ms }.
export const loopTurns = [];

// Runs the load generator and returns its report. Any unexpected answer is an error: a fast wrong answer is no result.
export async function load(workload, port, options = {}) {
    const running = startLoad(workload, port, options);
    return running.report;
}

// The same, to be ended by stop().
export function startLoad(workload, port, options = {}) {
    const args = [workload];
    for (const [name, value] of Object.entries({ port, ...options })) {
        if (value === undefined || value === false) continue;
        args.push(`--${name}`);
        if (value !== true) args.push(String(value));
    }
    const log = path.join(subfolder('load'), 'log');
    const child = startChild(loadBinary, args, { env, log, wantOutput: true });
    let out = '';
    child.stdout.on('data', (d) => (out += d));
    const closed = new Promise((resolve) => child.on('close', resolve));
    const report = closed.then((code) => {
        if (code !== 0)
            throw new Error(`load ${args.join(' ')} ended with ${code}: ${logTail(child).trim()} ${out.slice(0, 300)}`);
        const result = JSON.parse(out);
        if (result.bottleneck) console.error(`bench: the load generator was the bottleneck (load ${workload}, cpu ${result.cpu})`);
        return result;
    });
    report.catch(() => {}); // the caller that awaits it sees the error
    return { report, stop: () => child.kill('SIGTERM') };
}

// What a workload would send, as a hash. Nothing is sent.
export async function loadDigest(workload, options) {
    return (await load(workload, undefined, { ...options, digest: true })).digest;
}

export class Holdfast {
    // `under` runs the program, with its arguments: valgrind, for example.
    constructor(figure, program = binary, under = []) {
        this.figure = figure;
        this.command = [...under, program];
        this.timed = under.length === 0;
        this.folder = subfolder('holdfast');
        this.more = []; // further arguments of serve
        this.env = env;
        this.sockets = 8;
        this.agent = this.makeAgent();
    }

    makeAgent() {
        return new http.Agent({ keepAlive: true, maxSockets: this.sockets });
    }

    static async start(figure, program) {
        const server = new Holdfast(figure, program);
        await server.start();
        return server;
    }

    // Milliseconds from starting the process until it accepts writes.
    async start() {
        const began = performance.now();
        const args = ['serve', '--data', path.join(this.folder, 'data'), '--listen', '127.0.0.1:0', '--limits', 'off', ...this.more];
        this.child = startChild(this.command[0], [...this.command.slice(1), ...args], {
            env: this.env,
            log: path.join(this.folder, 'log'),
            wantOutput: true,
        });
        this.port = await new Promise((resolve, reject) => {
            let out = '';
            this.child.stdout.on('data', (d) => {
                out += d;
                const match = out.match(/listening on http:\/\/127\.0\.0\.1:(\d+)\n/);
                if (match) resolve(Number(match[1]));
            });
            this.child.ended.then(({ code, signal }) =>
                reject(new Error(`holdfast serve ended with ${code ?? signal} before it listened:\n${logTail(this.child)}`)));
        });
        await until('holdfast to be ready', async () => (await this.call('GET', '/readyz')).status === 200, { every: 1, within: 600 });
        return performance.now() - began;
    }

    async stop() {
        if (this.child.exitCode !== null || this.child.signalCode !== null) return;
        await this.noteLoopTurn();
        this.agent.destroy();
        await stopChild(this.child);
        fs.rmSync(this.folder, { recursive: true, force: true });
    }

    async kill() {
        await this.noteLoopTurn();
        await this.end('SIGKILL');
    }

    // Ends the process. The folder is kept, so that it can start again.
    async end(signal) {
        this.agent.destroy();
        this.agent = this.makeAgent();
        return stopChild(this.child, signal);
    }

    // The longest turn of the loop so far by both clocks, and how many exceeded the limit.
    async loopTurns() {
        const metrics = await this.metrics();
        const within = metrics.get(`holdfast_loop_turn_seconds_bucket{le="${TURN_MOST_MS / 1000}"}`);
        return {
            over: metrics.get('holdfast_loop_turn_seconds_count') - within,
            wall_ms: metrics.get('holdfast_loop_turn_longest_seconds') * 1000,
            worked_ms: metrics.get('holdfast_loop_turn_busiest_seconds') * 1000,
        };
    }

    // What runs the program may slow it down: such a server's turns say nothing.
    async noteLoopTurn() {
        if (!this.timed) return;
        loopTurns.push({ during: this.figure, ...(await this.loopTurns()) });
    }

    call(method, target, { body, type = 'application/json' } = {}) {
        const headers = { Authorization: `Bearer ${env.HOLDFAST_ADMIN_KEY}` };
        if (body !== undefined) {
            headers['Content-Type'] = type;
            headers['Content-Length'] = Buffer.byteLength(body);
        }
        return new Promise((resolve, reject) => {
            const request = http.request({ host: '127.0.0.1', port: this.port, method, path: target, headers, agent: this.agent }, (answer) => {
                let text = '';
                answer.setEncoding('utf8');
                answer.on('data', (d) => (text += d));
                answer.on('end', () => resolve({ status: answer.statusCode, text, seq: Number(answer.headers['holdfast-seq'] ?? NaN) }));
            });
            // A connection that the server closed while idle is no fault.
            request.on('error', (error) =>
                request.reusedSocket && error.code === 'ECONNRESET' ? resolve(this.call(method, target, { body, type })) : reject(error));
            request.end(body);
        });
    }

    async need(status, method, target, options) {
        const answer = await this.call(method, target, options);
        if (![status].flat().includes(answer.status))
            throw new Error(`${method} ${target} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
        return answer;
    }

    // An event with seats s0 … s(count-1). Holds last an hour, so that none ends during a figure unless intended.
    async event(name, count, settings = {}, columns = {}) {
        await this.need([200, 201], 'PUT', `/v1/events/${name}`, {
            body: JSON.stringify({ name, hold_ttl_seconds: 3600, max_hold_seconds: 3600, ...settings }),
        });
        await this.seats(name, 0, count, columns);
    }

    // An event with a waiting room and nothing to sell, that opens tomorrow unless the settings say otherwise.
    async room(name, settings = {}) {
        const waiting_room = { open_at: instant(DAY_MS), by_inventory: false, ...settings };
        await this.need([200, 201], 'PUT', `/v1/events/${name}`, { body: JSON.stringify({ name, waiting_room }) });
    }

    // Changes the settings of a room; returns the admin's view of it.
    async runRoom(name, changes) {
        const { text } = await this.need(200, 'PATCH', `/v1/events/${name}/queue`, { body: JSON.stringify(changes) });
        return JSON.parse(text);
    }

    // The public view of a room.
    async queue(name) {
        return JSON.parse((await this.need(200, 'GET', `/v1/events/${name}/queue`)).text);
    }

    // Users first … first + count - 1 join, each with their own token; in parts, so that the generator stays small.
    async join(name, count, { first = 0, connections = 64 } = {}) {
        for (let done = 0; done < count; done += JOINS_A_LOAD) {
            const users = Math.min(JOINS_A_LOAD, count - done);
            await this.load('join', { connections, event: name, first: first + done, users, count: users });
        }
        await this.settle();
    }

    // A calendar that is always open with capacity 1.
    async calendar(name, settings = {}) {
        await this.need([200, 201], 'PUT', `/v1/calendars/${name}`, {
            body: JSON.stringify({ name, hold_ttl_seconds: 3600, max_hold_seconds: 3600, ...settings }),
        });
    }

    // `columns` are those besides the id, with the value that every seat has.
    async seats(event, from, to, columns = {}) {
        const more = Object.values(columns).map((value) => `,${value}`).join('');
        for (let first = from; first < to; first += SEATS_A_REQUEST) {
            const lines = [['id', ...Object.keys(columns)].join()];
            for (let i = first; i < Math.min(first + SEATS_A_REQUEST, to); i++) lines.push(`s${i}${more}`);
            const answer = await this.need(201, 'POST', `/v1/events/${event}/seats`, { body: lines.join('\n') + '\n', type: 'text/csv' });
            const { created } = JSON.parse(answer.text);
            if (created !== lines.length - 1) throw new Error(`import of ${lines.length - 1} seats created ${created}`);
        }
    }

    hold(event, seat, user, ttl) {
        return this.call('POST', '/v1/reservations', {
            body: JSON.stringify({ user_id: user, ttl_seconds: ttl, items: [{ event, seat }] }),
        });
    }

    load(workload, options) {
        return load(workload, this.port, options);
    }

    // Name with labels → number.
    async metrics() {
        const { text } = await this.need(200, 'GET', '/metrics');
        const values = new Map();
        for (const line of text.split('\n')) {
            const match = line.match(/^([a-zA-Z_:][^ ]*(?:\{.*\})?) (\S+)/);
            if (match) values.set(match[1], Number(match[2]));
        }
        return values;
    }

    // The numbers the figures are about; a missing one is named.
    async progress() {
        const values = await this.metrics();
        const get = (name) => {
            if (!values.has(name)) throw new Error(`/metrics has no ${name}`);
            return values.get(name);
        };
        return {
            seq: get('holdfast_seq'),
            durable: get('holdfast_durable_seq'),
            book: get('holdfast_book_seq'),
            held: get('holdfast_reservations{status="held"}'),
            expired: get('holdfast_expiries_total'),
        };
    }

    // Waits until journal and book have everything, so that no side is measured while another still works; returns
    // seconds.
    async settle() {
        const began = performance.now();
        await until('the book to catch up', async () => {
            const now = await this.progress();
            return now.durable >= now.seq && now.book >= now.seq;
        }, { every: 20, within: 600 });
        return (performance.now() - began) / 1000;
    }

    async drainHolds(within = 60) {
        await until('all holds to end', async () => (await this.progress()).held === 0, { every: 50, within });
        await this.settle();
    }

    // Processor seconds of the loop's thread, the first; and of all threads together.
    processorSeconds() {
        const tasks = `/proc/${this.child.pid}/task`;
        const of = (thread) => Number(fs.readFileSync(path.join(tasks, thread, 'schedstat'), 'utf8').split(' ')[0]) / 1e9;
        return { loop: of(String(this.child.pid)), all: fs.readdirSync(tasks).reduce((sum, thread) => sum + of(thread), 0) };
    }

    // Resident bytes, once they are stable.
    async resident() {
        await this.settle();
        const recent = [];
        for (let i = 0; i < 40; i++) {
            const status = fs.readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
            recent.push(Number(status.match(/VmRSS:\s+(\d+) kB/)[1]) * 1024);
            const last = recent.slice(-5);
            if (last.length === 5 && Math.max(...last) - Math.min(...last) < last[0] * 0.001) break;
            await sleep(200);
        }
        return recent.at(-1);
    }
}
