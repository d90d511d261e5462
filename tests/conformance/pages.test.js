/* SPDX-License-Identifier: Apache-2.0 */
/* Pages and files for browsers: how they are served, and what every page must have. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const http = require('node:http');
const { Server, shared, ownProcess, PROGRAM } = require('./lib/server.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const TEXTS = `${__dirname}/../../web/lib/texts`;
const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
    "connect-src 'self'; media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; " +
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/* As on the wire: nothing decompressed, no redirect followed, the path unchanged. */
function get(path, headers = {}, url = hf.url, method = 'GET') {
    return new Promise((resolve, reject) => {
        http.request(url, { path, method, headers, agent: false }, (response) => {
            const parts = [];
            response.on('data', (part) => parts.push(part)).on('error', reject).on('end', () => resolve(
                { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
        }).on('error', reject).end();
    });
}

async function start(t, options) {
    const server = await new Server(options).start();
    t.after(() => server.close());
    return server;
}

const assetOf = (page) => /"(\/assets\/[0-9a-f]{12}\/style\/design\.css)"/.exec(page.body.toString())[1];

test('a page has the policy, and is revalidated each time', async () => {
    const page = await get('/');
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['content-security-policy'], POLICY);
    assert.equal(page.headers['referrer-policy'], 'no-referrer');
    assert.equal(page.headers['x-content-type-options'], 'nosniff');
    assert.equal(page.headers['permissions-policy'], 'camera=()');
    assert.equal(page.headers['cache-control'], 'no-cache');
    assert.ok(!('access-control-allow-origin' in page.headers));
    const again = await get('/', { 'If-None-Match': page.headers.etag });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
});

test('a module is immutable under the name of its build, compressed on request, open to every origin', async () => {
    const path = assetOf(await get('/'));
    const plain = await get(path);
    assert.equal(plain.status, 200);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(plain.headers['content-type'], 'text/css; charset=utf-8');
    assert.equal(plain.headers['access-control-allow-origin'], '*');
    assert.equal(plain.headers['x-content-type-options'], 'nosniff');
    assert.match(plain.headers.etag, /^"[0-9a-f]+"$/);
    const packed = await get(path, { 'Accept-Encoding': 'gzip' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers.vary, 'Accept-Encoding');
    assert.ok(packed.body.length < plain.body.length);
    assert.deepEqual(require('node:zlib').gunzipSync(packed.body), plain.body);
    assert.equal((await get(path, { 'If-None-Match': plain.headers.etag })).status, 304);
    assert.equal((await get(path.replace(/[0-9a-f]{12}/, '000000000000'))).status, 404);
    assert.equal((await get('/assets/')).status, 404);
    assert.equal((await get('/favicon.svg')).headers['content-type'], 'image/svg+xml');
    assert.equal((await get('/favicon.svg')).headers['cache-control'], 'public, max-age=300');
});

test('an encoding with a weight of zero is not used', async () => {
    const path = assetOf(await get('/'));
    for (const [accepts, packed] of [['gzip;q=0', false], ['gzip;Q=0', false], ['br, gzip ; q=0.000', false], ['x-gzip', false], ['gzip;q=0.1', true], ['br;q=0, GZIP', true]]) {
        const file = await get(path, { 'Accept-Encoding': accepts });
        assert.equal(file.headers['content-encoding'] === 'gzip', packed, accepts);
    }
    for (const [accept, type] of [['text/html;q=0, application/json', 'application/problem+json'], ['text/htmlx', 'application/problem+json'], ['*/*', 'application/problem+json'],
        ['application/xhtml+xml, Text/HTML;q=0.9', 'text/html; charset=utf-8']]) {
        assert.equal((await get('/nowhere', { Accept: accept })).headers['content-type'], type, accept);
    }
});

test('a page supports HEAD, lists of ETags and ranges; only files of the table are pages', async () => {
    const page = await get('/admin');
    const head = await get('/admin', {}, hf.url, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-length'], head.headers.etag, head.body.length], [200, String(page.body.length), page.headers.etag, 0]);
    for (const [names, status] of [[`"a", W/${page.headers.etag}, "b"`, 304], ['*', 304], [page.headers.etag.slice(0, -1), 200], [`"x,${page.headers.etag.slice(1)}`, 200]]) {
        const answer = await get('/admin', { 'If-None-Match': names });
        assert.deepEqual([answer.status, answer.headers['cache-control'], answer.headers['content-security-policy']], [status, 'no-cache', POLICY], names);
    }
    const path = assetOf(page);
    assert.equal((await get(path, { Range: 'bytes=0-3' })).status, 200);
    for (const other of [`${path}%00`, `${path}/`, path.replace('/style/', '/style%2f'), '/assets/../pages/admin.html', '/docs/../admin', '//admin', '/admin%00', '/pages/admin.html']) {
        assert.equal((await get(other)).status, 404, other);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'TRACE']) {
        const answer = await get('/admin', {}, hf.url, method);
        assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], method);
    }
});

test('a URL is shown as text in its error page', async () => {
    for (const path of ['/<script>alert(1)</script>', '/e/%3Cscript%3E', '/e/%zz', '/e/a%00b', `/e/${'a'.repeat(7000)}`, '/{{status}}']) {
        const page = await get(path, { Accept: HTML });
        assert.equal(page.status, 404, path.slice(0, 80));
        assert.ok(!/<script>|\{\{|aaaa/.test(page.body.toString()), page.body.toString());
    }
});

test('embedded modules have a stable name, cached for 300 s, that leads to this build', async () => {
    const file = await get('/embed/holdfast.js');
    assert.equal(file.status, 200);
    assert.equal(file.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(file.headers['cache-control'], 'public, max-age=300');
    assert.equal(file.headers['access-control-allow-origin'], '*');
    const [, module] = /import '(\/assets\/[0-9a-f]{12}\/components\/seats\.js)'/.exec(file.body.toString());
    assert.equal((await get(module)).status, 200);
});

test('the door can use the camera, and its worker caches every file of it, by the name of this build', async () => {
    const page = await get('/door');
    assert.equal(page.status, 200);
    assert.equal(page.headers['permissions-policy'], 'camera=(self)');
    assert.equal(page.headers['content-security-policy'], POLICY);
    const worker = await get('/door_worker.js');
    assert.equal(worker.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(worker.headers['cache-control'], 'public, max-age=300');
    const text = worker.body.toString();
    assert.ok(!text.includes('{{'), text);
    const files = /FILES = '([^']+)'/.exec(text)[1].split(' ');
    const named = [...page.body.toString().matchAll(/(?:href|src)="(\/[^"]+\.[a-z]+)"/g)].map(([, path]) => path);
    assert.deepEqual(named.filter((path) => !files.includes(path)), []);
    for (const module of ['/vendor/qr/decode.js', '/vendor/@noble/ed25519/index.js', '/vendor/@noble/hashes/sha2.js', '/lib/door.js']) {
        assert.ok(files.some((path) => path.endsWith(module)), module); /* including modules that are imported on demand */
    }
    const answers = await Promise.all(files.map((path) => get(path)));
    assert.deepEqual(answers.filter(({ status }) => status !== 200), []);
});

test('the page of an event takes at most 120 kB with the texts of one language, without the layout', async () => {
    assert.equal((await hf.admin.put('/v1/events/light', { name: 'Light' })).status, 201);
    const packed = { 'Accept-Encoding': 'gzip' };
    const html = (await get('/e/light')).body.toString();
    const paths = [...new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+|\/favicon.svg)"/g)].map(([, path]) => path))];
    assert.ok(paths.length > 20, paths.join(' '));
    const folder = /^.*\/lib\/(?=texts\.js$)/.exec(paths.find((path) => path.endsWith('/lib/texts.js')))[0];
    for (const language of readdirSync(TEXTS).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -'.js'.length))) {
        const texts = [`${language}.js`, ...readdirSync(`${TEXTS}/${language}`).map((name) => `${language}/${name}`)];
        const files = await Promise.all(['/e/light', ...paths, ...texts.map((name) => `${folder}texts/${name}`)].map((path) => get(path, packed)));
        const bytes = files.reduce((sum, { body }) => sum + body.length, 0);
        assert.ok(files.every(({ status }) => status === 200) && texts.length > 5 && bytes < 120_000, `${language}: ${bytes} bytes`);
    }
});

test('with --cors a module is still open to every origin, once', ownProcess, async (t) => {
    const server = await start(t, { args: ['--cors', 'https://shop.example'] });
    const path = assetOf(await get('/', {}, server.url));
    for (const origin of ['https://shop.example', 'https://other.example']) {
        const file = await get(path, { Origin: origin }, server.url);
        assert.equal(file.headers['access-control-allow-origin'], '*');
    }
});

test('HEAD is GET without the body; other methods are not allowed', async () => {
    const [whole, head] = [await get('/'), await get('/', {}, hf.url, 'HEAD')];
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    assert.equal(head.headers['content-length'], String(whole.body.length));
    refused(await hf.anyone.post('/', {}), 405, 'method_not_allowed');
});

test('documents are pages with the policy, at the names that they have in docs/', async () => {
    for (const path of ['/docs', '/docs/api']) {
        const page = await get(path, { 'Accept-Encoding': 'gzip' });
        assert.equal(page.status, 200, path);
        assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
        assert.equal(page.headers['content-security-policy'], POLICY);
        assert.equal(page.headers['cache-control'], 'no-cache');
        assert.equal((await get(path, { 'If-None-Match': page.headers.etag })).status, 304);
    }
    assert.equal((await get('/docs/nothing', { Accept: HTML })).status, 404);
});

test('the page of a fleet exists if the fleet does', async () => {
    assert.equal((await hf.admin.put('/v1/fleets/vans', {})).status, 201);
    assert.equal((await get('/f/vans')).status, 200);
    const missing = await get('/f/nowhere', { Accept: HTML });
    assert.equal(missing.status, 404);
    assert.match(missing.body.toString(), /<h1>No such fleet<\/h1>/);
});

test('a page takes any query, as links carry them', async () => {
    assert.equal((await get('/?utm_source=letter&x')).status, 200);
});

test('errors are pages for browsers that navigate, and problems for all others', async () => {
    const page = await get('/nowhere/%22%3Cscript%3E', { Accept: HTML });
    assert.equal(page.status, 404);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['content-security-policy'], POLICY);
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.match(page.body.toString(), /<h1>Page not found<\/h1>/);
    assert.match(page.body.toString(), /<a class="button primary" href="\/" data-text="error_home">/);
    assert.ok(!page.body.toString().includes('<script>'));
    refused(await hf.anyone.get('/nowhere'), 404, 'no_such_route');
    const api = await get('/v1/events/nothing-there', { Accept: HTML });
    assert.equal(api.headers['content-type'], 'application/problem+json');
    assert.equal((await get('/nowhere', { Accept: '*/*' })).headers['content-type'], 'application/problem+json');
});

