import type { Migration } from '../../platform/database/database';
import { writeReceive } from './receive-function';

/** Everything of ours stands in this schema: the database may have other uses. */
export const SCHEMA = 'countersign';

/** Readers LISTEN here; the payload of a notice is `{"first":ID,"count":N}`. */
export const ARRIVALS_CHANNEL = 'countersign_webhooks';

/** Whoever migrates holds this advisory lock; whoever gives ids holds the next one. */
export const MIGRATION_LOCK = 5_031_946_001;
const ORDER_LOCK = 5_031_946_002;
const receive = writeReceive(ORDER_LOCK, ARRIVALS_CHANNEL);

const TABLES = `
  CREATE SEQUENCE countersign.webhook_ids;
  CREATE TABLE countersign.webhooks (
    id bigint PRIMARY KEY,
    receipt uuid,
    received_at bigint NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    content_type text,
    size_bytes bigint NOT NULL,
    responded_status bigint NOT NULL,
    answered_ms double precision,
    status text,
    code text,
    amount text,
    client_reference text,
    payment_uuid text,
    payment_reference text,
    webhook_id text,
    rule text,
    is_cut bigint NOT NULL,
    verdict text,
    verdict_reason text,
    remote_address text,
    full_bytes bigint,
    words tsvector NOT NULL,
    head bytea NOT NULL,
    body bytea NOT NULL
  ) PARTITION BY RANGE (id);
  CREATE INDEX webhooks_by_receipt ON countersign.webhooks (receipt) WHERE receipt IS NOT NULL;
  CREATE INDEX webhooks_by_reference ON countersign.webhooks (left(client_reference, 100), id)
    WHERE client_reference IS NOT NULL;
  CREATE INDEX webhooks_by_payment ON countersign.webhooks (left(payment_uuid, 100), id)
    WHERE payment_uuid IS NOT NULL;
  CREATE INDEX webhooks_by_webhook_id ON countersign.webhooks (left(webhook_id, 100), id)
    WHERE webhook_id IS NOT NULL;
  CREATE INDEX webhooks_failed ON countersign.webhooks (id)
    WHERE status IN ('FAILED', 'CANCELED') OR responded_status NOT BETWEEN 200 AND 299;
  CREATE INDEX webhooks_by_word ON countersign.webhooks USING gin (words);

  CREATE TABLE countersign.people (
    person text PRIMARY KEY DEFAULT session_user,
    read_up_to bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE countersign.person_marks (
    person text NOT NULL DEFAULT session_user,
    id bigint NOT NULL,
    is_read bigint NOT NULL,
    PRIMARY KEY (person, id)
  );
  CREATE TABLE countersign.team_marks (
    id bigint PRIMARY KEY,
    is_pinned bigint NOT NULL DEFAULT 0,
    note text NOT NULL DEFAULT '',
    tags text NOT NULL DEFAULT '',
    marked_by text NOT NULL DEFAULT session_user,
    marked_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX team_marks_pinned ON countersign.team_marks (id) WHERE is_pinned = 1;
  CREATE TABLE countersign.replays (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook bigint NOT NULL,
    person text NOT NULL DEFAULT session_user,
    sent_at bigint NOT NULL,
    url text NOT NULL,
    http_status bigint,
    reason text,
    elapsed_ms double precision,
    is_edited bigint NOT NULL,
    is_resigned bigint NOT NULL,
    headers text NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX replays_by_webhook ON countersign.replays (webhook, id);

  ALTER TABLE countersign.people ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own_people ON countersign.people USING (person = session_user) WITH CHECK (person = session_user);
  ALTER TABLE countersign.person_marks ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own_marks ON countersign.person_marks USING (person = session_user) WITH CHECK (person = session_user);
`;

