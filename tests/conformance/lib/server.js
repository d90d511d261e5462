/* SPDX-License-Identifier: Apache-2.0 */
/* server.js — a server to test: its process, its clock and the callers who talk to it.
 *
 * HOLDFAST names the program (default build/holdfast). It is started as
 *     HOLDFAST serve --data DIR --listen 127.0.0.1:0 …
 * so a wrapper that prepares another store for DIR can replace it. HOLDFAST_URL with HOLDFAST_ADMIN_KEY and
 * HOLDFAST_SECRET names a running server (with --limits off); tests that need their own process are then skipped, and
 * so are those that need the clock, unless HOLDFAST_TEST_CLOCK names the file that server reads.
 */
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { before, after } = require('node:test');

const { learn } = require('./description.js');
const { Client, stream, eventually } = require('./http.js');
const { userToken } = require('./token.js');

const PROGRAM = process.env.HOLDFAST || path.join(__dirname, '../../../build/holdfast');
const EXTERNAL = process.env.HOLDFAST_URL;
const START_MS = 30_000;
const STOP_MS = 5_000; /* the contract's own limit */

/* The file named by HOLDFAST_TEST_CLOCK: two numbers of milliseconds, 20 characters each and a line feed between them,
 * changed in place. The first is added to the server's clock, the second to the time for slow and idle connections. */
class Clock {
    constructor(file) {
        this.fd = fs.openSync(file, 'r+');
        const [offset, skipped] = fs.readFileSync(file, 'latin1').split('\n');
        this.offset_ms = Number(offset);
        this.skipped_ms = Number(skipped ?? 0);
        this.onJump = () => {};
    }

    static create(file) {
        fs.writeFileSync(file, Clock.text(0, 0));
        return new Clock(file);
    }

    static text(...numbers) {
        return numbers.map((number) => String(number).padStart(20)).join('\n');
    }

    write() {
        fs.writeSync(this.fd, Clock.text(this.offset_ms, this.skipped_ms), 0, 'latin1');
        this.onJump();
    }

    set(ms) {
        this.offset_ms = ms;
        this.write();
    }

    advance(ms) {
        this.set(this.offset_ms + ms);
    }

    /* Time passes for connections only. */
    skip(ms) {
        this.skipped_ms += ms;
        this.write();
    }

    /* Moves the server's clock to an instant (milliseconds or RFC 3339). */
    goto(instant) {
        const at = typeof instant === 'string' ? Date.parse(instant) : instant;
        this.set(at - Date.now());
    }

    now() {
        return Date.now() + this.offset_ms;
    }

    close() {
        fs.closeSync(this.fd);
    }
}

/* A caller: a server and a credential. `bearer` can be a function, so that tokens follow the clock. */
class Caller {
    constructor(server, bearer, name) {
        this.server = server;
        this.credential = bearer;
        this.name = name;
    }

    get bearer() {
        return typeof this.credential === 'function' ? this.credential() : this.credential;
    }

    /* With `atLeast` a list is requested again until the book is that far: after two seconds a server can answer with
     * how far it is. */
    async call(method, target, { atLeast = 0, ...options } = {}) {
        const client = options.client || this.server.client;
        const ask = () => client.call(method, target, { bearer: this.bearer, ...options });
        const answer = await ask();
        const old = answer.status === 200 && answer.seq < atLeast;
        return old ? eventually(ask, ({ seq }) => seq >= atLeast, `list as of ${atLeast}`) : answer;
    }

    get(target, options) {
        return this.call('GET', target, options);
    }

    head(target, options) {
        return this.call('HEAD', target, options);
    }

    post(target, body, options) {
        return this.call('POST', target, { body, ...options });
    }

    put(target, body, options) {
        return this.call('PUT', target, { body, ...options });
    }

    patch(target, body, options) {
        return this.call('PATCH', target, { body, ...options });
    }

    delete(target, options) {
        return this.call('DELETE', target, options);
    }

    stream(target, options = {}) {
        return stream(this.server.url, target, { bearer: this.bearer, ...options });
    }
}

class Server {
    constructor({ program = PROGRAM, command = 'serve', args = [], env = {}, limits = 'off', data, adminKey, secret, from } = {}) {
        this.program = program;
        this.command = command;
        this.args = [...(limits === 'off' ? ['--limits', 'off'] : []), ...args];
        this.env = env;
        this.data = data;
        this.from = from; /* the instant at which its clock begins; undefined: now */
        this.adminKey = adminKey ?? `admin-${crypto.randomBytes(24).toString('hex')}`;
        this.secret = secret ?? crypto.randomBytes(32).toString('hex');
        this.stdout = '';
        this.stderr = '';
        this.child = null;
        this.exit = null; /* a promise of {code, signal} */
    }

    async start() {
        if (EXTERNAL) {
            this.attach();
        } else {
            this.prepare();
            await this.launch();
        }
        this.description = await learn(this.url);
        this.clock.onJump = () => this.client.rest();
        this.admin = new Caller(this, () => this.adminKey, 'admin');
        this.anyone = new Caller(this, undefined, 'anyone');
        return this;
    }

    /* Makes its folder and its clock. */
    prepare() {
        this.folder = this.data ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
        this.data ??= path.join(this.folder, 'data');
        this.clockFile = `${this.data}.clock`; /* beside it: only the server's own files belong in the folder */
        fs.mkdirSync(this.data, { recursive: true });
        this.clock = Clock.create(this.clockFile);
        if (this.from) {
            this.clock.goto(this.from);
        }
    }

