/* SPDX-License-Identifier: Apache-2.0 */
/* door_worker.js — keeps the page of the door over a reload without a network.
 *
 * It is served at /door_worker.js with the scope /door. `make` fills in the build and the files of the page; another build
 * is another worker, which fetches all of them before it takes over and throws the older copies away. The page itself comes
 * from the server while that answers; files below /assets/{build}/ never change. Nothing of the API is kept.
 */
const ASSETS = '{{assets}}';
const FILES = '{{door_files}}'.split(' ');
const PAGE = '/door';
const PREFIX = 'holdfast-door ';
const CACHE = PREFIX + ASSETS;
const PATIENCE_MS = 3_000; /* a network that does not answer is none */

async function fill() {
    const cache = await caches.open(CACHE);
    const page = await fetch(PAGE, { cache: 'no-cache' });
    if (!page.ok || !(await page.clone().text()).includes(ASSETS)) {
        throw new Error('the page is of another build'); /* tried again with the next worker */
    }
    await cache.addAll(FILES);
    await cache.put(PAGE, page);
}

async function takeOver() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
    await self.clients.claim();
}

async function page(request) {
    try {
        const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
        if (answer.status < 500) {
            return answer;
        }
    } catch { /* from the copy */ }
    return (await (await caches.open(CACHE)).match(PAGE)) ?? Response.error();
}

const file = async (request) => (await (await caches.open(CACHE)).match(request)) ?? fetch(request);

self.addEventListener('install', (event) => {
    self.skipWaiting();
    event.waitUntil(fill());
});
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== 'GET' || url.origin !== self.location.origin) {
        return;
    }
    if (event.request.mode === 'navigate' && url.pathname === PAGE) {
        event.respondWith(page(event.request));
    } else if (FILES.includes(url.pathname)) {
        event.respondWith(file(event.request));
    }
});
