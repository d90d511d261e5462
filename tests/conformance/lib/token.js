/* SPDX-License-Identifier: Apache-2.0 */
/* token.js — user tokens: JWT HS256 over the secret, and ways to make invalid ones. */
'use strict';

const crypto = require('node:crypto');

const HEADER = { alg: 'HS256', typ: 'JWT' };

function base64url(value) {
    const bytes = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value);
    return Buffer.from(bytes).toString('base64url');
}

function mac(secret, text, hash = 'sha256') {
    return crypto.createHmac(hash, secret).update(text).digest();
}

/* Signs any claims with any header; either can be given as text, with duplicates or malformed. */
function sign(secret, claims, header = HEADER, hash = 'sha256') {
    const text = `${base64url(header)}.${base64url(claims)}`;
    return `${text}.${mac(secret, text, hash).toString('base64url')}`;
}

/* A valid token for `user`, for `seconds` from `now_ms`. */
function userToken(secret, user, now_ms, seconds = 3600) {
    return sign(secret, { sub: user, aud: 'holdfast', exp: Math.floor(now_ms / 1000) + seconds });
}

function claimsOf(token) {
    return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString('utf8'));
}

function signatureHolds(secret, token) {
    const [header, claims, signature] = token.split('.');
    return mac(secret, `${header}.${claims}`).toString('base64url') === signature;
}

module.exports = { HEADER, base64url, mac, sign, userToken, claimsOf, signatureHolds };
