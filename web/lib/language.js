/* SPDX-License-Identifier: Apache-2.0 */
/* language.js — which language a page is in, and its name for Intl. */

/* "de_at" → "de-AT"; undefined if it is no tag of a language. */
function canonical(tag) {
    try {
        return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
    } catch {
        return undefined;
    }
}

/* {language, locale} of the first of the wanted tags for which there are texts, else of the first language known. The locale
 * says how dates and money are written: the language with a region, if a wanted tag has one ("de-AT"). */
export function chosen(wanted, known) {
    const tags = wanted.map(canonical).filter(Boolean).map((tag) => new Intl.Locale(tag));
    const language = tags.map((tag) => tag.language).find((one) => known.includes(one)) ?? known[0];
    const regional = tags.find((tag) => tag.language === language && tag.region);
    return { language, locale: regional ? `${language}-${regional.region}` : language };
}

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];

/* The plural forms of a language, in the order in which its texts list them: one and other in English and German. */
export function pluralForms(language) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    return FORMS.filter((form) => pluralCategories.includes(form));
}
