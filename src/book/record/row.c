/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/row.h"

#include <endian.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/json/json_reader.h"
#include "base/json/json_writer.h"
#include "core/calendar/hours.h"

#define PAIR_SIZE 16
#define TIERS_BYTES_MAX (TIERS_MAX * (6 * LABEL_SIZE_MAX + 3) + 8) /* each byte escaped */
#define PREFIX_SIZE 4                                              /* of an id */
static const char *const prefixes[] = {[MADE_RESERVATION] = "res_",
                                       [MADE_QUEUE_ENTRY] = "ent_",
                                       [MADE_LIST_ENTRY] = "lst_",
                                       [MADE_RIDE] = "rid_"};
_Static_assert(sizeof("res_") == PREFIX_SIZE + 1 && RESERVATION_ID_SIZE == PREFIX_SIZE + ID_TEXT_SIZE,
               "an id is a prefix and its text");

#define DAYS 7
#define DAY_SIZE 3
static const char day_names[] = "mon tue wed thu fri sat sun";
_Static_assert(sizeof(day_names) == DAYS * (DAY_SIZE + 1), "found by position");

void book_row_accept(struct sql *s, bool accepted, const char *what, uint64_t number)
{
    if (!accepted)
        sql_fail(s, STATUS_CORRUPT, "The book contradicts itself at %s %llu.", what,
                 (unsigned long long)number);
}

/* ---- Into a statement ---- */

void book_row_bind_made(struct sql_statement *t, int parameter, enum made_kind kind, struct id id)
{
    char text[RESERVATION_ID_SIZE];
    ASSERT(kind <= MADE_RIDE);
    memcpy(text, prefixes[kind], PREFIX_SIZE);
    id_write(id, text + PREFIX_SIZE);
    sql_bind_copy(t, parameter, (struct text){text, sizeof(text)});
}

void book_row_bind_id(struct sql_statement *t, int parameter, struct id id)
{
    if (id_none(id))
        sql_bind_null(t, parameter);
    else
        book_row_bind_made(t, parameter, MADE_RESERVATION, id);
}

void book_row_bind_tiers(struct sql_statement *t, int parameter, const struct text *tiers, uint32_t count)
{
    ASSERT(count <= TIERS_MAX);
    if (!count) {
        sql_bind_null(t, parameter);
        return;
    }
    struct buf text;
    buf_init(&text, TIERS_BYTES_MAX);
    struct json_writer w = json_writer_make(&text);
    json_array_begin(&w);
    for (uint32_t i = 0; i < count; i++)
        json_text(&w, tiers[i].at, tiers[i].size);
    json_array_end(&w);
    sql_bind_copy(t, parameter, (struct text){(const char *)text.data, text.size});
    buf_release(&text);
}

void book_row_bind_pair(struct sql_statement *t, int parameter, const uint64_t pair[2], bool zero_is_null)
{
    const uint64_t bytes[] = {htobe64(pair[0]), htobe64(pair[1])};
    _Static_assert(sizeof(bytes) == PAIR_SIZE, "as it is read");
    if (zero_is_null && !pair[0] && !pair[1])
        sql_bind_null(t, parameter);
    else
        sql_bind_blob(t, parameter, bytes, sizeof(bytes));
}

void book_row_bind_days(struct sql_statement *t, int parameter, uint8_t days)
{
    char text[sizeof(day_names)];
    size_t size = 0;
    ASSERT(days && days < 1u << DAYS); /* book_row_days refuses an empty set */
    for (size_t day = 0; day < DAYS; day++) {
        if (!(days & 1u << day))
            continue;
        if (size)
            text[size++] = ' ';
        memcpy(text + size, day_names + day * (DAY_SIZE + 1), DAY_SIZE);
        size += DAY_SIZE;
    }
    sql_bind_copy(t, parameter, (struct text){text, size});
}

void book_row_bind_minute(struct sql_statement *t, int parameter, uint16_t of_a_day)
{
    char text[8];
    ASSERT(of_a_day < HOURS_DAY_MINUTES);
    int size = snprintf(text, sizeof(text), "%02u:%02u", of_a_day / 60u % 100u, of_a_day % 60u);
    sql_bind_copy(t, parameter, (struct text){text, (size_t)size});
}

/* ---- Out of a row ---- */

static void fail_word(struct sql *s, const char *what, struct text word)
{
    sql_fail(s, STATUS_CORRUPT, "The book has an invalid %s: '%.*s'.", what,
             (int)(word.size < 40 ? word.size : 40), word.at ? word.at : "");
}

static bool id_of(struct text text, enum made_kind kind, struct id *id)
{
    return text.size == RESERVATION_ID_SIZE && memcmp(text.at, prefixes[kind], PREFIX_SIZE) == 0 &&
           id_read(text.at + PREFIX_SIZE, text.size - PREFIX_SIZE, id);
}

struct id book_row_id(struct sql *s, struct sql_statement *t, int column)
{
    struct id id = {0};
    struct text text = sql_text(t, column);
    if (text.at && !id_of(text, MADE_RESERVATION, &id))
        fail_word(s, "reservation id", text);
    return id;
}

struct id book_row_ride(struct sql *s, struct sql_statement *t, int column)
{
    struct id id = {0};
    if (!id_of(sql_text(t, column), MADE_RIDE, &id))
        fail_word(s, "ride id", sql_text(t, column));
    return id;
}

