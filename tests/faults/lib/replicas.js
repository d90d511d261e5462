/* SPDX-License-Identifier: Apache-2.0 */
/* replicas.js — a PostgreSQL server and a standby of it, as a site sees them: one address with two hosts. */
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { Postgres, freePort } = require('../../cluster/lib/postgres.js');
const { eventually } = require('../../conformance/lib/http.js');

const NAME = 'second';

/* A copy of another server that follows it. */
class Standby extends Postgres {
    async start(primary) {
        this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pg-'));
        fs.chmodSync(this.folder, 0o755);
        this.data = path.join(this.folder, 'data');
        this.port = await freePort();
        this.own(this.folder);
        const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'holdfast'];
        this.tool('pg_basebackup', ['-D', this.data, ...from, '-R', '-X', 'stream', '-c', 'fast']);
        const conninfo = `host=127.0.0.1 port=${primary.port} user=holdfast application_name=${NAME}`;
        fs.appendFileSync(path.join(this.data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
        await this.launch();
        return this;
    }

    promote() {
        this.tool('pg_ctl', ['promote', '-w', '-D', this.data]);
    }
}

class Replicas {
    constructor({ synchronous = true } = {}) {
        this.synchronous = synchronous;
    }

    async start() {
        this.first = await new Postgres().start();
        this.second = await new Standby().start(this.first);
        this.current = this.first;
        const hosts = [this.first, this.second].map(({ port }) => `127.0.0.1:${port}`).join();
        this.url = `postgres://holdfast@${hosts}/postgres?target_session_attrs=read-write`;
        if (this.synchronous) {
            await this.wait();
        }
        return this;
    }

    /* Commits wait for the standby from now on. */
    async wait() {
        this.first.sql(`ALTER SYSTEM SET synchronous_standby_names='${NAME}'`);
        this.first.sql('SELECT pg_reload_conf()');
        await this.replicating('sync');
    }

    replicating(state) {
        const states = () => this.first.sql('SELECT sync_state FROM pg_stat_replication').flat();
        return eventually(states, (list) => list.includes(state), `a standby that is ${state}`, 60_000);
    }

    sql(text) {
        return this.current.sql(text);
    }

    /* The first server is gone, as if its power had failed, and the standby takes its place. */
    async failOver() {
        await this.first.stop('SIGQUIT');
        this.second.promote();
        this.current = this.second;
    }

    async close() {
        await this.second?.close();
        await this.first?.close();
    }
}

module.exports = { Replicas, Standby };
