/* SPDX-License-Identifier: Apache-2.0 */
/* server.js — the client, the basket and the catalogue that all components of one server and token share. */
import { Basket } from './basket.js';
import { Catalogue } from './catalogue.js';
import { PageClient } from './page_client.js';

const known = new Map();

export function server(url = location.origin, token = undefined) {
    const key = `${url} ${token ?? ''}`;
    if (!known.has(key)) {
        const client = new PageClient({ url, token });
        known.set(key, { client, basket: new Basket(client), catalogue: new Catalogue(client) });
    }
    return known.get(key);
}
