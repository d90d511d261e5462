/* SPDX-License-Identifier: Apache-2.0 */
/* error.js — the page of an error in the visitor's language; the server has written it in English. */
import { sentenceOf } from '../lib/page_client.js';
import '../lib/shell.js';
import { t } from '../lib/texts.js';

/* Title and sentence of what is not there. */
const MISSING = {
    no_such_route: () => [t('error_page'), t('error_page_why')],
    no_such_event: () => [t('problem_no_such_event'), t('error_gone_why')],
    no_such_calendar: () => [t('problem_no_such_calendar'), t('error_gone_why')],
    no_such_group: () => [t('problem_no_such_group'), t('error_gone_why')],
    no_such_fleet: () => [t('problem_no_such_fleet'), t('error_gone_why')],
};

const main = document.querySelector('main');
const { code } = main.dataset;
const [title, why] = MISSING[code]?.() ?? [t('failed'), sentenceOf(code)];
if (why) {
    main.querySelector('h1').textContent = title;
    main.querySelector('.lead').textContent = why;
}
