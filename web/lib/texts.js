/* SPDX-License-Identifier: Apache-2.0 */
/* texts.js — texts by key, in the language of the page. A language is a file in texts/ and a row here; only the one that is
 * needed is loaded. The first row is for visitors who want none of them. */
import { chosen, pluralForms } from './language.js';

const LANGUAGES = {
    en: () => import('./texts/en.js'),
    de: () => import('./texts/de.js'),
};

/* Our own pages follow the browser. A component on another site follows that site first. */
function wanted() {
    const { document, navigator } = globalThis;
    const ours = document?.querySelector('meta[name^="holdfast-"]');
    return [...(ours ? [] : [document?.documentElement.lang ?? '']), ...(navigator?.languages ?? [])];
}

/* `locale` is what Intl writes dates, numbers and money in. */
export const { language, locale } = chosen(wanted(), Object.keys(LANGUAGES));

const { default: texts } = await LANGUAGES[language]();
const plural = new Intl.PluralRules(language);
const forms = pluralForms(language);

const BIDI = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/; /* letters from right to left, and marks */
const [FIRST_STRONG, POP] = ['\u2068', '\u2069'];

/* With as many ends as beginnings: one too many would end what is around it. */
function balanced(text) {
    let open = 0;
    const kept = [...text].filter((one) => (/[\u2066-\u2068]/.test(one) ? ++open : one !== POP || (open > 0 && open--)));
    return kept.join('') + POP.repeat(open);
}

/* A name as it was entered, which may run from right to left; the text around it keeps its order. */
export const isolated = (text) => (typeof text === 'string' && BIDI.test(text) ? FIRST_STRONG + balanced(text) + POP : text);

/* The text of a key with {name} filled in. */
export function t(key, values = {}) {
    const found = texts[key];
    if (found === undefined) {
        throw new Error(`there is no text "${key}"`);
    }
    const text = Array.isArray(found) ? found[forms.indexOf(plural.select(values.n))] : found;
    return text.replace(/\{(\w+)\}/g, (whole, name) => isolated(values[name]) ?? whole);
}
