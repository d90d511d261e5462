/* SPDX-License-Identifier: Apache-2.0 */
/* group.c — writes and loads groups of calendars. A change carries the whole record: its members are replaced. Faults stick to
 * the connection (see sql.h). */
#include "book/record/kept.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"

struct book_group {
    struct sql_statement *put, *members_remove, *member_insert;
};

struct book_group *book_group_make(struct sql *s)
{
    struct book_group *b = memory_zeroed(1, sizeof(*b));
    b->put = book_record_prepare(s, &group_record, BOOK_UPSERT);
    b->members_remove = sql_prepare(s, "DELETE FROM group_members WHERE group_number = ?");
    b->member_insert = book_record_prepare(s, &group_member_record, BOOK_INSERT);
    return b;
}

void book_group_put(struct book_parts *parts, const struct change *c)
{
    struct book_group *b = parts->group;
    const struct group_image *i = &c->group;
    ASSERT(c->kind == CHANGE_GROUP && i->number && i->number <= c->seq);
    ASSERT(i->member_count <= GROUP_CALENDARS_MAX); /* more could not be loaded */
    ASSERT(i->removed == (i->member_count == 0));
    book_record_put(b->put, &group_record, i);
    sql_do_ints(b->members_remove, i->number);
    for (uint32_t k = 0; k < i->member_count; k++)
        book_record_put(b->member_insert, &group_member_record,
                        &(struct book_group_member){i->number, k, i->members[k].calendar});
}

void book_group_each(struct sql *s, const struct book_load_sink *sink, struct change *c)
{
    struct group_image *i = &c->group;
    struct book_group_member row;
    struct sql_statement *groups = book_record_prepare(s, &group_record, BOOK_LOAD_ALL);
    struct sql_statement *members =
        book_record_prepare(s, &group_member_record, BOOK_SELECT "WHERE group_number = ? ORDER BY position");
    while (sql_next(groups)) {
        *i = (struct group_image){.members = c->members};
        book_record_read(s, groups, &group_record, i, NULL);
        sql_bind_ints(members, i->number);
        while (sql_next(members)) {
            book_record_read(s, members, &group_member_record, &row, NULL);
            bool fits = row.position == i->member_count && row.position < GROUP_CALENDARS_MAX;
            book_row_accept(s, fits, "a member of group", i->number);
            if (fits)
                c->members[i->member_count++] = (struct group_member){.calendar = row.calendar};
        }
        if (sql_sound(s))
            book_row_accept(s, sink->record(sink->owner, c), "group", i->number);
    }
}
