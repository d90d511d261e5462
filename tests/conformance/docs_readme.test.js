/* SPDX-License-Identifier: Apache-2.0 */
/* The sessions in README.md and the pages of docs, as written there, against the demo: each call gets the expected
 * answer, twice in a row. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { ownProcess, PROGRAM } = require('./lib/server.js');

/* The page's calls as one script. */
function sessions(page, url) {
    const text = fs.readFileSync(path.join(__dirname, '../..', page), 'utf8');
    const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block).filter((block) => /\b(curl|call)\b/.test(block));
    return `set -o pipefail\n${blocks.join('')}`.replace(/^URL=\S+/m, `URL=${url}`);
}

async function startDemo(t, folder, env) {
    const demo = spawn(path.resolve(PROGRAM), ['demo', '--listen', '127.0.0.1:0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    t.after(async () => {
        demo.kill('SIGKILL');
        await once(demo, 'close');
        fs.rmSync(folder, { recursive: true, force: true });
    });
    let url;
    for await (const line of readline.createInterface({ input: demo.stdout })) {
        url ??= /^listening on (.*)/.exec(line)?.[1];
        if (line.startsWith('or:')) { /* the demo's data is complete */
            break;
        }
    }
    return url;
}

/* Runs it once for each of `runs`, the expected codes of its refusals; returns the output of each run. */
async function runPage(t, page, runs) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^HOLDFAST|^NODE_TEST/.test(name)));
    const script = sessions(page, await startDemo(t, folder, env));
    return runs.map((codes) => {
        const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8', timeout: 600_000 });
        assert.deepEqual([status, stderr], [0, ''], stdout);
        assert.deepEqual([...stdout.matchAll(/"code":"([a-z_]+)"/g)].map(([, code]) => code), codes, stdout);
        return stdout;
    });
}

test('the session of README.md works as written, and again', ownProcess, async (t) => {
    for (const stdout of await runPage(t, 'README.md', [['taken'], ['taken']])) {
        assert.match(stdout, /"status":"held"[^]*"status":"confirmed".*"tickets":\[\{"code"[^]*"action":"confirmed"/);
    }
});

test('the session of docs/start.md works as written, and again', ownProcess, async (t) => {
    for (const stdout of await runPage(t, 'docs/start.md', [[], []])) {
        assert.match(stdout, /"status":"held"[^]*"status":"confirmed"[^]*"status":"confirmed".*"tickets":\[\{"code"/);
    }
});

test('the sessions of docs/tutorial.md work as written, and again', ownProcess, async (t) => {
    for (const stdout of await runPage(t, 'docs/tutorial.md', [['taken'], ['taken', 'already_confirmed']])) {
        assert.ok(stdout.match(/"order_id"/g).length >= 3, stdout); /* each session sells */
        assert.match(stdout, /BEGIN:VEVENT/);
        assert.match(stdout, /"calendar":"table_[46]".*"group":"bistro"/);
        assert.match(stdout, /"seat":"A-1-\d+","category":"student".*"price":9000/);
    }
});

test('the sessions of docs/selling.md work as written, and again', ownProcess, async (t) => {
    const refused = ['taken', 'code_invalid', 'forbidden', 'limit_exceeded', 'invalid'];
    const used = [2, 4];
    for (const stdout of await runPage(t, 'docs/selling.md', [refused, refused])) {
        const seats = [...stdout.matchAll(/"item_id":"\d+","event":"matinee","seat":"([AB])\d","category":"([a-z]+)","price":(\d+)/g)];
        assert.deepEqual(seats.map(([, row, category, price]) => `${row} ${category} ${price}`),
            ['B student 2500', 'A adult 4000', 'A adult 4000', 'B student 2500'], stdout);
        assert.match(stdout, new RegExp(`"code":"CLUB","units":6,"used":${used.shift()},`));
        assert.match(stdout, /"calendar":"dr_[a-z]+",.*"service":"check_up","group":"practice","price":4000/);
        assert.match(stdout, /"calendar":"table_[46]",.*"group":"bistro"/);
        assert.match(stdout, /"calendar":"suite",.*"price":45000/);
    }
});

test('the session of docs/payments.md works as written, and again', ownProcess, async (t) => {
    for (const stdout of await runPage(t, 'docs/payments.md', [[], []])) {
        assert.deepEqual([...stdout.matchAll(/\{"result":"([a-z_]+)"\}/gm)].map(([, result]) => result), ['confirmed', 'confirmed', 'refund_due'], stdout);
        assert.match(stdout, /"status":"confirmed".*"tickets":\[\{"code"/);
        assert.match(stdout, /"reason":"paid_twice".*"done_at":null/);
        assert.match(stdout, /"reason":"paid_twice".*"done_at":"20/);
        assert.match(stdout, /"payment_ref":"pi_res_[^"]*-again".*"received":(\d+),"received_by":"provider","kept":0,"returned":\1,"owed":0/);
        assert.match(stdout, /\{"state":"(running|done)","refunded":\d+,"left":\d+\}/);
    }
});

test('the sessions of docs/hooks.md and docs/tickets.md work as written, and again', ownProcess, async (t) => {
    for (const stdout of await runPage(t, 'docs/hooks.md', [[], []])) {
        assert.match(stdout, /"id":"shop","url":"https:\/\/shop\.example\/holdfast".*"waiting":0/);
    }
    for (const stdout of await runPage(t, 'docs/tickets.md', [[], []])) {
        assert.match(stdout, /"role":"door"[^]*"tickets":\[\{"code":"\w{20}"[^]*\{"result":"ok","code":"\w{20}".*"gate":"north"\}/);
    }
});

test('the session of docs/dispatch.md works as written, and again', ownProcess, async (t) => {
    for (const stdout of await runPage(t, 'docs/dispatch.md', [['offer_expired'], ['offer_expired']])) {
        assert.match(stdout, /"status":"assigned","rider_id":"ann".*"driver_id":"emil"/);
        assert.match(stdout, /"driver_id":"dora","score":[^}]*"end":"declined"},.*"driver_id":"emil","score":[^}]*"end":"accepted"}/);
        assert.match(stdout, /"assignment":\{"rides":[1-9]/);
        assert.match(stdout, /"status":"completed","rider_id":"ann"/);
    }
});