struct id book_row_made(struct sql *s, struct sql_statement *t, int column, enum made_kind *kind)
{
    struct id id = {0};
    for (int k = MADE_RESERVATION; k <= MADE_RIDE; k++)
        if (id_of(sql_text(t, column), (enum made_kind)k, &id)) {
            *kind = (enum made_kind)k;
            return id;
        }
    /* Any value: the connection has a fault. */
    *kind = MADE_RESERVATION;
    fail_word(s, "id of a created record", sql_text(t, column));
    return id;
}

struct tiers_row {
    struct json_list_value tiers;
};
static const struct json_field tiers_fields[] = {
    JSON_TEXTS(struct tiers_row, tiers, 1, TIERS_MAX, JSON_REQUIRED), JSON_END};

const struct text *book_row_tiers(struct sql *s, struct sql_statement *t, int column, struct arena *arena,
                                  uint32_t *count)
{
    *count = 0;
    if (sql_null(t, column))
        return NULL;
    struct text array = sql_text(t, column);
    struct tiers_row row = {0};
    struct json_fault fault;
    struct buf object; /* the JSON reader reads objects only */
    buf_init(&object, array.size + 64);
    buf_append_text(&object, "{\"tiers\":");
    buf_append(&object, array.at, array.size);
    buf_append_text(&object, "}");
    bool sound = json_read((const char *)object.data, object.size, tiers_fields, &row, arena, &fault);
    buf_release(&object);
    const struct json_text_value *names = row.tiers.entries;
    ASSERT(!sound || row.tiers.count <= TIERS_MAX); /* by tiers_fields */
    struct text *tiers = arena_take(arena, TIERS_MAX * sizeof(*tiers));
    for (size_t i = 0; sound && i < row.tiers.count; i++) {
        sound = names[i].size >= 1 && names[i].size <= LABEL_SIZE_MAX;
        tiers[i] = (struct text){names[i].text, names[i].size};
    }
    if (!sound)
        fail_word(s, "list of tiers", array);
    *count = sound ? (uint32_t)row.tiers.count : 0;
    return tiers;
}

static void fail_size(struct sql *s, const char *what, int size)
{
    sql_fail(s, STATUS_CORRUPT, "The book has a %s that is not %d bytes long.", what, size);
}

void book_row_pair(struct sql *s, struct sql_statement *t, int column, uint64_t out[2])
{
    out[0] = out[1] = 0;
    if (sql_null(t, column))
        return;
    const uint8_t *bytes = sql_blob(t, column, PAIR_SIZE);
    if (!bytes) {
        fail_size(s, "key", PAIR_SIZE);
        return;
    }
    for (int i = 0; i < PAIR_SIZE; i++)
        out[i / 8] = out[i / 8] << 8 | bytes[i];
}

void book_row_hash(struct sql *s, struct sql_statement *t, int column, uint8_t out[BOOK_HASH_SIZE])
{
    const void *bytes = sql_blob(t, column, BOOK_HASH_SIZE);
    if (bytes)
        memcpy(out, bytes, BOOK_HASH_SIZE);
    else
        fail_size(s, "hash or seed", BOOK_HASH_SIZE);
}

void book_row_currency(struct sql *s, struct sql_statement *t, int column, char out[4])
{
    struct text text = sql_text(t, column);
    memset(out, 0, 4);
    if (text.size > 3)
        fail_word(s, "currency", text);
    else if (text.size)
        memcpy(out, text.at, text.size);
}

int book_row_word(struct sql *s, struct sql_statement *t, int column, const struct book_words *words)
{
    struct text text = sql_text(t, column);
    for (int value = words->first; value <= words->last; value++) {
        const char *name = words->name(value);
        if (name && text_equal(text, (struct text){name, strlen(name)}))
            return value;
    }
    fail_word(s, words->what, text);
    return words->last;
}

uint8_t book_row_days(struct sql *s, struct sql_statement *t, int column)
{
    struct text text = sql_text(t, column), rest = text;
    uint8_t days = 0;
    /* In the order of the week, each at most once: there is one spelling for each set. */
    for (size_t day = 0; day < DAYS; day++)
        if (rest.size >= DAY_SIZE && memcmp(rest.at, day_names + day * (DAY_SIZE + 1), DAY_SIZE) == 0) {
            days = (uint8_t)(days | 1u << day);
            size_t step = rest.size > DAY_SIZE && rest.at[DAY_SIZE] == ' ' ? DAY_SIZE + 1 : DAY_SIZE;
            rest = (struct text){rest.at + step, rest.size - step};
        }
    if (!days || rest.size)
        fail_word(s, "set of days", text);
    return days;
}

uint16_t book_row_minute(struct sql *s, struct sql_statement *t, int column)
{
    static const char least[] = "00:00", most[] = "29:59"; /* each character of a time is between these */
    struct text text = sql_text(t, column);
    bool sound = text.size == sizeof(least) - 1;
    for (size_t i = 0; sound && i < text.size; i++)
        sound = text.at[i] >= least[i] && text.at[i] <= most[i];
    int minute =
        sound ? (text.at[0] * 10 + text.at[1] - '0' * 11) * 60 + text.at[3] * 10 + text.at[4] - '0' * 11
              : HOURS_DAY_MINUTES;
    if (minute >= HOURS_DAY_MINUTES) {
        fail_word(s, "time of day", text);
        return 0;
    }
    return (uint16_t)minute;
}
