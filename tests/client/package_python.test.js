/* SPDX-License-Identifier: Apache-2.0 */
/* clients/python as a package: it is built without a network and without a server, has the version of the server, its samples
 * run, and python_client.py finds against a server what it should. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { shared } = require('../conformance/lib/server.js');
const { items, makeEvent } = require('../conformance/lib/catalogue.js');
const { granted } = require('../conformance/lib/expect.js');
const { Receiver, SECRET } = require('../conformance/lib/receiver.js');
const { signedForm } = require('../browser/lib/ticket_picture.js');
const { root, run, runBeside, copyClients, samples } = require('./lib/packages.js');

const hf = shared({ command: 'demo', args: ['--hooks-private', 'on'] });
const facts = { secret: SECRET };
const built = {};

/* A name of Python's. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function signatures(count) {
    const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
    const key = Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url').toString('hex');
    return Array.from({ length: count }, (_, i) => {
        const message = crypto.randomBytes(i * 13);
        const signature = crypto.sign(null, i % 4 === 3 ? crypto.randomBytes(8) : message, privateKey);
        return [key, message.toString('hex'), signature.toString('hex'), i % 4 !== 3];
    });
}

/* A seat and two places sold: their tickets in the signed form, and the message to a hook. */
async function sell() {
    const receiver = await new Receiver().start();
    receiver.server.unref(); /* closed by the end of the process if something fails */
    const event = await makeEvent(hf, { seats: 'A1-A3', pools: { floor: 3 } });
    const body = { url: receiver.url, events: ['reservation.confirmed'], secret: SECRET };
    assert.equal((await hf.admin.put('/v1/hooks/python', body)).status, 201);
    const sale = { user_id: 'ann', items: [...items(event, 'A2'), { event, pool: 'floor', quantity: 2 }], commit: true };
    const sold = granted(await hf.admin.post('/v1/reservations', sale), 201);
    await receiver.count(1);
    await receiver.close();
    assert.equal((await hf.admin.delete('/v1/hooks/python')).status, 204);
    const parts = [['A2', 1, 0], ['floor', 2, 0], ['floor', 2, 1]];
    facts.tickets = await Promise.all(sold.tickets.map(async ({ code }, i) => {
        const [part, kind, unit] = parts[i];
        return [await signedForm(hf, code), { code, reissue: sold.fence, kind, of: event, part, unit }];
    }));
    const { headers, body: text } = receiver.got[0];
    facts.message = { body: text, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))) };
    Object.assign(facts, { url: hf.url, app: hf.app.bearer, admin: hf.adminKey, event, pnr: sold.pnr, signatures: signatures(24) });
    facts.operations = Object.values(hf.description.document.paths).filter((item) => !item['x-alias-of'])
        .flatMap((item) => Object.values(item)).map(({ operationId }) => operationId).filter(Boolean).map(snake);
    fs.writeFileSync(path.join(built.folder, 'facts.json'), JSON.stringify(facts));
}

test.before(() => {
    built.folder = copyClients({ after: (done) => { built.remove = done; } });
    built.wheel = path.join(built.folder, run('python3', ['clients/python/tools/build_package.py', built.folder], { cwd: built.folder }).trim());
});
test.after(() => built.remove());

const python = (args, env = {}) => runBeside('python3', args, { cwd: built.folder, env: { PYTHONPATH: built.wheel, PYTHONDONTWRITEBYTECODE: '1', ...env } });

test('the wheel has the version of the server, the licence, and the types', async () => {
    const { version } = hf.description.document.info;
    assert.equal(path.basename(built.wheel), `holdfast_client-${version}-py3-none-any.whl`);
    const { code, text } = await python(['-c', `
import importlib.metadata as m, zipfile, sys
about = m.metadata("holdfast-client")
print(about["Version"], about["Requires-Python"], about["Project-URL"], m.requires("holdfast-client"))
names = zipfile.ZipFile(sys.argv[1]).namelist()
print(all(any(n.endswith(w) for n in names) for w in ("/py.typed", "/LICENSE", "/api.py", "/types.py", "/METADATA", "/RECORD")))
assert all(m.files("holdfast-client")[i].locate() for i in range(3))`, built.wheel]);
    assert.equal(code, 0, text);
    assert.match(text, new RegExp(`^${version.replaceAll('.', '\\.')} >=3\\.9 Repository, https://\\S+ None\nTrue\n$`));
});

