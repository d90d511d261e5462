/* SPDX-License-Identifier: Apache-2.0 */
/* docs_words.js — a text of the description: what is in backquotes is code. */
import { html } from '../vendor/lit-html/lit-html.js';

export const marked = (text) => text.split('`').map((part, i) => (i % 2 ? html`<code>${part}</code>` : part));
