/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h — the form of answers: a table for each kind of record, shown in /openapi.json.
 *
 * A table names every member of its record, and no other; a member is always present unless its row says
 * otherwise. The table is made from the list that also writes the record (record.h). tests/conformance checks
 * every answer against it.
 *
 * Every member has a description and an example; the examples of whole answers are made from those (example.h).
 *
 * To add a kind of record: its list beside the handlers that answer with it, and the answers in the route table
 * that use it, through which it is found. A new member of a record is a row of its list.
 */
#ifndef HTTP_SCHEMA_H
#define HTTP_SCHEMA_H

#include "base/json/json_writer.h"

enum schema_kind {
    SCHEMA_END, /* of a table */
    SCHEMA_TEXT,
    SCHEMA_WORD, /* one of the texts of `word` */
    SCHEMA_TIME, /* RFC 3339 */
    SCHEMA_INT,
    SCHEMA_NUMBER,
    SCHEMA_BOOL,
    SCHEMA_OBJECT,  /* of the caller's own: any members */
    SCHEMA_NOTHING, /* null */
    SCHEMA_RECORD,  /* as `record` describes it */
};

enum schema_many {
    SCHEMA_ONE,
    SCHEMA_LIST, /* an array of such values */
    SCHEMA_MAP,  /* an object: such a value for each id */
    SCHEMA_MAPS, /* an object: such a map for each id */
};

enum { SCHEMA_NULLABLE = 1, SCHEMA_OPTIONAL = 2 };

struct schema_member {
    const char *name;
    enum schema_kind kind;
    unsigned may_be; /* SCHEMA_NULLABLE, SCHEMA_OPTIONAL */
    const struct schema *record;
    const char *(*word)(unsigned index); /* NULL after the last */
    enum schema_many many;
    const char *about;   /* a sentence */
    const char *example; /* as JSON: one value, or null or [] for the whole; "": a record, or optional */
    const char *key;     /* MAP: an id for the example */
};

/* Its members; or, without any, one of several records; or, without either, any object. */
struct schema {
    const char *name, *about;
    const struct schema_member *members;
    const struct schema *const *one_of; /* ends in NULL */
    const char *example;                /* of any object: as JSON */
};

/* Records by name, each once. Zero is empty. */
struct schema_set {
    const struct schema *records[128];
    unsigned count;
};
bool schema_set_insert(struct schema_set *set, const struct schema *s);    /* false: already in it */
void schema_set_add(struct schema_set *set, const struct schema *s);       /* with all records it refers to */
void schema_set_add_shown(struct schema_set *set, const struct schema *s); /* only the records it refers to */

/* Members of the components' schemas, which the caller has begun. */
void schema_write_set(struct json_writer *w, const struct schema_set *set);
/* Each writes one value. */
void schema_write_component(struct json_writer *w, const char *kind, const char *name); /* a $ref to it */
void schema_write_ref(struct json_writer *w, const struct schema *s);                   /* by its name */
void schema_write_page(struct json_writer *w, const struct schema *s); /* a page of a list of such records */
/* A message to a hook: {type, timestamp, data}, with this type and such data. */
void schema_write_message(struct json_writer *w, const char *type, const struct schema *data);
void schema_write_events(struct json_writer *w, const struct schema *stream); /* by their names */
void schema_write_one_of(struct json_writer *w, const struct schema *stream); /* the data of any of them */
/* A member of the schema that is being written: `type`, with "null" if it may be. */
void schema_write_type(struct json_writer *w, const char *type, bool nullable);
/* Two members: `type` and `enum`. */
void schema_write_words(struct json_writer *w, const char *(*word)(unsigned index), bool nullable);

#endif
