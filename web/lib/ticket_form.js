/* SPDX-License-Identifier: Apache-2.0 */
/* ticket_form.js — the signed form of a ticket, which its QR code holds. docs/tickets.md describes every byte. */
import { verifyEd25519 } from './ed25519.js';

const CODE = /^[0-9A-HJKMNP-TV-Z]{20}$/;
const HEAD = 40; /* bytes before the name of the event */

/* null: not base64url, or not the one text for these bytes. */
function bytesOf(text) {
    try {
        const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
        return textOf(bytes) === text ? bytes : null;
    } catch {
        return null;
    }
}

const textOf = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const ascii = (bytes) => String.fromCharCode(...bytes);

/* What it says, without a check of the signature; null: it is no signed form. */
export function readForm(text) {
    const [form, payload = '', signature = '', ...more] = text.split('.');
    const bytes = form === 'HF1' && more.length === 0 ? bytesOf(payload) : null;
    const signed = bytesOf(signature);
    const n = bytes?.[HEAD - 1];
    if (!bytes || signed?.length !== 64 || bytes.length < HEAD + n + 1 || bytes.length !== HEAD + n + 1 + bytes[HEAD + n]) {
        return null;
    }
    const view = new DataView(bytes.buffer);
    const code = ascii(bytes.subarray(16, 36));
    return CODE.test(code) ? {
        code, kid: textOf(bytes.subarray(0, 8)), reissue: Number(view.getBigUint64(8)), unit: view.getUint16(36), kind: bytes[38],
        of: ascii(bytes.subarray(HEAD, HEAD + n)), part: ascii(bytes.subarray(HEAD + n + 1)),
        message: new TextEncoder().encode(`HF1.${payload}`), signature: signed,
    } : null;
}

/* The code of a ticket in either form, as the server writes it. */
export const codeOf = (text) => readForm(text)?.code ?? text.toUpperCase();

/* Whether one of these keys (of GET /v1/tickets/key) has signed it. */
export async function isGenuine(form, keys) {
    const key = keys.find(({ kid }) => kid === form.kid);
    const raw = key ? bytesOf(key.x) : null;
    return raw !== null && verifyEd25519(form.signature, form.message, raw);
}
