/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/check.h"

#include <stdio.h>

#include "base/assertion.h"
#include "book/record/columns.h"
#include "book/file/pages.h"
#include "book/record/row.h"
#include "book/file/schema.h"
#include "book/file/sql.h"

#define OF_EACH_KIND 10 /* sentences at most */
#define LIVE "(r.status = 'held' OR r.status = 'confirmed')"
#define IN_LINE "(status = 'waiting' OR status = 'admitted' OR status = 'passed_over')"
#define ON_LIST "(status = 'waiting' OR status = 'offered')"

/* clang-format off */
/* Run for each kind of item that has what they name; {claims} in an SQL comment counts, too. */
static const char *const item_rules[] = {
    /* claims that take a whole part: exactly what live reservations have */
    "SELECT printf('Reservation %d claims {word} %d of event %d, but has no live item for it.', "
      "c.reservation, c.{word}, c.{owner}) FROM {claims} c WHERE NOT EXISTS (SELECT 1 FROM items i "
      "JOIN reservations r ON r.number = i.reservation WHERE i.reservation = c.reservation "
      "AND i.kind = '{word}' AND i.{owner} = c.{owner} AND i.position = c.{word} AND " LIVE ")",
    "SELECT printf('Item %d of reservation %d (%s) has no claim on {word} %d of event %d.', i.item_id, "
      "i.reservation, r.id, i.position, i.{owner}) FROM items i "
      "JOIN reservations r ON r.number = i.reservation LEFT JOIN {claims} c ON c.{owner} = i.{owner} "
      "AND c.{word} = i.position AND c.reservation = i.reservation WHERE i.kind = '{word}' AND " LIVE " "
      "AND c.reservation IS NULL",
    "SELECT printf('Reservation %d has {word} %d of event %d twice.', reservation, position, {owner}) "
      "FROM items /* {claims} */ WHERE kind = '{word}' GROUP BY reservation, {owner}, position HAVING count(*) > 1",
    "SELECT printf('Item %d of reservation %d names something in {parts} that {owner} %d does not have.', "
      "i.item_id, i.reservation, i.{owner}) FROM items i WHERE i.kind = '{word}' "
      "AND i.position IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {parts} p WHERE p.{owner} = i.{owner} "
      "AND p.position = i.position)",
};

/* Each gives one sentence for each row that is wrong. To add a rule: a line here, and a case in
 * tests/unit/book_check.c that breaks it. */
