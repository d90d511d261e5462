\set i :i + 1
\set seat permute(:first + :client_id + :i * :clients, :seats, 7)
BEGIN;
SELECT status, expires_at FROM seats WHERE seat_id = :seat FOR UPDATE;
UPDATE seats SET status = 'held', user_id = 'u' || :client_id, expires_at = now() + interval '600 s' WHERE seat_id = :seat;
COMMIT;
