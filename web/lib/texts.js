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

const BIDI = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/; /* letters from right to left, and marks */
const [FIRST_STRONG, POP] = ['\u2068', '\u2069'];

/* With as many ends as beginnings: one too many would end what is around it. */
function balanced(text) {
    let open = 0;
    const kept = [...text].filter((one) => (/[\u2066-\u2068]/.test(one) ? ++open : one !== POP || (open > 0 && open--)));
    return kept.join('') + POP.repeat(open);
}

/* Somebody's own words, which may run from right to left, so that what stands beside them keeps its order. */
export const isolated = (text) => (typeof text === 'string' && BIDI.test(text) ? FIRST_STRONG + balanced(text) + POP : text);

/* The text of a key with {name} filled in. */
export function t(key, values = {}) {
    const found = texts[key];
    if (found === undefined) {
        throw new Error(`there is no text "${key}"`);
    }
    const text = Array.isArray(found) ? found[plural.select(values.n) === 'one' ? 0 : 1] : found;
    return text.replace(/\{(\w+)\}/g, (whole, name) => isolated(values[name]) ?? whole);
}