static const char *const rules[] = {
    "SELECT printf('Seat %s of event %d is removed, but blocked or in an allotment.', id, event) FROM seats "
      "WHERE removed = 1 AND (blocked = 1 OR allotment IS NOT NULL)",

    /* calendars: exactly the slots of live reservations, within the capacity; the counts are the sums */
    "SELECT printf('Calendar %d is claimed from %d on by item %d of reservation %d, which is not a live slot of it.', "
      "c.calendar, c.starts_at, c.item_id, c.reservation) FROM calendar_claims c WHERE NOT EXISTS (SELECT 1 "
      "FROM items i JOIN reservations r ON r.number = i.reservation WHERE i.reservation = c.reservation "
      "AND i.item_id = c.item_id AND i.kind = 'slot' AND i.calendar = c.calendar "
      "AND i.starts_at - i.lead_ms = c.starts_at AND i.until = c.until AND " LIVE ")",
    "SELECT printf('Item %d of reservation %d (%s) has no claim on calendar %d from %d on.', i.item_id, "
      "i.reservation, r.id, i.calendar, i.starts_at) FROM items i "
      "JOIN reservations r ON r.number = i.reservation "
      "LEFT JOIN calendar_claims c ON c.calendar = i.calendar AND c.starts_at = i.starts_at - i.lead_ms "
      "AND c.reservation = i.reservation AND c.item_id = i.item_id WHERE i.kind = 'slot' AND " LIVE " "
      "AND c.reservation IS NULL",
    "WITH ahead AS (SELECT c.calendar, max(c.starts_at, m.last_at) AS at, c.until FROM calendar_claims c, "
      "meta m WHERE c.until > m.last_at), steps AS (SELECT calendar, at, 1 AS step FROM ahead UNION ALL "
      "SELECT calendar, until, -1 FROM ahead), counts AS (SELECT calendar, at, sum(sum(step)) "
      "OVER (PARTITION BY calendar ORDER BY at) AS claims FROM steps GROUP BY calendar, at) "
      "SELECT printf('Calendar %d (%s) has %d claims at once from %d on, over its capacity of %d.', "
      "c.number, c.id, n.claims, n.at, c.capacity) FROM counts n JOIN calendars c ON c.number = n.calendar "
      "WHERE n.claims > c.capacity",
    "WITH steps AS (SELECT calendar, starts_at AS at, 1 AS step FROM calendar_claims WHERE counted UNION ALL "
      "SELECT calendar, until, -1 FROM calendar_claims WHERE counted), counts AS (SELECT calendar, at, "
      "sum(sum(step)) OVER (PARTITION BY calendar ORDER BY at) AS claims, sum(step) AS step FROM steps "
      "GROUP BY calendar, at), sums AS (SELECT calendar, at, claims FROM counts WHERE step <> 0) "
      "SELECT printf('The count of claims on calendar %d at %d is wrong.', calendar, at) FROM (SELECT * FROM "
      "(SELECT * FROM sums EXCEPT SELECT calendar, at, claims FROM calendar_counts) UNION SELECT * FROM "
      "(SELECT calendar, at, claims FROM calendar_counts EXCEPT SELECT * FROM sums))",

    /* pools: the counts are the sums */
    "SELECT printf('Pool %s of event %d says %d held and %d sold, but its items say %d and %d.', p.id, "
      "p.event, p.held, p.sold, ifnull(i.held, 0), ifnull(i.sold, 0)) FROM pools p LEFT JOIN "
      "(SELECT i.event, i.position, sum(CASE r.status WHEN 'held' THEN i.quantity ELSE 0 END) AS held, "
      "sum(CASE r.status WHEN 'confirmed' THEN i.quantity ELSE 0 END) AS sold FROM items i "
      "JOIN reservations r ON r.number = i.reservation WHERE i.kind = 'pool' GROUP BY i.event, "
      "i.position) i ON i.event = p.event AND i.position = p.position WHERE p.held <> ifnull(i.held, 0) "
      "OR p.sold <> ifnull(i.sold, 0)",
    "SELECT printf('Pool %s of event %d has more taken than its capacity.', id, event) FROM pools "
      "WHERE held + sold > capacity",

    /* codes: positions without gaps, and whatever is claimed or waits with one has it */
    "SELECT printf('Event %d has %d codes, but their positions go up to %d.', event, count(*), max(position)) "
      "FROM codes GROUP BY event HAVING count(*) <> max(position) + 1 OR min(position) <> 0",
    "SELECT printf('Item %d of reservation %d was claimed with code %s, which event %d does not have.', i.item_id, "
      "i.reservation, i.code, i.event) FROM items i JOIN reservations r ON r.number = i.reservation "
      "WHERE i.code IS NOT NULL AND " LIVE " AND NOT EXISTS (SELECT 1 FROM codes c WHERE c.event = i.event AND c.code = i.code COLLATE NOCASE)",
    "SELECT printf('Entry %d on the waiting list of event %d waits with code %s, which the event does not have.', "
      "w.number, w.event, w.code) FROM waiting_list w JOIN events e ON e.number = w.event "
      "WHERE w.code IS NOT NULL AND e.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM codes c WHERE c.event = w.event AND c.code = w.code COLLATE NOCASE)",

    /* items and reservations */
    "SELECT printf('Item %d of reservation %d has invalid times.', item_id, reservation) FROM items "
      "WHERE (kind = 'slot') <> ((starts_at < ends_at AND ends_at <= until) IS TRUE)",
    "SELECT printf('Reservation %d (%s) has no items.', number, id) FROM reservations r WHERE NOT EXISTS "
      "(SELECT 1 FROM items i WHERE i.reservation = r.number)",
    "SELECT printf('Reservation %d (%s) has an item whose id was not issued yet.', r.number, r.id) "
      "FROM reservations r WHERE r.next_item_id <= (SELECT max(item_id) FROM items i "
      "WHERE i.reservation = r.number)",
    "SELECT printf('Reservation %d (%s) is %s, but its times do not match that.', number, id, status) "
      "FROM reservations WHERE (status = 'held' AND (confirmed_at IS NOT NULL OR ended_at IS NOT NULL)) "
      "OR (status = 'confirmed' AND (confirmed_at IS NULL OR ended_at IS NOT NULL OR ticket_key IS NULL)) "
      "OR (status NOT IN ('held', 'confirmed') AND ended_at IS NULL) OR (status IN ('cancelled', 'refunded') "
      "AND confirmed_at IS NULL)",
    "SELECT printf('Reservation %d (%s) has times in the wrong order.', number, id) FROM reservations "
      "WHERE expires_at < created_at OR max_expires_at < expires_at OR payment_started_at < created_at "
      "OR confirmed_at < created_at OR ended_at < created_at",
    "SELECT printf('Reservation %d (%s) has a fence that was never issued.', r.number, r.id) "
      "FROM reservations r, meta m WHERE r.fence < r.number OR r.fence > m.last_seq",
    "SELECT printf('Item %d of reservation %d has fence %d, which is not one of the reservation.', "
      "i.item_id, i.reservation, i.fence) FROM items i JOIN reservations r ON r.number = i.reservation "
      "WHERE i.fence < r.number OR i.fence > r.fence",
    "SELECT printf('Seat %s of event %d was freed by change %d, after it was claimed by %d.', s.id, s.event, "
      "s.version, i.fence) FROM claims c JOIN seats s ON s.event = c.event AND s.position = c.seat "
      "JOIN items i ON i.reservation = c.reservation AND i.kind = 'seat' AND i.event = c.event "
      "AND i.position = c.seat WHERE s.version >= i.fence",

    /* history: whole, and its end is the record */
    "SELECT printf('Reservation %d (%s) does not match the end of its history.', r.number, r.id) "
      "FROM reservations r LEFT JOIN history h ON h.reservation = r.number AND h.seq = (SELECT max(seq) "
      "FROM history WHERE reservation = r.number) WHERE h.seq IS NULL OR h.status <> r.status "
      "OR h.version <> r.version OR h.expires_at <> r.expires_at",
    "SELECT printf('Reservation %d (%s) has %d changes in its history, but version %d.', r.number, r.id, "
      "count(*), r.version) FROM reservations r JOIN history h ON h.reservation = r.number "
      "AND h.action NOT IN ('checked_in', 'check_in_undone', 'refund_due', 'refund_done', 'refund_withdrawn', "
      "'payment_received', 'payment_failed') GROUP BY r.number "
      "HAVING count(*) <> r.version OR min(h.seq) <> r.number",
    "SELECT printf('Change %d of reservation %d is about refund %s, which is none of its own.', h.seq, h.reservation, "
      "ifnull(h.refund, 'nothing')) FROM history h JOIN reservations r ON r.number = h.reservation "
      "LEFT JOIN refunds d ON d.number = h.refund AND d.reservation = r.id "
      "WHERE (h.refund IS NOT NULL OR h.action LIKE 'refund\\__%' ESCAPE '\\') AND d.number IS NULL",

    /* the ledger: what is owed is due, what is kept is a sale's, and the moves add up to the rows */
    "SELECT printf('Payment %s owes %d, but %d is due.', p.payment_ref, p.owed, ifnull(d.amount, 0)) FROM payments p "
      "LEFT JOIN refunds d ON d.payment_ref = p.payment_ref AND d.status = 'open' WHERE p.owed <> ifnull(d.amount, 0)",
    "SELECT printf('Payment %s keeps %d for reservation %d, which is %s.', p.payment_ref, p.kept, r.number, r.status) "
      "FROM payments p JOIN reservations r ON r.id = p.reservation WHERE p.kept > 0 AND r.status <> 'confirmed'",
    "SELECT printf('Reservation %d costs %d, but its payments keep %d.', number, total, kept) FROM (SELECT r.number, "
      "(SELECT sum(i.price) FROM items i WHERE i.reservation = r.number) AS total, sum(p.kept) AS kept "
      "FROM reservations r JOIN payments p ON p.reservation = r.id AND p.currency = r.currency GROUP BY r.number) WHERE kept > total",
    "SELECT printf('Payment %s has a refund due in %s, but is in %s itself.', p.payment_ref, d.currency, p.currency) "
      "FROM refunds d JOIN payments p ON p.payment_ref = d.payment_ref WHERE d.status = 'open' AND d.currency <> p.currency",
    "SELECT printf('The payments in %s add up to %d %d %d %d, but their moves to %d %d %d %d.', currency, sum(r), sum(k), sum(b), "
      "sum(o), sum(mr), sum(mk), sum(mb), sum(mo)) FROM (SELECT currency, received AS r, kept AS k, returned AS b, owed AS o, "
      "0 AS mr, 0 AS mk, 0 AS mb, 0 AS mo FROM payments UNION ALL SELECT currency, 0, 0, 0, 0, received, kept, returned, owed "
      "FROM payment_moves) GROUP BY currency HAVING sum(r) <> sum(mr) OR sum(k) <> sum(mk) OR sum(b) <> sum(mb) OR sum(o) <> sum(mo)",

    /* what items were before a change: of changes that are there, and of each that needs some */
    "SELECT printf('Item %d of reservation %d has a past before change %d, which is not in the history.', i.item_id, "
      "i.reservation, i.seq) FROM history_items i LEFT JOIN history h ON h.reservation = i.reservation "
      "AND h.seq = i.seq WHERE h.seq IS NULL",
    "SELECT printf('Change %d of reservation %d changed an item, but not which.', h.seq, h.reservation) FROM history h "
      "WHERE h.action IN ('item_dropped', 'item_moved', 'item_changed') AND NOT EXISTS (SELECT 1 "
      "FROM history_items i WHERE i.reservation = h.reservation AND i.seq = h.seq)",
    "SELECT printf('Item %d of reservation %d had fence %d before change %d, which it cannot have had.', i.item_id, "
      "i.reservation, i.fence, i.seq) FROM history_items i JOIN reservations r ON r.number = i.reservation "
      "WHERE i.fence < r.number OR i.fence >= i.seq OR i.item_id >= r.next_item_id",

    /* the index of words: all that is written of a reservation, as one phrase, leads to it */
    "SELECT printf('Reservation %d (%s) is not found by its words.', r.number, r.id) FROM reservations r "
      "JOIN pnrs n ON n.number = r.number WHERE NOT EXISTS (SELECT 1 FROM search WHERE search MATCH '\"' || "
      "replace(n.pnr || ' ' || r.user_id || ' ' || coalesce(r.attributes, '') || coalesce((SELECT "
      "group_concat(' ' || attributes, '') FROM (SELECT attributes FROM items WHERE reservation = r.number "
      "AND attributes IS NOT NULL ORDER BY item_id)), ''), '\"', '\"\"') || '\"' "
      "AND rowid = r.number)",

    /* waiting rooms: numbers without gaps, one live entry a user, no admission before the opening */
    "SELECT printf('The queue of event %d has %d entries, but its numbers go from %d to %d.', event, "
      "count(*), min(number), max(number)) FROM queue GROUP BY event HAVING count(*) <> max(number) "
      "OR min(number) <> 1",
    "SELECT printf('User %s has %d live entries in the queue of event %d.', user_id, count(*), event) "
      "FROM queue WHERE " IN_LINE " GROUP BY event, user_id HAVING count(*) > 1",
    "SELECT printf('Entry %d in the queue of event %d is %s, but its other columns do not match that.', "
      "number, event, status) FROM queue WHERE live <> " IN_LINE " OR (status = 'waiting' "
      "AND until IS NOT NULL) OR (status = 'admitted' AND until IS NULL) OR until < joined_at",
    "SELECT printf('Entry %d in the queue of event %d joined before the one ahead of it.', number, event) "
      "FROM (SELECT event, number, joined_at, lag(joined_at) "
      "OVER (PARTITION BY event ORDER BY number) AS before FROM queue) WHERE joined_at < before",
    "SELECT printf('Entry %d in the queue of event %d is %s, but its waiting room is not open yet.', "
      "q.number, q.event, q.status) FROM rooms r JOIN queue q ON q.event = r.event WHERE r.opened_at IS NULL "
      "AND NOT (q.status = 'waiting' OR q.status = 'left')",
    "SELECT printf('The waiting room of event %d says %d were drawn, but %d had joined by then.', r.event, "
      "r.drawn, (SELECT count(*) FROM queue q WHERE q.event = r.event AND q.joined_at <= r.opened_at)) "
      "FROM rooms r JOIN events e ON e.number = r.event WHERE e.removed_at IS NULL AND r.drawn > "
      "(SELECT count(*) FROM queue q WHERE q.event = r.event AND q.joined_at <= r.opened_at)",
    "SELECT printf('Event %d has a waiting room, but no record of its progress.', s.event) "
      "FROM room_settings s LEFT JOIN rooms r ON r.event = s.event WHERE r.event IS NULL",
    "SELECT printf('Event %d has a queue or waiting list, but no key for the ids of its entries.', e.number) "
      "FROM events e WHERE e.line_key IS NULL AND (e.waiting_list OR EXISTS (SELECT 1 FROM rooms r "
      "WHERE r.event = e.number) OR EXISTS (SELECT 1 FROM waiting_list w WHERE w.event = e.number))",

    /* waiting lists: the same, and an offer is a hold for the one it was made to; both end in one step */
    "SELECT printf('The waiting list of event %d has %d entries, but its numbers go from %d to %d.', event, "
      "count(*), min(number), max(number)) FROM waiting_list GROUP BY event HAVING count(*) <> max(number) "
      "OR min(number) <> 1",
    "SELECT printf('User %s has %d live entries on the waiting list of event %d.', user_id, count(*), event) "
      "FROM waiting_list WHERE " ON_LIST " GROUP BY event, user_id HAVING count(*) > 1",
    "SELECT printf('Entry %d on the waiting list of event %d is %s, but its other columns do not match that.', "
      "number, event, status) FROM waiting_list WHERE live <> " ON_LIST " OR changed_at < joined_at "
      "OR (pool IS NOT NULL AND (tier IS NOT NULL OR section IS NOT NULL)) "
      "OR (status = 'waiting') <> (reservation IS NULL) AND status <> 'left'",
    "SELECT printf('Entry %d on the waiting list of event %d was offered %s, which is not held for %s.', "
      "w.number, w.event, w.reservation, w.user_id) FROM waiting_list w "
      "LEFT JOIN reservations r ON r.id = w.reservation JOIN events e ON e.number = w.event "
      "WHERE w.status = 'offered' AND e.removed_at IS NULL AND (r.status = 'held' AND r.from_list "
      "AND r.user_id = w.user_id) IS NOT TRUE",

    /* rides: the status, the times and the offers say the same; a driver has one of them at a time */
    "SELECT printf('Ride %d (%s) is %s, but its other columns do not match that.', number, id, status) FROM rides "
      "WHERE (ended_at IS NULL) <> (status IN ('searching', 'offered', 'assigned')) OR (status IN ('assigned', "
      "'completed') AND (driver_id IS NULL OR assigned_at IS NULL OR offer IS NULL)) OR (status = 'offered' AND "
      "(offer IS NULL OR driver_id IS NOT NULL)) OR (status = 'searching' AND offer IS NOT NULL) "
      "OR (status = 'no_driver' AND driver_id IS NOT NULL)",
    "SELECT printf('Ride %d (%s) has times in the wrong order.', number, id) FROM rides WHERE search_until < created_at "
      "OR assigned_at < created_at OR ended_at < created_at OR ended_at < assigned_at",
    "SELECT printf('Ride %d (%s) is %s, but offer %d does not match that.', r.number, r.id, r.status, r.offer) "
      "FROM rides r LEFT JOIN offers o ON o.number = r.offer WHERE r.offer IS NOT NULL AND (o.number IS NULL "
      "OR o.ride <> r.id OR (r.status = 'offered') <> (o.\"end\" IS NULL) OR (r.driver_id IS NOT NULL AND "
      "(o.\"end\" IS NOT 'accepted' OR o.driver_id <> r.driver_id)))",
    "SELECT printf('Offer %d of ride %s is live, but the ride is not offered by it.', o.number, o.ride) FROM offers o "
      "LEFT JOIN rides r ON r.id = o.ride WHERE o.ended_at IS NULL AND (r.status IS NOT 'offered' "
      "OR r.offer IS NOT o.number)",
    "SELECT printf('Offer %d of ride %s does not match its ride, or its times do not match each other.', o.number, "
      "o.ride) FROM offers o JOIN rides r ON r.id = o.ride WHERE o.fleet <> r.fleet OR o.number <= r.number "
      "OR o.made_at < r.created_at OR o.expires_at <= o.made_at OR o.ended_at < o.made_at "
      "OR o.ended_at > o.expires_at OR (o.\"end\" IS NULL) <> (o.ended_at IS NULL)",
    "SELECT printf('Driver %s of fleet %d has %d rides and live offers at once.', driver_id, fleet, count(*)) FROM "
      "(SELECT fleet, driver_id FROM rides WHERE status = 'assigned' UNION ALL SELECT fleet, driver_id FROM offers "
      "WHERE ended_at IS NULL) GROUP BY fleet, driver_id HAVING count(*) > 1",
    "SELECT printf('Driver %s was offered ride %s again after it had declined it or driven off.', o.driver_id, o.ride) "
      "FROM offers o JOIN offers l ON l.ride = o.ride AND l.number > o.number AND l.driver_id = o.driver_id "
      "WHERE o.\"end\" = 'declined' OR o.\"end\" = 'accepted'",
    "SELECT printf('Fleet %d (%s) was removed, but ride %d is under way.', f.number, f.id, r.number) FROM fleets f "
      "JOIN rides r ON r.fleet = f.number WHERE f.removed_at IS NOT NULL AND (r.ended_at IS NULL "
      "OR r.ended_at > f.removed_at)",
    "SELECT printf('Fleet %d (%s) has no key for the ids of its offers.', number, id) FROM fleets WHERE offer_key IS NULL",

    "SELECT printf('Group %d (%s) has %d members, but their positions go up to %d.', g.number, g.id, "
      "count(m.calendar), max(m.position)) FROM groups g JOIN group_members m ON m.group_number = g.number "
      "GROUP BY g.number HAVING max(m.position) <> count(m.calendar) - 1",
    "SELECT printf('Group %d (%s) is removed but has members, or is not but has none.', g.number, g.id) FROM groups g "
      "WHERE g.removed = EXISTS (SELECT 1 FROM group_members m WHERE m.group_number = g.number)",
    "SELECT printf('Group %d (%s) has calendars of several time zones or currencies.', g.number, g.id) "
      "FROM groups g JOIN group_members m ON m.group_number = g.number JOIN calendars c ON c.number = m.calendar "
      "GROUP BY g.number HAVING count(DISTINCT c.timezone) > 1 OR count(DISTINCT c.currency) > 1",
    "SELECT printf('Item %d of reservation %d was asked of group %d, which does not exist.', i.item_id, "
      "i.reservation, i.group_number) FROM items i LEFT JOIN groups g ON g.number = i.group_number "
      "WHERE i.group_number IS NOT NULL AND g.number IS NULL",

    /* the rest */
    "SELECT printf('Event %d (%s) says it has %d seats, but %d exist.', e.number, e.id, e.seats, "
      "count(s.id)) FROM events e LEFT JOIN seats s ON s.event = e.number WHERE e.removed_at IS NULL "
      "GROUP BY e.number HAVING count(s.id) <> e.seats OR max(s.position) <> e.seats - 1",
    "SELECT printf('Event %d (%s) was removed, but reservation %d still claims part of it.', e.number, e.id, "
      "r.number) FROM events e JOIN items i ON i.event = e.number "
      "JOIN reservations r ON r.number = i.reservation WHERE e.removed_at IS NOT NULL AND " LIVE,
    "SELECT printf('Calendar %d (%s) was removed, but reservation %d had time on it after that.', c.number, c.id, "
      "l.reservation) FROM calendars c JOIN calendar_claims l ON l.calendar = c.number "
      "WHERE l.until > c.removed_at",
    "SELECT printf('Something has seq %d, but the book ends at %d.', top, last_seq) FROM "
      "(SELECT max(ifnull((SELECT max(number) FROM reservations), 0), ifnull((SELECT max(seq) FROM history), "
      "0), ifnull((SELECT max(version) FROM seats), 0), ifnull((SELECT max(seq) FROM idempotency), 0), "
      "ifnull((SELECT max(number) FROM events), 0), ifnull((SELECT max(number) FROM calendars), 0), "
      "ifnull((SELECT max(number) FROM groups), 0), ifnull((SELECT max(number) FROM fleets), 0), "
      "ifnull((SELECT max(number) FROM rides), 0), ifnull((SELECT max(number) FROM offers), 0)) AS top), "
      "meta WHERE top > last_seq",
    "SELECT printf('Ticket %s belongs to item %d of reservation %d, which was never sold.', t.code, "
      "t.item_id, t.reservation) FROM tickets t LEFT JOIN items i ON i.reservation = t.reservation "
      "AND i.item_id = t.item_id LEFT JOIN reservations r ON r.number = t.reservation "
      "WHERE i.item_id IS NULL OR r.confirmed_at IS NULL OR t.unit >= i.quantity",
    "SELECT printf('Ticket %s is marked, and is neither a ticket of reservation %d nor void.', m.code, m.reservation) "
      "FROM ticket_marks m LEFT JOIN tickets t ON t.code = m.code WHERE m.is_void = 0 "
      "AND (t.code IS NULL OR t.reservation != m.reservation OR t.item_id != m.item_id OR t.unit != m.unit)",
    "SELECT printf('Ticket %s was last used otherwise than its mark says.', m.code) FROM ticket_marks m "
      "WHERE m.is_void = 0 AND m.used IS NOT NULL AND m.used IS NOT (SELECT c.result FROM check_ins c WHERE c.reservation = m.reservation "
      "AND c.item_id = m.item_id AND c.unit = m.unit AND c.result IN ('ok', 'undone') ORDER BY c.seq DESC LIMIT 1)",
    "SELECT printf('Check-in %d is of reservation %d, which does not exist.', c.seq, c.reservation) FROM check_ins c "
      "WHERE NOT EXISTS (SELECT 1 FROM reservations r WHERE r.number = c.reservation)",
};
/* clang-format on */

