/* SPDX-License-Identifier: Apache-2.0 */
/* Starting: one line on standard output, JSON on standard error, options from the environment, keys created and
 * kept. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { Server, Caller, unique, ownProcess, PROGRAM } = require('./lib/server.js');
const { exchange } = require('./lib/http.js');
const { sign } = require('./lib/token.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');

/* Runs the program to its end, or until it listens. */
function run(args, env) {
    const plain = Object.entries(process.env).filter(([name]) => !/^HOLDFAST|^NODE_TEST/.test(name));
    const child = spawn(PROGRAM, args, {
        env: { ...Object.fromEntries(plain), ...env }, stdio: ['ignore', 'pipe', 'pipe']
    });
    const told = { stdout: '', stderr: '', listening: false };
    return new Promise((resolve) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
        child.stdout.on('data', (text) => {
            told.stdout += text;
            if (told.stdout.includes('\n')) {
                told.listening = true;
                child.kill('SIGTERM');
            }
        });
        child.stderr.on('data', (text) => (told.stderr += text));
        child.on('close', (code, signal) => {
            clearTimeout(timer);
            resolve({ ...told, code, signal });
        });
    });
}

function scratch(t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    return folder;
}

const KEYS = { HOLDFAST_ADMIN_KEY: 'a'.repeat(40), HOLDFAST_SECRET: 's'.repeat(40) };

test('exactly one line goes to standard output; logs are one JSON object per line', ownProcess, async () => {
    const hf = await new Server().start();
    try {
        const event = await makeEvent(hf, { seats: 'A1' });
        await hold(hf.user('ann'), items(event, 'A1'));
        await hf.stop();
        assert.match(hf.stdout, /^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
        for (const line of hf.stderr.split('\n').filter(Boolean)) {
            const entry = JSON.parse(line);
            assert.ok(entry !== null && typeof entry === 'object' && !Array.isArray(entry), line);
        }
    } finally {
        await hf.close();
    }
});

test('keys, tokens and the secret are never logged', ownProcess, async () => {
    const hf = await new Server().start();
    try {
        const app = await hf.key('app');
        const token = hf.user('ann').bearer;
        await app.get('/v1/reservations');
        await hf.bearer(token).get('/v1/reservations');
        await hf.bearer(`${app.key}x`).get('/v1/reservations');
        await hf.bearer('nonsense-that-is-no-key').post('/v1/reservations', '{"broken');
        await hf.stop();
        for (const secret of [hf.adminKey, hf.secret, app.key, token, 'nonsense-that-is-no-key']) {
            assert.ok(!hf.stderr.includes(secret) && !hf.stdout.includes(secret));
        }
    } finally {
        await hf.close();
    }
});

test('several stop signals count as one: requests in flight are finished', ownProcess, async () => {
    const hf = await new Server().start();
    try {
        const { child } = hf;
        const say = async () => {
            await hf.anyone.get('/healthz'); /* the first half has been read by then */
            child.kill('SIGTERM');
            await hf.eventually(async () => hf.stderr, (text) => text.includes('"stopping"'), 'it has heard');
            for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM']) {
                child.kill(signal);
            }
        };
        const head = 'POST /v1/sessions HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
        const { answers } = await exchange(hf.url, [head, say, '{}'], { enough: 1 });
        assert.equal(answers[0].status, 201);
        assert.deepEqual(await hf.exit, { code: 0, signal: null });
        hf.child = null;
    } finally {
        await hf.close();
    }
});

test('options can come from the environment', ownProcess, async (t) => {
    const data = path.join(scratch(t), 'data');
    const told = await run(['serve'], { ...KEYS, HOLDFAST_DATA: data, HOLDFAST_LISTEN: '127.0.0.1:0' });
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stdout, /^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    assert.ok(fs.existsSync(data));
});

test('keys are created on first start, kept, mode 0600, and the path is logged', ownProcess, async () => {
    const hf = await new Server({ adminKey: '', secret: '' }).start();
    try {
        const files = ['admin.key', 'secret'].map((name) => path.join(hf.data, name));
        const read = () => files.map((file) => fs.readFileSync(file, 'utf8').trim());
        for (const file of files) {
            assert.equal(fs.statSync(file).mode & 0o777, 0o600, file);
            assert.ok(
                hf.stderr.includes(file) || hf.stderr.includes(path.basename(file)), `${file} is not logged`
            );
        }
        const [key, secret] = read();
        assert.ok(Buffer.byteLength(secret) >= 32);
        const admin = new Caller(hf, key);
        assert.equal((await admin.get('/v1/keys')).status, 200);
        assert.ok(!hf.stderr.includes(key) && !hf.stderr.includes(secret));
        const claims = { sub: 'ann', aud: 'holdfast', exp: Math.floor(Date.now() / 1000) + 600 };
        const { token } = (await hf.anyone.post('/v1/sessions', {})).json;
        await hf.restart();
        assert.deepEqual(read(), [key, secret]);
        assert.equal((await admin.get('/v1/keys')).status, 200);
        assert.equal(
            (await hf.bearer(token).get('/v1/reservations')).status, 200, 'the guest is still known'
        );
        assert.equal(
            (await hf.bearer(sign(secret, claims)).get('/v1/reservations')).status, 200,
            'the file holds the secret as text'
        );
    } finally {
        await hf.close();
    }
});

