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

const TURNED = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/* What is written from the right, or says that it is, turns nothing around it: isolated, and without marks that could end that. */
export const isolated = (value) => (typeof value === 'string' && TURNED.test(value) ? `\u2068${value.replace(TURNS, '')}\u2069` : value);

/* The text of a key with {name} filled in. */
export function t(key, values = {}) {
    const found = texts[key];
    if (found === undefined) {
        throw new Error(`there is no text "${key}"`);
    }
    const text = Array.isArray(found) ? found[plural.select(values.n) === 'one' ? 0 : 1] : found;
    return text.replace(/\{(\w+)\}/g, (whole, name) => isolated(values[name]) ?? whole);
}
