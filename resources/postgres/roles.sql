-- Roles of the team's inbox. Run once as a user who may create roles, in the database of the inbox:
--   psql -f roles.sql "postgres://admin@db.example/inbox"
-- Then give each process or person a user of its own that is a member of one of them:
--   CREATE ROLE receiver_1 LOGIN PASSWORD '…' IN ROLE countersign_receiver;
--   CREATE ROLE ada LOGIN PASSWORD '…' IN ROLE countersign_reader;

DO $$
BEGIN
  -- Inserts webhooks, and can do nothing else: neither read, nor change, nor delete.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_receiver') THEN
    CREATE ROLE countersign_receiver NOLOGIN;
  END IF;
  -- Reads webhooks; writes what people note: its own read marks, the team's pins, notes, tags and replays.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_reader') THEN
    CREATE ROLE countersign_reader NOLOGIN;
  END IF;
  -- Drops days that are not to be kept any more.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_keeper') THEN
    CREATE ROLE countersign_keeper NOLOGIN;
  END IF;
END $$;

-- Where the inbox is there already. Where it is not, it gives them what is theirs when it is made.
DO $$
BEGIN
  IF to_regclass('countersign.migrations') IS NOT NULL THEN
    PERFORM countersign.grant_access();
  END IF;
END $$;
