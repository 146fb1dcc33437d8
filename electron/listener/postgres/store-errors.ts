import { AppError } from '@shared/errors';
import { findTlsFault } from '../../platform/http/tls-errors';
import type { ErrorCode } from '@shared/error-codes';

interface Described {
  readonly code: ErrorCode<'store'>;
  readonly message: string;
}

/** Code of PostgreSQL for what would write where nothing is written. */
export const READ_ONLY = '25006';

/** By code of PostgreSQL (its class, where two letters stand) or of the system. */
const KNOWN: Readonly<Record<string, Described>> = {
  '28': {
    code: 'store.refused',
    message: 'The store refuses this user or its password. Check PGPASSWORD or ~/.pgpass.',
  },
  '28000': {
    code: 'store.not_allowed',
    message:
      'The server does not let this user in this way, whatever the password: it may want TLS (sslmode=require), a certificate ' +
      'or another address (pg_hba.conf), or there is no such role, or one that may not log in. Ask whoever keeps it.',
  },
  '3D': {
    code: 'store.not_ready',
    message: 'There is no such database on the server. Make it: createdb NAME',
  },
  [READ_ONLY]: {
    code: 'store.unsupported',
    message:
      'The store is read-only now: a standby, or set so. Name the primary server, or lift default_transaction_read_only.',
  },
  '42': {
    code: 'store.unsupported',
    message:
      'What this database keeps under the name `countersign` is not an inbox of this program, or somebody changed it. ' +
      'Name another database.',
  },
  '42501': {
    code: 'store.not_allowed',
    message:
      'This user may not do that in the store. Make it a member of countersign_receiver to receive, of countersign_keeper ' +
      'for --keep-days, or of countersign_reader to read (resources/postgres/roles.sql).',
  },
  '53': {
    code: 'store.busy',
    message: 'The store has no connection, memory or disk space left. Make room on the server.',
  },
  '55': { code: 'store.busy', message: 'The store is busy with something else. Try again.' },
  '57014': {
    code: 'store.busy',
    message: 'The store took too long and gave up. Try again, or look at its load.',
  },
};
/** Where PostgreSQL looks whether a database takes a user at all; its code is that of a right that is missing within it, or of a lock. */
const ENTRANCE = 'CheckMyDatabase';
const SHUT_OUT: Described = {
  code: 'store.not_allowed',
  message:
    'The database does not take connections of this user. Grant it that (GRANT CONNECT ON DATABASE … TO …), or wait, ' +
    'where the database takes none at all now.',
};
/** Of passwords that PostgreSQL has others judge, by names that stand in its message in any language; its code is that of all other refusals. */
const JUDGED_ELSEWHERE = /\b(?:LDAP|PAM|RADIUS|BSD)\b/;
const isPasswordRefused = (key: string, routine: unknown, error: unknown): boolean =>
  key === '28000' &&
  routine === 'auth_failed' &&
  JUDGED_ELSEWHERE.test(String((error as { message?: unknown }).message));
const TOO_LATE = 'it does not answer in time. Look at its load, and for a firewall on the way';
const ENDED =
  'the connection was ended from there. Check that the server stays up, and that what listens at this address is PostgreSQL';
const UNKNOWN_WHY = 'Check that the server runs and that this machine may connect to it';

