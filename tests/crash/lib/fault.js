/* SPDX-License-Identifier: Apache-2.0 */
/* fault.js — bad days to order: system calls that fail, block or kill, file systems that are small or read-only, and
 * journals that were damaged on disk. What the machine does not allow is a reason to skip. */
'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { PROGRAM } = require('../../conformance/lib/server.js');

const BLOCK = 4096; /* every batch of the journal begins on such a boundary */

/* Runs the program to its end. */
function run(args, env = process.env, program = PROGRAM) {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const told = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => (told.stdout += text));
    child.stderr.on('data', (text) => (told.stderr += text));
    return new Promise((resolve) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
        child.on('close', (code, signal) => {
            clearTimeout(timer);
            resolve({ ...told, code, signal });
        });
    });
}

/* ---- System calls ---- */

function whyNoStrace() {
    if (spawnSync('strace', ['-V']).status !== 0) {
        return 'strace is not installed';
    }
    let scope = '0';
    try {
        scope = fs.readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim();
    } catch {
        /* this kernel has no such restriction */
    }
    return scope === '0' || process.getuid() === 0 ? false : 'only root may attach strace to a process here';
}

/* The segments of the journal, oldest first. */
function segments(hf) {
    const folder = path.join(hf.data, 'journal');
    return fs.readdirSync(folder).filter((name) => name.endsWith('.segment')).sort().map((name) => path.join(folder, name));
}

/* From now on the calls on these files, or else the journal's segments, behave as `what` says
 * ("fdatasync:error=EIO:when=3"). Returns {release}, which detaches from the server. */
function inject(hf, what, files = segments(hf)) {
    const call = what.split(':')[0];
    const paths = files.flatMap((file) => ['-P', file]);
    const args = ['-f', '-p', String(hf.child.pid), ...paths, '-e', `trace=${call}`, '-e', `inject=${what}`];
    const child = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((end) => child.on('close', end));
    let text = '';
    return new Promise((resolve, reject) => {
        child.stderr.on('data', (part) => {
            text += part;
            if (/^strace: Process \d+ attached/m.test(text)) {
                resolve({
                    release: () => {
                        child.kill('SIGTERM');
                        return ended;
                    },
                });
            }
        });
        child.on('error', reject);
        ended.then(() => reject(new Error(`strace ended: ${text.slice(-500)}`)));
    });
}

/* Runs the program to its end, with calls on this file that behave as `what` says. `hit`: one of them was made. */
async function runInjected(args, what, file) {
    const trace = `${file}.trace`;
    const wanted = ['-f', '-qq', '-o', trace, '-P', file, '-e', `trace=${what.split(':')[0]}`, '-e', `inject=${what}`];
    const told = await run([...wanted, PROGRAM, ...args], process.env, 'strace');
    const hit = fs.readFileSync(trace, 'utf8').includes('INJECTED');
    fs.rmSync(trace);
    return { ...told, hit };
}

/* ---- File systems ---- */

function command(name, ...args) {
    const { status, stderr, error } = spawnSync(name, args, { encoding: 'utf8' });
    return error ? error.message : status === 0 ? null : `${name} ${args.join(' ')}: ${stderr.trim()}`;
}

/* A folder on its own file system, of `megabytes`: {folder, remove}, or {why} it is impossible. */
function smallDisk(megabytes) {
    const place = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-disk-'));
    const image = path.join(place, 'image');
    const folder = path.join(place, 'disk');
    const remove = () => {
        command('umount', folder);
        fs.rmSync(place, { recursive: true, force: true });
    };
    fs.mkdirSync(folder);
    const why = command('truncate', '-s', `${megabytes}M`, image) ?? command('mkfs.ext4', '-q', '-F', '-m', '0', image)
        ?? command('mount', '-o', 'loop', image, folder);
    if (why) {
        remove();
        return { why: `no small file system can be mounted here: ${why}` };
    }
    return { folder, remove };
}

