// SPDX-License-Identifier: Apache-2.0
// The figures for people: a table on standard output, and in a folder latest.json and a chart, latest.svg.
import fs from 'node:fs';
import path from 'node:path';
import { thousands } from './measure.mjs';

function amount(value, unit) {
    if (unit === '/s') return `${thousands(value)}/s`;
    if (unit === 'turns') return `${thousands(value)} turns`;
    return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : thousands(value)} ${unit}`;
}

function withSpread(spread, unit) {
    if (!spread) return '';
    if (spread.runs.length < 2) return amount(spread.median, unit);
    return `${amount(spread.median, unit)} (${amount(spread.min, '').trim()}..${amount(spread.max, '').trim()})`;
}

// A quotient, or for rows without a peer the value itself.
function measured(row) {
    if (!row.peer) return amount(row.value, row.unit);
    const range = row.range && row.ours.runs.length > 1 ? ` (${row.range.min.toFixed(2)}..${row.range.max.toFixed(2)})` : '';
    return `${row.value.toFixed(2)}${range}`;
}

const bound = (row, value) => (value === undefined ? '' : `${row.most ? '≤' : '≥'} ${value}`);

export function printTable(rows) {
    const lines = [['figure', 'ours', 'peer', 'measured', 'asked', 'aim', '']];
    for (const row of rows)
        lines.push([
            row.name, withSpread(row.ours, row.unit), row.peer ? `${row.peer_name} ${withSpread(row.peer, row.unit)}` : '',
            measured(row), bound(row, row.asked), bound(row, row.aim), row.verdict,
        ]);
    const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)));
    console.log('');
    for (const [i, line] of lines.entries()) {
        console.log(line.map((cell, c) => cell.padEnd(widths[c])).join('  ').trimEnd());
        if (!i) console.log(widths.map((w) => '-'.repeat(w)).join('  '));
        else if (rows[i - 1].note) console.log(`    ${rows[i - 1].note}`);
    }
    console.log('');
}

const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const LEFT = 24, BARS = 24, BAR_WIDTH = 560, ROW = 84, TOP = 96, WIDTH = 1000;

// The bar, and the text after its end; separate, because the marks go between them.
function bar(y, value, scale, colour, text) {
    const width = Math.max(1, (value / scale) * BAR_WIDTH);
    return [`<rect x="${BARS}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2" fill="${colour}"/>`,
        `<text x="${(BARS + width + 8).toFixed(1)}" y="${y + 13.5}" class="value">${escape(text)}</text>`];
}

function mark(x, y, label) {
    return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${y - 3}" y2="${y + 21}" class="mark"/>` +
        `<text x="${x.toFixed(1)}" y="${y - 5}" class="label" text-anchor="middle">${label}</text>`;
}

// Ours above, the peer below, both on one scale; the marks show where ours would be at the required bound and at the
// aim.
function drawRow(row, y) {
    const unit = row.peer ? row.peer.median : 1;
    const marks = [['asked', row.asked], ['aim', row.aim]].filter(([, v]) => v !== undefined).map(([name, v]) => [name, v * unit]);
    const scale = Math.max(row.ours.median, row.peer?.median ?? 0, ...marks.map(([, v]) => v)) * 1.02;
    const colour = row.verdict === 'SHORT' ? '#c2571a' : '#1f6f8b';
    const parts = [`<text x="${LEFT}" y="${y}" class="name">${escape(row.name)}</text>`];
    const bars = [bar(y + 20, row.ours.median, scale, colour, `Holdfast ${amount(row.ours.median, row.unit)}`)];
    if (row.peer) bars.push(bar(y + 41, row.peer.median, scale, '#9aa5ab', `${row.peer_name} ${amount(row.peer.median, row.unit)}`));
    parts.push(...bars.map(([rect]) => rect));
    for (const [name, value] of marks) parts.push(mark(BARS + (value / scale) * BAR_WIDTH, y + 20, name));
    parts.push(...bars.map(([, text]) => text));
    parts.push(`<text x="${WIDTH - LEFT}" y="${y + 34}" class="ratio" text-anchor="end">${escape(measured(row).replace(/ \(.*/, ''))}</text>`);
    const asked = [row.asked === undefined ? '' : `asked ${bound(row, row.asked)}`, row.aim === undefined ? '' : `aim ${bound(row, row.aim)}`, row.verdict];
    parts.push(`<text x="${WIDTH - LEFT}" y="${y + 54}" class="asked" text-anchor="end">${escape(asked.filter(Boolean).join(' · '))}</text>`);
    return parts.join('\n');
}

function chart({ rows, machine, versions, date, quick }) {
    const height = TOP + rows.length * ROW + 20;
    const where = `${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, a 4 KiB sync ${machine.sync_4k_us} µs`;
    const with_ = `${versions.holdfast} · ${versions.redis?.split(' sha')[0]} · ${versions.postgres}`;
    return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>Holdfast beside its peers</title>
<style>
text { font-family: system-ui, sans-serif; fill: #1c2326 }
.title { font-size: 20px; font-weight: 600 } .about { font-size: 12px; fill: #5a666c }
.name { font-size: 14px; font-weight: 600 } .value { font-size: 12px; paint-order: stroke; stroke: #fff; stroke-width: 4px } .label { font-size: 10px; fill: #5a666c }
.ratio { font-size: 20px; font-weight: 600 } .asked { font-size: 12px; fill: #5a666c }
.mark { stroke: #1c2326; stroke-width: 1.5; stroke-dasharray: 3 2 }
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${LEFT}" y="34" class="title">Holdfast beside its peers${quick ? ' (quick run: the numbers mean little)' : ''}</text>
<text x="${LEFT}" y="54" class="about">${escape(with_)} · ${date.slice(0, 10)}</text>
<text x="${LEFT}" y="70" class="about">${escape(where)}</text>
${rows.map((row, i) => drawRow(row, TOP + 14 + i * ROW)).join('\n')}
</svg>
`;
}

export function writeResults(folder, all) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'latest.json'), JSON.stringify(all, null, 1) + '\n');
    fs.writeFileSync(path.join(folder, 'latest.svg'), chart(all));
    console.log(`written: ${path.join(folder, 'latest.json')}, latest.svg`);
}
