/**
 * Every error code, once: area → reasons. A code reads `area.reason` and is stable: scripts rely on it.
 *
 * What only a client says of itself (`app.renderer`, `app.unreachable`) stands here, too.
 */
export const errorReasons = {
  app: [
    'bad_input',
    'folder_in_use',
    'internal',
    'not_authorized',
    'not_available',
    'not_on_this_host',
    'refused_address',
    'renderer',
    'too_large',
    'unknown_method',
    'unreachable',
  ],
  cli: [
    'file_exists',
    'file_too_large',
    'no_data',
    'not_utf8',
    'timed_out',
    'unreadable_file',
    'unwritable_file',
    'usage',
  ],
  collections: [
    'bad_file',
    'bad_name',
    'bad_path',
    'bad_text',
    'conflict',
    'exists',
    'missing',
    'not_open',
    'no_request',
    'not_utf8',
    'read_only',
    'too_large',
    'unknown',
    'unreadable',
  ],
  doctor: ['canceled'],
  environments: [
    'address_changed',
    'not_confirmed',
    'bad_name',
    'bad_url',
    'exists',
    'from_collection',
    'insecure',
    'no_address',
    'no_secret',
    'not_sealed',
    'reserved',
    'unknown',
  ],
  history: ['unknown'],
  import: [
    'bad_path',
    'not_readable',
    'nothing_found',
    'too_deep',
    'too_large',
    'too_many',
    'unknown_format',
    'unsupported',
  ],
  inbox: ['bad_filter', 'bad_replay', 'unknown'],
  ipc: ['refused_sender'],
  journey: ['unknown'],
  keys: [
    'confirmation_wrong',
    'duplicate',
    'export_refused',
    'needed',
    'none_for_environment',
    'not_a_key',
    'not_rsa',
    'passphrase_needed',
    'private_for_public',
    'public_given',
    'too_many',
    'too_short',
    'too_small',
    'unknown',
    'unreadable',
    'unsupported',
    'wrong_environment',
    'wrong_passphrase',
  ],
  listener: [
    'bad_forward',
    'bad_rules',
    'damaged',
    'disk_full',
    'forwarding_in_use',
    'not_stored',
    'port_in_use',
    'port_refused',
    'too_many',
    'unknown',
    'unwritable',
  ],
  platform: [
    'busy',
    'database_damaged',
    'database_failed',
    'database_newer',
    'disk_full',
    'migration_failed',
    'unwritable',
  ],
  proxy: ['bad_target', 'port_in_use', 'port_refused', 'unknown'],
  receiver: ['bad_state'],
  running: ['bad_data', 'bad_file', 'bad_resume', 'nothing', 'sent_before', 'stopped'],
  sandbox: [
    'bad_amount',
    'wallet_unknown',
    'bad_clock',
    'bad_request',
    'bad_state',
    'delivery_unknown',
    'folder_in_use',
    'payment_final',
    'payment_unknown',
    'port_in_use',
    'port_refused',
    'request_unknown',
    'sealed',
    'stopped',
  ],
  sending: [
    'bad_answer',
    'bad_currency',
    'bad_header',
    'bad_input',
    'bad_url',
    'canceled',
    'closed',
    'disabled',
    'dns',
    'foreign_host',
    'interrupted',
    'secret_field',
    'timeout',
    'tls',
    'unreachable',
    'unresolved',
  ],
  settings: ['too_large'],
  signing: ['bad_webhook_key', 'field_missing', 'field_wrong_type', 'not_json'],
  tokens: ['bad_answer', 'no_address', 'no_credentials', 'none', 'refused', 'unavailable'],
  tunnels: ['bad_choice', 'not_found'],
  vault: ['damaged', 'locked', 'unreadable', 'wrong_key', 'wrong_passphrase'],
  web: ['no_session', 'port_in_use', 'port_refused'],
  worker: ['no_parent', 'stopped', 'unknown_method'],
} as const;

export type ErrorArea = keyof typeof errorReasons;

/** Every code of some areas; of all, where left out. */
export type ErrorCode<A extends ErrorArea = ErrorArea> = {
  [K in A]: `${K}.${(typeof errorReasons)[K][number]}`;
}[A];

/** How a method of the contract names what it may answer with: one code, or an area whole. */
export type ErrorPattern = ErrorCode | `${ErrorArea}.*`;

/** The codes that a pattern stands for. */
export type CodesOf<P extends ErrorPattern> = P extends `${infer A extends ErrorArea}.*` ? ErrorCode<A> : P;

/** Tells whether a text from outside (a stored exchange, another process) is a code of ours. */
export function isErrorCode(text: string): text is ErrorCode {
  const [area = '', reason = ''] = text.split('.', 2);
  return (
    Object.hasOwn(errorReasons, area) &&
    (errorReasons[area as ErrorArea] as readonly string[]).includes(reason)
  );
}
