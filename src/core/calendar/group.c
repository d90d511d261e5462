/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/group.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/codec.h"
#include "core/state.h"
#include "core/state_check_parts.h"

/* ---- Finding ---- */

static uint64_t hash_of_id(void *owner, uint32_t index)
{
    return calendar_id_hash(((struct state *)owner)->groups[index]->image.id);
}

static uint64_t hash_of_number(void *owner, uint32_t index)
{
    return event_number_hash(((struct state *)owner)->groups[index]->image.number);
}

static bool same_id(void *owner, uint32_t index, const void *key)
{
    return text_equal(((struct state *)owner)->groups[index]->image.id, *(const struct text *)key);
}

static bool same_number(void *owner, uint32_t index, const void *key)
{
    return ((struct state *)owner)->groups[index]->image.number == *(const uint64_t *)key;
}

void groups_init(struct state *st)
{
    table_init(&st->groups_by_id, hash_of_id, st);
    table_init(&st->groups_by_number, hash_of_number, st);
}

/* Finds removed ones, too. */
static struct group *find_any(const struct state *st, struct text id)
{
    uint32_t index = table_find(&st->groups_by_id, calendar_id_hash(id), same_id, &id);
    return index == TABLE_NONE ? NULL : st->groups[index];
}

struct group *group_find(const struct state *st, struct text id)
{
    struct group *g = find_any(st, id);
    return g && !g->image.removed ? g : NULL;
}

struct group *group_find_number(const struct state *st, uint64_t number)
{
    uint32_t index = table_find(&st->groups_by_number, event_number_hash(number), same_number, &number);
    return index == TABLE_NONE ? NULL : st->groups[index];
}

const struct group_image *group_view(struct group *g)
{
    struct group_member *members = (struct group_member *)(uintptr_t)g->image.members;
    for (uint32_t i = 0; i < g->image.member_count; i++)
        members[i].id = g->calendars[i]->image.id;
    return &g->image;
}

bool group_has(const struct group *g, const struct calendar *c)
{
    for (uint32_t i = 0; i < c->group_count; i++)
        if (c->groups[i] == g->index)
            return true;
    return false;
}

const struct group *calendar_group(const struct state *st, const struct calendar *c, uint32_t index)
{
    return index < c->group_count ? st->groups[c->groups[index]] : NULL;
}

bool calendar_in_group(const struct calendar *c)
{
    return c->group_count > 0;
}

bool calendar_shares_group(const struct state *st, const struct calendar *c)
{
    for (uint32_t i = 0; i < c->group_count; i++)
        if (st->groups[c->groups[i]]->image.member_count > 1)
            return true;
    return false;
}

/* ---- The record ---- */

static void image_release(struct group_image *image)
{
    text_free(image->id);
    text_free(image->name);
    free((void *)(uintptr_t)image->members);
}

void groups_release(struct state *st)
{
    for (uint32_t i = 0; i < st->group_count; i++) {
        image_release(&st->groups[i]->image);
        free(st->groups[i]);
    }
    free(st->groups);
    table_release(&st->groups_by_id);
    table_release(&st->groups_by_number);
}

/* Whether both can be in one group. */
static bool calendars_compatible(const struct calendar *a, const struct calendar *b)
{
    return text_equal(a->image.timezone, b->image.timezone) &&
           memcmp(a->image.terms.currency, b->image.terms.currency, sizeof(a->image.terms.currency)) == 0;
}

static bool is_duplicate(const struct group_image *image, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (image->members[i].calendar == image->members[index].calendar)
            return true;
    return false;
}

/* Whether the calendar can be in this group (NULL: a new one) in addition to its others. */
static bool can_join(const struct group *g, const struct calendar *c)
{
    return c->group_count < CALENDAR_GROUPS_MAX || (g && group_has(g, c));
}

/* Whether the image is possible in an undamaged journal or book. */
static bool group_image_sound(const struct state *st, const struct group *g, const struct group_image *image)
{
    if (image->number < 1 || image->id.size < 1 || image->id.size > ID_SIZE_MAX ||
        image->name.size > NAME_SIZE_MAX || image->pick < GROUP_PICK_FIRST || image->pick > GROUP_PICK_LAST ||
        image->member_count > GROUP_CALENDARS_MAX || (image->member_count == 0) != image->removed)
        return false;
    for (uint32_t i = 0; i < image->member_count; i++) {
        const struct calendar *c = calendar_find_number(st, image->members[i].calendar),
                              *first = calendar_find_number(st, image->members[0].calendar);
        if (!c || is_duplicate(image, i) || !calendars_compatible(c, first) || !can_join(g, c))
            return false;
    }
    return true;
}

