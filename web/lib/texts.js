/* SPDX-License-Identifier: Apache-2.0 */
/* texts.js — texts by key, in the language of the page. A language is a file in texts/ and a row here. */
import en from './texts/en.js';

const LANGUAGES = { en };

function language() {
    const wanted = [document.documentElement.lang, ...(navigator.languages ?? [])].map((tag) => tag.split('-')[0]);
    return wanted.find((tag) => tag in LANGUAGES) ?? 'en';
}

const texts = LANGUAGES[language()];
const plural = new Intl.PluralRules(language());

/* The text of a key with {name} filled in. */
export function t(key, values = {}) {
    const found = texts[key];
    if (found === undefined) {
        throw new Error(`there is no text "${key}"`);
    }
    const text = Array.isArray(found) ? found[plural.select(values.n) === 'one' ? 0 : 1] : found;
    return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
