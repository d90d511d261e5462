/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of pages and components: those that are used exist in every language, and every language says the same. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const web = path.join(__dirname, '../../web');
const texts = path.join(web, 'lib/texts');
const below = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
    (one.isDirectory() ? below(path.join(folder, one.name)) : [path.join(folder, one.name)]));
const read = (file) => fs.readFileSync(file, 'utf8');
const load = async (file) => (await import(file)).default;
const languages = fs.readdirSync(texts).filter((name) => name.endsWith('.js')).map((name) => path.basename(name, '.js'));
const others = languages.filter((language) => language !== 'en');
const formsOf = (text) => (Array.isArray(text) ? text : [text]);
const placeholders = (form) => [...new Set([...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

const sources = ['pages', 'components', 'lib'].flatMap((folder) => below(path.join(web, folder))).filter((file) => !file.startsWith(texts));
const modules = sources.filter((file) => file.endsWith('.js')).map(read).join('\n');
const inHtml = sources.filter((file) => file.endsWith('.html')).flatMap((file) => [...read(file).matchAll(/data-text="([^"]*)"/g)].map(([, key]) => key));

test('every text that is used exists, and every text is used', async () => {
    const english = await load(path.join(texts, 'en.js'));
    const used = [...inHtml, ...[...modules.matchAll(/\bt\('([a-z0-9_]+)'/g)].map(([, key]) => key)];
    assert.deepEqual(used.filter((key) => !(key in english)), []);
    const begun = [...modules.matchAll(/\bt\(`([a-z0-9_]+_)\$\{/g)].map(([, start]) => start); /* one of several, such as status_${status} */
    const named = (key) => modules.includes(`'${key}'`) || inHtml.includes(key) || begun.some((start) => key.startsWith(start));
    assert.deepEqual(Object.keys(english).filter((key) => !named(key)), []);
});

/* Which file a key is in, and in which order they are there. */
function keysByFile(language) {
    const files = below(texts).filter((file) => path.relative(texts, file).split(path.sep)[0].replace(/\.js$/, '') === language);
    return Object.fromEntries(files.map((file) => [path.relative(texts, file).replace(language, '*'),
        [...read(file).matchAll(/^ {4}([a-z0-9_]+):/gm)].map(([, key]) => key)]));
}

test('a key is in one file of its language, and in the same place in all of them', () => {
    const english = keysByFile('en');
    const keys = Object.values(english).flat();
    assert.ok(keys.length > 900, String(keys.length));
    assert.deepEqual(keys.filter((key, i) => keys.indexOf(key) !== i), []);
    for (const language of others) {
        const theirs = keysByFile(language);
        for (const file of new Set([...Object.keys(english), ...Object.keys(theirs)])) {
            assert.deepEqual(theirs[file], english[file], `${file} in ${language}`);
        }
    }
});

test('a text has the same placeholders in all languages, and every form of its own language', async () => {
    const { pluralForms } = await import(path.join(web, 'lib/language.js'));
    const english = await load(path.join(texts, 'en.js'));
    for (const language of languages) {
        const theirs = await load(path.join(texts, `${language}.js`));
        assert.deepEqual(Object.keys(theirs), Object.keys(english), language);
        for (const [key, text] of Object.entries(theirs)) {
            const what = `${key} in ${language}`;
            assert.equal(Array.isArray(text), Array.isArray(english[key]), what);
            assert.equal(formsOf(text).length, Array.isArray(text) ? pluralForms(language).length : 1, what);
            const wanted = placeholders(formsOf(english[key]).at(-1));
            assert.deepEqual(placeholders(formsOf(text).at(-1)), wanted, what);
            for (const form of formsOf(text)) { /* that for one may leave out the number: "Today" */
                assert.deepEqual(placeholders(form).filter((name) => !wanted.includes(name)), [], what);
                assert.ok(form.trim() === form && form !== '', `${what}: "${form}"`);
            }
        }
    }
});

test('buyers are not told of calls to the API', () => {
    for (const file of languages.flatMap((language) => [`${language}.js`, `${language}/order.js`])) {
        assert.doesNotMatch(read(path.join(texts, file)), /\/v1\b|\b(PUT|POST|PATCH) \//, file);
    }
});

test('the language is the first wanted one that there are texts in, its region that of the visitor', async () => {
    const { chosen } = await import(path.join(web, 'lib/language.js'));
    const known = ['en', 'de'];
    const cases = [
        [['de-AT', 'en'], 'de', 'de-AT'], [['de'], 'de', 'de'], [['fr-FR', 'de', 'en-US'], 'de', 'de'],
        [['fr-FR'], 'en', 'en'], [[], 'en', 'en'], [['en-GB', 'de-DE'], 'en', 'en-GB'],
        [['de', 'en-US', 'de-CH'], 'de', 'de-CH'], /* the document says de; of the browser's languages it takes the region */
        [['', 'de_DE'], 'de', 'de-DE'], [['not a tag', 'de-DE-u-nu-arab'], 'de', 'de-DE'], [['de-Latn-LI'], 'de', 'de-LI'],
    ];
    for (const [wanted, language, locale] of cases) {
        assert.deepEqual(chosen(wanted, known), { language, locale }, String(wanted));
    }
});

test('no module asks the browser for a language but the one that chooses it', () => {
    const asking = sources.filter((file) => file.endsWith('.js') && path.basename(file) !== 'texts.js')
        .filter((file) => /navigator\??\.languages?\b|toLocale\w*String\(|Intl\.\w+\((undefined|\)\.format)/.test(read(file)));
    assert.deepEqual(asking.map((file) => path.relative(web, file)), []);
});
