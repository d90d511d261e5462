// SPDX-License-Identifier: Apache-2.0
// Redis, on a free loopback port with its data beside Holdfast's: a peer, and the gate of a site. And the versions of all peers.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { subfolder, freePort, startChild, stopChild, logTail, version } from './children.mjs';
import { load } from './holdfast.mjs';
import { until } from './measure.mjs';
import { postgresFolder } from './postgres.mjs';

export class Redis {
    // mode: 'memory' (no persistence), 'always' (a synced append-only file), 'plain' (commands only, which load slowest
    // and show best what a restart costs).
    static async start(mode) {
        const redis = new Redis();
        redis.folder = subfolder(`redis-${mode}`);
        redis.port = await freePort();
        redis.args = ['--port', redis.port, '--bind', '127.0.0.1', '--dir', redis.folder, '--save', '', '--daemonize', 'no'];
        redis.args.push('--appendonly', mode === 'memory' ? 'no' : 'yes');
        if (mode === 'always') redis.args.push('--appendfsync', 'always');
        if (mode === 'plain') redis.args.push('--appendfsync', 'everysec', '--aof-use-rdb-preamble', 'no');
        // A rewrite in the middle of a burst would only hurt Redis.
        redis.args.push('--auto-aof-rewrite-percentage', '0');
        await redis.start();
        return redis;
    }

    // Milliseconds from starting the process until it answers.
    async start() {
        const began = performance.now();
        this.child = startChild('redis-server', this.args.map(String), { log: path.join(this.folder, 'log') });
        await until('Redis to be ready', async () => {
            if (this.child.exitCode !== null) throw new Error(`redis-server ended:\n${logTail(this.child)}`);
            return (await this.command('PING').catch(() => '')) === '+PONG';
        }, { every: 1, within: 600 });
        return performance.now() - began;
    }

    // The first line of the answer.
    command(text) {
        return new Promise((resolve, reject) => {
            let answer = '';
            const socket = net.connect(this.port, '127.0.0.1', () => socket.write(`${text}\r\n`));
            socket.setEncoding('utf8');
            socket.on('error', reject);
            socket.on('close', () => reject(new Error('Redis closed the connection')));
            socket.on('data', (d) => {
                answer += d;
                if (!answer.includes('\r\n')) return;
                resolve(answer.slice(0, answer.indexOf('\r\n')));
                socket.destroy();
            });
        });
    }

    load(workload, options) {
        return load(workload, this.port, options);
    }

    // For --redis.
    get url() {
        return `redis://127.0.0.1:${this.port}`;
    }

    // How many keys it has.
    async keys() {
        return Number((await this.command('DBSIZE')).slice(1));
    }

    // Stops it where it is, until resume().
    pause() {
        this.child.kill('SIGSTOP');
    }

    resume() {
        this.child.kill('SIGCONT');
    }

    async clear() {
        await this.command('FLUSHALL');
    }

    async stop() {
        await stopChild(this.child, 'SIGKILL');
        fs.rmSync(this.folder, { recursive: true, force: true });
    }

    async kill() {
        await stopChild(this.child, 'SIGKILL');
    }
}

export function peerVersions() {
    return { redis: version('redis-server'), postgres: version(path.join(postgresFolder(), 'postgres')) };
}
