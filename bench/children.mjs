// SPDX-License-Identifier: Apache-2.0
// Processes and files of one bench: whatever is started here is ended, and the folder removed, however the bench ends.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

const live = new Set();
let folder = null;
let keep = false;
const TMPFS = 0x01021994;

// One folder for all sides, so that they share a file system. BENCH_DIR chooses where; /var/tmp is on disk.
export function makeFolder(keepIt) {
    keep = keepIt;
    folder = fs.mkdtempSync(path.join(process.env.BENCH_DIR || '/var/tmp', 'holdfast-bench-'));
    fs.chmodSync(folder, 0o755); // PostgreSQL does not run as root
    if (fs.statfsSync(folder).type === TMPFS)
        throw new Error(`${folder} is on a RAM disk, where syncing costs nothing; set BENCH_DIR to a folder on a disk`);
    return folder;
}

export function subfolder(name) {
    return fs.mkdtempSync(path.join(folder, `${name}-`));
}

export async function freePort() {
    const server = net.createServer();
    await new Promise((resolve, reject) => server.on('error', reject).listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    return port;
}

// A server: standard error and, unless wanted, standard output go to a file; it dies with this process. `user` changes
// the user, which only root may do.
export function startChild(command, args, { env = {}, log, user, wantOutput = false } = {}) {
    const out = fs.openSync(log, 'a');
    const prefix = ['--pdeathsig', 'KILL'];
    if (user) prefix.push('--reuid', user, '--regid', user, '--init-groups');
    const child = spawn('setpriv', [...prefix, command, ...args], {
        env: { ...process.env, ...env },
        stdio: ['ignore', wantOutput ? 'pipe' : out, out],
    });
    fs.closeSync(out);
    child.log = log;
    child.ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
    child.on('error', (error) => console.error(`bench: ${command}: ${error.message}`));
    live.add(child);
    child.ended.then(() => live.delete(child));
    return child;
}

export async function stopChild(child, signal = 'SIGTERM', patience = 15000) {
    if (child.exitCode !== null || child.signalCode !== null) return child.ended;
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    const end = await child.ended;
    clearTimeout(timer);
    return end;
}

export function logTail(child) {
    return fs.existsSync(child.log) ? fs.readFileSync(child.log, 'utf8').split('\n').slice(-15).join('\n') : '';
}

// Runs a command to its end; returns its standard output, or throws an error with its output.
export async function runChild(command, args, { env = {}, input, user } = {}) {
    const prefix = ['--pdeathsig', 'KILL'];
    if (user) prefix.push('--reuid', user, '--regid', user, '--init-groups');
    const child = spawn('setpriv', [...prefix, command, ...args], { env: { ...process.env, ...env }, cwd: folder });
    child.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
    live.add(child);
    child.ended.then(() => live.delete(child));
    let out = '';
    let err = '';
    child.stdout.on('data', (d) => (out += d));
    child.stderr.on('data', (d) => (err += d));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const { code } = await child.ended;
    return { code, out, err };
}

export function version(command, args = ['--version']) {
    const result = spawnSync(command, args, { encoding: 'utf8', timeout: 5000 });
    return result.status === 0 ? result.stdout.trim().split('\n')[0] : null;
}

// Stops whatever a failed figure has left running, so that it does not disturb the next one.
export async function stopAll() {
    await Promise.all([...live].map((child) => stopChild(child, 'SIGTERM', 5000)));
}

export async function cleanUp() {
    await stopAll();
    removeFolder();
}

function removeFolder() {
    if (!folder) return;
    if (keep) console.error(`bench: data kept in ${folder}`);
    else fs.rmSync(folder, { recursive: true, force: true });
    folder = null;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, async () => {
        console.error(`bench: ${signal}, stopping`);
        await cleanUp();
        process.exit(130);
    });
process.on('exit', () => {
    for (const child of live) child.kill('SIGKILL');
    removeFolder();
});