test('a source distribution has everything that a wheel is built from', () => {
    const code = 'import sys; sys.path.insert(0, "clients/python/tools"); import build_package as b; print(b.build_sdist("."))';
    const name = run('python3', ['-c', code], { cwd: built.folder }).trim();
    run('tar', ['-xzf', name], { cwd: built.folder });
    const at = name.replace(/\.tar\.gz$/, '');
    const again = run('python3', ['tools/build_package.py', '.'], { cwd: path.join(built.folder, at), env: { PATH: '/usr/bin', HOLDFAST: '/nothing' } }).trim();
    assert.deepEqual(fs.readFileSync(path.join(built.folder, at, again)), fs.readFileSync(built.wheel));
});

test('it imports the standard library alone', async () => {
    const { code, text } = await python(['-I', '-S', '-c', `
import sys
sys.path.insert(0, sys.argv[1])
import holdfast
known = set(sys.stdlib_module_names) if hasattr(sys, "stdlib_module_names") else None
print([n for n in sys.modules if known and n.split(".")[0] not in known and n.split(".")[0] not in ("holdfast", "__main__")])`, built.wheel]);
    assert.equal(code, 0, text);
    assert.equal(text, '[]\n');
});

test('against a server, and against one that fails', async () => {
    await (built.sold ??= sell());
    const { code, text } = await python([path.join(__dirname, 'python_client.py')], { FACTS: path.join(built.folder, 'facts.json') });
    assert.equal(code, 0, text);
    assert.match(text, /^Ran 23 tests/m);
});

const told = [/^[A-Z0-9]{6} \['\w{20}', '\w{20}'\]\n$/, /^\d+ appointments this week\n\w+ \{/, /^204 401\n$/, /^\S+ A2\nnot signed by this server\n$/, /^[A-Z0-9]{6} confirmed \[/];
const calls = {
    3: 'import json\nwith open("facts.json") as f: facts = json.load(f)\nmessage = facts["message"]\nimport contextlib, io\n' +
        'with contextlib.redirect_stdout(io.StringIO()) as said: good = receive(message["body"].encode(), message["headers"])\n' +
        'assert said.getvalue() == facts["pnr"] + "\\n"\nprint(good, receive(b"{}", message["headers"]))\n',
    4: 'import json\nwith open("facts.json") as f: text = json.load(f)["tickets"][0][0]\nprint(look(text)); print(look(text + "A"))\n',
};
for (const [i, sample] of [...samples('clients/python/README.md', 'python'), ...samples('docs/start.md', 'python')].entries()) {
    test(`sample ${i + 1} of the README, or of docs/start.md, runs`, async () => {
        const file = path.join(built.folder, `sample${i + 1}.py`);
        await (built.sold ??= sell());
        fs.writeFileSync(file, sample + (calls[i + 1] ?? ''));
        const { code, text } = await python([file], { HOLDFAST_URL: hf.url, HOLDFAST_KEY: hf.app.bearer, HOOK_SECRET: SECRET });
        assert.equal(code, 0, text);
        assert.match(text, told[i]);
    });
}

test('a version other than the server\'s is not built', (t) => {
    const folder = copyClients(t);
    const file = path.join(folder, 'clients/python/pyproject.toml');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^version = .*$/m, 'version = "9.9.9"'));
    const said = run('python3', ['clients/python/tools/build_package.py', folder], { cwd: folder, fails: true });
    assert.match(said, /has version 9\.9\.9, the server/);
    assert.equal(fs.readFileSync(path.join(root, 'clients/python/pyproject.toml'), 'utf8').includes('9.9.9'), false);
});
