/* SPDX-License-Identifier: Apache-2.0 */
/* draw.js — repeats the draw of a waiting room, as docs/waiting-room.md ("How to check a draw") describes it. */
const ROUNDS = 10;

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/* Browsers hash only in pages that came by HTTPS or from this machine. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/* The position of the entry with this number among `entries` that were drawn with the seed. */
export async function drawPosition(seed, entries, number) {
    let half = 4;
    while (4 ** half < entries) {
        half++;
    }
    const side = 2 ** half;
    const key = bytesOf(seed);
    const f = async (round, value) => {
        const block = new Uint8Array(key.length + 5);
        block.set(key);
        block[key.length] = round;
        new DataView(block.buffer).setUint32(key.length + 1, Math.floor(value / 16));
        return new DataView((await sha256(block)).buffer).getUint16(2 * (value % 16)) % side;
    };
    let x = number - 1;
    do {
        let [left, right] = [Math.floor(x / side), x % side];
        for (let round = 0; round < ROUNDS; round++) {
            [left, right] = [right, left ^ await f(round, right)];
        }
        x = left * side + right;
    } while (x >= entries);
    return x + 1;
}

/* Whether the published draw leads to this entry's position, and its seed is the one that was promised. */
export async function drawHolds(draw, entry, promised = draw.commitment) {
    const drawn = entry.number <= draw.entries;
    return hexOf(await sha256(bytesOf(draw.seed))) === promised
        && entry.position === (drawn ? await drawPosition(draw.seed, draw.entries, entry.number) : entry.number);
}