test('a secret under 32 bytes is refused', ownProcess, async (t) => {
    const data = path.join(scratch(t), 'data');
    const args = ['serve', '--data', data, '--listen', '127.0.0.1:0'];
    const told = await run(args, { ...KEYS, HOLDFAST_SECRET: 'x'.repeat(31) });
    assert.equal(told.listening, false);
    assert.equal(told.signal, null);
    assert.notEqual(told.code, 0);
    const enough = await run(args, { ...KEYS, HOLDFAST_SECRET: 'x'.repeat(32) });
    assert.equal(enough.code, 0, enough.stderr);
});

test('unknown options are named, and it does not start', ownProcess, async (t) => {
    const data = path.join(scratch(t), 'data');
    const wrong = [
        ['serve', '--data', data, '--listen', '127.0.0.1:0', '--colour', 'red'],
        ['serve', '--data', data, '--listen', 'nowhere'],
        ['serve', '--data', data, '--listen', '127.0.0.1:99999'],
        ['serve', '--data', data, '--listen', '127.0.0.1:0', '--limits', 'perhaps'], ['serve', '--data'],
        ['serve', '--data', data, '--listen', '127.0.0.1:0', '--openapi', 'nobody'],
        ['serve', '--data', data, '--listen', '127.0.0.1:0', '--metrics-key', 'two words'],
        [unique('verb')],
    ];
    for (const args of wrong) {
        const told = await run(args, KEYS);
        assert.equal(told.listening, false, args.join(' '));
        assert.equal(told.signal, null, args.join(' '));
        assert.notEqual(told.code, 0, args.join(' '));
        assert.ok(told.stderr.length > 0, args.join(' '));
    }
});

test('a data folder that cannot be created is refused', ownProcess, async (t) => {
    const file = path.join(scratch(t), 'file');
    fs.writeFileSync(file, 'in the way');
    for (const [data, words] of [
        [path.join(file, 'data'), /parent is not a folder/], [file, /is not a folder/], ['/dev/null', /null is not a folder/],
        [path.join(file, '../nope/data'), /parent does not exist/],
    ]) {
        const told = await run(['serve', '--data', data, '--listen', '127.0.0.1:0'], KEYS);
        assert.equal(told.listening, false);
        assert.equal(told.code, 64, told.stderr);
        assert.match(told.stderr, words);
    }
});

test('a clock more than a year ahead of the folder is refused, naming both instants; --accept-clock accepts it', ownProcess, async () => {
    const hf = await new Server().start();
    try {
        await makeEvent(hf);
        await hf.stop();
        const year = new Date(hf.now()).getUTCFullYear();
        hf.clock.advance(364 * 86_400_000);
        await hf.launch();
        await makeEvent(hf); /* a change at that instant */
        await hf.stop();
        hf.clock.advance(366 * 86_400_000);
        const told = await run(['serve', '--data', hf.data, '--listen', '127.0.0.1:0'], hf.environment());
        assert.equal(told.code, 64, told.stderr);
        assert.equal(told.stdout, '');
        const later = new Date(hf.now()).getUTCFullYear();
        assert.match(told.stderr, new RegExp(`the clock says ${later}-.* a year after .* ${later - 1}-.*--accept-clock`));
        assert.equal(later, year + 2);
        await hf.restart({ args: ['--accept-clock', '--limits', 'off'] });
        await makeEvent(hf);
        await hf.restart({ args: ['--limits', 'off'] }); /* now it is the folder's own time */
    } finally {
        await hf.close();
    }
});

test('faults of options are sentences, not logs', ownProcess, async () => {
    for (const [args, variables, sentence] of [
        [['serve', '--dat', 'x'], {}, 'holdfast serve: unknown option --dat; did you mean --data?\n'],
        [['demo', '--data', 'x', '--data', 'x'], {}, 'holdfast demo: --data is given twice\n'],
        [['serve'], { HOLDFAST_METRICS_KEY: '' }, 'holdfast serve: HOLDFAST_METRICS_KEY is empty\n'],
        [['restore', '/etc', 'x'], {}, 'holdfast restore: /etc is not a data folder: it has no book\n'],
        [['export', '--data', '/nope', '--sql', 'x'], {}, 'holdfast export: /nope is not a data folder: it has no book\n'],
        [['simulate'], {}, 'holdfast simulate: expected holdfast simulate fleet [options]\n'],
    ]) {
        const told = await run(args, { ...KEYS, ...variables });
        assert.deepEqual([told.code, told.stderr], [64, sentence]);
    }
    assert.match((await run(['backup', 'x'], KEYS)).stderr, /^holdfast backup: missing DEST\n/);
    const help = (...args) => spawnSync(PROGRAM, args, { encoding: 'utf8' }).stdout;
    assert.equal(help('help', 'serve'), help('serve', '--help'));
});

