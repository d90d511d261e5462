#!/usr/bin/env node
/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.js — three nodes on one log: PostgreSQL with a synchronous standby, and three processes with the demo's data, all on
 * the loopback address and in temporary folders. `make cluster` runs it.
 *
 * HOLDFAST names the program (default build/holdfast), PORT the port of the first node (default: a free one). A node that ends
 * is started again after ten seconds: sooner, it would own the site again before another takes over. Ctrl-C stops everything and removes the folders. */
'use strict';

const { spawn } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');

const { Replicas } = require('../tests/faults/lib/replicas.js');

const PROGRAM = process.env.HOLDFAST || path.join(__dirname, '../build/holdfast');
const NAMES = ['one', 'two', 'three'];
const RESTART_MS = 10_000;
const STOP_MS = 8_000;

const secret = (bytes) => crypto.randomBytes(bytes).toString('hex');
const keys = { HOLDFAST_ADMIN_KEY: secret(16), HOLDFAST_SECRET: secret(32), HOLDFAST_TICKET_KEY: secret(32) };

class Node {
    constructor(name, folder, store, port) {
        Object.assign(this, { name, folder, store, port, stopping: false });
    }

    /* Starts it; resolves with the first line of its output that begins with `sign`. */
    start(command, sign) {
        const data = path.join(this.folder, this.name);
        const args = [command, '--data', data, '--listen', `127.0.0.1:${this.port}`, '--store', this.store, '--node', this.name,
            '--advertise', 'http://127.0.0.1:0', '--require-standby'];
        const log = fs.openSync(`${data}.log`, 'a');
        /* In a group of its own, so that Ctrl-C reaches this script only; and it ends when this script does. */
        this.child = spawn('setpriv', ['--pdeathsig', 'TERM', PROGRAM, ...args],
            { stdio: ['ignore', 'pipe', log], detached: true, env: { ...process.env, ...keys } });
        fs.closeSync(log);
        this.ended = new Promise((resolve) => this.child.on('close', resolve));
        return new Promise((resolve, reject) => {
            readline.createInterface({ input: this.child.stdout }).on('line', (line) => {
                this.port = /^listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1] ?? this.port;
                if (line.startsWith(sign)) {
                    resolve(line);
                }
            });
            this.child.on('error', reject);
            this.ended.then((code) => reject(new Error(`node ${this.name} ended with ${code}:\n${fs.readFileSync(`${data}.log`, 'utf8').slice(-2000)}`)));
        });
    }

    get url() {
        return `http://127.0.0.1:${this.port}`;
    }

    /* Starts it again whenever it ends. */
    async keep() {
        while (!this.stopping) {
            const code = await this.ended;
            if (this.stopping) {
                return;
            }
            console.log(`node ${this.name} ended (${code ?? 'killed'}); starting it again in ten seconds`);
            await new Promise((resolve) => {
                setTimeout(resolve, RESTART_MS);
            });
            if (this.stopping) {
                return;
            }
            await this.start('serve', 'listening').catch((problem) => console.log(problem.message));
            console.log(`node ${this.name} is process ${this.child.pid}`);
        }
    }

    async stop() {
        this.stopping = true;
        if (this.child && this.child.exitCode === null && this.child.signalCode === null) {
            this.child.kill('SIGTERM');
            const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
            await this.ended;
            clearTimeout(timer);
        }
    }
}

function describe(nodes, replicas) {
    const [one, two] = nodes;
    const bearer = '-H "Authorization: Bearer $KEY"';
    return `
${nodes.map(({ name, url, child }) => `node ${name.padEnd(6)} ${url}/   process ${child.pid}`).join('\n')}
admin       ${one.url}/admin#health   (any node)
database    ${replicas.first.url}   and its synchronous standby on port ${replicas.second.port}

KEY=${keys.HOLDFAST_ADMIN_KEY}                                       # the admin key
SECRET=${keys.HOLDFAST_SECRET}   # signs tokens of users

# a node that follows passes a hold on to the owner
curl -sS ${two.url}/v1/reservations ${bearer} -H 'Content-Type: application/json' \\
  -d '{"user_id":"ann","items":[{"event":"arena","best":{"quantity":2,"adjacent":true}}]}'
# the nodes and their roles
curl -sS ${two.url}/v1/nodes ${bearer}
# end the owner: another node takes over within seconds, and this one follows it when it is back
kill -9 ${one.child.pid}

Ctrl-C stops everything.`;
}

async function main() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-cluster-'));
    const replicas = new Replicas();
    const nodes = [];
    let closing = null;
    const close = async () => {
        await Promise.all(nodes.map((node) => node.stop()));
        await replicas.close();
        fs.rmSync(folder, { recursive: true, force: true });
    };
    const end = (code) => {
        closing ??= close().finally(() => process.exit(code));
    };
    process.on('SIGINT', () => end(0)).on('SIGTERM', () => end(0)).on('SIGHUP', () => end(0));
    try {
        await replicas.start();
        for (const name of NAMES) {
            const first = nodes.length === 0;
            const node = new Node(name, folder, replicas.url, first ? process.env.PORT || 0 : 0);
            nodes.push(node);
            await (first ? node.start('demo', 'open:') : node.start('serve', 'listening'));
        }
        nodes.forEach((node) => node.keep());
        console.log(describe(nodes, replicas));
    } catch (problem) {
        if (!closing) {
            console.error(`cluster: ${problem.message}`);
            end(1);
        }
    }
}

main();
