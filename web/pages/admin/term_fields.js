/* SPDX-License-Identifier: Apache-2.0 */
/* term_fields.js — how long is held, and how it is paid: the same for events and calendars. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';
import { input, select } from './fields.js';

/* `ttl` and `most` are what it is without: minutes. */
export const termFields = (form, { ttl, most }) => html`
    ${input(form, '/hold_ttl_seconds', { label: t('term_ttl'), kind: 'minutes', placeholder: ttl })}
    ${input(form, '/max_hold_seconds', { label: t('term_most'), kind: 'minutes', placeholder: most })}
    ${input(form, '/payment_ttl_seconds', { label: t('term_payment_ttl'), kind: 'minutes', hint: t('term_payment_ttl_hint'), placeholder: '5' })}
    ${select(form, '/payment', { label: t('term_payment'), choices: [['required', t('term_payment_required')], ['none', t('term_payment_none')]] })}
    ${select(form, '/late_payment', { label: t('term_late'), choices: [['accept_if_free', t('term_late_accept')], ['refund', t('term_late_refund')]] })}`;
