/* SPDX-License-Identifier: Apache-2.0 */
/* documents.js — docs/*.md as pages: /docs/NAME, whole HTML that needs no script; start.md is /docs.
 *
 * Links between documents lead to their pages. What a document links to elsewhere in the repository is not served, and is
 * named instead of linked; pictures likewise. HTML inside a document is shown as text.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/* What a reader wants to do, and the documents for that, in the order in which they are listed. */
const TASKS = [
    ['Start', ['start', 'tutorial', 'choosing', 'testing']],
    ['Build', ['api', 'embed', 'hooks']],
    ['Sell', ['selling', 'payments', 'waiting-room', 'tickets', 'dispatch']],
    ['Operate', ['operations', 'scale', 'redis', 'reports', 'privacy', 'simulate']],
];
const ORDER = TASKS.flatMap(([, names]) => names);

const addressOf = (name) => (name === ORDER[0] ? '/docs' : `/docs/${name}`);

/* In a page, {{…}} is filled in; what a document says in double braces is not meant. */
const plain = (raw) => raw.replaceAll('{{', '&#123;{');
export const escape = (raw) => raw.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/* As GitHub names headings, so that the same links work in both. */
function namer() {
    const seen = new Map();
    return (text) => {
        const name = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
        const before = seen.get(name) ?? 0;
        seen.set(name, before + 1);
        return before ? `${name}-${before}` : name;
    };
}

/* Where a link of a document leads on the server; null: nowhere. */
function target(href, names) {
    if (/^(https?:|#|\/)/.test(href)) {
        return href;
    }
    const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    return names.has(name) ? `${addressOf(name)}${anchor}` : null;
}

function rendererFor(names) {
    const nameOf = namer();
    return {
        heading({ tokens, depth, text }) {
            const id = nameOf(text.replace(/`/g, ''));
            const link = depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>` : '';
            return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
        },
        link({ href, tokens }) {
            const to = target(href, names);
            const text = this.parser.parseInline(tokens);
            return to ? `<a href="${escape(to)}"${/^https?:/.test(to) ? ' rel="noreferrer"' : ''}>${text}</a>` : text;
        },
        image: ({ text }) => escape(text),
        html: ({ text }) => (text.startsWith('<!--') ? '' : escape(text)),
        code: ({ text, lang }) => `<pre tabindex="0"${lang ? ` data-language="${escape(lang)}"` : ''}><code>${escape(text)}</code></pre>\n`,
        /* Wide ones scroll by themselves, by keyboard too. */
        table({ header, rows }) {
            const cell = (tag) => ({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
            const row = (cells, tag) => `<tr>${cells.map((one) => cell(one.text.trim() ? tag : 'td')(one)).join('')}</tr>`;
            const headed = header.some(({ text }) => text.trim());
            return `<div class="wide" tabindex="0"><table>${headed ? `<thead>${row(header, 'th')}</thead>` : ''}
                <tbody>${rows.map((cells) => row(cells, 'td')).join('\n')}</tbody></table></div>\n`;
        },
    };
}

/* [{ name, title, html }], by task. */
export async function documents(folder, packages) {
    const { Marked } = await import(pathToFileURL(path.join(packages, 'marked/lib/marked.esm.js')));
    const names = new Set(readdirSync(folder).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3)));
    const lost = [...names].filter((name) => !ORDER.includes(name));
    if (lost.length) {
        throw new Error(`docs/${lost[0]}.md belongs to no task: see web/tools/documents.js`);
    }
    return ORDER.map((name) => {
        const text = readFileSync(path.join(folder, `${name}.md`), 'utf8');
        const [, title] = /^# (.+)$/m.exec(text);
        const html = new Marked({ gfm: true, renderer: rendererFor(names) }).parse(text);
        return { name, title: title.replace(/`/g, ''), html: plain(html) };
    });
}

/* The list of them, for the side of each page. */
export function contents(list, current) {
    const link = ({ name, title }) => `<li><a href="${addressOf(name)}"${name === current ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`;
    return TASKS.map(([task, names]) =>
        [`<li class="task">${task}</li>`, ...names.map((name) => link(list.find((one) => one.name === name)))].join('\n')).join('\n');
}
