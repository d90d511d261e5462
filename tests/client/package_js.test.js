/* SPDX-License-Identifier: Apache-2.0 */
/* clients/js as a package: it is packed without a network and without a server, has the version of the server, its samples
 * run, and its methods and types are those of the API. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { shared } = require('../conformance/lib/server.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { root, run, copyClients, samples } = require('./lib/packages.js');

const hf = shared({ command: 'demo' });

/* A project that has installed what `npm pack` made. */
function installed(t) {
    const folder = copyClients(t);
    const [packed] = JSON.parse(run('npm', ['pack', '--json'], { cwd: path.join(folder, 'clients/js') }));
    const project = path.join(folder, 'project');
    fs.mkdirSync(project);
    fs.writeFileSync(path.join(project, 'package.json'), '{"type":"module","private":true}');
    run('npm', ['install', path.join(folder, 'clients/js', packed.filename)], { cwd: project });
    return { folder, packed, project };
}

const project = {};
test.before((t) => Object.assign(project, installed({ after: (done) => { project.remove = done; } })));
test.after(() => project.remove());
const load = () => import(pathToFileURL(path.join(project.project, 'node_modules/holdfast-client/api/index.js')));

test('the package has the version of the server, its licence, the repository, and nothing else than the client', () => {
    const at = path.join(project.project, 'node_modules/holdfast-client');
    const about = JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8'));
    assert.equal(about.version, hf.description.document.info.version);
    assert.match(about.repository.url, /^git\+https:/);
    assert.equal(about.repository.directory, 'clients/js');
    assert.equal(fs.readFileSync(path.join(at, 'LICENSE'), 'utf8'), fs.readFileSync(path.join(root, 'LICENSE'), 'utf8'));
    const files = project.packed.files.map((one) => one.path);
    assert.ok(['README.md', 'api/index.js', 'api/index.d.ts', 'api/types.d.ts', 'src/client.js'].every((one) => files.includes(one)), files.join());
    assert.deepEqual(files.filter((one) => !/^(LICENSE|README\.md|package\.json|(api|src)\/\w+(\.d)?\.[jt]s)$/.test(one)), []);
    assert.equal(about.dependencies, undefined);
});

