// SPDX-License-Identifier: Apache-2.0
// The page of an event in chromium: what 60,000 seats cost beside 600, what it transfers, how quickly a click is a hold.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Holdfast } from '../holdfast.mjs';
import { alternate, median, row, spread } from '../measure.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const VIEW = { width: 1280, height: 800 };
const FRAMES = 90;
const STEP_PX = 9;
const CLICKS = 28;

// So many sections of rows by numbers, four abreast, as CSV.
function hall(sections, rows, numbers) {
    const lines = ['id,section,row,number,x,y,tier,price'];
    for (let s = 0; s < sections; s++)
        for (let r = 0; r < rows; r++)
            for (let n = 0; n < numbers; n++)
                lines.push(`${s}-${r}-${n},S${s},${r},${n},${(s % 4) * (numbers + 3) + n},${Math.floor(s / 4) * (rows + 3) + r},gold,5000`);
    return `${lines.join('\n')}\n`;
}

// Milliseconds of each frame while the map is panned.
const pan = ([frames, step]) => new Promise((resolve) => {
    const map = document.querySelector('holdfast-seats').shadowRoot.querySelector('.scroller');
    const times = [];
    let last;
    const frame = (now) => {
        if (last !== undefined) times.push(now - last);
        last = now;
        if (times.length === frames) return resolve(times);
        const way = times.length % 30 < 15 ? step : -step;
        map.scrollBy(way, way);
        return requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
});

// Milliseconds from a click until the seat has the colour of what is mine.
const click = async (ids) => {
    const map = document.querySelector('holdfast-seats').shadowRoot;
    const times = [];
    for (const id of ids) {
        const seat = map.querySelector(`[data-seat="${id}"]`);
        const began = performance.now();
        seat.click();
        while (seat.dataset.status !== 'mine') await new Promise(requestAnimationFrame);
        times.push(performance.now() - began);
    }
    return times;
};

async function open(browser, server, event, seen) {
    const page = await (await browser.newContext({ viewport: VIEW, baseURL: `http://127.0.0.1:${server.port}` })).newPage();
    const began = performance.now();
    await page.goto(`/e/${event}`);
    await page.locator(seen).first().waitFor();
    return { page, ms: performance.now() - began };
}

async function closing(opened, work) {
    try {
        return await work(opened);
    } finally {
        await opened.page.context().close();
    }
}

export async function pages({ repeat }) {
    const packages = execFileSync(path.join(root, 'tests/tools/install'), [path.join(root, 'tests/browser')], { encoding: 'utf8' }).trim();
    const { chromium } = createRequire(import.meta.url)(path.join(packages, 'node_modules/playwright-core'));
    const server = await Holdfast.start('pages');
    for (const [event, shape] of [['big', [40, 50, 30]], ['small', [4, 10, 15]]]) {
        await server.need(201, 'PUT', `/v1/events/${event}`, { body: JSON.stringify({ name: event, payment: 'none' }) });
        await server.need(201, 'POST', `/v1/events/${event}/seats`, { body: hall(...shape), type: 'text/csv' });
    }
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
    try {
        const big = () => open(browser, server, 'big', '[data-section="S39"]');
        const small = () => open(browser, server, 'small', '[data-seat="3-9-14"]');
        await closing(await small(), () => {});
        const first = await alternate(repeat, {
            big: async () => closing(await big(), ({ ms }) => ms), small: async () => closing(await small(), ({ ms }) => ms),
        });
        const frames = await alternate(repeat, {
            big: async () => closing(await big(), async ({ page }) => {
                await page.locator('[data-section="S6"]').click();
                await page.locator('[data-seat^="6-"]').first().waitFor();
                return median(await page.evaluate(pan, [FRAMES, STEP_PX]));
            }),
            small: async () => closing(await small(), async ({ page }) => {
                for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
                return median(await page.evaluate(pan, [FRAMES, STEP_PX]));
            }),
        });
        const holds = await closing(await small(), async ({ page }) => {
            const ids = Array.from({ length: CLICKS + 1 }, (_, i) => `1-${i % 2}-${i >> 1}`);
            return (await page.evaluate(click, ids)).slice(1).sort((a, b) => a - b); // the first one also gets a token
        });
        const p95 = holds[Math.ceil(holds.length * 0.95) - 1];
        return [
            row({ figure: 'pages', name: 'first view of 60,000 seats ÷ of 600', unit: 'ms', ours: first.big, peer: first.small, peerName: '600 seats', asked: 3, most: true }),
            row({ figure: 'pages', name: 'median frame while panning 60,000 seats ÷ 600', unit: 'ms', ours: frames.big, peer: frames.small, peerName: '600 seats', asked: 2, most: true }),
            row({ figure: 'pages', name: 'from click to held seat, p95', unit: 'ms', ours: spread(holds), value: p95, asked: 100, most: true }),
        ];
    } finally {
        await browser.close();
        await server.stop();
    }
}
