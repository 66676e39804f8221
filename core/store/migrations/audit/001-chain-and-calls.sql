-- The chain: what happened, in order. Rows are only ever added.
CREATE TABLE event (
    seq        INTEGER PRIMARY KEY,
    call_id    TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    wall_ms    INTEGER NOT NULL,
    utc_offset INTEGER NOT NULL,
    body       BLOB    NOT NULL,
    previous   BLOB    NOT NULL,
    hash       BLOB    NOT NULL
) STRICT;

CREATE INDEX event_of_call ON event (call_id, seq);

-- Also refuses INSERT OR REPLACE, which would delete without asking the trigger below.
CREATE TRIGGER event_follows BEFORE INSERT ON event
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM event)
BEGIN
    SELECT RAISE(ABORT, 'an event must follow the last one');
END;

CREATE TRIGGER event_stays BEFORE DELETE ON event
BEGIN
    SELECT RAISE(ABORT, 'events are never removed');
END;

CREATE TRIGGER event_is_final BEFORE UPDATE ON event
BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;

-- Where the chain ends, written with it: tells a cut end from an older copy of the whole file.
CREATE TABLE tail (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    seq   INTEGER NOT NULL,
    hash  BLOB    NOT NULL,
    count INTEGER NOT NULL
) STRICT;

-- The calls, projected from the chain by the rules in audit/Calls.cpp; can be rebuilt at any time.
CREATE TABLE call (
    seq           INTEGER PRIMARY KEY,
    last_seq      INTEGER NOT NULL,
    call_id       TEXT    NOT NULL UNIQUE,
    at_ms         INTEGER NOT NULL,
    ended_ms      INTEGER NOT NULL,
    utc_offset    INTEGER NOT NULL,
    actor_kind    TEXT    NOT NULL,
    actor_id      TEXT    NOT NULL,
    actor_name    TEXT    NOT NULL,
    actor_session TEXT    NOT NULL,
    actor_pid     INTEGER NOT NULL,
    actor_program TEXT    NOT NULL,
    operation     TEXT    NOT NULL,
    effect        TEXT,
    remote        TEXT    NOT NULL,
    target        TEXT    NOT NULL,
    target_label  TEXT    NOT NULL,
    headline      TEXT    NOT NULL,
    state         TEXT    NOT NULL,
    error         TEXT    NOT NULL,
    upid          TEXT    NOT NULL,
    reason        TEXT    NOT NULL,
    decision      TEXT    NOT NULL,
    has_inverse   INTEGER NOT NULL,
    claimed_by    TEXT    NOT NULL,
    undone_by     TEXT    NOT NULL,
    undoes        TEXT    NOT NULL,
    is_open       INTEGER NOT NULL
) STRICT;

CREATE INDEX call_by_time ON call (at_ms, actor_kind);

CREATE INDEX call_by_actor ON call (actor_kind, actor_id, seq);

CREATE INDEX call_by_effect ON call (effect, seq);

CREATE INDEX call_by_state ON call (state, seq);

CREATE INDEX call_by_target ON call (target, seq);

CREATE INDEX call_undoable ON call (seq) WHERE has_inverse = 1 AND claimed_by = '' AND undone_by = '';

CREATE INDEX call_claimed ON call (seq) WHERE claimed_by <> '';

CREATE INDEX call_open ON call (seq) WHERE is_open = 1;
