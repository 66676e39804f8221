-- A page of one kind of actor, or of one actor, needs no sorting.
DROP INDEX call_by_actor;

CREATE INDEX call_by_kind ON call (actor_kind, seq);

CREATE INDEX call_by_actor ON call (actor_id, seq) WHERE actor_id <> '';

-- How many calls began in an hour since 1970, by kind of actor: the histogram of a long time needs no row of the calls.
CREATE TABLE call_hour (
    hour       INTEGER NOT NULL,
    actor_kind TEXT    NOT NULL,
    calls      INTEGER NOT NULL,
    PRIMARY KEY (hour, actor_kind)
) STRICT, WITHOUT ROWID;

INSERT INTO call_hour (hour, actor_kind, calls)
SELECT (at_ms - (at_ms % 3600000 + 3600000) % 3600000) / 3600000, actor_kind, count(*) FROM call GROUP BY 1, 2;
