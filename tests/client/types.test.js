/* SPDX-License-Identifier: Apache-2.0 */
/* The types of clients/js and of the components, with those made from /openapi.json, compile under `tsc --strict`, and
 * wrong uses do not. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { shared } = require('../conformance/lib/server.js');

const hf = shared();
const root = path.join(__dirname, '../..');

const PROGRAM = `
import { Holdfast, Problem, type Reservation } from './client.js';
const client = new Holdfast({ url: 'http://127.0.0.1:8080' });
export async function buy(): Promise<string> {
    const hold: Reservation = await client.hold([{ event: 'arena', best: { quantity: 2, adjacent: true } }]);
    const left: number = client.secondsLeft(hold);
    const total: number = hold.total.amount;
    // @ts-expect-error it has no such field
    hold.totals;
    // @ts-expect-error a quantity is a number
    await client.hold([{ event: 'arena', pool: 'floor', quantity: '2' }]);
    return hold.status + left + total;
}
export const codeOf = (error: unknown) => (error instanceof Problem ? error.code : null);
`;

const SHOP = `
import type { HoldfastAttributes, HoldfastElement } from './components.js';
const basket = document.createElement('holdfast-basket');
basket.addEventListener('confirmed', (e) => console.log(e.detail.pnr, e.detail.tickets));
addEventListener('hold', ({ detail }) => console.log(detail.total.amount));
document.addEventListener('expired', ({ detail }) => console.log(detail.reservation_id));
document.querySelector('holdfast-queue')?.addEventListener('admitted', ({ detail }) => console.log(detail?.entry_id));
// @ts-expect-error nobody may have been admitted
addEventListener('admitted', ({ detail }) => detail.entry_id);
export const seconds: number = basket.shared.basket.secondsLeft();
export const more = (element: HoldfastElement) => element.shared.basket.extendable && element.shared.basket.extend();
export const shown: HoldfastAttributes['holdfast-calendar'][] = [{ calendar: 'dr' }, { group: 'doctors', checkout: '/pay?o={reservation}' }];
// @ts-expect-error a calendar or a group
shown.push({ calendar: 'dr', group: 'doctors' });
// @ts-expect-error of which event?
export const seats: HoldfastAttributes['holdfast-seats'] = {};
// @ts-expect-error it has no such state
basket.shared.basket.state === 'sold';
`;

test('they compile, and wrong uses do not', (t) => {
    const installed = execFileSync(path.join(root, 'tests/tools/install'), [path.join(root, 'examples/typescript')], { encoding: 'utf8' }).trim();
    const work = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-types-'));
    t.after(() => fs.rmSync(work, { recursive: true }));
    fs.cpSync(path.join(root, 'clients/js/src'), work, { recursive: true });
    fs.writeFileSync(path.join(work, 'package.json'), '{"type":"module"}');
    fs.writeFileSync(path.join(work, 'openapi.json'), JSON.stringify(hf.description.document));
    fs.writeFileSync(path.join(work, 'program.ts'), PROGRAM);
    fs.writeFileSync(path.join(work, 'shop.ts'), SHOP);
    const run = (tool, ...args) => {
        const { status, stdout, stderr } = spawnSync(path.join(installed, 'node_modules/.bin', tool), args,
            { cwd: work, encoding: 'utf8', timeout: 600_000 });
        assert.equal(status, 0, `${tool}: ${stdout}${stderr}`);
    };
    run('openapi-typescript', 'openapi.json', '-o', 'openapi.d.ts');
    run('tsc', '--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', 'program.ts', 'shop.ts');
});