test('an admin key has at least 16 bytes', ownProcess, async (t) => {
    const args = ['serve', '--data', scratch(t), '--listen', '127.0.0.1:0'];
    const { code, stderr } = await run(args, { ...KEYS, HOLDFAST_ADMIN_KEY: 'a'.repeat(15) });
    assert.equal(code, 64, stderr);
    assert.match(stderr, /HOLDFAST_ADMIN_KEY is too short: 15 bytes; at least 16 are needed/);
});

test('an old secret must be as long as a secret', ownProcess, async (t) => {
    for (const old of ['', 's'.repeat(31)]) {
        const args = ['serve', '--data', scratch(t), '--listen', '127.0.0.1:0'];
        const { code, stderr } = await run(args, { ...KEYS, HOLDFAST_SECRET_OLD: old });
        assert.equal(code, 64, stderr);
        assert.match(stderr, /HOLDFAST_SECRET_OLD/);
    }
});

test('an invalid address and a port in use are found before the folder is touched', ownProcess, async (t) => {
    const data = path.join(scratch(t), 'data');
    const taken = net.createServer();
    await new Promise((ready) => taken.listen(0, '127.0.0.1', ready));
    t.after(() => taken.close());
    const { port } = taken.address();
    for (const [listen, code, words] of [
        ['nowhere', 64, /nowhere is not an address/], ['127.0.0.1', 64, /not an address/],
        ['127.0.0.1:99999', 64, /not an address/], ['192.0.2.1:0', 64, /cannot listen on 192\.0\.2\.1:0/],
        [`127.0.0.1:${port}`, 75, /cannot listen on .* in use/],
    ]) {
        const told = await run(['serve', '--data', data, '--listen', listen], KEYS);
        assert.equal(told.code, code, `${listen}: ${told.stderr}`);
        assert.match(told.stderr, words);
        assert.equal(fs.existsSync(data), false, listen);
    }
});

test('--cors accepts origins as browsers send them, and says what it expected', ownProcess, async (t) => {
    const data = path.join(scratch(t), 'data');
    const serve = (...origins) => run(['serve', '--data', data, '--listen', '127.0.0.1:0', '--cors', ...origins], KEYS);
    for (const [origin, words] of [
        ['shop.example', /scheme/], ['https://shop.example/', /slash/], ['https://shop.example/tickets', /path/],
        ['https://', /host/], ['https://Shop.example', /lower case/], ['HTTPS://shop.example', /lower case/],
        ['https://shop.example:', /port/], ['https://shop.example:https', /port/], ['https://shop.example:443', /port/],
        ['http://shop.example:80', /port/], ['https://a@shop.example', /port/], ['//shop.example', /scheme/], ['null', /scheme/],
        ['https://shop.example?', /path/], ['https://[::1', /host/],
    ]) {
        const told = await serve('https://good.example', origin);
        assert.equal(told.code, 64, origin);
        assert.ok(told.stderr.includes(`${origin} is not an origin`), told.stderr);
        assert.match(told.stderr, words);
        assert.match(told.stderr, /expected one such as https:\/\/shop\.example/);
    }
    const good = ['https://shop.example', 'http://localhost:3000', 'https://[::1]:8443', 'capacitor://localhost', '*'];
    const told = await serve(...good);
    assert.equal(told.code, 0, told.stderr);
});

test('SIGHUP changes nothing', ownProcess, async (t) => {
    const hf = await new Server().start();
    t.after(() => hf.close());
    const event = await makeEvent(hf, { seats: 'A1' });
    hf.child.kill('SIGHUP');
    await hold(hf.user('ann'), items(event, 'A1'));
    hf.child.kill('SIGHUP');
    assert.equal((await hf.anyone.get('/healthz')).status, 200);
    assert.equal(hf.child.exitCode, null);
    await hf.stop(); /* exit 0 */
});

test('an unknown command is reported with the nearest one; the version is printed', ownProcess, async () => {
    for (const [word, meant] of [['chek', 'check'], ['sevre', 'serve'], ['Backup', 'backup'], ['frobnicate', undefined]]) {
        const told = await run([word], KEYS);
        assert.deepEqual([told.code, told.stdout], [64, '']);
        assert.ok(told.stderr.includes(`unknown command '${word}'`), told.stderr);
        assert.equal(/did you mean '(\w+)'/.exec(told.stderr)?.[1], meant);
    }
    for (const word of ['version', '--version']) {
        const { stdout } = spawnSync(PROGRAM, [word], { encoding: 'utf8' });
        assert.match(stdout, /^holdfast \d+\.\d+\.\d+\S*\n$/);
    }
});
