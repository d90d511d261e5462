/* SPDX-License-Identifier: Apache-2.0 */
/* table.js — every file that the binary serves to browsers, as one table in C.
 *
 *     node web/tools/table.js PACKAGES > build/gen/assets.inc
 *
 * PACKAGES is the folder in which npm has installed what package-lock.json names. What is served, and where:
 *
 *     web/pages/NAME.html          a page, by a row of routes_pages.inc that names it
 *     web/pages|lib|components/…   modules, /assets/{build}/pages/… and so on; immutable
 *     web/style/NAME.css           /assets/{build}/style/NAME.css, and as a module, NAME.css.js, for components
 *     web/embed/holdfast.js        /embed/holdfast.js, 300 s
 *     web/door_worker.js           /door_worker.js, 300 s; {{door_files}} in it are the files that /door is made of
 *     web/favicon.svg              /favicon.svg
 *     web/pictures/NAME.svg        /demo/pictures/NAME.svg, of the demo's events; 300 s
 *     clients/js/src/…             /assets/{build}/client/…
 *     packages (VENDOR)            /assets/{build}/vendor/…
 *     docs/NAME.md                 /docs/NAME, a page: web/pages/document.html around it; start.md is /docs as well
 *     licenses.txt                 the notices of the packages, for `holdfast licenses` and /licenses
 *
 * {build} is a hash of all of them. In HTML and in embed/ {{assets}} is that folder. {{head}} is web/pages/head.html,
 * {{preload}} a link for each module that the page's scripts import, {{documents}} the list of docs/*.md. What else is in
 * double braces the server fills in.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { contents, documents, escape } from './documents.js';
import { noticesHtml, noticesText } from './notices.js';

const web = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const root = path.join(web, '..');
const packages = path.join(process.argv[2], 'node_modules');

/* What is taken of each package. */
const VENDOR = {
    'lit-html': ['lit-html.js', 'directive.js', 'directive-helpers.js', 'async-directive.js',
        'directives/repeat.js', 'directives/live.js', 'directives/ref.js'],
    uplot: ['dist/uPlot.esm.js', 'dist/uPlot.min.css'],
    '@noble/ed25519': ['index.js'], /* for /door, where a browser does not verify signatures */
    '@noble/hashes': ['sha2.js', '_md.js', '_u64.js', 'utils.js'],
    qr: ['decode.js', 'index.js'], /* for /door, where a browser does not read QR codes */
};

const TYPES = {
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.html': 'text/html; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.txt': 'text/plain; charset=utf-8',
};

const below = (folder) => readdirSync(folder).sort().flatMap((name) => {
    const at = path.join(folder, name);
    return statSync(at).isDirectory() ? below(at) : [at];
});
const text = (file) => readFileSync(file, 'utf8');

/* ---- Sources: name in the table → text ---- */

