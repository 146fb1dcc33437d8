/** More is not taken in one call: a body of 64 MiB with its head, and a batch of a turn. */
const MOST_PACKED_BYTES = 72 * 1024 * 1024;
const MOST_ROWS = 1000;

/**
 * One call keeps what came in one turn. Each statement of the function sees what was committed before it, and the lock
 * is let go only after the commit: so ids follow the order of commits, and what has an id above a reader's cursor
 * cannot appear below it later.
 */
const write = (
  create: string,
  check: string,
  { orderLock, channel }: { orderLock: number; channel: string },
): string => `
  ${create} countersign.receive(
    p_receipt uuid,
    p_pack bytea,
    p_starts integer[],
    p_head_sizes integer[],
    p_body_sizes integer[],
    p_words text[],
    p_remote_address text[],
    p_full_bytes bigint[],
    p_received_at bigint[],
    p_method text[],
    p_path text[],
    p_content_type text[] DEFAULT NULL,
    p_size_bytes bigint[] DEFAULT NULL,
    p_responded_status bigint[] DEFAULT NULL,
    p_status text[] DEFAULT NULL,
    p_code text[] DEFAULT NULL,
    p_amount text[] DEFAULT NULL,
    p_client_reference text[] DEFAULT NULL,
    p_payment_uuid text[] DEFAULT NULL,
    p_payment_reference text[] DEFAULT NULL,
    p_webhook_id text[] DEFAULT NULL,
    p_rule text[] DEFAULT NULL,
    p_is_cut bigint[] DEFAULT NULL,
    p_verdict text[] DEFAULT NULL,
    p_verdict_reason text[] DEFAULT NULL
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
      id, receipt, head, body, words, remote_address, full_bytes, received_at, method, path, content_type, size_bytes,
      responded_status, status, code, amount, client_reference, payment_uuid, payment_reference, webhook_id, rule,
      is_cut, verdict, verdict_reason
    )
    SELECT v_first + place - 1, CASE WHEN place = 1 THEN p_receipt END,
      substr(p_pack, start + 1, head_size), substr(p_pack, start + 1 + head_size, body_size),
      CASE WHEN word_list = '' THEN '' ELSE array_to_tsvector(string_to_array(word_list, chr(31))) END,
      remote_address, full_bytes, received_at, method, path, content_type, size_bytes,
      responded_status, status, code, amount, client_reference, payment_uuid, payment_reference, webhook_id, rule,
      is_cut, verdict, verdict_reason
    FROM unnest(
      p_starts, p_head_sizes, p_body_sizes, p_words, p_remote_address, p_full_bytes, p_received_at, p_method, p_path,
      p_content_type, p_size_bytes, p_responded_status, p_status, p_code, p_amount, p_client_reference, p_payment_uuid,
      p_payment_reference, p_webhook_id, p_rule, p_is_cut, p_verdict, p_verdict_reason
    ) WITH ORDINALITY AS r (
      start, head_size, body_size, word_list, remote_address, full_bytes, received_at, method, path, content_type,
      size_bytes, responded_status, status, code, amount, client_reference, payment_uuid, payment_reference, webhook_id,
      rule, is_cut, verdict, verdict_reason, place
    );
    PERFORM pg_notify('${channel}', json_build_object('first', v_first, 'count', cardinality(p_starts))::text);
    RETURN v_first;
  END $$;
`;

const CHECK = `
    IF cardinality(p_starts) > ${MOST_ROWS} OR octet_length(p_pack) > ${MOST_PACKED_BYTES} THEN
      RAISE program_limit_exceeded USING MESSAGE = 'too much for one call';
    END IF;`;

/** Writes the function by which receivers insert: as it was first, and as it is now. */
export function writeReceive(orderLock: number, channel: string): { first: string; bounded: string } {
  const names = { orderLock, channel };
  return {
    first: write('CREATE FUNCTION', '', names),
    bounded: write('CREATE OR REPLACE FUNCTION', CHECK, names),
  };
}
