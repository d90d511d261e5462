/* SPDX-License-Identifier: Apache-2.0 */
/* kill -9 between every two steps from payment to refund: no payment without tickets or a refund due, nothing owed
 * twice, no webhook lost. A step is a write or sync of the journal, an answer to a client or a message to a receiver;
 * the server is killed at the first step, then at the second, until a story ends before that. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server } = require('../conformance/lib/server.js');
const { Story } = require('./lib/story.js');
const { inject, whyNoStrace } = require('./lib/fault.js');
const { shut } = require('./lib/own.js');

const strace = { skip: whyNoStrace() };
const STEPS_MIN = 12; /* a story has more; fewer means that it was not killed where it should have been */

/* Counts to n, and kills the server then. */
function killer(story, n) {
    let seen = 0;
    return () => {
        const now = ++seen === n;
        if (now) {
            story.hf.child.kill('SIGKILL');
        }
        return now;
    };
}

/* The moments: each gets a story and a number, and returns what ends it. */
const MOMENTS = {
    'before the journal writes': async (story, n) => (await inject(story.hf, `pwrite64:signal=SIGKILL:when=${n}`)).release,
    'after the journal wrote, before it syncs': async (story, n) => (await inject(story.hf, `fdatasync:signal=SIGKILL:when=${n}`)).release,
    'after an answer': (story, n) => {
        story.onAnswer = killer(story, n);
    },
    'after a webhook came, before it is answered': (story, n) => {
        story.onMessage = killer(story, n);
    },
    'after a webhook was answered': (story, n) => {
        const kill = killer(story, n);
        story.onMessage = (response) => {
            response.writeHead(204).end(kill);
            return true;
        };
    },
};

for (const [moment, arm] of Object.entries(MOMENTS)) {
    test(`kill -9 ${moment}, at every step of payment, confirmation, webhook and refund`, moment.includes('journal') ? strace : {}, async (t) => {
        const hf = await new Server({ args: ['--hooks-private', 'on'] }).start();
        const story = new Story(hf);
        t.after(async () => {
            await story.receiver?.close();
            await shut(hf);
        });
        await story.begin();
        for (let n = 1, killed = true; killed; n++) {
            const before = story.crashes;
            const release = await arm(story, n);
            const all = await story.tell();
            await story.drained();
            story.onAnswer = story.onMessage = () => false;
            await release?.();
            await story.drained();
            killed = story.crashes > before;
            assert.ok(killed || n > STEPS_MIN, `only ${n - 1} steps`);
            await story.verify(all).catch((error) => {
                error.message = `killed at step ${n}: ${error.message}`;
                throw error;
            });
        }
        t.diagnostic(`${story.crashes} crashes`);
    });
}