struct check {
    struct sql *sql;
    void (*finding)(void *ctx, const char *sentence);
    void *ctx;
};

static void report_rows(struct check *c, struct sql_statement *t)
{
    for (int wrong = 0; wrong < OF_EACH_KIND && sql_next(t); wrong++) {
        struct text sentence = sql_text(t, 0);
        ASSERT(sentence.at && sql_columns(t) == 1); /* a rule returns one sentence per row */
        c->finding(c->ctx, sentence.at);
    }
    sql_reset(t);
}

static void check_engine(struct check *c)
{
    struct sql_statement *t = sql_prepare(c->sql, "PRAGMA integrity_check(10)");
    /* It reports a page that cannot be read as damaged, and continues. */
    while (sql_next(t) && !sql_unreadable(c->sql))
        if (!text_equal(sql_text(t, 0), TEXT("ok")))
            c->finding(c->ctx, sql_text(t, 0).at);
    report_rows(c, sql_prepare(c->sql, "SELECT printf('Row %s of %s names a row of %s that does not exist.', "
                                       "rowid, \"table\", parent) FROM pragma_foreign_key_check"));
}

static void check_items(struct check *c, const char *rule)
{
    for (enum item_kind kind = ITEM_KIND_FIRST; kind <= ITEM_KIND_LAST; kind++) {
        struct sql_statement *t = book_item_prepare(c->sql, kind, rule);
        if (t)
            report_rows(c, t);
    }
}