static void leave(const struct group *g)
{
    for (uint32_t k = 0; k < g->image.member_count; k++) {
        struct calendar *c = g->calendars[k];
        uint32_t i = 0;
        while (c->groups[i] != g->index)
            i++;
        ASSERT(i < c->group_count);
        c->groups[i] = c->groups[--c->group_count]; /* the order does not matter */
    }
}

static void join(struct state *st, struct group *g)
{
    for (uint32_t k = 0; k < g->image.member_count; k++) {
        struct calendar *c = calendar_find_number(st, g->image.members[k].calendar);
        ASSERT(c && c->group_count < CALENDAR_GROUPS_MAX);
        g->calendars[k] = c;
        c->groups[c->group_count++] = g->index;
    }
}

struct group *group_restore(struct state *st, const struct group_image *image, uint64_t seq)
{
    struct group *g = group_find_number(st, image->number);
    /* The same id is the same group forever. */
    if (g != find_any(st, image->id) || !group_image_sound(st, g, image))
        return NULL;
    /* Copy before freeing the old ones: the image can borrow them. */
    struct group_image own = *image;
    own.id = text_own(image->id);
    own.name = text_own(image->name);
    own.members = NULL;
    if (image->member_count)
        own.members = (void *)memory_copy(image->members, image->member_count * sizeof(*image->members));
    if (g) {
        leave(g);
        image_release(&g->image);
        g->image = own;
    } else {
        g = memory_zeroed(1, sizeof(*g));
        st->groups = memory_room_counted(st->groups, st->group_count, sizeof(*st->groups));
        g->index = st->group_count;
        st->groups[st->group_count++] = g;
        g->image = own;
        table_insert(&st->groups_by_number, event_number_hash(own.number), g->index);
        table_insert(&st->groups_by_id, calendar_id_hash(own.id), g->index);
    }
    join(st, g);
    if (own.removed)
        st->removed_seq = seq;
    g->seq = seq;
    return g;
}

/* ---- Commands ---- */

/* Looks up the members by id; INVALID with the pointer of the first that cannot be a member. */
static enum outcome_code members_find(struct state *st, const struct group *g, struct group_image *image,
                                      struct group_member *members, struct outcome *out)
{
    const struct calendar *first = NULL;
    ASSERT(image->member_count >= 1 && image->member_count <= GROUP_CALENDARS_MAX);
    for (uint32_t i = 0; i < image->member_count; i++) {
        const struct calendar *c = calendar_find(st, image->members[i].id);
        if (!c)
            return state_invalid(out, "Invalid calendars: no such calendar.", "/calendars/%u", i);
        members[i] = (struct group_member){.calendar = c->image.number};
        first = first ? first : c;
        if (!text_equal(c->image.timezone, first->image.timezone))
            return state_invalid(out, "Invalid calendars: all must have the same time zone.", "/calendars/%u",
                                 i);
        if (!calendars_compatible(c, first))
            return state_invalid(out, "Invalid calendars: all must have the same currency.", "/calendars/%u",
                                 i);
        if (!can_join(g, c))
            return state_invalid(out, "Invalid calendars: a calendar can be in at most 10 groups.",
                                 "/calendars/%u", i);
    }
    image->members = members;
    for (uint32_t i = 0; i < image->member_count; i++)
        if (is_duplicate(image, i))
            return state_invalid(out, "Invalid calendars: duplicate calendar.", "/calendars/%u", i);
    return OUTCOME_OK;
}

static struct group *group_save(struct state *st, const struct group_image *image)
{
    st->change.kind = CHANGE_GROUP;
    st->change.group = *image;
    state_commit(st);
    return group_find_number(st, image->number);
}

