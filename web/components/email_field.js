/* SPDX-License-Identifier: Apache-2.0 */
/* email_field.js — the buyer's e-mail address, as the element's `ask-email` says: "optional" by default, "required" or "off". */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { t } from '../lib/texts.js';

/* `fixed`: it is shown, and cannot be changed any more. */
export function emailField(of, value = '', fixed = false) {
    const asked = of.getAttribute('ask-email') ?? 'optional';
    const required = asked === 'required';
    return asked === 'off' ? nothing : html`<div class="field">
        <label for="email">${t(required ? 'checkout_email' : 'checkout_email_optional')}</label>
        <input id="email" name="email" type="email" autocomplete="email" maxlength="200" aria-describedby="email-why"
            ?required=${required} ?readonly=${fixed} .value=${value}>
        <p class="fine" id="email-why">${t('checkout_email_why')}</p></div>`;
}