const files = new Map();
function take(folder, as) {
    for (const file of below(folder)) {
        const name = path.join(as, path.relative(folder, file));
        if (/\.(js|css|svg|html)$/.test(name) && !/\.test\.js$/.test(name)) {
            files.set(name, text(file));
        }
    }
}
['lib', 'components', 'pages', 'style', 'embed'].forEach((folder) => take(path.join(web, folder), folder));
take(path.join(web, 'pictures'), 'demo/pictures');
take(path.join(root, 'clients/js/src'), 'client');
['favicon.svg', 'door_worker.js'].forEach((name) => files.set(name, text(path.join(web, name))));
for (const [name, content] of [...files]) {
    if (name.endsWith('.css')) { /* the same rules for shadow roots, which share what they adopt */
        files.set(`${name}.js`, `export default ${JSON.stringify(content)};\n`);
    }
}
for (const [name, wanted] of Object.entries(VENDOR)) {
    for (const file of wanted) {
        const content = text(path.join(packages, name, file)).replace(/^\/\/# sourceMappingURL=.*$/m, '');
        files.set(`vendor/${name}/${file}`, content);
    }
}

/* ---- Documents ---- */

const TEMPLATES = ['pages/head.html', 'pages/document.html']; /* parts of pages */
const docs = await documents(path.join(root, 'docs'), packages);
for (const { name, title, html } of docs) {
    files.set(`docs/${name}.html`, files.get('pages/document.html').replaceAll('{{title}}', () => escape(title))
        .replace('{{documents}}', () => contents(docs, name)).replace('{{document}}', () => html));
}

/* ---- Notices ---- */

const notices = [{ title: 'Holdfast (Apache-2.0)', text: text(path.join(root, 'LICENSE')) }, ...Object.keys(VENDOR).map((name) => {
    const { version, license } = JSON.parse(text(path.join(packages, name, 'package.json')));
    return { title: `${name} ${version} (${license})`, text: text(path.join(packages, name, 'LICENSE')) };
})];
files.set('licenses.txt', noticesText(notices));

/* ---- The build ---- */

const sha = (content) => createHash('sha256').update(content).digest('hex');
const build = sha([...files].map(([name, content]) => `${name}\0${content}\0`).join('')).slice(0, 12);
const assets = `/assets/${build}`;
const versioned = (name) => !/^embed\/|^demo\/|\.html$|^favicon|^door_worker|^licenses/.test(name);
const served = (name) => (versioned(name) ? `${assets}/${name}` : `/${name.replace(/^(docs\/.*)\.html$/, '$1')}`);

const AT_ONCE = /(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']/g;
const EVER = /(?:\bfrom|\bimport)\s*\(?["'](\.[^"']+)["']/g; /* `import()` as well */

/* Every module that this one imports, itself included. */
function imported(name, seen = new Set(), pattern = AT_ONCE) {
    if (seen.has(name)) {
        return seen;
    }
    if (!files.has(name)) {
        throw new Error(`${name} is imported, but there is no such file`);
    }
    seen.add(name);
    for (const [, from] of files.get(name).matchAll(pattern)) {
        imported(path.normalize(path.join(path.dirname(name), from)), seen, pattern);
    }
    return seen;
}

function page(content) {
    const modules = new Set();
    for (const [, name] of content.matchAll(/src="\{\{assets\}\}\/([^"]+\.js)"/g)) {
        imported(name).forEach((one) => modules.add(one));
    }
    const preload = [...modules].map((name) => `<link rel="modulepreload" href="${served(name)}">`).join('\n');
    return content.replaceAll('{{head}}', files.get('pages/head.html').trim()).replaceAll('{{preload}}', preload)
        .replaceAll('{{documents}}', () => contents(docs)).replaceAll('{{licenses}}', () => noticesHtml(notices));
}

/* What a page needs without a network, by its addresses: what its HTML names, and every module it may ever import. */
function filesOf(name) {
    const whole = page(files.get(name)).replaceAll('{{assets}}', assets);
    const named = [...whole.matchAll(/(?:href|src)="(\/[^"]+\.[a-z]+)"/g)].map(([, at]) => at);
    const modules = named.filter((at) => at.endsWith('.js')).flatMap((at) => [...imported(at.slice(assets.length + 1), new Set(), EVER)]);
    return [...new Set([...named, ...modules.map(served)])];
}

function finished(name, content) {
    if (versioned(name)) {
        return content;
    }
    const whole = name.endsWith('.html') ? page(content) : content.replaceAll('{{door_files}}', () => filesOf('pages/door.html').join(' '));
    return whole.replaceAll('{{assets}}', assets);
}

/* ---- The table ---- */

function literal(bytes) {
    const lines = [];
    for (let at = 0; at < bytes.length; at += 64) {
        lines.push(`"${[...bytes.subarray(at, at + 64)].map((b) => `\\${b.toString(8).padStart(3, '0')}`).join('')}"`);
    }
    return lines.join('\n') || '""';
}

const cache = (name) => (versioned(name) ? 'ASSET_IMMUTABLE' : name.endsWith('.html') ? 'ASSET_REVALIDATED' : 'ASSET_BRIEF');
const rows = [];
for (const name of [...files.keys()].filter((one) => !TEMPLATES.includes(one))) {
    const plain = Buffer.from(finished(name, files.get(name)));
    const gzip = gzipSync(plain, { level: 9 });
    const type = TYPES[path.extname(name)];
    rows.push({ path: served(name), row: [
        `    {.path = "${served(name)}",`, `     .type = "${type}",`, `     .etag = "\\"${sha(plain).slice(0, 20)}\\"",`,
        `     .cache = ${cache(name)},`, `     .plain_size = ${plain.length}, .gzip_size = ${gzip.length},`,
        `     .plain = ${literal(plain)},`, `     .gzip = ${literal(gzip)}},`,
    ].join('\n') });
}
rows.sort((a, b) => (a.path < b.path ? -1 : 1));
process.stdout.write(`/* Made by web/tools/table.js. */\n${rows.map(({ row }) => row).join('\n')}\n`);
