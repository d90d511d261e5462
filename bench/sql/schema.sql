-- What a careful team would write for seats in PostgreSQL: one row a claim, the primary key is the mutual exclusion.
CREATE TABLE claims (
    seat_id    bigint PRIMARY KEY,
    user_id    text NOT NULL,
    expires_at timestamptz NOT NULL
);
-- And the other way: one row a seat, locked before it is looked at.
CREATE TABLE seats (
    seat_id    bigint PRIMARY KEY,
    status     text NOT NULL DEFAULT 'available',
    user_id    text,
    expires_at timestamptz
);
