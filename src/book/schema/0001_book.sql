-- migration 1
-- SPDX-License-Identifier: Apache-2.0
-- The book: the latest image of every record, for people and for recovery. See src/book/README.md.
--
-- Times are milliseconds since the epoch, amounts of money are minor units. Events, seats and pools are named inside by
-- number and position, as in core/image.h. A record's number is the seq of the change that made it. NULL is the default of
-- a column that may be NULL, unless its comment says what it means.
--
-- A CHECK lists its words with OR: SQLite builds a table in memory for every IN of more than two.

CREATE TABLE meta (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    last_seq  INTEGER NOT NULL CHECK (last_seq >= 0), -- every change up to this one is in the book
    last_at   INTEGER NOT NULL,
    folder    BLOB CHECK (length(folder) = 16), -- the id of the journal that it is made from
    parent    BLOB CHECK (length(parent) = 16), -- restored: the id of what it is a copy of
    chain     INTEGER, -- the CRC of the batch that ends with last_seq
    moved_seq INTEGER NOT NULL -- what the file had without its log when this was written; as much as last_seq: it was closed
) STRICT;
INSERT INTO meta (one, last_seq, last_at, moved_seq) VALUES (1, 0, 0, 0);

-- ---- The catalogue ----

CREATE TABLE events (
    number               INTEGER PRIMARY KEY,
    id                   TEXT NOT NULL,
    name                 TEXT NOT NULL,
    description          TEXT,
    venue                TEXT,
    image                TEXT,
    timezone             TEXT, -- an IANA name, of its place: reports of the API count days by it; NULL: UTC
    starts_at            INTEGER,
    on_sale_at           INTEGER,
    off_sale_at          INTEGER,
    currency             TEXT NOT NULL CHECK (length(currency) = 3),
    hold_ttl_seconds     INTEGER NOT NULL,
    max_hold_seconds     INTEGER NOT NULL,
    staff_hold_seconds   INTEGER NOT NULL, -- over max_hold_seconds; 0: no longer
    payment_ttl_seconds  INTEGER NOT NULL,
    payment              TEXT NOT NULL CHECK (payment = 'required' OR payment = 'none'),
    late_payment         TEXT NOT NULL CHECK (late_payment = 'accept_if_free' OR late_payment = 'refund'),
    per_user_limit       INTEGER NOT NULL,
    categories           TEXT, -- of prices: ["adult","child"]; the first is the default
    prices               TEXT, -- by tier: {"gold":{"adult":12000,"child":6000}}
    refuse_singles       INTEGER NOT NULL CHECK (refuse_singles IN (0, 1)), -- 1: no seat may be left alone
    transfer             TEXT NOT NULL CHECK (transfer = 'on' OR transfer = 'off'),
    no_guests            INTEGER NOT NULL, -- 1: guest tokens are refused
    access               TEXT NOT NULL, -- or code
    cancels              INTEGER NOT NULL, -- 1: the owner of what was bought can cancel it,
    cancel_until_seconds INTEGER NOT NULL, -- up to this long before the start
    -- The terms it had before, for what was held under them: "120 refund 3600;845 accept_if_free -" is the seq that replaced
    -- them, late_payment, and until when a sale could be cancelled (seconds; -: not at all). A reservation goes by the first
    -- entry whose seq is greater than its number, and without one by the present terms.
    terms_before         TEXT,
    waiting_list         INTEGER NOT NULL CHECK (waiting_list = 0 OR waiting_list = 1),
    line_key             BLOB CHECK (length(line_key) = 16), -- secret: the ids of entries follow from it; NULL: it never had a line
    seats                INTEGER NOT NULL, -- how many it has; the next new one gets this position
    created_at           INTEGER NOT NULL,
    removed_at           INTEGER,
    cancelled_at         INTEGER, -- NULL: it takes place
    cancel_reason        TEXT, -- in staff's own words
    cancel_refunded      INTEGER NOT NULL, -- sales, so far
    cancel_done          INTEGER NOT NULL -- 1: nothing of it is claimed any more
) STRICT;
CREATE UNIQUE INDEX events_by_id ON events (id) WHERE removed_at IS NULL;