/** Why a store is not reached, by the system's code, and what to do. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the server, or name its host and port',
  ENOTFOUND: 'the host name is not known. Look at its spelling, at DNS and VPN',
  EAI_AGAIN: 'the host name cannot be looked up now. Look at the network, at DNS and VPN',
  EHOSTUNREACH: 'there is no route to the host. Look at the network and at VPN',
  ENETUNREACH: 'the network cannot be reached. Look at the network and at VPN',
  ETIMEDOUT: TOO_LATE,
  ECONNRESET: ENDED,
  EPIPE: ENDED,
};
const NO_TLS = /does not support SSL/;
const WITHOUT = 'On a network of your own sslmode=disable goes without.';

/** What to do about a fault of TLS, by its reason. */
const TLS_ADVICE: Readonly<Record<string, string>> = {
  self_signed: `Name that certificate with sslrootcert=FILE. ${WITHOUT}`,
  unknown_issuer: `Name its issuer with sslrootcert=FILE. ${WITHOUT}`,
  host_name: 'Name the store by that host.',
  expired: 'Check this machine’s clock, then ask whoever runs the store to renew it.',
  not_yet_valid: 'Check this machine’s clock, then ask whoever runs the store.',
  client_certificate: 'None is shown from here: let the server take a password over TLS.',
};

/** Says what is wrong with TLS; null: it is something else. */
function describeTls(code: string, error: unknown): Described | null {
  if (NO_TLS.test(String((error as { message?: unknown }).message)))
    return {
      code: 'store.insecure',
      message: `The store speaks no TLS. Let it, where others can listen. ${WITHOUT}`,
    };
  // Codes of five belong to PostgreSQL.
  const fault = code.length === 5 ? null : findTlsFault(error, code);
  if (fault === null) return null;
  const advice = TLS_ADVICE[fault.reason] ?? 'Ask whoever runs the store.';
  return { code: 'store.insecure', message: `No secure connection to the store: ${fault.what}. ${advice}` };
}

/** Says what is wrong with the store, and what to do. What the server said stands in the cause alone. */
export function toStoreError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  const told = typeof code === 'string' ? code : '';
  const key = isPasswordRefused(told, routine, error) ? '28P01' : told;
  const known =
    (routine === ENTRANCE && /^(?:42501|55)/.test(key) ? SHUT_OUT : null) ??
    describeTls(key, error) ??
    KNOWN[key] ??
    KNOWN[key.slice(0, 2)] ??
    describeUnknown(key, error);
  return new AppError(known.code, known.message, { retryable: known.code !== 'store.refused', cause: error });
}

/** Codes of five belong to PostgreSQL: whoever sends one was reached, unless it says that it goes or comes (08, 57). */
function describeUnknown(code: string, error: unknown): Described {
  if (!/^[0-9A-Z]{5}$/.test(code) || /^(?:08|57|E[A-Z]{4})/.test(code))
    return { code: 'store.unreachable', message: describeUnreached(code, error) };
  return {
    code: 'store.failed',
    message: `The store failed with SQLSTATE ${code}. Look into the log of its server.`,
  };
}

function describeUnreached(code: string, error: unknown): string {
  const words = String((error as { message?: unknown }).message);
  const why =
    UNREACHED[code] ?? (/time-?out/i.test(words) ? TOO_LATE : CUT_MESSAGE.test(words) ? ENDED : null);
  return why === null
    ? `The store cannot be reached. ${UNKNOWN_WHY}.`
    : `The store cannot be reached: ${why}.`;
}

/** Whether the statement failed for what it was given: sent again, it would fail again. Of the rest nobody knows whether it was done. */
export function isRefusedData(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(?:22|23|54)/.test(code);
}

const CUT = /^(?:57P01|57P02|ECONNRESET|EPIPE)$/;
/** A connection that was never made was not cut: it is not waited for again. */
const CUT_MESSAGE =
  /^(?:Connection terminated(?! due to connection timeout)|Client has encountered a connection error)/;
const MOST_TRIES = 3;

/**
 * Reads, and again over another connection where one was cut: by the server, or by the network since it was last used.
 *
 * A server that is gone refuses the next one, and that is the end of it.
 */
export async function readOverCuts<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === MOST_TRIES || !isCut(error)) throw error;
    }
  }
}

function isCut(error: unknown): boolean {
  const { code, message } = ((error as Error).cause ?? error) as { code?: unknown; message?: unknown };
  return CUT.test(String(code)) || CUT_MESSAGE.test(String(message));
}