/* Codes are derived from a key, so SQL cannot check them. */
static void check_tickets(struct check *c)
{
    struct sql_statement *units =
        sql_prepare(c->sql, "SELECT r.number, r.ticket_key, i.item_id, i.quantity "
                            "FROM reservations r JOIN items i ON i.reservation = r.number "
                            "WHERE r.status = 'confirmed' AND r.ticket_key IS NOT NULL");
    struct sql_statement *find = sql_prepare(
        c->sql, "SELECT 1 FROM tickets WHERE code = ? AND reservation = ? AND item_id = ? AND unit = ?");
    for (int wrong = 0; wrong < OF_EACH_KIND && sql_next(units);) {
        uint64_t key[2];
        book_row_pair(c->sql, units, 1, key);
        for (int64_t unit = 0; unit < sql_int(units, 3); unit++) {
            char code[TICKET_CODE_SIZE], sentence[120];
            ticket_code_write(key, (uint32_t)sql_int(units, 2), (uint32_t)unit, code);
            sql_bind_text(find, 1, (struct text){code, sizeof(code)});
            sql_bind_int(find, 2, sql_int(units, 0));
            sql_bind_int(find, 3, sql_int(units, 2));
            sql_bind_int(find, 4, unit);
            bool found = sql_next(find);
            sql_reset(find);
            if (found)
                continue;
            snprintf(sentence, sizeof(sentence),
                     "Unit %lld of item %lld of reservation %lld was sold without a ticket.", (long long)unit,
                     (long long)sql_int(units, 2), (long long)sql_int(units, 0));
            c->finding(c->ctx, sentence);
            wrong++;
            break;
        }
    }
    sql_reset(units);
}

struct status book_check(const char *path, void (*finding)(void *ctx, const char *sentence), void *ctx)
{
    struct check c = {.finding = finding, .ctx = ctx};
    struct status status = book_pages_open(&c.sql, path, SQL_READ);
    if (!status_ok(&status))
        return status;
    struct status pages = book_pages_check(path, finding, ctx);
    if (!status_ok(&pages))
        sql_fail(c.sql, pages.kind, "%s", pages.text);
    book_schema_expect(c.sql);
    /* One snapshot for all rules. */
    sql_run(c.sql, "BEGIN");
    check_engine(&c);
    for (size_t i = 0; i < sizeof(item_rules) / sizeof(item_rules[0]) && sql_sound(c.sql); i++)
        check_items(&c, item_rules[i]);
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && sql_sound(c.sql); i++)
        report_rows(&c, sql_prepare(c.sql, rules[i]));
    check_tickets(&c);
    status = sql_status(c.sql);
    sql_close(c.sql);
    if (status.kind != STATUS_CORRUPT)
        return status;
    finding(ctx, status.text); /* too damaged to continue */
    return status_none();
}
