-- migration 6
-- SPDX-License-Identifier: Apache-2.0
-- By what a book and its write-ahead log are known to belong together. See src/book/README.md.

-- What the file itself had, without its log, when this was written; as much as last_seq: it was closed.
ALTER TABLE meta ADD COLUMN moved_seq INTEGER;