test('a package of another version than the server is not built', (t) => {
    const folder = copyClients(t);
    const file = path.join(folder, 'clients/js/package.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/"version": "[^"]+"/, '"version": "9.9.9"'));
    assert.match(run('npm', ['pack'], { cwd: path.join(folder, 'clients/js'), fails: true }), /has version 9\.9\.9, the server/);
});

test('every operation is a method', async () => {
    const { Holdfast } = await load();
    const operations = Object.values(hf.description.document.paths).filter((item) => !item['x-alias-of'])
        .flatMap((item) => Object.values(item)).map(({ operationId }) => operationId).filter(Boolean);
    assert.ok(operations.length > 100);
    assert.deepEqual(operations.filter((id) => typeof Holdfast.prototype[id] !== 'function'), []);
});

const SAMPLES = [...samples('clients/js/README.md', 'js'), ...samples('docs/start.md', 'js')];
for (const [i, sample] of SAMPLES.entries()) {
    test(`sample ${i + 1} of the README, or of docs/start.md, runs`, () => {
        const file = path.join(project.project, `sample${i + 1}.js`);
        fs.writeFileSync(file, sample);
        const told = run('node', [file], { env: { HOLDFAST_URL: hf.url, HOLDFAST_KEY: hf.app.bearer } });
        assert.match(told, [/^[A-Z0-9]{6} \[ '\w{20}', '\w{20}' \]\n$/, /^held (59\d|600)\n$/, /^\d+ appointments this week\n\w+ \{/,
            /^[A-Z0-9]{6} confirmed \[/][i]);
    });
}

test('the samples and the components compile under `tsc --strict`, and wrong uses do not', () => {
    const tools = execFileSync(path.join(root, 'tests/tools/install'), [path.join(root, 'examples/typescript')], { encoding: 'utf8' }).trim();
    const types = path.join(project.project, 'node_modules/@types');
    fs.mkdirSync(types, { recursive: true });
    fs.symlinkSync(path.join(tools, 'node_modules/@types/node'), path.join(types, 'node'));
    fs.symlinkSync(path.join(tools, 'node_modules/undici-types'), path.join(project.project, 'node_modules/undici-types'));
    ['program.ts', 'shop.ts'].forEach((name) => fs.copyFileSync(path.join(__dirname, 'types', name), path.join(project.project, name)));
    SAMPLES.forEach((sample, i) => fs.writeFileSync(path.join(project.project, `sample${i + 1}.ts`), sample));
    run(path.join(tools, 'node_modules/.bin/tsc'), ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022',
        '--lib', 'es2022,dom,dom.iterable', ...fs.readdirSync(project.project).filter((name) => name.endsWith('.ts'))], { cwd: project.project });
});

test('a body, a query, a file, a text, an image and nothing are sent and received', async () => {
    const { Holdfast, Conflict, Forbidden, InvalidRequest, NotFound, Problem, Unauthenticated } = await load();
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const admin = new Holdfast({ url: hf.url, token: hf.adminKey });
    const app = new Holdfast({ url: hf.url, token: hf.app.bearer });
    assert.deepEqual(await admin.importSeats(event, 'id,price\nB1,500\n'), { created: 1, updated: 0 });
    assert.deepEqual(await admin.importSeats(event, [{ id: 'B2', price: 500 }]), { created: 1, updated: 0 });
    const hold = await app.createReservation({ user_id: 'ann', items: [{ event, seat: 'B1' }] });
    await assert.rejects(app.createReservation({ user_id: 'bob', items: [{ event, seat: 'B1' }] }), (problem) =>
        problem instanceof Conflict && problem instanceof Problem && problem.code === 'taken' && problem.name === 'Conflict');
    await assert.rejects(app.getReservation('nothing'), (problem) => problem instanceof NotFound && problem.code === 'no_such_reservation');
    await assert.rejects(app.putEvent(event, { name: 'E' }), (problem) => problem instanceof Forbidden && problem.code === 'forbidden');
    await assert.rejects(app.createReservation({ user_id: 'ann' }), (problem) => problem instanceof InvalidRequest && problem.code === 'invalid');
    const stranger = new Holdfast({ url: hf.url, guest: false });
    await assert.rejects(stranger.getReservation('x'), (problem) => problem instanceof Unauthenticated);
    const order = await app.commitReservation(hold.reservation_id, { payment_ref: 'pi_1', amount: { amount: 500, currency: 'EUR' } });
    assert.equal(order.status, 'confirmed');
    assert.deepEqual((await app.getPayment('pi_1', { minSeq: app.seq })).received, 500);
    const { data } = await app.listReservations({ user_id: 'ann', event }, { minSeq: app.seq });
    assert.deepEqual(data.map(({ reservation_id: id }) => id), [hold.reservation_id]);
    assert.match(await app.getTicketSvg(order.tickets[0].code), /^<svg|^<\?xml/);
    assert.ok((await app.getTicketPng(order.tickets[0].code)).size > 100);
    assert.match(await admin.getSalesReportCsv({ event }, { minSeq: app.seq }), /^day,/);
    assert.equal(await admin.deleteSeats(event, { ids: ['B2'] }).then(({ removed }) => removed), 1);
    assert.equal(await admin.deleteHook('none').then(() => null, ({ code }) => code), 'no_such_hook');
});

test('a key repeats a call, a seat that moved on is refused, and an entry is one of many', async () => {
    const { Holdfast } = await load();
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const app = new Holdfast({ url: hf.url, token: hf.app.bearer });
    const make = () => app.createReservation({ user_id: 'ann', items: [{ event, seat: 'A1' }] }, { key: 'once' });
    assert.equal((await make()).reservation_id, (await make()).reservation_id);
    await assert.rejects(app.createReservation({ user_id: 'ann', resource_id: `${event}/A2` }, { ifMatch: '"999"' }), ({ code }) => code === 'version_mismatch');
    await app.createReservation({ user_id: 'ann', items: [{ event, seat: 'A3' }] });
    const found = [];
    for await (const { items } of app.each((page) => app.listReservations(page, { minSeq: app.seq }), { event, limit: 1 })) {
        found.push(items[0].seat);
    }
    assert.deepEqual(found.sort(), ['A1', 'A3']);
});