test('--image-origin adds to the policy; --checkout is in the page', ownProcess, async (t) => {
    const server = await start(t, { args: ['--image-origin', 'https://img.example', 'https://cdn.example:8443',
        '--checkout', 'https://shop.example/pay?o={reservation}&v=1'] });
    const page = await get('/', {}, server.url);
    assert.equal(page.headers['content-security-policy'], POLICY.replace('data: blob:;',
        'data: blob: https://img.example https://cdn.example:8443;'));
    assert.ok(page.body.includes('content="https://shop.example/pay?o={reservation}&#38;v=1"'), page.body.toString());
    assert.ok(page.body.includes('<meta name="holdfast-images" content="https://img.example https://cdn.example:8443">'), page.body.toString());
    assert.notEqual(page.headers.etag, (await get('/')).headers.etag);
    assert.ok((await get('/')).body.includes('<meta name="holdfast-checkout" content="">'));
});

test('an invalid checkout or origin is refused at the start', ownProcess, () => {
    const bad = [['--checkout', 'javascript:alert(1)'], ['--checkout', 'https://shop.example/'], ['--checkout', 'https://x/"{reservation}'],
        ['--checkout', 'https://x/{{reservation}}'], ['--image-origin', '*'], ['--image-origin', 'https://x/y'],
        ['--image-origin', "https://x; script-src 'unsafe-inline'"]];
    for (const args of bad) {
        const { status, stderr } = spawnSync(PROGRAM, ['serve', '--data', '/nonexistent/x', '--listen', '127.0.0.1:0', ...args],
            { encoding: 'utf8', env: {}, timeout: 600_000 });
        assert.equal(status, 64, `${args.join(' ')}: ${stderr}`);
    }
});

test('an error page has its sentence once', async () => {
    for (const path of ['/nothing-there', '/e/nothing-there', '/c/nothing-there', '/c/group/nothing-there', '/q/nothing-there', '/f/nothing-there']) {
        const page = (await get(path, { Accept: HTML })).body.toString();
        const [, title] = /<h1>(.*)<\/h1>/.exec(page);
        const [, detail] = /<p class="lead">(.*)<\/p>/.exec(page);
        assert.notEqual(detail.replace(/\.$/, ''), title, path);
    }
});

test('the notices are a page and a command', ownProcess, async () => {
    const page = (await get('/licenses')).body.toString();
    const { status, stdout } = spawnSync(PROGRAM, ['licenses'], { encoding: 'utf8' });
    assert.equal(status, 0);
    for (const text of ['lit-html 3.3', 'uplot 1.6', '@noble/ed25519 3', '@noble/hashes 2', 'qr 0.7', 'Redistribution and use in source and binary forms', 'Apache License']) {
        assert.ok(page.includes(text) && stdout.includes(text), text);
    }
});
