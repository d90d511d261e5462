/* SPDX-License-Identifier: Apache-2.0 */
/* api_check_ins.c — the door: checking a ticket in, and the list that a door needs to work offline.
 *
 * A signed form is verified by a worker, because a signature takes longer than everything else in a check-in. */
#include "book/record/query.h"
#include "http/api/call.h"
#include "http/claim/item_kinds.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/record/record.h"
#include "http/server.h"
#include "http/door/ticket_form.h"
#include "http/wire/reply.h"

/* ---- A scan ---- */

/* clang-format off */
#define CHECK_IN(F) \
    F(WORD, result, "ok", "`ok`: checked in; `undone`: check-in undone. For an upload also `duplicate`: already checked in; " \
      "`void`: the ticket is void, or for another event.", check_in_result_word, check_in_result_name(ticket->result)) \
    F(TEXT, code, "9KQ2M7XW4T8Z1C5V3R6H", "The code of the ticket.", ticket->code) \
    F(ID, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The reservation that it belongs to.", ENCODE_RESERVATION, \
      ticket->reservation) \
    F(DECIMAL, item_id, "1", "The item that the ticket is for.", ticket->item_id) \
    F(UINT, unit, 0, "Which unit of that item, from 0.", ticket->unit) \
    TICKET_MEMBERS(F) \
    F(TIME_OR_NULL, at, "2030-06-07T18:42:07.000Z", "When it happened; for an upload, when it was scanned. Null: " \
      "never used, so there was nothing to undo.", ticket->at_ms) \
    F(TEXT_OR_NULL, gate, "north", "The gate; null: not known.", ticket->gate)
RECORD(check_in, "The result of a scan.", CHECK_IN)
/* clang-format on */

struct scan_body {
    struct json_text_value code, event, gate, nonce;
    struct json_bool_value undo;
    struct json_int_value scanned_at;
};

#define SCANNED_SIZE_MAX 512 /* signed forms are shorter; a text that is neither form gets no_such_ticket */

const struct json_field api_check_in_fields[] = {
    JSON_TEXT(struct scan_body, code, 1, SCANNED_SIZE_MAX, JSON_REQUIRED,
              .about = "The code of the ticket, or its signed form."),
    FIELD_ID(struct scan_body, event, JSON_NULLABLE,
             "The event of this gate: a ticket for anything else is refused."),
    FIELD_TEXT(struct scan_body, gate, 1, GATE_SIZE_MAX, JSON_NULLABLE, text_check_name,
               "Where it was scanned: shown when the ticket is scanned again."),
    FIELD_TEXT(struct scan_body, nonce, 1, NONCE_SIZE_MAX, JSON_NULLABLE, text_check_name,
               "Your own id of this scan, which makes it safe to retry."),
    JSON_BOOL_OR(struct scan_body, undo, false,
                 .about = "Undoes the last check-in; with a nonce only the check-in made with it."),
    JSON_TIME(struct scan_body, scanned_at, JSON_NULLABLE,
              .about = "When an offline scan was made, within the last 48 hours: it is always recorded."),
    JSON_END,
};

static void scanned(struct call *call, const struct outcome *outcome)
{
    const struct check_in_image *ticket = &outcome->check_in;
    struct json_writer *w = reply_json(call->request, 200);
    WRITE_RECORD(CHECK_IN);
    reply_finish(call->request);
}

struct print {
    struct call *call;
    struct text text;
    char code[TICKET_CODE_SIZE];
    bool genuine;
};

static void verify(void *ctx)
{
    struct print *print = ctx;
    print->genuine = ticket_form_read(&print->call->request->server->ticket_keys, print->text, print->code,
                                      &print->call->command.check_in.reissue);
}

static void verified(void *ctx)
{
    struct print *print = ctx;
    struct command *c = &print->call->command;
    if (!print->genuine) {
        reply_outcome(print->call->request, OUTCOME_NO_SUCH_TICKET);
        return;
    }
    c->check_in.printed = true;
    c->check_in.code = (struct text){print->code, sizeof(print->code)};
    call_submit(print->call, scanned);
}

HANDLER(api_check_in)
{
    struct scan_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    bool uploaded = body.scanned_at.given && !body.scanned_at.is_null;
    if (uploaded && body.undo.value) {
        reply_invalid(r, "/scanned_at", "Invalid scanned_at: not allowed with undo.");
        return;
    }
    struct call *call = call_make(r, COMMAND_CHECK_IN);
    struct command *c = &call->command;
    c->check_in.code = text_given(body.code);
    c->check_in.event = text_given(body.event);
    c->check_in.gate = text_given(body.gate);
    c->check_in.nonce = text_given(body.nonce);
    c->check_in.undo = body.undo.value;
    if (uploaded) /* 0 means none in core; 1 ms after 1970 is just as far outside the 48 hours */
        c->check_in.scanned_at_ms = body.scanned_at.value ? body.scanned_at.value : 1;
    if (!ticket_form_is(c->check_in.code)) {
        call_submit(call, scanned);
        return;
    }
    struct print *print = arena_zeroed(&r->arena, sizeof(*print));
    print->call = call;
    print->text = c->check_in.code;
    store_work(r->store, verify, verified, print);
}

/* ---- The list ---- */

enum { QUERY_EVENT, QUERY_SINCE, QUERY_LIMIT, QUERY_CURSOR };

/* The position in the list: time and seq as the two halves of an id, then the code. */
#define CURSOR_SIZE (ID_TEXT_SIZE + TICKET_CODE_SIZE)

/* clang-format off */
WORD_LIST(door_results, "in", "out", "void")

#define DOOR_TICKET(F) \
    F(TEXT, code, "9KQ2M7XW4T8Z1C5V3R6H", "The code of the ticket.", ticket->code) \
    F(UINT, reissue, 184470, "Signed forms of this code with a smaller number are void.", ticket->reissue) \
    F(WORD, result, "in", "`in`: checked in. `out`: the check-in was undone, and the ticket is valid again. `void`: valid only " \
      "with this `reissue` or a greater one, which a ticket that is void for good never gets.", door_results, \
      in ? "in" : out ? "out" : "void") \
    F(TIME, at, "2030-06-07T18:42:07.000Z", "Since when.", in || out ? ticket->at_ms : row->changed_at_ms) \
    F(TEXT_OR_NULL, gate, "north", "The gate; null: not known, or the ticket is void.", \
      in || out ? ticket->gate : (struct text){0})
RECORD(door_ticket, "The current state of a ticket that was used, is void or has moved.", DOOR_TICKET)
/* clang-format on */

struct door_page {
    struct request *request;
    struct query query;
    struct json_writer writer;
};

static void ticket_row(void *ctx, const struct query_row *row)
{
    struct door_page *page = ctx;
    struct json_writer *w = &page->writer;
    const struct check_in_image *ticket = row->ticket;
    bool in = !ticket->is_void && ticket->result == CHECK_IN_OK;
    /* Listed, because a door that follows the list with `since` still has it as `in`. */
    bool out = !ticket->is_void && ticket->result == CHECK_IN_UNDONE;
    WRITE_RECORD(DOOR_TICKET);
}

static void page_done(void *ctx, const struct query_result *result)
{
    struct door_page *page = ctx;
    struct request *r = page->request;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    char cursor[CURSOR_SIZE];
    id_write((struct id){(uint64_t)result->last_ticket.at_ms, result->last_ticket.seq}, cursor);
    memcpy(cursor + ID_TEXT_SIZE, result->last_ticket.code, TICKET_CODE_SIZE);
    page_end_name(&page->writer, result->more, (struct text){cursor, sizeof(cursor)});
    reply_seq(r, result->seq);
    reply_copy(r, 200, r->scratch.data, r->scratch.size);
}

static bool read_place(struct request *r, struct ticket_place *after)
{
    int64_t since_ms = 0;
    struct text cursor = r->query[QUERY_CURSOR];
    struct id place;
    uint64_t code[2];
    if (!request_query_time(r, QUERY_SINCE, 0, &since_ms))
        return false;
    *after = (struct ticket_place){.at_ms = since_ms - 1, .seq = INT64_MAX};
    if (!cursor.at)
        return true;
    if (cursor.size != CURSOR_SIZE || !id_read(cursor.at, ID_TEXT_SIZE, &place) || place.high > INT64_MAX ||
        place.low > INT64_MAX ||
        !ticket_code_read((struct text){cursor.at + ID_TEXT_SIZE, TICKET_CODE_SIZE}, code))
        return reply_invalid(r, "?cursor", "Invalid cursor: not from this list.");
    *after = (struct ticket_place){.at_ms = (int64_t)place.high, .seq = place.low};
    ticket_code_halves(code, after->code);
    return true;
}

HANDLER(api_check_in_list)
{
    struct event_view view;
    struct door_page *page = arena_zeroed(&r->arena, sizeof(*page));
    struct query *query = &page->query;
    if (!page_limit(r, QUERY_LIMIT, &query->limit) || !read_place(r, &query->after_ticket))
        return;
    if (!view_event_find(r->view, r->query[QUERY_EVENT], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
        return;
    }
    page->request = r;
    query->kind = QUERY_TICKETS;
    query->event_number = view.image.number;
    query->min_seq = r->min_seq;
    page->writer = json_writer_make(&r->scratch);
    page_begin(&page->writer);
    store_query(r->store, query, ticket_row, page_done, page);
}