/* A read-only view of a folder, also for root: {view, undo}, or {why} it is impossible. It has its own path: a program
 * running on the folder keeps opening its files for writing, and a mount with files open for writing cannot be made
 * read-only. */
function readOnly(folder) {
    if (process.getuid() !== 0) {
        fs.chmodSync(folder, 0o555);
        return { view: folder, undo: () => fs.chmodSync(folder, 0o755) };
    }
    const view = `${folder}-view`;
    fs.mkdirSync(view);
    let why = command('mount', '--bind', folder, view);
    const undo = () => {
        assert.equal(command('umount', view), null);
        fs.rmdirSync(view);
    };
    if (why) {
        fs.rmdirSync(view);
    } else if ((why = command('mount', '-o', 'remount,bind,ro', view))) {
        undo();
    }
    return why ? { why: `no folder can be shown read-only here: ${why}` } : { view, undo };
}

/* Leaves `left` bytes free, as far as the file system can be filled. */
function fillUp(folder, left = 0) {
    const file = fs.openSync(path.join(folder, 'filler'), 'w');
    const chunk = Buffer.alloc(1 << 20, 1);
    for (let size = chunk.length; size >= BLOCK; ) {
        const { bavail, bsize } = fs.statfsSync(folder);
        const room = bavail * bsize - left;
        if (room < size && size > BLOCK) {
            size = size / 2;
            continue;
        }
        try {
            if (room < size || fs.writeSync(file, chunk, 0, size) < size) {
                break;
            }
        } catch (error) {
            assert.equal(error.code, 'ENOSPC');
            if (size === BLOCK) {
                break;
            }
            size = size / 2;
        }
    }
    fs.fsyncSync(file);
    fs.closeSync(file);
    return path.join(folder, 'filler');
}

/* ---- Damage ---- */

/* The batches of a segment: [{offset, size, count}], size being that of the payload. */
function batches(file) {
    const bytes = fs.readFileSync(file);
    const found = [];
    for (let offset = BLOCK; offset + BLOCK <= bytes.length; ) {
        if (bytes.toString('latin1', offset, offset + 8) !== 'HFSBATCH') {
            break;
        }
        const size = bytes.readUInt32LE(offset + 8);
        found.push({ offset, size, count: bytes.readUInt32LE(offset + 12) });
        offset += Math.ceil((64 + size) / BLOCK) * BLOCK;
    }
    return found;
}

/* Changes bytes of a file in place. */
function overwrite(file, offset, change) {
    const fd = fs.openSync(file, 'r+');
    const old = Buffer.alloc(change.length ?? 1);
    fs.readSync(fd, old, 0, old.length, offset);
    const bytes = typeof change === 'function' ? Buffer.from([change(old[0])]) : change;
    fs.writeSync(fd, bytes, 0, bytes.length, offset);
    fs.closeSync(fd);
}

/* ---- Books ---- */

const CRC32C = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) {
        crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    }
    return crc;
});

function crc32c(...parts) {
    let crc = 0xffffffff;
    for (const part of parts) {
        for (const byte of part) {
            crc = CRC32C[(crc ^ byte) & 0xff] ^ (crc >>> 8);
        }
    }
    return (crc ^ 0xffffffff) >>> 0;
}

/* Changes a book by SQL and gives its pages valid checksums again, as a program with a bug would have written it. */
function rewrite(book, sql) {
    const told = spawnSync('sqlite3', [book, sql], { encoding: 'utf8' });
    assert.equal(told.status, 0, `${sql}: ${told.stderr}`);
    const bytes = fs.readFileSync(book);
    const number = Buffer.alloc(4);
    for (let at = 0; at < bytes.length; at += BLOCK) {
        number.writeUInt32LE(at / BLOCK + 1);
        bytes.writeUInt32LE(crc32c(number, bytes.subarray(at, at + BLOCK - 4)), at + BLOCK - 4);
    }
    fs.writeFileSync(book, bytes);
}

module.exports = {
    rewrite, crc32c, BLOCK, run, whyNoStrace, segments, inject, runInjected, smallDisk, readOnly, fillUp, batches, overwrite };