    attach() {
        this.url = EXTERNAL.replace(/\/$/, '');
        this.adminKey = process.env.HOLDFAST_ADMIN_KEY;
        this.secret = process.env.HOLDFAST_SECRET;
        this.client = new Client(this.url);
        const file = process.env.HOLDFAST_TEST_CLOCK;
        const still = { offset_ms: 0, now: () => Date.now(), close() {} };
        this.clock = file ? new Clock(file) : still;
    }

    /* The environment without settings of ours that happen to be there. */
    environment() {
        const plain = Object.entries(process.env).filter(([name]) => !/^HOLDFAST|^NODE_TEST/.test(name));
        const ours = { HOLDFAST_TEST_CLOCK: this.clockFile };
        if (this.adminKey) {
            ours.HOLDFAST_ADMIN_KEY = this.adminKey;
        }
        if (this.secret) {
            ours.HOLDFAST_SECRET = this.secret;
        }
        return { ...Object.fromEntries(plain), ...ours, ...this.env };
    }

    async launch() {
        const args = [this.command, '--data', this.data, '--listen', '127.0.0.1:0', ...this.args];
        this.stdout = '';
        this.child = spawn(this.program, args, { env: this.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
        const { child } = this;
        this.exit = new Promise((resolve) => {
            child.on('error', (error) => resolve({ code: null, signal: error.message }));
            child.on('close', (code, signal) => resolve({ code, signal }));
        });
        child.stdout.setEncoding('utf8').on('data', (text) => (this.stdout += text));
        child.stderr.setEncoding('utf8').on(
            'data', (text) => (this.stderr = (this.stderr + text).slice(-1_000_000))
        );
        this.url = await this.listening(child);
        this.client = new Client(this.url);
    }

    listening(child) {
        return new Promise((resolve, reject) => {
            const fail = (why) => reject(new Error(`${this.program} ${why}\n${this.stderr.slice(-4000)}`));
            const timer = setTimeout(() => fail('does not say that it listens'), START_MS);
            this.exit.then(({ code, signal }) => {
                clearTimeout(timer);
                fail(`ended with ${code ?? signal} instead of listening`);
            });
            child.stdout.on('data', () => {
                const line = /^listening on (http:\/\/\S+:\d+)\n/.exec(this.stdout);
                if (line) {
                    clearTimeout(timer);
                    resolve(line[1]);
                }
            });
        });
    }

    /* SIGTERM, and the contract: exit 0 within five seconds. */
    async stop() {
        this.client.rest();
        const began = Date.now();
        this.child.kill('SIGTERM');
        const { code, signal } = await this.exit;
        const took_ms = Date.now() - began;
        this.client.close();
        this.child = null;
        assert.equal(code, 0, `ended with ${code ?? signal}\n${this.stderr.slice(-4000)}`);
        assert.ok(took_ms < STOP_MS + 2_000, `took ${took_ms} ms to stop`);
        return took_ms;
    }

    async kill9() {
        this.child.kill('SIGKILL');
        const { signal, code } = await this.exit;
        this.client.close();
        this.child = null;
        assert.equal(signal, 'SIGKILL', `had ended before with ${code}\n${this.stderr.slice(-4000)}`);
    }

    /* The same data folder, clock and keys; another port. */
    async restart({ kill = false, args } = {}) {
        if (this.child) {
            await (kill ? this.kill9() : this.stop());
        }
        this.args = args ?? this.args;
        await this.launch();
    }

    async close() {
        try {
            if (this.child) {
                this.child.kill('SIGCONT'); /* a failed test can leave it stopped, where it would never end */
                await this.stop();
            }
        } finally {
            this.client?.close();
            this.clock?.close();
            if (this.folder) {
                fs.rmSync(this.folder, { recursive: true, force: true });
            }
        }
    }

    now() {
        return this.clock.now();
    }

    user(name, seconds = 3600) {
        return new Caller(this, () => userToken(this.secret, name, this.now(), seconds), name);
    }

    /* A back end that acts for this user, without the limits of a user token. */
    acting(user) {
        return new Agent(this, this.adminKey, user);
    }

    bearer(text) {
        return new Caller(this, text, 'bearer');
    }

    /* A new key of a role. */
    async key(role, name = unique(role)) {
        const made = await this.admin.post('/v1/keys', { name, role });
        assert.equal(made.status, 201, made.text);
        return Object.assign(new Caller(this, made.json.key, name), { key: made.json.key });
    }

    /* The book can lag; this requests data at least as new as an answer. */
    since(answer) {
        return { headers: { 'Holdfast-Min-Seq': String(answer.seq) }, atLeast: answer.seq };
    }

    eventually(ask, fits, what, patience) {
        return eventually(ask, fits, what, patience);
    }
}

/* A unique name, even if several files use one server. */
/* A trusted caller that acts for one user: what it creates belongs to that user. */
class Agent extends Caller {
    constructor(server, bearer, user) {
        super(server, bearer, user);
        this.user = user;
    }

    call(method, target, options = {}) {
        const creates = method === 'POST' && target === '/v1/reservations' && typeof options.body === 'object';
        return super.call(method, target,
            creates ? { ...options, body: { user_id: this.user, ...options.body } } : options);
    }
}

function unique(stem = 'e') {
    return `${stem}-${crypto.randomBytes(6).toString('hex')}`;
}

/* One server for a whole file, with an app key at `hf.app`. */
function shared(options) {
    const hf = new Server(options);
    before(async () => {
        await hf.start();
        hf.app = await hf.key('app');
    });
    after(() => hf.close());
    return hf;
}

/* Options for tests that cannot run against an attached server. */
const ownProcess = { skip: EXTERNAL ? 'needs a process of its own' : false };
const ownClock = { skip: EXTERNAL && !process.env.HOLDFAST_TEST_CLOCK ? 'needs the test clock' : false };

module.exports = { Server, Caller, shared, unique, ownProcess, ownClock, PROGRAM };
