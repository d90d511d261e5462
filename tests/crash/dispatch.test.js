/* SPDX-License-Identifier: Apache-2.0 */
/* kill -9 while drivers are asked, accept, decline, cancel and complete: no driver has two offers or rides, a ride has
 * one driver, no accepted ride is lost, a driver who declined is never asked again, and a live offer survives with its
 * deadline. */
'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { PROGRAM } = require('../conformance/lib/server.js');
const { own } = require('./lib/own.js');
const { Random } = require('./lib/random.js');
const { Taxis } = require('./lib/taxis.js');

const CYCLES = 8;

own('kill -9 during rides, again and again on one folder', async (hf, t) => {
    const random = new Random(Date.now() >>> 0);
    hf.app = await hf.key('app');
    const taxis = new Taxis(hf, random);
    await taxis.begin();
    for (let cycle = 1; cycle <= CYCLES; cycle++) {
        const enough = taxis.answers(random.between(200, 1000));
        const running = taxis.run();
        /* From another process, so that it comes at any moment and not only when this one is idle. */
        enough.then(() => spawn('sh', ['-c', `sleep 0.0${random.between(10, 50)}; kill -9 ${hf.child.pid}`], { stdio: 'ignore' }));
        await running.catch((error) => {
            error.message = `cycle ${cycle}, seed ${random.seed}: ${error.message}`;
            throw error;
        });
        const { signal, code } = await hf.exit;
        assert.equal(signal, 'SIGKILL', `had ended before with ${code}\n${hf.stderr.slice(-4000)}`);
        hf.client.close();
        hf.child = null;
        await hf.launch();
        await taxis.verify().catch((error) => {
            error.message = `cycle ${cycle}, seed ${random.seed}: ${error.message}`;
            throw error;
        });
        await taxis.settle();
    }
    await hf.kill9();
    const { status, stdout, stderr } = spawnSync(PROGRAM, ['check', hf.data], { encoding: 'utf8', env: hf.environment() });
    assert.equal(status, 0, `holdfast check ended with ${status}\n${stdout}${stderr}`);
    t.diagnostic(`${JSON.stringify(taxis.counts)}, seed ${random.seed}`);
    for (const [what, count] of Object.entries(taxis.counts)) {
        assert.ok(count > 0, `nothing was ${what}`);
    }
});
