import { createHash } from 'node:crypto';
import { isRecord } from '@shared/json/is-record';
import { findBodyRule } from '@shared/payments/check-body';
import { findUnknownFields } from '@shared/payments/find-unknown-fields';
import { findOperation, type OperationName, type OperationRow } from '@shared/payments/tables/operations';
import type { FieldError } from '@shared/payments/validate-fields';
import { splitCredential } from '@shared/secrets';
import type { StringToSign } from '@shared/signing/string-to-sign';
import { verifyText } from '../../platform/crypto/rsa-signatures';
import type { RegisteredKey } from '../../sandbox/admission/read-public-key';
import { describeBodyFault } from '../../sandbox/http/read-json-body';
import { describeNoSignature, readServiceHeaders } from '../../sandbox/http/service-headers';
import { readMemberLiteral } from '../../sandbox/payments/member-literal';
import { findStringToSign } from '../../sandbox/requests/stored-request';
import type { CapturedExchange } from './captured-exchange';
import { readMember } from '@shared/golive/evidence';
import { parseOrNothing, parseRecord } from '@shared/json/parse-or-nothing';

/** What the token of a request says of itself; nobody checked who made it. */
export interface SeenToken {
  readonly product: string | null;
  /** ISO 8601. */
  readonly expires_at: string | null;
  readonly is_expired: boolean;
  /** Tells one token from another, and nothing else: first half of its SHA-256. */
  readonly fingerprint: string;
}

/** How a signature fares. `valid` null: no key was given, or there is no string to sign. */
export interface SeenSignature {
  readonly valid: boolean | null;
  readonly verdict: string | null;
  readonly causes: readonly { readonly code: string; readonly message: string }[];
  readonly explanation: string | null;
  /** What it was judged by, PEM. */
  readonly publicKeyPem?: string;
}

/** What a request shows against the interface. */
export interface ProxyFacts {
  readonly operation: OperationName | null;
  readonly reference: string | null;
  readonly stringToSign: StringToSign | null;
  /** As it was sent; null: there was none. */
  readonly sentSignature: string | null;
  /** Null: this operation is not signed. */
  readonly signature: SeenSignature | null;
  readonly token: SeenToken | null;
  readonly fieldProblems: readonly FieldError[];
}

/** Judges a request as the interface has it; the doctor is not asked here. */
export function judgeExchange(exchange: CapturedExchange, keys: readonly RegisteredKey[]): ProxyFacts {
  const row = findRow(exchange);
  const headers = readServiceHeaders(exchange.request.headers);
  const text = exchange.request.body.toString('utf8');
  const isWhole = exchange.request.body.length === exchange.request.bodyBytes;
  const value = parseOrNothing(text);
  const stringToSign = row?.isSigned === true ? findStringToSign(text) : null;
  const sentSignature = headers['x-custom-signature'] ?? null;
  return {
    operation: row?.operation ?? null,
    reference: row === null ? null : readReference(row.operation, value),
    stringToSign,
    sentSignature,
    signature: row?.isSigned === true ? judgeSignature(exchange, stringToSign, sentSignature, keys) : null,
    token: readToken(headers.authorization, exchange.at),
    fieldProblems:
      isWhole && row?.method === 'POST'
        ? findProblems(row.operation, value, exchange.request.body, headers['content-encoding'])
        : [],
  };
}

/** The path alone, whatever form the target has. */
export function readPath(target: string): string {
  const path = /^[a-z]+:\/\/[^/?]*(.*)/is.exec(target)?.[1] ?? target;
  return path.split('?', 1)[0]!;
}

/** What the proxy itself refused was not read whole, and is not judged: nobody knows what was missing. */
function findRow({ target, method, ownStatus }: CapturedExchange): OperationRow | null {
  if (ownStatus !== null && ownStatus !== 502) return null;
  const row = findOperation(readPath(target));
  return row?.method === method ? row : null;
}

const referencePaths: Readonly<Record<OperationName, readonly string[]>> = {
  remittance: ['transaction', 'reference'],
  payout: ['transaction', 'reference'],
  collection: ['transaction', 'reference'],
  status: ['transaction_reference'],
  send_test: ['client_reference'],
  balances: [],
  token: [],
};

function readReference(operation: OperationName, body: unknown): string | null {
  const path = referencePaths[operation];
  const found = readMember(body, ...path);
  return path.length > 0 && typeof found === 'string' ? found : null;
}

function judgeSignature(
  { request }: CapturedExchange,
  stringToSign: StringToSign | null,
  signature: string | null,
  keys: readonly RegisteredKey[],
): SeenSignature {
  const nothing = { causes: [], explanation: null };
  if (signature === null) {
    return {
      ...nothing,
      valid: false,
      verdict: 'not_a_signature',
      explanation: describeNoSignature(request.headers),
    };
  }
  if (stringToSign === null || keys.length === 0) return { ...nothing, valid: null, verdict: null };
  const judge = keys.find(({ key }) => verifyText(stringToSign.text, signature, key));
  if (judge === undefined) return { ...nothing, valid: false, verdict: null, publicKeyPem: keys[0]!.pem };
  return { ...nothing, valid: true, verdict: 'valid', publicKeyPem: judge.pem };
}

function readToken(authorization: string | undefined, at: number): SeenToken | null {
  if (authorization === undefined) return null;
  const { credential } = splitCredential(authorization);
  if (credential === '') return null;
  const claims = readClaims(credential);
  const expiresAt = typeof claims['exp'] === 'number' ? claims['exp'] * 1000 : null;
  const isMoment = expiresAt !== null && Math.abs(expiresAt) < 8.64e15;
  return {
    product: typeof claims['product'] === 'string' ? claims['product'].slice(0, 40) : null,
    expires_at: isMoment ? new Date(expiresAt).toISOString() : null,
    is_expired: isMoment && expiresAt <= at,
    fingerprint: createHash('sha256').update(credential).digest('hex').slice(0, 32),
  };
}

function readClaims(token: string): Record<string, unknown> {
  return parseRecord(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) ?? {};
}

function readAmountLiteral(text: string): string | null {
  const transaction = readMemberLiteral(text, 'transaction');
  return transaction === null ? null : readMemberLiteral(transaction, 'amount');
}

function findProblems(
  operation: OperationName,
  value: unknown,
  body: Buffer,
  encoding: string | undefined,
): readonly FieldError[] {
  const rule = findBodyRule(operation);
  if (rule === null) return [];
  const fault = isRecord(value) ? null : describeBodyFault(body, encoding);
  if (fault !== null || !isRecord(value)) return [{ field: 'body', message: fault ?? 'is no JSON object' }];
  return [
    ...rule.validate(value, readAmountLiteral(body.toString('utf8'))),
    ...findUnknownFields(value, rule.fields),
  ];
}
