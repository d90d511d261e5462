/* SPDX-License-Identifier: Apache-2.0 */
/* tally.js — what came of a run: differences as they are found, and how often each route gave which answer. */
'use strict';

const RECENT = 15; /* requests that are listed with what no single one of them explains */
const PATHS_SHOWN = 20;

const brief = (it) => JSON.stringify(it)?.slice(0, 300);
const pairs = (counts) => counts.map(([name, count]) => `${name}:${count}`).join(' ');
const add = (counts, name, count = 1) => counts.set(name, (counts.get(name) ?? 0) + count);

/* A path of /openapi.json as an expression. */
const pattern = (route) => new RegExp(`^${route.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/?]+')}$`);

class Tally {
    /* `say` gets each line; `show`: how many differences are shown in full. */
    constructor(say, show) {
        this.say = say;
        this.show = show;
        this.sent = 0;
        this.fine = 0;
        this.differences = 0;
        this.late = 0;      /* reads that were the same only when asked again */
        this.accepted = 0;  /* differences that are intended */
        this.regrouped = 0; /* times that one server wrote as one change what the other wrote as two */
        this.routes = [];
        this.byRoute = new Map();
        this.byStatus = new Map();
        this.byCode = new Map();
        this.recent = [];
        this.asking = undefined; /* the last request that was sent, for a run that fails */
    }

    /* A path of words comes before one with parameters, and '{calendar}.ics' before '{calendar}'. */
    know({ paths }) {
        this.routes = Object.keys(paths).map((route) => ({ route, fits: pattern(route) }))
            .sort((a, b) => a.route.includes('{') - b.route.includes('{') || b.route.length - a.route.length);
    }

    count(method, target, { status, json }, seen) {
        const path = target.split('?')[0];
        const other = path.startsWith('/v1') ? '(no route)' : '(page)';
        const name = `${method} ${this.routes.find(({ fits }) => fits.test(path))?.route ?? other}`;
        this.byRoute.set(name, this.byRoute.get(name) ?? new Map());
        add(this.byRoute.get(name), status);
        add(this.byStatus, status);
        this.sent++;
        this.fine += status < 400 ? 1 : 0;
        if (json?.code && status >= 400) {
            add(this.byCode, json.code);
        }
        this.recent = [...this.recent.slice(1 - RECENT), `${method} ${target} ${status}, then ${seen.join(' and ')} changes`];
    }

    /* Two answers are not the same. `asked`: the request as the old server got it. */
    difference(request, asked, answers, found) {
        this.differences++;
        if (this.differences > this.show) {
            return;
        }
        const spoiled = request.spoiled ? ` (spoiled: ${request.spoiled})` : '';
        this.say(`\ndifference ${this.differences}, request ${this.sent}${spoiled}`);
        this.say(`  ${request.method} ${asked.path}   as ${brief(request.as) ?? 'nobody'}`);
        this.say(`  ${brief(asked.headers)}\n  ${String(asked.body ?? '').slice(0, 800)}`);
        for (const { at, old, new: now } of found.slice(0, PATHS_SHOWN)) {
            this.say(`  ${at}\n      old ${brief(old)}\n      new ${brief(now)}`);
        }
        answers.forEach(({ status, text }, side) =>
            this.say(`  ${side ? 'new' : 'old'}: ${status} ${text.slice(0, 1_500).trimEnd()}`));
    }

    uneven(seen) {
        this.differences++;
        this.say(`\nafter request ${this.sent} the servers have made ${seen.join(' and ')} changes; the last requests:`);
        this.recent.forEach((line) => this.say(`  ${line}`));
    }

    /* Routes that were asked for and never granted anything; streams are not asked for. */
    never() {
        const granted = ([name, counts]) => [...counts.keys()].some((status) => status < 400) && name.split(' ')[1];
        const known = new Set([...this.byRoute].map(granted));
        return this.routes.map(({ route }) => route).filter((route) => route.startsWith('/v1') && !route.endsWith('/stream') &&
            !known.has(route));
    }

    summary(more) {
        for (const [route, counts] of [...this.byRoute].sort(([a], [b]) => (a < b ? -1 : 1))) {
            this.say(`${route.padEnd(56)} ${pairs([...counts].sort(([a], [b]) => a - b))}`);
        }
        this.say(`\nby status: ${pairs([...this.byStatus].sort(([a], [b]) => a - b))}`);
        this.say(`by code: ${pairs([...this.byCode].sort(([, a], [, b]) => b - a))}`);
        this.say(`never granted: ${this.never().join(' ') || 'none'}`);
        this.say(`${this.sent} requests, ${((100 * this.fine) / Math.max(1, this.sent)).toFixed(1)} % granted; ${more}; ` +
            `${this.late} reads asked again; ${this.regrouped} changes regrouped`);
        this.say(`${this.differences} differences, and ${this.accepted} accepted`);
    }
}

module.exports = { Tally };
