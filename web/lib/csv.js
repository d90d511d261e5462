/* SPDX-License-Identifier: Apache-2.0 */
/* csv.js — CSV (RFC 4180) record by record, as the server reads it (src/http/api/csv.c).
 *
 * Unlike the server it does not stop at the first mistake: a record that cannot be read has a `fault`, the key of a text,
 * and reading goes on behind its line end. The header is line 1; a byte order mark and empty lines are passed over.
 */
class Reader {
    constructor(text) {
        this.text = text;
        this.at = text.startsWith('\ufeff') ? 1 : 0;
        this.line = 1;
    }

    get over() {
        return this.at >= this.text.length;
    }

    lineEnds() {
        return this.over || this.text[this.at] === '\n' || this.text.startsWith('\r\n', this.at);
    }

    skipLineEnd() {
        if (!this.over) {
            this.at += this.text[this.at] === '\r' ? 2 : 1;
            this.line++;
        }
    }

    /* After a mistake: to the end of this line. */
    skipLine() {
        const end = this.text.indexOf('\n', this.at);
        this.at = end < 0 ? this.text.length : end;
    }

    quoted(record) {
        const from = this.at + 1;
        let end = this.text.indexOf('"', from);
        while (end >= 0 && this.text[end + 1] === '"') {
            end = this.text.indexOf('"', end + 2);
        }
        if (end < 0) {
            record.fault = 'csv_quote_open';
            return '';
        }
        const value = this.text.slice(from, end);
        this.line += value.split('\n').length - 1;
        this.at = end + 1;
        if (!this.lineEnds() && this.text[this.at] !== ',') {
            record.fault = 'csv_quote_followed';
        }
        return value.replaceAll('""', '"');
    }

    plain(record) {
        const from = this.at;
        while (!this.lineEnds() && this.text[this.at] !== ',') {
            if (this.text[this.at] === '"') {
                record.fault = 'csv_quote_inside';
            } else if (this.text[this.at] === '\r') {
                record.fault = 'csv_lone_return';
            }
            this.at++;
        }
        return this.text.slice(from, this.at);
    }

    record() {
        const record = { line: this.line, fields: [], fault: null };
        for (;;) {
            record.fields.push(this.text[this.at] === '"' ? this.quoted(record) : this.plain(record));
            if (record.fault) {
                this.skipLine();
            }
            if (this.lineEnds()) {
                break;
            }
            this.at++;
        }
        this.skipLineEnd();
        return record;
    }
}

/* Every record, the header first: [{line, fields, fault}]. */
export function readCsv(text) {
    const reader = new Reader(text);
    const records = [];
    while (!reader.over) {
        if (records.length && reader.lineEnds()) {
            reader.skipLineEnd();
        } else {
            records.push(reader.record());
        }
    }
    return records;
}
