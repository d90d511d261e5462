/* SPDX-License-Identifier: Apache-2.0 */
/* server.js — the client and the basket that all components of one server and token share. */
import { Holdfast } from '../client/client.js';
import { Basket } from './basket.js';

const known = new Map();

export function server(url = location.origin, token = undefined) {
    const key = `${url} ${token ?? ''}`;
    if (!known.has(key)) {
        const client = new Holdfast({ url, token });
        known.set(key, { client, basket: new Basket(client) });
    }
    return known.get(key);
}
