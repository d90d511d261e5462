/* SPDX-License-Identifier: Apache-2.0 */
/* main.js — the part of a client that follows from the description of the API: a method for each operation, a type for
 * each record.
 *
 *     node clients/generate/main.js js|python FOLDER
 *
 * The description is what `holdfast openapi` prints: no server runs. HOLDFAST names the program, build/holdfast by
 * default. The version in the client's own file must be the server's.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from './description.js';
import { javascript } from './javascript.js';
import { python } from './python.js';

const clients = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const CLIENTS = {
    js: { generate: javascript, versioned: 'js/package.json', version: /"version": "([^"]+)"/ },
    python: { generate: python, versioned: 'python/pyproject.toml', version: /^version = "([^"]+)"/m },
};

const [language, folder] = process.argv.slice(2);
const client = CLIENTS[language];
if (!client || !folder) {
    console.error('usage: node clients/generate/main.js js|python FOLDER');
    process.exit(64);
}
const program = process.env.HOLDFAST ?? path.join(clients, '../build/holdfast');
const api = describe(JSON.parse(execFileSync(program, ['openapi'], { encoding: 'utf8', maxBuffer: 1 << 26 })));
const [, version] = client.version.exec(readFileSync(path.join(clients, client.versioned), 'utf8'));
if (version !== api.version) {
    console.error(`clients/${client.versioned} has version ${version}, the server ${api.version}`);
    process.exit(1);
}
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(client.generate(api))) {
    writeFileSync(path.join(folder, name), text);
}