CREATE TABLE seats (
    event      INTEGER NOT NULL REFERENCES events (number),
    position   INTEGER NOT NULL,
    id         TEXT NOT NULL,
    section    TEXT,
    row        TEXT,
    number     TEXT,
    x          INTEGER, -- thousandths
    y          INTEGER,
    tier       TEXT,
    price      INTEGER NOT NULL,
    accessible INTEGER NOT NULL CHECK (accessible = 0 OR accessible = 1),
    blocked    INTEGER NOT NULL CHECK (blocked = 0 OR blocked = 1),
    allotment  TEXT CHECK (allotment <> 'blocked'), -- set aside under this name; a claimed seat keeps it, as it keeps blocked
    version    INTEGER NOT NULL, -- the change that last ended a claim on it; of a live claim see items.fence
    removed    INTEGER NOT NULL CHECK (removed = 0 OR removed = 1), -- 1: stays for those who once had it
    PRIMARY KEY (event, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX seats_by_id ON seats (event, id) WHERE removed = 0; -- the id of a removed seat may be another's by now

CREATE TABLE touched ( -- the last change of each event, calendar and group, or of a claim on it: readers see it as a version
    number INTEGER PRIMARY KEY,
    seq    INTEGER NOT NULL CHECK (seq >= number)
) STRICT;

CREATE TABLE seats_staged ( -- parts of imports that are not published yet
    seq    INTEGER PRIMARY KEY,
    event  INTEGER NOT NULL REFERENCES events (number),
    import INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    count  INTEGER NOT NULL,
    rows   BLOB NOT NULL -- seat_row_put of core/change.h
) STRICT;

CREATE TABLE pools (
    event     INTEGER NOT NULL REFERENCES events (number),
    position  INTEGER NOT NULL,
    id        TEXT NOT NULL,
    name      TEXT,
    capacity  INTEGER NOT NULL,
    price     INTEGER NOT NULL,
    prices    TEXT, -- by category: {"adult":1000,"child":500}
    allotment TEXT CHECK (allotment <> 'blocked'),
    held      INTEGER NOT NULL CHECK (held >= 0), -- units of held reservations
    sold      INTEGER NOT NULL CHECK (sold >= 0), -- units of confirmed ones
    PRIMARY KEY (event, position),
    CHECK (held + sold <= capacity)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX pools_by_id ON pools (event, id);

-- Codes of events: units that may be held and sold with one at once (0: any number). How many are used follows from items.
CREATE TABLE codes (
    event     INTEGER NOT NULL REFERENCES events (number),
    position  INTEGER NOT NULL, -- among the event's codes, by import
    code      TEXT NOT NULL, -- as written; compared without regard to ASCII case
    units     INTEGER NOT NULL CHECK (units >= 0),
    tiers     TEXT, -- a JSON array; NULL: any
    allotment TEXT,
    removed   INTEGER NOT NULL, -- 1: good for nothing new
    PRIMARY KEY (event, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX codes_by_code ON codes (event, code COLLATE NOCASE);

-- ---- Calendars: time that can be claimed ----

CREATE TABLE calendars ( -- removed ones stay for the items that name them
    number                INTEGER PRIMARY KEY,
    id                    TEXT NOT NULL,
    name                  TEXT NOT NULL,
    timezone              TEXT NOT NULL, -- an IANA name
    capacity              INTEGER NOT NULL CHECK (capacity >= 1), -- claims at any one instant
    size                  INTEGER NOT NULL, -- for how many people
    price                 INTEGER NOT NULL, -- of a claim without a service
    price_per             TEXT NOT NULL, -- or 'slot': of each that is begun
    currency              TEXT NOT NULL CHECK (length(currency) = 3),
    hold_ttl_seconds      INTEGER NOT NULL,
    max_hold_seconds      INTEGER NOT NULL,
    payment_ttl_seconds   INTEGER NOT NULL,
    payment               TEXT NOT NULL CHECK (payment = 'required' OR payment = 'none'),
    late_payment          TEXT NOT NULL CHECK (late_payment = 'accept_if_free' OR late_payment = 'refund'),
    slot_minutes          INTEGER NOT NULL,
    buffer_minutes        INTEGER NOT NULL,
    buffer_before_minutes INTEGER NOT NULL,
    min_minutes           INTEGER NOT NULL, -- 0: one slot
    max_minutes           INTEGER NOT NULL, -- 0: no longer than the least
    notice_minutes        INTEGER NOT NULL,
    horizon_days          INTEGER NOT NULL,
    per_user_limit        INTEGER NOT NULL, -- 0: none
    change_until_minutes  INTEGER NOT NULL,
    guests                INTEGER NOT NULL CHECK (guests = 0 OR guests = 1),
    cancels               INTEGER NOT NULL, -- as of events
    cancel_until_minutes  INTEGER NOT NULL,
    terms_before          TEXT, -- as of events, in minutes
    created_at            INTEGER NOT NULL,
    changed_at            INTEGER NOT NULL,
    removed_at            INTEGER
) STRICT;
CREATE UNIQUE INDEX calendars_by_id ON calendars (id) WHERE removed_at IS NULL;
CREATE INDEX calendars_by_name ON calendars (id); -- removed ones too: lists of reservations ask for all of a name

CREATE TABLE calendar_hours ( -- when it is open, on its own clocks; none: always
    calendar INTEGER NOT NULL REFERENCES calendars (number),
    position INTEGER NOT NULL,
    days     TEXT NOT NULL CHECK (days <> ''), -- mon tue wed thu fri sat sun
    opens    TEXT NOT NULL CHECK (opens GLOB '[0-2][0-9]:[0-5][0-9]'),
    closes   TEXT NOT NULL CHECK (closes GLOB '[0-2][0-9]:[0-5][0-9]'), -- not after opens: past midnight
    PRIMARY KEY (calendar, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE calendar_closed ( -- holidays and the like
    calendar  INTEGER NOT NULL REFERENCES calendars (number),
    position  INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at   INTEGER NOT NULL CHECK (starts_at < ends_at),
    PRIMARY KEY (calendar, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE services (
    calendar         INTEGER NOT NULL REFERENCES calendars (number),
    position         INTEGER NOT NULL,
    id               TEXT NOT NULL,
    duration_minutes INTEGER NOT NULL CHECK (duration_minutes >= 1),
    price            INTEGER NOT NULL,
    removed          INTEGER NOT NULL CHECK (removed = 0 OR removed = 1), -- stays for the items that name it
    PRIMARY KEY (calendar, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX services_by_id ON services (calendar, id);

CREATE TABLE groups ( -- of calendars of which any one will do
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    pick       TEXT NOT NULL, -- least_busy or in_order
    created_at INTEGER NOT NULL,
    removed    INTEGER NOT NULL -- 1: it is there for the items that name it (items.group_number)
) STRICT;

CREATE TABLE group_members (
    group_number INTEGER NOT NULL REFERENCES groups (number),
    position     INTEGER NOT NULL, -- the group's order
    calendar     INTEGER NOT NULL REFERENCES calendars (number),
    PRIMARY KEY (group_number, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX group_members_by_calendar ON group_members (calendar, group_number);

-- ---- Reservations ----

CREATE TABLE reservations (
    number              INTEGER PRIMARY KEY, -- the PNR follows from it
    id                  TEXT NOT NULL UNIQUE CHECK (length(id) = 30), -- res_…; they sort by time
    status              TEXT NOT NULL CHECK (status = 'held' OR status = 'confirmed' OR status = 'released'
                            OR status = 'expired' OR status = 'cancelled' OR status = 'refunded'),
    user_id             TEXT NOT NULL,
    fence               INTEGER NOT NULL,
    version             INTEGER NOT NULL,
    created_at          INTEGER NOT NULL,
    expires_at          INTEGER NOT NULL,
    max_expires_at      INTEGER NOT NULL,
    user_max_at         INTEGER, -- to which its user may extend it; NULL: max_expires_at
    staff_max_at        INTEGER, -- to which app and admin may; NULL: the same
    payment_started_at  INTEGER,
    confirmed_at        INTEGER,
    ended_at            INTEGER, -- of an expired one its deadline
    hold_ttl_seconds    INTEGER NOT NULL,
    payment_ttl_seconds INTEGER NOT NULL,
    payment_required    INTEGER NOT NULL CHECK (payment_required = 0 OR payment_required = 1),
    currency            TEXT NOT NULL,
    next_item_id        INTEGER NOT NULL,
    attributes          TEXT, -- a JSON object
    payment_method      TEXT,
    payment_ref         TEXT,
    payment_recorded_at INTEGER, -- NULL: none was
    ticket_key          BLOB CHECK (length(ticket_key) = 16), -- the codes of its tickets are made from it
    from_list           INTEGER NOT NULL CHECK (from_list = 0 OR from_list = 1), -- 1: offered from a waiting list
    manage_gen          INTEGER NOT NULL, -- manage tokens of another one are void
    transferred         INTEGER NOT NULL, -- the change that last transferred it; 0: none
    -- Seats that it left alone when they were chosen: "12 4 3 - 1042;…" is the event's number, the position of the seat and
    -- of its neighbours (-: none), and the change that left it so. Whether one still counts follows from the versions of
    -- these seats: core/claim/single.h.
    singles             TEXT
) STRICT;
-- In chapters of 262,144 numbers, so that new holds of random users touch the few pages of the last chapter and not the whole
-- index. To find a user's reservations, ask chapter by chapter: number >> 18 = … AND user_id = ….
CREATE INDEX reservations_by_user ON reservations (number >> 18, user_id);
CREATE INDEX reservations_by_status ON reservations (status);

CREATE TABLE items ( -- what a reservation asked for; they stay when it ends
    reservation    INTEGER NOT NULL REFERENCES reservations (number),
    item_id        INTEGER NOT NULL,
    kind           TEXT NOT NULL CHECK (kind = 'seat' OR kind = 'pool' OR kind = 'slot'),
    event          INTEGER REFERENCES events (number), -- of a seat or pool
    calendar       INTEGER REFERENCES calendars (number), -- of a slot
    position       INTEGER, -- of the seat, pool or service; NULL: a slot without a service
    quantity       INTEGER NOT NULL CHECK (quantity >= 1 AND (kind = 'pool' OR quantity = 1)),
    price          INTEGER NOT NULL, -- of the whole item
    fence          INTEGER NOT NULL,
    starts_at      INTEGER, -- a slot is [starts_at, ends_at)
    ends_at        INTEGER,
    -- What a slot keeps free, as it was when claimed; how much of it there is follows from the other items of its
    -- reservation. [starts_at - lead_ms, until) is not free, and that is where its row of calendar_claims begins.
    until          INTEGER,
    lead_ms        INTEGER,
    before_minutes INTEGER,
    after_minutes  INTEGER,
    attributes     TEXT, -- a JSON object of its own
    category       TEXT, -- of prices; NULL: the first
    code           TEXT, -- with which it was claimed
    allotment      TEXT, -- from which it was claimed
    group_number   INTEGER, -- of calendars, of which it was given one
    flags          INTEGER, -- enum item_flag of core/image.h
    PRIMARY KEY (reservation, item_id),
    CHECK (CASE kind WHEN 'slot'
           THEN event IS NULL AND calendar IS NOT NULL AND (starts_at < ends_at AND ends_at <= until) IS TRUE
           ELSE event IS NOT NULL AND calendar IS NULL AND position IS NOT NULL AND starts_at IS NULL
                AND ends_at IS NULL AND until IS NULL END)
) STRICT, WITHOUT ROWID;
CREATE INDEX items_by_event ON items (event) WHERE event IS NOT NULL;
CREATE INDEX items_by_calendar ON items (calendar) WHERE calendar IS NOT NULL;

CREATE TABLE claims ( -- what is taken now; the primary key is the last backstop against selling twice
    event       INTEGER NOT NULL,
    seat        INTEGER NOT NULL, -- its position
    reservation INTEGER NOT NULL,
    PRIMARY KEY (event, seat)
) STRICT, WITHOUT ROWID;

-- What is taken now of calendars. The triggers are the last backstop against more claims than the capacity, as
-- the primary key of `claims` is for seats.
CREATE TABLE calendar_claims (
    calendar    INTEGER NOT NULL,
    starts_at   INTEGER NOT NULL,
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    until       INTEGER NOT NULL CHECK (starts_at < until),
    claimed_at  INTEGER NOT NULL, -- it had to fit from this instant on: what was before no longer counts
    counted     INTEGER NOT NULL CHECK (counted = 0 OR counted = 1), -- in calendar_counts
    PRIMARY KEY (calendar, starts_at, reservation, item_id)
) STRICT, WITHOUT ROWID;

-- How many counted claims overlap, from each instant until the next row's. There is a row only where the count
-- changes, so there is none between adjacent claims. A claim adds one to the rows inside it; one that
-- has a great many inside, on account of others while it lasts, is judged by what is there but is not counted itself.
-- In the triggers no IN, and no INSERT from a SELECT: SQLite would build a table in memory for every claim.
CREATE TABLE calendar_counts (
    calendar INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    claims   INTEGER NOT NULL CHECK (claims >= 0),
    PRIMARY KEY (calendar, at)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER calendar_claims_fit BEFORE INSERT ON calendar_claims
WHEN NEW.until > NEW.claimed_at
BEGIN
    SELECT RAISE(ABORT, 'more claims than the capacity of the calendar')
    WHERE (SELECT capacity FROM calendars WHERE number = NEW.calendar) <= max(
        ifnull((SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar
                AND at <= max(NEW.starts_at, NEW.claimed_at) ORDER BY at DESC LIMIT 1), 0),
        ifnull((SELECT max(claims) FROM (SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar
                AND at > max(NEW.starts_at, NEW.claimed_at) AND at < NEW.until ORDER BY at LIMIT 1000)), 0));
END;

CREATE TRIGGER calendar_claims_begin AFTER INSERT ON calendar_claims
WHEN NEW.counted
BEGIN
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (NEW.calendar, NEW.starts_at, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.starts_at
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (NEW.calendar, NEW.until, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.until
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    UPDATE calendar_counts SET claims = claims + 1
        WHERE calendar = NEW.calendar AND at >= NEW.starts_at AND at < NEW.until;
    DELETE FROM calendar_counts WHERE calendar = NEW.calendar AND at = NEW.starts_at AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.starts_at
        ORDER BY at DESC LIMIT 1), 0);
    DELETE FROM calendar_counts WHERE calendar = NEW.calendar AND at = NEW.until AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.until
        ORDER BY at DESC LIMIT 1), 0);
END;

CREATE TRIGGER calendar_claims_end AFTER DELETE ON calendar_claims
WHEN OLD.counted
BEGIN
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (OLD.calendar, OLD.starts_at, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.starts_at
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (OLD.calendar, OLD.until, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.until
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    UPDATE calendar_counts SET claims = claims - 1
        WHERE calendar = OLD.calendar AND at >= OLD.starts_at AND at < OLD.until;
    DELETE FROM calendar_counts WHERE calendar = OLD.calendar AND at = OLD.starts_at AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.starts_at
        ORDER BY at DESC LIMIT 1), 0);
    DELETE FROM calendar_counts WHERE calendar = OLD.calendar AND at = OLD.until AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.until
        ORDER BY at DESC LIMIT 1), 0);
END;

CREATE TRIGGER calendars_capacity BEFORE UPDATE OF capacity ON calendars
WHEN NEW.capacity < OLD.capacity
BEGIN
    SELECT RAISE(ABORT, 'a capacity below what is claimed')
    WHERE NEW.capacity < max(
        ifnull((SELECT claims FROM calendar_counts WHERE calendar = NEW.number
                AND at <= NEW.changed_at ORDER BY at DESC LIMIT 1), 0),
        ifnull((SELECT max(claims) FROM calendar_counts WHERE calendar = NEW.number
                AND at > NEW.changed_at), 0));
END;

CREATE TABLE history ( -- what was done to each reservation; words without a CHECK: those of core are the ones that are written
    reservation INTEGER NOT NULL REFERENCES reservations (number),
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    actor_name  TEXT,
    action      TEXT NOT NULL,
    status      TEXT NOT NULL,
    expires_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    reason      TEXT, -- 'list': an offer from the waiting list
    user_before TEXT, -- of a transfer: from whom
    user_after  TEXT, -- and to whom
    refund      INTEGER, -- the number of the refund due that it is about
    PRIMARY KEY (reservation, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX history_by_giver ON history (user_before) WHERE user_before IS NOT NULL; -- it is another's now: for erasing a person

-- What the items that a change changed or ended were before it. What they are after it is in the next row of the item, or
-- in items; what came by it has its seq as fence, and no row here.
CREATE TABLE history_items (
    reservation    INTEGER NOT NULL,
    seq            INTEGER NOT NULL,
    item_id        INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    event          INTEGER,
    calendar       INTEGER,
    position       INTEGER,
    quantity       INTEGER NOT NULL,
    price          INTEGER NOT NULL,
    fence          INTEGER NOT NULL,
    starts_at      INTEGER,
    ends_at        INTEGER,
    until          INTEGER,
    lead_ms        INTEGER,
    before_minutes INTEGER,
    after_minutes  INTEGER,
    attributes     TEXT,
    category       TEXT,
    code           TEXT,
    allotment      TEXT,
    group_number   INTEGER,
    flags          INTEGER,
    PRIMARY KEY (reservation, seq, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX history_items_by_item ON history_items (reservation, item_id, seq);
-- A removed event or calendar may be pruned when nothing names it.
CREATE INDEX history_items_by_event ON history_items (event) WHERE event IS NOT NULL;
CREATE INDEX history_items_by_calendar ON history_items (calendar) WHERE calendar IS NOT NULL;

-- Words of reservations, for lists with q: the PNR, the user, all of the attributes and those of the items. The rowid is the
-- number, so that new rows are appended to each word. It has no copy of the texts (content=''): a row is taken
-- out by what was put in, which follows from the reservation.
CREATE VIRTUAL TABLE search USING fts5 (words, content='', columnsize=0, tokenize='unicode61');

CREATE TABLE idempotency (
    seq         INTEGER PRIMARY KEY,
    key         BLOB NOT NULL UNIQUE CHECK (length(key) = 16),
    body        BLOB NOT NULL CHECK (length(body) = 16),
    made        TEXT NOT NULL, -- the id of what the request made: res_…, ent_… or lst_…
    http_status INTEGER NOT NULL,
    at          INTEGER NOT NULL
) STRICT;

-- ---- Tickets at the door. A ticket's code is a credential: it is in these three tables, and nowhere else ----

CREATE TABLE tickets ( -- one for each seat and each unit of a pool that was sold
    code        TEXT PRIMARY KEY,
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    unit        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE check_ins ( -- what was done at the door, scan by scan
    seq         INTEGER PRIMARY KEY, -- of the change
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    unit        INTEGER NOT NULL,
    code        TEXT, -- of the ticket: a nonce counts once per ticket, whatever came of it
    nonce       BLOB CHECK (length(nonce) = 16), -- a hash; NULL: none
    event       INTEGER, -- NULL: of a calendar
    result      TEXT NOT NULL CHECK (result IN ('ok', 'undone', 'duplicate', 'void')),
    at          INTEGER NOT NULL, -- when it was scanned
    recorded_at INTEGER NOT NULL, -- later than that: it was uploaded
    gate        TEXT,
    actor       TEXT NOT NULL, -- door, app, admin
    actor_name  TEXT -- of the key
) STRICT;
CREATE INDEX check_ins_by_event ON check_ins (event, at);
CREATE INDEX check_ins_by_reservation ON check_ins (reservation);
CREATE INDEX check_ins_with_nonce ON check_ins (recorded_at, seq) WHERE nonce IS NOT NULL; -- what is loaded at start

-- Tickets that were used, are void or have moved: what a door must know to work offline. Others have no row.
CREATE TABLE ticket_marks (
    code        TEXT PRIMARY KEY,
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    unit        INTEGER NOT NULL,
    kind        TEXT NOT NULL, -- as in items
    resource    INTEGER NOT NULL, -- the number of the event or calendar
    part        INTEGER NOT NULL,
    event       INTEGER, -- the resource, if it is one
    reissue     INTEGER NOT NULL, -- signed forms with a smaller number are void
    is_void     INTEGER NOT NULL, -- 1: all of them are
    moved       INTEGER NOT NULL, -- 1: since it was sold
    used        TEXT CHECK (used IN ('ok', 'undone')), -- the last that was done with it
    at          INTEGER, -- when that was
    gate        TEXT,
    nonce       BLOB CHECK (length(nonce) = 16), -- a hash
    changed_at  INTEGER NOT NULL, -- of this row
    changed_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_marks_by_event ON ticket_marks (event, changed_at, changed_seq, code);
CREATE INDEX ticket_marks_by_reservation ON ticket_marks (reservation);

-- ---- The ledger: one row per payment, with the facts that are known of it and what follows from them (core/money/ledger.h) ----

CREATE TABLE payments (
    number            INTEGER PRIMARY KEY,
    payment_ref       TEXT NOT NULL UNIQUE, -- the payment provider's reference
    reservation       TEXT, -- whose it is, for ever from its first money
    unknown           INTEGER NOT NULL, -- 1: there was no such reservation when its first money came
    app_given         INTEGER NOT NULL, -- 1: app or admin vouched for it, with this amount
    app_amount        INTEGER NOT NULL,
    app_currency      TEXT NOT NULL,
    assumed           INTEGER NOT NULL, -- 1: they named no amount, and it is what was missing then
    paid_given        INTEGER NOT NULL, -- 1: the provider said that this much was paid
    paid_amount       INTEGER NOT NULL,
    paid_currency     TEXT NOT NULL,
    failed            INTEGER NOT NULL,
    returned_currency TEXT NOT NULL,
    refunded          INTEGER NOT NULL, -- by the provider, in all
    refund_failed     INTEGER NOT NULL, -- of that, what did not arrive
    disputed_amount   INTEGER NOT NULL, -- taken by disputes
    reinstated        INTEGER NOT NULL, -- and given back
    disputes          INTEGER NOT NULL,
    disputes_over     INTEGER NOT NULL,
    staff_returned    INTEGER NOT NULL, -- by staff through the provider, in all
    outside           INTEGER NOT NULL, -- by staff, not through the provider
    money_seq         INTEGER NOT NULL, -- of its first money; 0: none yet
    first_at          INTEGER NOT NULL,
    last_at           INTEGER NOT NULL,
    currency          TEXT NOT NULL,
    received          INTEGER NOT NULL,
    kept              INTEGER NOT NULL,
    returned          INTEGER NOT NULL,
    owed              INTEGER NOT NULL,
    discrepancy       TEXT NOT NULL,
    discrepancy_seq   INTEGER NOT NULL,
    status TEXT GENERATED ALWAYS AS (CASE WHEN failed AND NOT paid_given THEN 'failed' WHEN money_seq THEN 'received'
        ELSE 'begun' END) VIRTUAL,
    received_by TEXT GENERATED ALWAYS AS (CASE WHEN paid_given OR failed OR NOT app_given THEN 'provider'
        WHEN assumed THEN 'assumed' ELSE 'app' END) VIRTUAL,
    CHECK (received >= 0 AND kept >= 0 AND returned >= 0 AND owed >= 0),
    CHECK (kept + returned + owed = max(received, returned))
) STRICT;
CREATE INDEX payments_of_reservation ON payments (reservation, money_seq);
CREATE INDEX payments_wrong ON payments (number) WHERE discrepancy <> 'none';
CREATE INDEX payments_by_last ON payments (last_at);
CREATE INDEX payments_owing ON payments (number) WHERE owed > 0;

-- What changed in the ledger with each change of a payment: the sums over all rows are those of `payments`.
CREATE TABLE payment_moves (
    seq      INTEGER NOT NULL,
    currency TEXT NOT NULL,
    at       INTEGER NOT NULL,
    received INTEGER NOT NULL,
    kept     INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    owed     INTEGER NOT NULL,
    PRIMARY KEY (seq, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_moves_at ON payment_moves (at);

-- Money that came in for a reservation and has to go back. Holdfast moves none: staff or the provider reports that it went.
CREATE TABLE refunds (
    number          INTEGER PRIMARY KEY, -- rfd_<number> in the API
    reservation     TEXT, -- its id; the reservation may be unknown, or pruned before its refund
    payment_ref     TEXT NOT NULL REFERENCES payments (payment_ref),
    amount          INTEGER NOT NULL CHECK (amount > 0),
    currency        TEXT NOT NULL,
    reason          TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    done_at         INTEGER,
    status          TEXT NOT NULL,
    told_seq        INTEGER NOT NULL, -- of the change that made it (number), or changed its amount last
    returned_before INTEGER NOT NULL, -- what had gone back of the payment before
    CHECK ((status = 'done') = (done_at IS NOT NULL))
) STRICT;
CREATE INDEX refunds_of_payment ON refunds (payment_ref, number);
CREATE INDEX refunds_of_reservation ON refunds (reservation);
CREATE UNIQUE INDEX refunds_open ON refunds (payment_ref) WHERE status = 'open'; -- one at most
CREATE INDEX refunds_by_status ON refunds (status, number);

-- What the payment provider reported, each event once, and what became of it; and payments that came with a request which
-- was refused.
CREATE TABLE payment_events (
    number      INTEGER PRIMARY KEY,
    event_id    TEXT UNIQUE, -- the provider's; NULL: it came with a request that was refused
    once        TEXT, -- what it must count once for, such as a refund that failed
    type        TEXT NOT NULL, -- the provider's word; of a request: hold, payment or commit
    payment_ref TEXT, -- the provider's reference of the payment
    reservation TEXT, -- its id, as it was named; there may be none of this id
    has_amount  INTEGER NOT NULL, -- 0: amount and currency were not given
    amount      INTEGER NOT NULL,
    currency    TEXT NOT NULL,
    result      TEXT NOT NULL,
    refund      INTEGER, -- the number of the refund due that it ended in
    received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX payment_events_by_ref ON payment_events (payment_ref) WHERE payment_ref IS NOT NULL;
CREATE UNIQUE INDEX payment_events_once ON payment_events (once) WHERE once IS NOT NULL;

CREATE TABLE payment_provider (
    number       INTEGER PRIMARY KEY, -- one row
    provider     TEXT NOT NULL,
    secret       TEXT NOT NULL,
    old_provider TEXT NOT NULL,
    old_secret   TEXT, -- valid too until old_until
    old_until    INTEGER,
    changed_at   INTEGER NOT NULL
) STRICT;

-- Which process decided, from when on, where several share one log.
CREATE TABLE owners (
    epoch INTEGER PRIMARY KEY,
    node  TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT;

-- ---- Waiting rooms with their queues, and waiting lists ----
--
-- An entry is identified by the event's number and its own, which counts from 1 by arrival and has no gaps. The ids of
-- entries are not here: they follow from the number and the event's line_key.

CREATE TABLE room_settings ( -- of the events that have a waiting room now
    event               INTEGER PRIMARY KEY REFERENCES events (number),
    open_at             INTEGER, -- NULL: open from the start
    rate_per_second     INTEGER NOT NULL,
    max_active          INTEGER NOT NULL, -- 0: any number
    pass_ttl_seconds    INTEGER NOT NULL,
    shuffle_before_open INTEGER NOT NULL CHECK (shuffle_before_open = 0 OR shuffle_before_open = 1),
    by_inventory        INTEGER NOT NULL CHECK (by_inventory = 0 OR by_inventory = 1),
    tiers               TEXT CHECK (tiers IS NULL OR json_valid(tiers)) -- an array of texts; NULL: everything
) STRICT;

CREATE TABLE rooms ( -- what a waiting room remembers; it stays when the event no longer has one
    event     INTEGER PRIMARY KEY REFERENCES events (number),
    seed      BLOB NOT NULL CHECK (length(seed) = 32), -- of the draw; secret until the opening
    paused    INTEGER NOT NULL CHECK (paused = 0 OR paused = 1),
    opened_at INTEGER, -- NULL: not yet
    drawn     INTEGER NOT NULL CHECK (drawn >= 0) -- the entries 1..drawn were put in order by lot
) STRICT;

-- `live` says again what the status says, so that the index below is not written when a live entry stays live: an admission
-- then costs a sixth.
CREATE TABLE queue (
    event       INTEGER NOT NULL REFERENCES rooms (event),
    number      INTEGER NOT NULL CHECK (number >= 1),
    user_id     TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status = 'waiting' OR status = 'admitted' OR status = 'passed_over'
                    OR status = 'finished' OR status = 'left'),
    live        INTEGER NOT NULL CHECK (live = (status = 'waiting' OR status = 'admitted' OR status = 'passed_over')),
    joined_at   INTEGER NOT NULL,
    admitted_at INTEGER, -- NULL: not yet
    until       INTEGER, -- the end of the pass; passed over: when it counts as left, NULL: it has come back
    tiers       TEXT CHECK (tiers IS NULL OR json_valid(tiers)), -- of its own; NULL: the room's
    PRIMARY KEY (event, number)
) STRICT, WITHOUT ROWID;
-- The last backstop against two live entries of one user.
CREATE UNIQUE INDEX queue_live ON queue (event, user_id) WHERE live = 1;

CREATE TABLE waiting_list (
    event       INTEGER NOT NULL REFERENCES events (number),
    number      INTEGER NOT NULL CHECK (number >= 1),
    user_id     TEXT NOT NULL,
    quantity    INTEGER NOT NULL CHECK (quantity >= 1),
    adjacent    INTEGER NOT NULL CHECK (adjacent = 0 OR adjacent = 1),
    tier        TEXT, -- NULL: any
    section     TEXT,
    pool        TEXT, -- NULL: seats
    code        TEXT, -- with which it is to be claimed
    status      TEXT NOT NULL CHECK (status = 'waiting' OR status = 'offered' OR status = 'finished'
                    OR status = 'left'),
    live        INTEGER NOT NULL CHECK (live = (status = 'waiting' OR status = 'offered')),
    joined_at   INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL,
    reservation TEXT CHECK (length(reservation) = 30), -- the last that was offered
    PRIMARY KEY (event, number),
    CHECK (status <> 'offered' OR reservation IS NOT NULL)
) STRICT, WITHOUT ROWID;
-- The last backstop against two live entries of one user.
CREATE UNIQUE INDEX waiting_list_live ON waiting_list (event, user_id) WHERE live = 1;
CREATE INDEX waiting_list_by_status ON waiting_list (event, status);

-- ---- Dispatch: fleets, their drivers, rides, and the offers of rides to drivers. Positions of drivers are not recorded ----
--
-- Persons are in drivers.id, rides.rider_id, rides.driver_id, offers.driver_id, and in audit.id of the kind driver.

CREATE TABLE fleets (
    number           INTEGER PRIMARY KEY,
    id               TEXT NOT NULL,
    offer_seconds    INTEGER NOT NULL CHECK (offer_seconds >= 1),
    resolution       INTEGER NOT NULL CHECK (resolution BETWEEN 0 AND 15), -- of its H3 cells
    max_rings        INTEGER NOT NULL CHECK (max_rings BETWEEN 0 AND 30),
    presence_seconds INTEGER NOT NULL CHECK (presence_seconds >= 1),
    search_seconds   INTEGER NOT NULL CHECK (search_seconds >= 1),
    speed_kmh        INTEGER NOT NULL CHECK (speed_kmh >= 1),
    guests           INTEGER NOT NULL CHECK (guests = 0 OR guests = 1),
    weight_eta       INTEGER NOT NULL, -- weights are in thousandths
    weight_rating    INTEGER NOT NULL,
    weight_waiting   INTEGER NOT NULL,
    weight_surge     INTEGER NOT NULL,
    -- For how long rides wait to be matched together; 0: each on its own, the oldest first.
    batch_ms         INTEGER NOT NULL CHECK (batch_ms BETWEEN 0 AND 10000),
    -- How many live rides a rider's own token may have; 0: no limit.
    rides_per_rider  INTEGER NOT NULL CHECK (rides_per_rider BETWEEN 0 AND 1000),
    offer_key        BLOB CHECK (length(offer_key) = 16), -- secret: the ids of offers follow from it; NULL in exports only
    created_at       INTEGER NOT NULL,
    removed_at       INTEGER
) STRICT;
CREATE UNIQUE INDEX fleets_by_id ON fleets (id) WHERE removed_at IS NULL;

CREATE TABLE drivers (
    fleet  INTEGER NOT NULL REFERENCES fleets (number),
    id     TEXT NOT NULL, -- a user
    rating INTEGER NOT NULL CHECK (rating BETWEEN 0 AND 5000), -- in thousandths
    surge  INTEGER NOT NULL CHECK (surge = 0 OR surge = 1), -- 1: prefers rides whose surge is over 1
    types  TEXT CHECK (types IS NULL OR json_valid(types)), -- an array of texts
    PRIMARY KEY (fleet, id)
) STRICT, WITHOUT ROWID;

-- Points are in 1e-7 degrees.
CREATE TABLE rides (
    number       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    fleet        INTEGER NOT NULL REFERENCES fleets (number),
    rider_id     TEXT NOT NULL,
    lat          INTEGER NOT NULL CHECK (lat BETWEEN -900000000 AND 900000000), -- of the pickup
    lng          INTEGER NOT NULL CHECK (lng BETWEEN -1800000000 AND 1800000000),
    cell         INTEGER NOT NULL, -- H3, of the pickup
    to_lat       INTEGER CHECK (to_lat BETWEEN -900000000 AND 900000000), -- NULL: no destination was given
    to_lng       INTEGER CHECK (to_lng BETWEEN -1800000000 AND 1800000000),
    type         TEXT, -- of driver; NULL: any
    surge        INTEGER NOT NULL CHECK (surge >= 1000), -- in thousandths
    status       TEXT NOT NULL CHECK (status = 'searching' OR status = 'offered' OR status = 'assigned'
                     OR status = 'no_driver' OR status = 'cancelled' OR status = 'completed'),
    created_at   INTEGER NOT NULL,
    search_until INTEGER NOT NULL, -- no new offer from then on
    assigned_at  INTEGER,
    ended_at     INTEGER, -- NULL: it is under way
    driver_id    TEXT, -- who has it, or had it at its end
    offer        INTEGER, -- number of the live or the accepted one
    CHECK ((to_lat IS NULL) = (to_lng IS NULL)),
    CHECK ((ended_at IS NULL) = (status = 'searching' OR status = 'offered' OR status = 'assigned')),
    CHECK ((status <> 'assigned' AND status <> 'completed') OR (driver_id IS NOT NULL AND assigned_at IS NOT NULL
        AND offer IS NOT NULL)),
    CHECK (status <> 'offered' OR (offer IS NOT NULL AND driver_id IS NULL)),
    CHECK (status <> 'searching' OR offer IS NULL)
) STRICT;
-- Lists go by number, newest first; each filter has its own.
CREATE INDEX rides_by_fleet ON rides (fleet, number);
CREATE INDEX rides_by_rider ON rides (fleet, rider_id, number);
CREATE INDEX rides_by_driver ON rides (fleet, driver_id, number) WHERE driver_id IS NOT NULL;
CREATE INDEX rides_by_status ON rides (fleet, status, number);
CREATE INDEX rides_live ON rides (number) WHERE ended_at IS NULL; -- what is loaded at start
CREATE INDEX rides_ended ON rides (ended_at) WHERE ended_at IS NOT NULL; -- and what is pruned
-- The last backstop against a driver with two rides, over all fleets.
CREATE UNIQUE INDEX rides_assigned ON rides (driver_id) WHERE status = 'assigned';

CREATE TABLE offers (
    number     INTEGER PRIMARY KEY,
    fleet      INTEGER NOT NULL, -- that of the ride
    ride       TEXT NOT NULL REFERENCES rides (id),
    driver_id  TEXT NOT NULL,
    score      INTEGER NOT NULL, -- milliseconds
    eta        INTEGER NOT NULL, -- the same
    made_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at   INTEGER, -- NULL: it is live
    "end"      TEXT CHECK ("end" = 'accepted' OR "end" = 'declined' OR "end" = 'timed_out' OR "end" = 'withdrawn'),
    CHECK (("end" IS NULL) = (ended_at IS NULL))
) STRICT;
CREATE INDEX offers_by_ride ON offers (ride, number);
CREATE INDEX offers_by_driver ON offers (driver_id); -- for exporting or erasing a person
-- The last backstop: one ride is offered to one driver at a time, and one driver is offered one ride at a time.
CREATE UNIQUE INDEX offers_live_ride ON offers (ride) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX offers_live_driver ON offers (driver_id) WHERE ended_at IS NULL;

-- ---- Keys, hooks, and what was done to people and by people ----

CREATE TABLE keys (
    name       TEXT PRIMARY KEY,
    role       TEXT NOT NULL CHECK (role = 'app' OR role = 'door'),
    hash       BLOB NOT NULL CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    old_hash   BLOB CHECK (length(old_hash) = 32), -- rotated: the value before, valid too until old_until
    old_until  INTEGER CHECK ((old_until IS NULL) = (old_hash IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE hooks ( -- outgoing webhooks
    number     INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    url        TEXT NOT NULL,
    events     INTEGER NOT NULL CHECK (events > 0), -- a bit for each event that it wants
    secret     TEXT NOT NULL,
    old_secret TEXT, -- signs too until old_until
    old_until  INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

-- A row for each message until it is delivered. Those that are dead stay for people to send them again.
CREATE TABLE outbox (
    hook        INTEGER NOT NULL REFERENCES hooks (number),
    seq         INTEGER NOT NULL, -- of the change that made it
    ordinal     INTEGER NOT NULL, -- among those of the change
    event       TEXT NOT NULL,
    reservation TEXT NOT NULL, -- its id
    subject     INTEGER NOT NULL, -- the refund due or payment that it is about
    at          INTEGER NOT NULL,
    since       INTEGER NOT NULL, -- when it was first tried, or sent again
    queued      INTEGER NOT NULL, -- the seq of the change that made it or sent it again: the order of sending
    dead_at     INTEGER, -- NULL: it waits
    PRIMARY KEY (hook, seq, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
-- The dead letters of a hook are found without walking all that wait for it.
CREATE INDEX outbox_dead_of_hook ON outbox (hook, seq, ordinal) WHERE dead_at IS NOT NULL;

-- Holds with a warning, sent to hooks, that they are about to expire; and the deadline it was for.
CREATE TABLE hook_warnings (
    reservation TEXT PRIMARY KEY, -- its id
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_warnings_by_deadline ON hook_warnings (expires_at);

CREATE TABLE audit ( -- who changed the catalogue, fleets, keys and hooks
    seq        INTEGER PRIMARY KEY, -- of the change
    at         INTEGER NOT NULL,
    actor      TEXT NOT NULL, -- admin, app
    actor_name TEXT, -- of the key
    kind       TEXT NOT NULL, -- event, seats, pool, codes, queue, calendar, group, key, hook, fleet, driver
    action     TEXT NOT NULL, -- put, removed, imported, blocked, unblocked, allotted
    id         TEXT, -- or name; NULL: seats, codes and the waiting room of an event have none
    event      TEXT, -- NULL: it is not of an event
    fleet      TEXT, -- of a driver
    count      INTEGER NOT NULL -- seats or codes; otherwise 1
) STRICT;
CREATE INDEX audit_of_drivers ON audit (id) WHERE kind = 'driver'; -- for exporting or erasing a person

-- How many holds and additions of items were refused, and why. Names and not numbers: they outlive what they name.
CREATE TABLE refusals (
    day      INTEGER NOT NULL, -- midnight of UTC
    event    TEXT NOT NULL, -- '': none, and the same of the next four
    calendar TEXT NOT NULL,
    tier     TEXT NOT NULL,
    pool     TEXT NOT NULL,
    service  TEXT NOT NULL,
    reason   TEXT NOT NULL, -- the code of the refusal
    count    INTEGER NOT NULL,
    PRIMARY KEY (day, event, calendar, tier, pool, service, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasures ( -- people who were erased: that it was done, and how far it is, without a word of who it was
    number   INTEGER PRIMARY KEY,
    mark     BLOB NOT NULL CHECK (length(mark) = 32), -- of the name, by the server's secret
    at       INTEGER NOT NULL,
    segments INTEGER NOT NULL, -- of the journal, begun since; from 2 on the one with the name can be freed
    clean    INTEGER NOT NULL CHECK (clean = 0 OR clean = 1) -- 1: no page of this file has the name any more
) STRICT;
CREATE INDEX erasures_by_mark ON erasures (mark);

-- ---- Views for people: times are ISO 8601, in UTC ----

CREATE VIEW pnrs AS -- see pnr_write of core/image.c
WITH spread AS (SELECT number, number % 887503681 * 514229057 % 887503681 AS v FROM reservations)
SELECT number,
       substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 28629151, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 923521 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 29791 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 961 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 31 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v % 31, 1) AS pnr
FROM spread;

CREATE VIEW item_names AS
SELECT i.reservation, i.item_id, e.id AS event, s.id AS seat, p.id AS pool, c.id AS calendar, v.id AS service,
       strftime('%Y-%m-%dT%H:%M:%fZ', i.starts_at / 1000.0, 'unixepoch') AS starts_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', i.ends_at / 1000.0, 'unixepoch') AS ends_at, i.quantity, i.price
FROM items i
LEFT JOIN events e ON e.number = i.event
LEFT JOIN seats s ON i.kind = 'seat' AND s.event = i.event AND s.position = i.position
LEFT JOIN pools p ON i.kind = 'pool' AND p.event = i.event AND p.position = i.position
LEFT JOIN calendars c ON c.number = i.calendar
LEFT JOIN services v ON v.calendar = i.calendar AND v.position = i.position;

CREATE VIEW live_holds AS
SELECT r.id AS reservation, n.pnr, r.user_id, i.event, i.seat, i.pool, i.calendar, i.service, i.starts_at, i.ends_at,
       i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.expires_at / 1000.0, 'unixepoch') AS expires_at,
       r.expires_at / 1000 - CAST(strftime('%s', 'now') AS INTEGER) AS seconds_left,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.payment_started_at / 1000.0, 'unixepoch') AS payment_started_at
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
WHERE r.status = 'held';

CREATE VIEW sales AS
SELECT 'ord_' || substr(r.id, 5) AS order_id, r.id AS reservation, n.pnr, r.user_id, i.event, i.seat, s.tier, i.pool,
       i.calendar, i.service, i.starts_at, i.ends_at, i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.confirmed_at / 1000.0, 'unixepoch') AS sold_at,
       r.payment_method, r.payment_ref
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
JOIN items t ON t.reservation = r.number AND t.item_id = i.item_id
LEFT JOIN seats s ON t.kind = 'seat' AND s.event = t.event AND s.position = t.position
WHERE r.status = 'confirmed';

CREATE VIEW abandoned AS
SELECT r.id AS reservation, n.pnr, r.user_id, r.status AS how, i.event, i.seat, i.pool, i.calendar, i.service,
       i.starts_at, i.ends_at, i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.ended_at / 1000.0, 'unixepoch') AS ended_at,
       (r.ended_at - r.created_at) / 1000 AS seconds_held,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.payment_started_at / 1000.0, 'unixepoch') AS payment_started_at
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
WHERE r.status = 'expired' OR r.status = 'released';

CREATE VIEW reservation_history AS -- every change of every reservation, the oldest first
SELECT r.id AS reservation, n.pnr, strftime('%Y-%m-%dT%H:%M:%fZ', h.at / 1000.0, 'unixepoch') AS at, h.actor,
       h.actor_name, h.action, h.reason, h.status,
       strftime('%Y-%m-%dT%H:%M:%fZ', h.expires_at / 1000.0, 'unixepoch') AS expires_at, h.version
FROM history h
JOIN reservations r ON r.number = h.reservation
JOIN pnrs n ON n.number = r.number
ORDER BY h.reservation, h.seq;

CREATE VIEW event_settings AS -- the events that are not removed
SELECT e.id AS event, e.name,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.starts_at / 1000.0, 'unixepoch') AS starts_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.on_sale_at / 1000.0, 'unixepoch') AS on_sale_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.off_sale_at / 1000.0, 'unixepoch') AS off_sale_at,
       e.currency, e.hold_ttl_seconds, e.max_hold_seconds, e.payment_ttl_seconds, e.payment, e.late_payment,
       e.per_user_limit, e.waiting_list, e.seats,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.created_at / 1000.0, 'unixepoch') AS created_at
FROM events e WHERE e.removed_at IS NULL;

CREATE VIEW occupancy AS -- how much of each calendar is taken, and from when to when
WITH steps AS (
    SELECT calendar, starts_at AS at, 1 AS step FROM calendar_claims
    UNION ALL SELECT calendar, until, -1 FROM calendar_claims
), counts AS (
    SELECT calendar, at, sum(sum(step)) OVER (PARTITION BY calendar ORDER BY at) AS claims,
           lead(at) OVER (PARTITION BY calendar ORDER BY at) AS until
    FROM steps GROUP BY calendar, at
)
SELECT c.id AS calendar, strftime('%Y-%m-%dT%H:%M:%fZ', n.at / 1000.0, 'unixepoch') AS starts_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', n.until / 1000.0, 'unixepoch') AS until, n.claims, c.capacity
FROM counts n JOIN calendars c ON c.number = n.calendar WHERE n.claims > 0;

CREATE VIEW queue_now AS -- entries of each waiting room by status
SELECT e.id AS event, q.status, count(*) AS entries,
       strftime('%Y-%m-%dT%H:%M:%fZ', min(q.joined_at) / 1000.0, 'unixepoch') AS first_joined_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', max(q.joined_at) / 1000.0, 'unixepoch') AS last_joined_at
FROM queue q JOIN events e ON e.number = q.event
WHERE e.removed_at IS NULL
GROUP BY q.event, q.status;

CREATE VIEW queue_entries AS -- all entries of waiting rooms, past ones too, by arrival
SELECT e.id AS event, q.number, q.user_id, q.status,
       strftime('%Y-%m-%dT%H:%M:%fZ', q.joined_at / 1000.0, 'unixepoch') AS joined_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', q.admitted_at / 1000.0, 'unixepoch') AS admitted_at,
       (q.admitted_at - q.joined_at) / 1000 AS seconds_waited,
       strftime('%Y-%m-%dT%H:%M:%fZ', q.until / 1000.0, 'unixepoch') AS until
FROM queue q JOIN events e ON e.number = q.event
WHERE e.removed_at IS NULL;

CREATE VIEW waiting_list_now AS -- live entries of waiting lists and their wishes, in order
SELECT e.id AS event, w.number,
       CASE w.status WHEN 'waiting' THEN sum(w.status = 'waiting') OVER (PARTITION BY w.event ORDER BY w.number) END
           AS position,
       w.user_id, w.quantity, w.pool, w.section, w.tier, w.adjacent, w.status,
       strftime('%Y-%m-%dT%H:%M:%fZ', w.joined_at / 1000.0, 'unixepoch') AS joined_at,
       CASE w.status WHEN 'offered' THEN w.reservation END AS reservation
FROM waiting_list w JOIN events e ON e.number = w.event
WHERE w.live = 1 AND e.removed_at IS NULL
ORDER BY w.event, w.number;

CREATE VIEW messages AS
SELECT h.name AS hook, o.event, o.reservation,
       strftime('%Y-%m-%dT%H:%M:%fZ', o.at / 1000.0, 'unixepoch') AS at,
       CASE WHEN o.dead_at IS NULL THEN 'waiting' ELSE 'dead' END AS status,
       strftime('%Y-%m-%dT%H:%M:%fZ', o.dead_at / 1000.0, 'unixepoch') AS dead_at
FROM outbox o JOIN hooks h ON h.number = o.hook;

CREATE VIEW audit_log AS
SELECT seq, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at, actor, actor_name, kind, action, id, event,
       fleet, count
FROM audit;

CREATE VIEW ride_offers AS -- every ride with its offers; one without has a row, too
SELECT f.id AS fleet, r.id AS ride, r.status, r.rider_id, r.driver_id,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.assigned_at / 1000.0, 'unixepoch') AS assigned_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.ended_at / 1000.0, 'unixepoch') AS ended_at,
       o.driver_id AS offered_to,
       strftime('%Y-%m-%dT%H:%M:%fZ', o.made_at / 1000.0, 'unixepoch') AS offered_at,
       CASE WHEN o.number IS NULL THEN NULL ELSE coalesce(o."end", 'live') END AS "end",
       (o.ended_at - o.made_at) / 1000.0 AS seconds, o.score / 1000.0 AS score_seconds, o.eta / 1000.0 AS eta_seconds
FROM rides r JOIN fleets f ON f.number = r.fleet LEFT JOIN offers o ON o.ride = r.id;

CREATE VIEW utilisation AS -- what each driver was offered, took, and was busy for
SELECT f.id AS fleet, u.driver_id, sum(offered) AS offers, sum(accepted) AS accepted, sum(declined) AS declined,
       sum(timed_out) AS timed_out, sum(rides) AS rides, sum(completed) AS completed, sum(busy) / 1000.0 AS busy_seconds
FROM (SELECT fleet, driver_id, 1 AS offered, "end" IS 'accepted' AS accepted, "end" IS 'declined' AS declined,
             "end" IS 'timed_out' AS timed_out, 0 AS rides, 0 AS completed, 0 AS busy
      FROM offers
      UNION ALL
      SELECT fleet, driver_id, 0, 0, 0, 0, 1, status = 'completed',
             coalesce(ended_at, (SELECT last_at FROM meta)) - assigned_at
      FROM rides WHERE driver_id IS NOT NULL) u
JOIN fleets f ON f.number = u.fleet
GROUP BY u.fleet, u.driver_id;

-- ---- What the reports of the API are made of. Times are milliseconds, a day is one of UTC; the API counts by the days of an
-- event's zone, with local_day(ms, zone) of the program's own connections (book/file/sql_zone.h) ----

-- Every item that a reservation has, and those that were refunded and so have left it.
CREATE VIEW report_items AS
SELECT r.number, r.id AS reservation, r.status, r.currency, i.event AS event_number, e.id AS event, c.id AS calendar, s.tier,
       p.id AS pool, v.id AS service, i.quantity AS units, i.price AS amount, r.created_at AS held_ms,
       r.expires_at AS expires_ms, r.payment_started_at AS paying_ms, r.confirmed_at AS sold_ms,
       r.ended_at AS ended_ms,
       r.status = 'refunded' OR r.status = 'cancelled' AS refunded -- 1: it was sold, and has gone back
FROM items i
JOIN reservations r ON r.number = i.reservation
LEFT JOIN events e ON e.number = i.event
LEFT JOIN calendars c ON c.number = i.calendar
LEFT JOIN seats s ON i.kind = 'seat' AND s.event = i.event AND s.position = i.position
LEFT JOIN pools p ON i.kind = 'pool' AND p.event = i.event AND p.position = i.position
LEFT JOIN services v ON v.calendar = i.calendar AND v.position = i.position
UNION ALL
SELECT r.number, r.id AS reservation, r.status, r.currency, i.event AS event_number, e.id AS event, c.id AS calendar, s.tier,
       p.id AS pool, v.id AS service, i.quantity AS units, i.price AS amount, r.created_at AS held_ms,
       r.expires_at AS expires_ms, r.payment_started_at AS paying_ms, r.confirmed_at AS sold_ms,
       r.ended_at AS ended_ms,
       1
FROM history_items i -- has only items that were changed or dropped: scanning it is cheaper than scanning the history
CROSS JOIN history h ON h.reservation = i.reservation AND h.seq = i.seq AND h.action = 'item_refunded'
JOIN reservations r ON r.number = i.reservation
LEFT JOIN events e ON e.number = i.event
LEFT JOIN calendars c ON c.number = i.calendar
LEFT JOIN seats s ON i.kind = 'seat' AND s.event = i.event AND s.position = i.position
LEFT JOIN pools p ON i.kind = 'pool' AND p.event = i.event AND p.position = i.position
LEFT JOIN services v ON v.calendar = i.calendar AND v.position = i.position;

-- A row for each reservation and each event and tier, pool, or calendar and service that it has items of.
CREATE VIEW checkouts AS
SELECT number, reservation, status, currency, event, calendar, tier, pool, service, sum(units) AS units,
       sum(amount) AS amount, max(refunded) AS refunded, held_ms, expires_ms, paying_ms, sold_ms, ended_ms
FROM report_items
GROUP BY number, event, calendar, tier, pool, service;

-- The reports, whole: GET /v1/reports/… gives the same rows of the times that are asked for.
CREATE VIEW sales_by_day AS
SELECT date(sold_ms / 1000, 'unixepoch') AS day, event, calendar, tier, pool, service, currency,
       sum(CASE refunded WHEN 0 THEN units ELSE 0 END) AS units,
       sum(CASE refunded WHEN 0 THEN amount ELSE 0 END) AS amount,
       sum(CASE refunded WHEN 1 THEN units ELSE 0 END) AS refunded_units,
       sum(CASE refunded WHEN 1 THEN amount ELSE 0 END) AS refunded_amount
FROM report_items WHERE sold_ms IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7;

CREATE VIEW abandoned_by_day AS
SELECT date(ended_ms / 1000, 'unixepoch') AS day, event, calendar, tier, pool, service, status AS how,
       CASE WHEN paying_ms IS NULL THEN 'held' ELSE 'paying' END AS reached, currency, count(*) AS checkouts,
       sum(units) AS units, sum(amount) AS amount, sum(ended_ms - held_ms) / count(*) / 1000 AS seconds_held,
       max(ended_ms - held_ms) / 1000 AS seconds_held_max
FROM checkouts WHERE status = 'expired' OR status = 'released'
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

CREATE VIEW funnel_by_day AS
SELECT date(held_ms / 1000, 'unixepoch') AS day, event, calendar, tier, pool, service, count(*) AS held,
       sum(paying_ms IS NOT NULL OR sold_ms IS NOT NULL) AS paying, sum(sold_ms IS NOT NULL) AS confirmed,
       sum(CASE WHEN sold_ms IS NOT NULL THEN sold_ms >= expires_ms -- paid after the deadline, and accepted or owed
                WHEN status <> 'expired' THEN 0
                ELSE EXISTS (SELECT 1 FROM refunds f WHERE f.reservation = checkouts.reservation
                             AND f.reason = 'expired' AND f.status <> 'withdrawn') END) AS late,
       sum(refunded) AS refunded
FROM checkouts
GROUP BY 1, 2, 3, 4, 5, 6;

CREATE VIEW refusals_by_day AS
SELECT date(day / 1000, 'unixepoch') AS day, nullif(event, '') AS event, nullif(calendar, '') AS calendar,
       nullif(tier, '') AS tier, nullif(pool, '') AS pool, nullif(service, '') AS service, reason, count
FROM refusals;
