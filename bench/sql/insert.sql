\set i :i + 1
\set seat permute(:first + :client_id + :i * :clients, :seats, 7)
INSERT INTO claims (seat_id, user_id, expires_at) VALUES (:seat, 'u' || :client_id, now() + interval '600 s') ON CONFLICT (seat_id) DO UPDATE SET user_id = EXCLUDED.user_id, expires_at = EXCLUDED.expires_at WHERE claims.expires_at <= now();