/* `members` has room for the members in the command. */
static enum outcome_code put(struct state *st, const struct command *c, struct group_member *members,
                             struct outcome *out)
{
    struct group_image image = c->group_put;
    struct group *g = find_any(st, image.id);
    enum outcome_code code = members_find(st, g, &image, members, out);
    if (code != OUTCOME_OK)
        return code;
    out->created = !g || g->image.removed;
    image.number = g ? g->image.number : state_next_seq(st);
    image.created_at_ms = out->created ? st->now_ms : g->image.created_at_ms;
    image.removed = false;
    g = group_save(st, &image);
    out->group = *group_view(g);
    state_saw(out, g->seq);
    return OUTCOME_OK;
}

enum outcome_code group_put(struct state *st, const struct command *c, struct outcome *out)
{
    struct group_member *members = memory_zeroed(c->group_put.member_count, sizeof(*members));
    enum outcome_code code = put(st, c, members, out);
    free(members);
    return code;
}

enum outcome_code group_remove(struct state *st, const struct command *c, struct outcome *out)
{
    const struct group *g = group_find(st, c->group);
    if (!g)
        return OUTCOME_NO_SUCH_GROUP;
    struct group_image image = g->image;
    image.removed = true;
    image.members = NULL;
    image.member_count = 0;
    g = group_save(st, &image);
    ASSERT(g->image.member_count == 0);
    out->seq = g->seq;
    return OUTCOME_OK;
}

/* ---- The change: read change_codec.c before touching its bytes ---- */

/* clang-format off */
#define GROUP_FIELDS(X) \
    X(number, number) X(text, id) X(text, name) X(word, pick, GROUP_PICK_FIRST, GROUP_PICK_LAST) \
    X(signed, created_at_ms) X(flag, removed)
/* clang-format on */

void group_change_put(struct buf *out, const struct change *c)
{
    const struct group_image *r = &c->group;
    ASSERT(r->number >= 1 && r->id.size <= ID_SIZE_MAX);
    GROUP_FIELDS(CODEC_PUT)
    codec_put_u32(out, r->member_count, GROUP_CALENDARS_MAX);
    for (uint32_t i = 0; i < r->member_count; i++)
        bytes_put_varint(out, r->members[i].calendar);
}

void group_change_get(struct bytes_reader *in, struct change *c)
{
    struct group_image *r = &c->group;
    *r = (struct group_image){.members = c->members};
    GROUP_FIELDS(CODEC_GET)
    r->member_count = codec_get_u32(in, GROUP_CALENDARS_MAX);
    for (uint32_t i = 0; i < r->member_count; i++)
        c->members[i] = (struct group_member){.calendar = bytes_get_varint(in)};
}

bool group_change_restore(struct state *st, const struct change *c)
{
    /* Records from the book have seq 0. */
    bool known = c->seq == 0 || c->group.number == c->seq || group_find_number(st, c->group.number) != NULL;
    return known && group_restore(st, &c->group, c->seq) != NULL;
}

/* ---- For state_check ---- */

static uint32_t places_of(const struct group *g)
{
    uint32_t places = 0;
    for (uint32_t i = 0; i < g->image.member_count; i++)
        places += group_has(g, g->calendars[i]);
    return places;
}

void check_calendar_groups(struct check *c)
{
    const struct state *st = c->st;
    uint64_t places = 0, counted = 0;
    for (uint32_t i = 0; i < st->group_count; i++) {
        const struct group *g = st->groups[i];
        struct text id = g->image.id;
        check_expect(c, g->index == i && find_any(st, id) == g && group_find_number(st, g->image.number) == g,
                     "Group %.*s cannot be found.", TEXT_ARGS(id));
        check_expect(c, g->image.number >= 1 && g->image.number <= st->seq && g->seq <= st->seq,
                     "Group %.*s has a number or seq that was never issued.", TEXT_ARGS(id));
        check_expect(c, group_image_sound(st, g, &g->image), "Group %.*s has incompatible members.",
                     TEXT_ARGS(id));
        check_expect(c, places_of(g) == g->image.member_count,
                     "Group %.*s is not listed in all its calendars.", TEXT_ARGS(id));
        places += g->image.member_count;
    }
    for (uint32_t i = 0; i < st->calendar_count; i++)
        counted += st->calendars[i]->group_count;
    check_expect(c, places == counted, "The calendars are in %llu groups, the groups have %llu calendars.",
                 (unsigned long long)counted, (unsigned long long)places);
}
