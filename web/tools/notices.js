/* SPDX-License-Identifier: Apache-2.0 */
/* notices.js — the licenses of what is built in, as text of 80 columns and as HTML that flows at any width. */
import { escape } from './documents.js';

const POINT = /^(\d+\.|\([a-z0-9]+\)|[*-])\s/; /* begins a paragraph without an empty line before it */
const SHORT = 50; /* a line that ends earlier was meant to end there */
const INDENTED = 2;

/* notices: [{title, text}] */
export const noticesText = (notices) => notices.map(({ title, text }) => `${title}\n\n${text.trim()}\n`).join('\n\n');

/* Lines that belong together: {indent, lines}. */
function paragraphs(text) {
    const found = [];
    let open = null;
    for (const line of text.trim().split('\n')) {
        const words = line.trim();
        if (!words) {
            open = null;
        } else if (!open || POINT.test(words)) {
            open = { indent: line.length - line.trimStart().length, lines: [words] };
            found.push(open);
        } else {
            open.lines.push(words);
        }
    }
    return found;
}

function paragraph({ indent, lines }) {
    const text = lines.map((line, i) => escape(line) + (i === lines.length - 1 ? '' : line.length < SHORT ? '<br>' : ' ')).join('');
    return `<p${indent > INDENTED && indent < 20 ? ' class="under"' : ''}>${text}</p>`;
}

export const noticesHtml = (notices) => notices.map(({ title, text }) =>
    `<section><h2>${escape(title)}</h2>\n${paragraphs(text).map(paragraph).join('\n')}</section>`).join('\n');
