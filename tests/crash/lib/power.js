/* SPDX-License-Identifier: Apache-2.0 */
/* power.js — what a disk holds after a power loss, computed from the log of tests/crash/witness.c.
 *
 * Only what a sync has covered is relied upon: bytes by a sync of their file, names by a sync of their folder. The rest
 * is lost, or (`Disk.write(folder, random)`) partly there: each sector of 512 bytes at random, and the names of the
 * first few operations in a folder.
 */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const HEADER = 24;
const SECTOR = 512;

/* The complete records: [{kind, file, number, bytes, end}], `end` being the place after it. */
function records(log) {
    const list = [];
    for (let at = 0; at + HEADER <= log.length; ) {
        const end = at + HEADER + log.readUInt32LE(at);
        if (end > log.length) {
            break;
        }
        list.push({
            kind: String.fromCharCode(log.readUInt32LE(at + 4)),
            file: log.readBigUInt64LE(at + 8),
            number: log.readBigUInt64LE(at + 16),
            bytes: log.subarray(at + HEADER, end),
            end,
        });
        at = end;
    }
    return list;
}

/* The contents of one file, as the process sees them or as the device has them. */
class Bytes {
    constructor(from) {
        this.size = from?.size ?? 0;
        this.buffer = Buffer.from(from?.buffer ?? []);
    }

    put(offset, bytes) {
        this.resize(Math.max(this.size, offset + bytes.length));
        bytes.copy(this.buffer, offset);
    }

    resize(size) {
        if (size > this.buffer.length) {
            this.buffer = Buffer.concat([this.buffer, Buffer.alloc(Math.max(size - this.buffer.length, this.buffer.length))]);
        }
        if (size < this.size) {
            this.buffer.fill(0, size, this.size);
        }
        this.size = size;
    }

    apply({ size, offset, bytes }) {
        return size === undefined ? this.put(offset, bytes) : this.resize(size);
    }

    whole() {
        return this.buffer.subarray(0, this.size);
    }
}

class Disk {
    /* `root` exists, empty and durable. */
    constructor(root) {
        const folder = { folder: true };
        this.view = new Map([[root, folder]]);
        this.durable = new Map([[root, folder]]);
        this.names = []; /* operations on names that no sync has covered, oldest first */
        this.open = new Map(); /* file → {node, path} */
        this.syncs = new Map(); /* number → what it covers */
    }

    static node() {
        return { view: new Bytes(), durable: new Bytes(), pending: [] };
    }

    /* An operation on names happens: at once in the view, some time later on the device. */
    name(op) {
        Disk.rename(this.view, op);
        this.names.push(op);
    }

    static rename(names, { folder, from, to, node }) {
        if (from !== undefined) {
            node = names.get(from);
            names.delete(from);
        }
        if (to !== undefined && node) {
            names.set(to, node);
        }
        assert.ok(folder);
    }

    change(file, change) {
        const { node } = this.open.get(file);
        node.view.apply(change);
        node.pending.push(change);
    }

    apply({ kind, file, number, bytes }) {
        const text = () => bytes.toString('utf8');
        const at = Number(number);
        switch (kind) {
        case 'O':
            return this.opened(file, at, text());
        case 'W':
            return this.change(file, { offset: at, bytes });
        case 'T':
            return this.change(file, { size: at });
        case 'B':
            return this.begin(file, number);
        case 'E':
            return this.end(number);
        case 'R': {
            const [from, to] = text().split('\0');
            assert.equal(path.dirname(from), path.dirname(to));
            return this.name({ folder: path.dirname(to), from, to });
        }
        case 'U':
            return this.name({ folder: path.dirname(text()), from: text() });
        case 'M':
            return this.name({ folder: path.dirname(text()), to: text(), node: { folder: true } });
        default:
            throw new Error(`what is a record of kind ${kind}?`);
        }
    }

    opened(file, flags, name) {
        if (!this.view.has(name)) {
            assert.ok(flags & 1, `${name} is opened and was never made`);
            this.name({ folder: path.dirname(name), to: name, node: Disk.node() });
        }
        const node = this.view.get(name);
        this.open.set(file, { node, path: name });
        if (flags & 2 && node.view.size) {
            this.change(file, { size: 0 });
        }
    }

    begin(file, number) {
        const { node, path: name } = this.open.get(file);
        const covered = node.folder ? this.names.filter(({ folder }) => folder === name) : [...node.pending];
        this.syncs.set(number, { node, covered: new Set(covered) });
    }

    end(number) {
        const { node, covered } = this.syncs.get(number);
        const left = (list, apply) => list.filter((op) => !covered.has(op) || void apply(op));
        if (node.folder) {
            this.names = left(this.names, (op) => Disk.rename(this.durable, op));
        } else {
            node.pending = left(node.pending, (op) => node.durable.apply(op));
        }
        this.syncs.delete(number);
    }

    /* The contents of a file after the power loss. */
    static survivor(node, random) {
        const bytes = new Bytes(node.durable);
        for (const op of random ? node.pending : []) {
            if (op.size !== undefined) {
                random.chance(0.5) && bytes.apply(op);
                continue;
            }
            for (let at = 0; at < op.bytes.length; ) {
                const end = Math.min(op.bytes.length, at + SECTOR - ((op.offset + at) % SECTOR));
                random.chance(0.5) && bytes.put(op.offset + at, op.bytes.subarray(at, end));
                at = end;
            }
        }
        return bytes.whole();
    }

    /* Makes `to` what the folder `root` holds if the power is lost now. */
    write(root, to, random) {
        const names = new Map(this.durable);
        const left = new Map(); /* folder → how many of its operations got through */
        for (const op of random ? this.names : []) {
            left.has(op.folder) || left.set(op.folder, random.between(0, this.names.length));
            left.get(op.folder) > 0 && Disk.rename(names, op);
            left.set(op.folder, left.get(op.folder) - 1);
        }
        fs.mkdirSync(to);
        const there = new Set([root]);
        for (const [name, node] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
            if (name === root || !there.has(path.dirname(name))) {
                continue; /* its folder did not reach the device */
            }
            const target = path.join(to, path.relative(root, name));
            if (node.folder) {
                there.add(name);
                fs.mkdirSync(target);
            } else {
                /* As the server creates files: readable only by the owner. */
                fs.writeFileSync(target, Disk.survivor(node, random), { mode: 0o600 });
            }
        }
    }

    /* The process wrote nothing past the witness: `root` is what the log says. */
    equals(root) {
        for (const [name, node] of this.view) {
            if (!node.folder) {
                assert.ok(fs.readFileSync(name).equals(node.view.whole()), `${name} was changed behind the witness's back`);
            }
        }
        const found = fs.readdirSync(root, { recursive: true }).filter((name) => !name.endsWith('-shm')).sort();
        const known = [...this.view.keys()].filter((name) => name !== root).map((name) => path.relative(root, name)).sort();
        assert.deepEqual(found, known);
    }
}

module.exports = { records, Disk };
