/** More is not taken in one call: a body of 64 MiB with its head, and a batch of a turn. */
const MOST_PACKED_BYTES = 72 * 1024 * 1024;
const MOST_ROWS = 1000;

type Columns = Readonly<Record<string, 'text' | 'bigint'>>;

/** Columns of `countersign.webhooks` that every receiver gives. */
const given: Columns = {
  remote_address: 'text',
  full_bytes: 'bigint',
  received_at: 'bigint',
  method: 'text',
  path: 'text',
};
/** With those that a receiver may leave out: one of an earlier version does not know them all. */
const columns: Columns = {
  ...given,
  content_type: 'text',
  size_bytes: 'bigint',
  responded_status: 'bigint',
  status: 'text',
  code: 'text',
  amount: 'text',
  client_reference: 'text',
  payment_uuid: 'text',
  payment_reference: 'text',
  webhook_id: 'text',
  rule: 'text',
  is_cut: 'bigint',
  verdict: 'text',
  verdict_reason: 'text',
};

const join = (of: Columns, write: (name: string, type: string) => string): string =>
  Object.entries(of)
    .map(([name, type]) => write(name, type))
    .join(', ');
const names = (of: Columns): string => join(of, (name) => name);

/**
 * One call keeps what came in one turn. Each statement of the function sees what was committed before it, and the lock
 * is let go only after the commit: so ids follow the order of commits, and what has an id above a reader's cursor
 * cannot appear below it later.
 */
const write = (
  create: string,
  check: string,
  of: Columns,
  { orderLock, channel }: { orderLock: number; channel: string },
): string => `
  ${create} countersign.receive(
    p_receipt uuid,
    p_pack bytea,
    p_starts integer[],
    p_head_sizes integer[],
    p_body_sizes integer[],
    p_words text[],
    ${join(of, (name, type) => `p_${name} ${type}[]${Object.hasOwn(given, name) ? '' : ' DEFAULT NULL'}`)}
  ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    -- The same plan fits every batch; planned anew each time, it costs a quarter of a batch of fifty.
    SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    v_first bigint;
    v_last bigint;
    v_now bigint;
  BEGIN${check}
    PERFORM pg_advisory_xact_lock(${orderLock});
    v_now := countersign.id_at(clock_timestamp());
    -- A receiver that lost its connection asks again: what was kept is not kept twice.
    SELECT w.id INTO v_first FROM countersign.webhooks w
      WHERE w.receipt = p_receipt AND w.id > v_now - 353894400000;
    IF FOUND THEN RETURN v_first; END IF;
    SELECT greatest(v_now, s.last_value + 1) INTO v_first FROM countersign.webhook_ids s;
    v_last := v_first + cardinality(p_starts) - 1;
    PERFORM setval('countersign.webhook_ids', v_last);
    PERFORM countersign.make_day(countersign.day_of(v_first));
    IF countersign.day_of(v_last) <> countersign.day_of(v_first) THEN
      PERFORM countersign.make_day(countersign.day_of(v_last));
    END IF;
    INSERT INTO countersign.webhooks (
      id, receipt, head, body, words, ${names(of)}
    )
    SELECT v_first + place - 1, CASE WHEN place = 1 THEN p_receipt END,
      substr(p_pack, start + 1, head_size), substr(p_pack, start + 1 + head_size, body_size),
      CASE WHEN word_list = '' THEN '' ELSE array_to_tsvector(string_to_array(word_list, chr(31))) END,
      ${names(of)}
    FROM unnest(
      p_starts, p_head_sizes, p_body_sizes, p_words, ${join(of, (name) => `p_${name}`)}
    ) WITH ORDINALITY AS r (
      start, head_size, body_size, word_list, ${names(of)}, place
    );
    PERFORM pg_notify('${channel}', json_build_object('first', v_first, 'count', cardinality(p_starts))::text);
    RETURN v_first;
  END $$;
`;

const CHECK = `
    IF cardinality(p_starts) > ${MOST_ROWS} OR octet_length(p_pack) > ${MOST_PACKED_BYTES} THEN
      RAISE program_limit_exceeded USING MESSAGE = 'too much for one call';
    END IF;`;

/**
 * Writes the function by which receivers insert: as it was first, and as it is now.
 *
 * A column more is a function of other parameters: its step drops the one before (of two, a right can be given to neither
 * by name alone) and makes this with the column behind the others.
 */
export function writeReceive(orderLock: number, channel: string): { first: string; bounded: string } {
  const used = { orderLock, channel };
  return {
    first: write('CREATE FUNCTION', '', columns, used),
    bounded: write('CREATE OR REPLACE FUNCTION', CHECK, columns, used),
  };
}
