/* SPDX-License-Identifier: Apache-2.0 */
'use strict';
const crypto = require('node:crypto');

/* What a signed ticket says; null: none of the keys of GET /v1/tickets/key has signed it. */
function verifyTicket(text, { keys }) {
    const [form, payload = '', signature = '', ...more] = text.split('.');
    const bytes = Buffer.from(payload, 'base64url');
    const jwk = keys.find(({ kid }) => kid === bytes.subarray(0, 8).toString('base64url'));
    if (form !== 'HF1' || !jwk || more.length > 0) {
        return null;
    }
    const key = crypto.createPublicKey({ key: jwk, format: 'jwk' });
    if (!crypto.verify(null, Buffer.from(`HF1.${payload}`), key, Buffer.from(signature, 'base64url'))) {
        return null;
    }
    const n = bytes[39];
    const [of, part] = [bytes.toString('latin1', 40, 40 + n), bytes.toString('latin1', 41 + n)];
    const [code, unit, kind] = [bytes.toString('latin1', 16, 36), bytes.readUInt16BE(36), bytes[38]];
    return { code, reissue: Number(bytes.readBigUInt64BE(8)), kind, of, part, unit };
}

module.exports = { verifyTicket };