/** Days are those of UTC; the id of a webhook tells its day, as `sortable-id` counts. */
const DAYS = `
  CREATE FUNCTION countersign.id_at(at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT floor(extract(epoch FROM at) * 1000 - 1704067200000)::bigint * 4096
  $$;
  CREATE FUNCTION countersign.day_of(id bigint) RETURNS date LANGUAGE sql STABLE AS $$
    SELECT (to_timestamp((id / 4096 + 1704067200000) / 1000.0) AT TIME ZONE 'UTC')::date
  $$;
  CREATE FUNCTION countersign.first_id_of(day date) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT countersign.id_at(day::timestamp AT TIME ZONE 'UTC')
  $$;

  CREATE FUNCTION countersign.make_day(day date) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    name text := 'webhooks_' || to_char(day, 'YYYYMMDD');
  BEGIN
    IF to_regclass('countersign.' || name) IS NOT NULL THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(${ORDER_LOCK});
    -- to_regclass may answer from what this session knew before it waited; the catalogue itself does not.
    IF EXISTS (SELECT FROM pg_class c WHERE c.relname = name AND c.relnamespace = 'countersign'::regnamespace)
      THEN RETURN; END IF;
    -- ATTACH lets readers and receivers go on; PARTITION OF would lock them out.
    EXECUTE format('CREATE TABLE countersign.%I (LIKE countersign.webhooks INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
    EXECUTE format('ALTER TABLE countersign.webhooks ATTACH PARTITION countersign.%I FOR VALUES FROM (%s) TO (%s)',
      name, countersign.first_id_of(day), countersign.first_id_of(day + 1));
  END $$;

  CREATE FUNCTION countersign.make_days() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    FOR ahead IN 0..2 LOOP
      PERFORM countersign.make_day((now() AT TIME ZONE 'UTC')::date + ahead);
    END LOOP;
  END $$;

  -- Drops whole days that end before a moment. What the team has pinned stays, in a table of that day of its own.
  CREATE FUNCTION countersign.drop_days(before timestamptz) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    part record;
    dropped bigint := 0;
    kept bigint;
    day date;
  BEGIN
    SET LOCAL lock_timeout = '2s';
    PERFORM pg_advisory_xact_lock(${ORDER_LOCK});
    FOR part IN
      SELECT c.relname AS name, obj_description(c.oid, 'pg_class') AS remark
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'countersign.webhooks'::regclass ORDER BY c.relname
    LOOP
      day := to_date(right(part.name, 8), 'YYYYMMDD');
      CONTINUE WHEN (day + 1)::timestamp AT TIME ZONE 'UTC' > before;
      SELECT count(*) INTO kept FROM countersign.team_marks m
        WHERE m.is_pinned = 1 AND m.id >= countersign.first_id_of(day) AND m.id < countersign.first_id_of(day + 1);
      -- It holds nothing but pinned ones already.
      CONTINUE WHEN kept > 0 AND part.remark = 'pinned ' || kept;
      EXECUTE format('ALTER TABLE countersign.webhooks DETACH PARTITION countersign.%I', part.name);
      EXECUTE format('ALTER TABLE countersign.%I RENAME TO dropping', part.name);
      IF kept > 0 THEN
        PERFORM countersign.make_day(day);
        EXECUTE format('INSERT INTO countersign.%I SELECT * FROM countersign.dropping d
          WHERE d.id IN (SELECT m.id FROM countersign.team_marks m WHERE m.is_pinned = 1)', part.name);
        EXECUTE format('COMMENT ON TABLE countersign.%I IS %L', part.name, 'pinned ' || kept);
      END IF;
      DROP TABLE countersign.dropping;
      DELETE FROM countersign.team_marks m WHERE m.is_pinned = 0
        AND m.id >= countersign.first_id_of(day) AND m.id < countersign.first_id_of(day + 1);
      DELETE FROM countersign.person_marks m
        WHERE m.id >= countersign.first_id_of(day) AND m.id < countersign.first_id_of(day + 1)
          AND m.id NOT IN (SELECT t.id FROM countersign.team_marks t WHERE t.is_pinned = 1);
      DELETE FROM countersign.replays r
        WHERE r.webhook >= countersign.first_id_of(day) AND r.webhook < countersign.first_id_of(day + 1)
          AND r.webhook NOT IN (SELECT t.id FROM countersign.team_marks t WHERE t.is_pinned = 1);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$;
`;

/** Gives the roles that there are what is theirs; `resources/postgres/roles.sql` makes them. */
const ACCESS = `
  CREATE FUNCTION countersign.grant_access() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA countersign FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_receiver') THEN
      GRANT USAGE ON SCHEMA countersign TO countersign_receiver;
      GRANT SELECT ON countersign.migrations TO countersign_receiver;
      GRANT EXECUTE ON FUNCTION countersign.receive, countersign.make_days TO countersign_receiver;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_reader') THEN
      GRANT USAGE ON SCHEMA countersign TO countersign_reader;
      GRANT SELECT ON countersign.migrations, countersign.webhooks TO countersign_reader;
      GRANT SELECT, INSERT, UPDATE, DELETE ON countersign.people, countersign.person_marks, countersign.team_marks
        TO countersign_reader;
      GRANT SELECT, INSERT, DELETE ON countersign.replays TO countersign_reader;
      GRANT EXECUTE ON FUNCTION countersign.id_at, countersign.day_of, countersign.first_id_of TO countersign_reader;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_keeper') THEN
      GRANT USAGE ON SCHEMA countersign TO countersign_keeper;
      GRANT SELECT ON countersign.migrations TO countersign_keeper;
      GRANT EXECUTE ON FUNCTION countersign.drop_days TO countersign_keeper;
    END IF;
  END $$;
`;

/** Whoever may write notes need not be trusted with the disk, nor with somebody else's name. */
const BOUNDS = `
  ALTER TABLE countersign.team_marks ADD CONSTRAINT team_marks_bounded
    CHECK (char_length(note) <= 4000 AND char_length(tags) <= 2000) NOT VALID;
  ALTER TABLE countersign.team_marks ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own_name ON countersign.team_marks USING (true) WITH CHECK (marked_by = session_user);
  ALTER TABLE countersign.replays ADD CONSTRAINT replays_bounded
    CHECK (char_length(url) <= 100000 AND char_length(coalesce(reason, '')) <= 100000
      AND char_length(headers) <= 1000000 AND char_length(body) <= 100000) NOT VALID;
  ALTER TABLE countersign.replays ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own_name ON countersign.replays USING (true) WITH CHECK (person = session_user);
`;

/**
 * Schema of the team's store.
 *
 * `webhooks` holds what came, with the columns of `webhook-columns`, and nothing there is ever changed. What people note
 * stands beside it: whether a webhook was read is each person's (`people`: all up to an id; `person_marks`: those that
 * differ), pins, notes and tags are the team's (`team_marks`).
 */
export const postgresMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'webhooks by day, and what people note of them',
    sql: TABLES + DAYS + receive.first + ACCESS,
  },
  {
    id: 2,
    name: 'bounds of what is sent, and marks under the name of who makes them',
    sql: receive.bounded + BOUNDS,
  },
];
