/* SPDX-License-Identifier: Apache-2.0 */
/* link.h — intrusive doubly linked lists: the link is a member of the listed struct. The list itself is a link too;
 * a link that is in no list points to itself.
 */
#ifndef HTTP_LINK_H
#define HTTP_LINK_H

#include <stdbool.h>
#include <stddef.h>

struct link {
    struct link *prev, *next;
};

#define LINK_OWNER(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void link_init(struct link *l)
{
    l->prev = l->next = l;
}
static inline bool link_alone(const struct link *l)
{
    return l->next == l;
}
static inline void link_remove(struct link *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
    link_init(l);
}
/* Moves it to the end of the list, from any list it is in. */
static inline void link_append(struct link *list, struct link *l)
{
    link_remove(l);
    l->prev = list->prev;
    l->next = list;
    list->prev->next = l;
    list->prev = l;
}
/* Moves all that are in `from` to the end of the list. */
static inline void link_splice(struct link *list, struct link *from)
{
    if (link_alone(from))
        return;
    from->next->prev = list->prev;
    from->prev->next = list;
    list->prev->next = from->next;
    list->prev = from->prev;
    link_init(from);
}

#endif
