/* SPDX-License-Identifier: Apache-2.0 */
/* browser.js — chromium for tests: one for a file, a context of its own for every visitor.
 *
 * Whatever page a test opens is watched: a request that leaves the server's origin, an error in the console and an
 * exception fail the test at its end, but for the browser's own line about an answer of 4xx or 5xx.
 */
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { before, after, afterEach } = require('node:test');
const { Server } = require('../../conformance/lib/server.js');

const folder = path.join(__dirname, '..');
const packages = execFileSync(path.join(folder, '../tools/install'), [folder], { encoding: 'utf8' }).trim();
const { chromium } = require(path.join(packages, 'node_modules/playwright-core'));
const AXE = fs.readFileSync(path.join(packages, 'node_modules/axe-core/axe.min.js'), 'utf8');
const SCREENS = path.join(folder, '../../docs/screens');

const PATIENCE_MS = 20_000;
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }; /* what another scheme can change */
/* The one without windows starts and draws faster. */
const CHROMIUM = process.env.CHROMIUM || ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((program) => fs.existsSync(program));
const DEVICES = {
    phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    desktop: { viewport: { width: 1280, height: 800 } },
};
const OWN_LINE = /^Failed to load resource: the server responded with a status of [45]\d\d|net::ERR_INTERNET_DISCONNECTED/;

const kit = { browser: null, faults: [], contexts: [] };

/* A server and chromium for this file, with these flags of its own. No request may leave that server's origin. `prepare(hf)`
 * fills it, before chromium starts. */
function browser({ prepare, flags = [], ...options } = {}) {
    const hf = kit.hf = new Server(options);
    before(async () => {
        await hf.start();
        hf.app = await hf.key('app');
        await prepare?.(hf);
        kit.browser = await chromium.launch({
            executablePath: CHROMIUM,
            args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', ...flags],
        });
    });
    afterEach(async () => {
        await Promise.all(kit.contexts.splice(0).map((context) => context.close()));
        assert.deepEqual(kit.faults.splice(0), []);
    });
    after(async () => {
        await kit.browser?.close();
        await hf.close();
    });
    return { hf, visitor, axe, keepsFocus, looks, fits, tooWide, screenshot, DEVICES, COLOURS };
}

function watch(page, origins) {
    page.on('console', (message) => {
        if (message.type() === 'error' && !OWN_LINE.test(message.text())) {
            kit.faults.push(`console: ${message.text()}`);
        }
    });
    page.on('pageerror', (error) => kit.faults.push(`exception: ${error.stack}`));
    page.on('request', (request) => {
        const url = request.url();
        if (/^https?:/.test(url) && !origins.some((origin) => url.startsWith(`${origin}/`))) {
            kit.faults.push(`request to ${url}`);
        }
    });
}

/* Somebody with a browser of their own: a page, not yet anywhere. It may not leave `origin`, nor
 * the one that its page is allowed as well. */
async function visitor({ device = 'desktop', scheme = 'light', locale = 'en-GB', timezoneId = 'Europe/Berlin', origin = kit.hf.url, also = origin, ...more } = {}) {
    const context = await kit.browser.newContext({
        ...DEVICES[device], colorScheme: scheme, locale, timezoneId, reducedMotion: 'reduce', baseURL: origin, ...more,
    });
    kit.contexts.push(context);
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('page', (page) => watch(page, [origin, also]));
    return context.newPage();
}

const sessions = new WeakMap(); /* by page */
async function sessionOf(page) {
    sessions.has(page) || sessions.set(page, await page.context().newCDPSession(page));
    return sessions.get(page);
}

/* What axe-core finds wrong with the page, as it is; must be nothing. It is put in from outside, where no policy of the
 * page applies, and stays until the page is left. */
async function axe(page, what = page.url(), rules = RULES) {
    const cdp = await sessionOf(page);
    const { frameTree } = await cdp.send('Page.getFrameTree');
    const { executionContextId } = await cdp.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' });
    const run = async (expression) => {
        const { result, exceptionDetails } = await cdp.send('Runtime.evaluate',
            { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
        assert.ok(!exceptionDetails, JSON.stringify(exceptionDetails));
        return result.value;
    };
    await run('typeof axe') === 'object' || await run(`${AXE}; 0`);
    const found = await run(`axe.run(document, { resultTypes: ['violations'], preload: false, runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(
        ({ id, help, nodes }) => id + ': ' + help + '\\n' + nodes.slice(0, 4).map(
            (n) => '  ' + n.target.join(' ') + ' ' + n.failureSummary).join('\\n')))`);
    assert.deepEqual(found, [], `${what}: axe-core`);
}

/* By how many pixels the page is wider than the window. On a phone the browser zooms out of such a page, and innerWidth is then as
 * wide as the page. */
const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/* A page as it is, in light and in dark: axe-core finds nothing, nothing is too wide; screenshots NAME-light and NAME-dark, of
 * the schemes that are asked for. */
async function looks(page, name, { what = name, shots = ['light', 'dark'] } = {}) {
    for (const scheme of ['dark', 'light']) {
        await page.emulateMedia({ colorScheme: scheme });
        await axe(page, `${what}, ${scheme}`, scheme === 'light' ? RULES : COLOURS);
        shots.includes(scheme) && await screenshot(page, `${name}-${scheme}`);
    }
    const wide = await tooWide(page);
    assert.ok(wide <= 0, `${what}: it is ${wide} px too wide`);
}

/* Chromium takes the focus from an element that is disabled when it next draws. */
const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));

/* From the next page on nothing but Tab may drop the focus to the body, not even for a frame: otherwise the test fails at its
 * end. What is asked of the server takes some frames; what it gives waits for them. */
async function keepsFocus(page) {
    await page.route('**/v1/**', async (route) => {
        route.request().method() === 'GET' || await frames(page).catch(() => {}); /* the page was left meanwhile */
        await route.continue();
    });
    await page.addInitScript(() => {
        let key, before;
        addEventListener('keydown', (e) => { key = e.key; }, true);
        const look = () => {
            let at = document.activeElement;
            while (at?.shadowRoot?.activeElement) {
                at = at.shadowRoot.activeElement;
            }
            if (at === document.body && before && key !== 'Tab') {
                console.error(`${key} dropped the focus of ${before.tagName} "${before.getAttribute('aria-label') ?? before.textContent.trim()}"`);
            }
            before = at === document.body ? null : at;
            requestAnimationFrame(look);
        };
        look();
    });
    return () => frames(page);
}

/* Whatever it shows, a page may not be wider than the window, and no name may stick out of its card. */
async function fits(page, what) {
    const found = await page.evaluate(() => {
        const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
        const { clientWidth, scrollWidth } = document.documentElement;
        const out = all(document.body).filter((one) => one.matches('h1, h2, h3, strong, dd, p, label, li, .button') && !one.closest('nav, .scroller, .visually-hidden') &&
            one.getBoundingClientRect().right > clientWidth + 1).map((one) => `${one.localName}.${one.className}`);
        return { wide: scrollWidth - clientWidth, out: out.slice(0, 5) };
    });
    assert.deepEqual(found, { wide: 0, out: [] }, what);
}

/* For docs/screens; only when asked for, by SCREENS=1. */
async function screenshot(page, name) {
    if (process.env.SCREENS) {
        await page.screenshot({ path: path.join(SCREENS, `${name}.png`) });
    }
}

module.exports = { browser };
