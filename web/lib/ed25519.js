/* SPDX-License-Identifier: Apache-2.0 */
/* ed25519.js — whether a signature is good: by WebCrypto, or by @noble/ed25519 where a browser has no Ed25519 of its own
 * or the page did not come by HTTPS, without which there is no WebCrypto. */
const SOME_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'; /* RFC 8032, 7.1, test 1 */
let verifier = null;

async function byWebCrypto() {
    if (!globalThis.crypto?.subtle) {
        return null;
    }
    const key = (raw) => crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
    try {
        await key(Uint8Array.from(SOME_KEY.match(/../g), (hex) => parseInt(hex, 16))); /* does it know the curve? */
    } catch {
        return null;
    }
    return async (signature, message, raw) => crypto.subtle.verify('Ed25519', await key(raw), signature, message);
}

async function byNoble() {
    const [noble, { sha512 }] = await Promise.all([import('../vendor/@noble/ed25519/index.js'), import('../vendor/@noble/hashes/sha2.js')]);
    noble.hashes.sha512 = sha512;
    return (signature, message, raw) => noble.verify(signature, message, raw, { zip215: false });
}

/* Loads what is needed; worth doing while there is a network. */
export function loadEd25519() {
    verifier ??= byWebCrypto().then((found) => found ?? byNoble());
    verifier.catch(() => (verifier = null)); /* the next one tries again */
    return verifier;
}

/* All three are bytes. What is no key or no signature at all is not good either. */
export async function verifyEd25519(signature, message, publicKey) {
    const verify = await loadEd25519();
    try {
        return await verify(signature, message, publicKey);
    } catch {
        return false;
    }
}
