/* SPDX-License-Identifier: Apache-2.0 */
/* Health, readiness and metrics, for monitoring. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared } = require('./lib/server.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { makeRoom, join, becomes, queue, wish, wishBecomes } = require('./lib/entries.js');

const hf = shared();

/* Samples of Prometheus text: [{name, labels, value}], after checking every line. */
function parse(text) {
    const samples = [];
    const types = new Map();
    assert.ok(text.endsWith('\n'));
    for (const line of text.split('\n').filter(Boolean)) {
        const type =
            /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
        if (type) {
            assert.ok(!types.has(type[1]), `TYPE of ${type[1]} twice`);
            types.set(type[1], type[2]);
            continue;
        }
        if (line.startsWith('#')) {
            continue;
        }
        const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\]|\\\\.)*"';
        const sample =
            new RegExp(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{((?:${label},?)*)\\})? (\\S+)( \\d+)?$`).exec(line);
        assert.ok(sample, `no sample: ${line}`);
        assert.ok(/^[+-]?Inf$|^NaN$/.test(sample[3]) || Number.isFinite(Number(sample[3])), line);
        samples.push({ name: sample[1], labels: sample[2] ?? '', value: Number(sample[3]) });
    }
    return { samples, types };
}

async function metrics() {
    const answer = await hf.admin.get('/metrics');
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'], /^text\/plain\b/);
    return parse(answer.text);
}

test('/healthz and /readyz are 200 and need nothing', async () => {
    for (const target of ['/healthz', '/readyz']) {
        const answer = await hf.anyone.get(target);
        assert.equal(answer.status, 200, target);
    }
});

test('/metrics is Prometheus text with a type for every family', async () => {
    const { samples, types } = await metrics();
    assert.ok(samples.length > 10);
    for (const { name } of samples) {
        const family = [name, name.replace(/_(bucket|sum|count|total)$/, '')].find((one) => types.has(one));
        assert.ok(family, `no TYPE for ${name}`);
    }
});

test('the memory in use is reported', async () => {
    const { samples } = await metrics();
    const { value } = samples.find(({ name }) => name === 'process_resident_memory_bytes');
    assert.ok(value > 1_000_000, `${value} bytes`);
});

test('histograms add up', async () => {
    await hf.anyone.get('/healthz');
    const { samples, types } = await metrics();
    const histograms = [...types].filter(([, type]) => type === 'histogram').map(([name]) => name);
    assert.ok(histograms.length > 0, 'latencies are histograms');
    for (const name of histograms) {
        const series = new Map();
        for (const { labels, value } of samples.filter((one) => one.name === `${name}_bucket`)) {
            const le = /(?:^|,)le="([^"]+)"/.exec(labels);
            assert.ok(le, `${name}_bucket without le`);
            const rest = labels.replace(/,?le="[^"]+"/, '').replace(/^,/, '');
            series.set(rest, [
                ...(series.get(rest) ?? []), [le[1] === '+Inf' ? Infinity : Number(le[1]), value]
            ]);
        }
        for (const [rest, buckets] of series) {
            buckets.sort((a, b) => a[0] - b[0]);
            assert.equal(buckets.at(-1)[0], Infinity, `${name}{${rest}} has no +Inf`);
            buckets.reduce((last, [le, value]) => {
                assert.ok(value >= last, `${name}{${rest}} falls at ${le}`);
                return value;
            }, 0);
            const count = samples.find((one) => one.name === `${name}_count` && one.labels === rest);
            assert.equal(count?.value, buckets.at(-1)[1], `${name}_count{${rest}}`);
        }
    }
});

test('the longest turn of the loop and the holds by state are reported, and follow changes', async () => {
    const held = ({ samples, types }) => samples
        .filter((one) => types.get(one.name) === 'gauge' && /"held"/.test(one.labels))
        .reduce((sum, one) => sum + one.value, 0);
    const before = await metrics();
    assert.ok(before.samples.some((one) => /loop/.test(one.name)), 'loop');
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    for (const seat of ['A1', 'A2', 'A3']) {
        await hold(hf.user('ann'), items(event, seat));
    }
    assert.equal(held(await metrics()), held(before) + 3);
});

test('waiting rooms and waiting lists are counted', async () => {
    const value = ({ samples }, name) => samples.find((one) => one.name === `holdfast_${name}`).value;
    const names = ['queue_waiting', 'passes', 'joins_total', 'admissions_total', 'list_waiting', 'offers_total'];
    const before = await metrics();
    const gained = async () => {
        const now = await metrics();
        return names.map((name) => value(now, name) - value(before, name));
    };
    const event = await makeRoom(hf, { seats: 'A1', room: { max_active: 1 } });
    const people = ['ann', 'bob', 'eve'].map((name) => hf.user(name));
    const entries = [];
    for (const one of people) {
        entries.push(await join(one, event));
    }
    await becomes(hf, people[0], entries[0], 'admitted');
    const elsewhere = await makeEvent(hf, { seats: 'A1', waiting_list: true });
    const offered = await wish(people[0], elsewhere);
    await wishBecomes(hf, people[0], offered, 'offered');
    await wish(people[1], elsewhere);
    assert.deepEqual(await gained(), [2, 1, 3, 1, 1, 1]);
    await people[2].delete(queue(event, `/${entries[2].entry_id}`));
    assert.equal((await gained())[0], 1);
    const stream = await people[1].stream(queue(event, `/${entries[1].entry_id}/stream`));
    await stream.next();
    assert.equal(value(await metrics(), 'entry_streams'), 1);
    stream.close();
});

test('a server without a shared log is the only node of its site, and decides', async () => {
    const { json, status } = await hf.admin.get('/v1/nodes');
    assert.equal(status, 200);
    const [node, ...others] = json.data;
    assert.deepEqual(others, []);
    assert.equal(node.role, 'owner');
    assert.equal(node.lag_ms, 0);
    assert.ok(node.book_seq >= 0 && node.version && node.url.endsWith(node.node) && Date.parse(node.seen_at) > 0, JSON.stringify(node));
    assert.equal((await hf.app.get('/v1/nodes')).status, 403);
    assert.equal((await hf.anyone.get('/v1/nodes')).status, 401);
});
