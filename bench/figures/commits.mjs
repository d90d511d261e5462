// SPDX-License-Identifier: Apache-2.0
// What money costs: commits by signed events of the payment provider, each told to a hook, beside plain commits with a payment.
// Both issue a ticket. The receiver takes whatever comes at once, so that messages leave while the commits go on.
import fs from 'node:fs';
import path from 'node:path';
import { startChild, stopChild, subfolder } from '../children.mjs';
import { Holdfast, receiveBinary } from '../holdfast.mjs';
import { alternate, median, row, thousands, until } from '../measure.mjs';

const RATE_MAX = 60000; // reservations enough for a burst at this rate; later ones go by the best rate so far
const PROVIDER = 'whsec_0123456789abcdefghij';
const HOOK = '/v1/hooks/shop';
const PAGE = 1000;

// A program that answers webhooks: its address, and stop() for how many it had.
async function receiver() {
    const child = startChild(receiveBinary, [], { log: path.join(subfolder('receive'), 'log'), wantOutput: true });
    let out = '';
    const line = new Promise((resolve) => child.stdout.on('data', (d) => (out += d).includes('\n') && resolve()));
    await line;
    return { url: `http://127.0.0.1:${out.trim()}/`, stop: () => stopChild(child) };
}

// So many holds of one seat each; the file of their ids.
export async function hold(server, event, count) {
    const file = path.join(server.folder, `${event}.ids`);
    await server.event(event, count, { currency: 'EUR' }, { price: 1000 });
    await server.load('hold', { connections: 64, event, seats: count, users: count, random: 7, count });
    await server.settle();
    const ids = [];
    for (let cursor = ''; cursor !== null;) {
        const page = `/v1/reservations?event=${event}&status=held&limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
        const { data, next_cursor } = JSON.parse((await server.need(200, 'GET', page)).text);
        ids.push(...data.map(({ reservation_id }) => reservation_id));
        cursor = next_cursor;
    }
    if (ids.length !== count) throw new Error(`${ids.length} of ${count} holds are listed`);
    fs.writeFileSync(file, `${ids.join('\n')}\n`);
    return file;
}

export async function commits({ size, repeat, note }) {
    const connections = 64;
    const time = size.short;
    let best = 0;
    const ours = await Holdfast.start('commits');
    const shop = await receiver();
    await ours.need(200, 'PUT', '/v1/payments/provider', { body: JSON.stringify({ provider: 'stripe', secret: PROVIDER }) });
    const body = JSON.stringify({ url: shop.url, events: ['reservation.confirmed'], secret: `whsec_${'A'.repeat(32)}` });
    note(`commits: ${repeat} rounds of ${time} s a side`);
    const spent = { paid: [], plain: [] }; // processor time of the loop's thread a commit, in µs: a busy machine changes it less
    const told = [];
    const burst = async (side, kind, event, options) => {
        const codes = await hold(ours, event, Math.ceil((best ? 2 * best : RATE_MAX) * time));
        const before = ours.processorSeconds().loop;
        const { rate, requests } = await ours.load(kind, { connections, time, codes, ...options });
        best = Math.max(best, rate);
        spent[side].push(((ours.processorSeconds().loop - before) * 1e6) / requests);
        return { rate, requests };
    };
    const waiting = async () => JSON.parse((await ours.need(200, 'GET', HOOK)).text).waiting;
    const result = await alternate(repeat, {
        paid: async (round) => {
            await ours.need(201, 'PUT', HOOK, { body });
            const { rate, requests } = await burst('paid', 'pay', `paid-${round}`, { 'provider-secret': PROVIDER });
            told.push((requests - (await waiting())) / requests);
            await until('all webhooks to be delivered', async () => (await waiting()) === 0, { every: 50, within: 600 });
            await ours.need(204, 'DELETE', HOOK);
            await ours.settle();
            return rate;
        },
        plain: async (round) => {
            const { rate } = await burst('plain', 'commit', `plain-${round}`, { admin: true });
            await ours.settle();
            return rate;
        },
    });
    await ours.stop();
    await shop.stop();
    const [paid, plain] = [median(spent.paid), median(spent.plain)];
    return [row({
        figure: 'commits', name: 'commits by payment event, with ticket and hook ÷ plain commits', unit: '/s',
        ours: result.paid, peer: result.plain, peerName: 'plain commits', asked: 0.6, aim: 0.8,
        note: `processor time of the loop a commit: ${paid.toFixed(1)} µs, plain ${plain.toFixed(1)} µs; ` +
            `${Math.round(100 * median(told))} % were delivered meanwhile; up to ${thousands(best * time)} commits`,
        extra: { loop_us: spent, delivered: told },
    })];
}
