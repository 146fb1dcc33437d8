import type { Operation } from '@shared/contract/common';
import type { Exchange } from '@shared/contract/sending';
import { findHeader } from '@shared/find-header';
import { readJsonMembers, textOf } from '@shared/json/json-tree';
import { maskHeaders } from '@shared/mask-secrets';
import { readAnswer } from '@shared/payments/read-answer';
import { noWallets, readWallets, type WalletList } from '@shared/payments/read-wallets';
import { findWhyUnread } from '@shared/payments/unread-answer';
import { createSecretMask } from '../../platform/mask-known-secrets';
import { listCookies } from '../../platform/own-secrets';
import { describeCompressed, isCompressed } from '../../platform/mask-message';
import type { HttpAnswer } from '../../platform/ports';
import { readExchangeFacts } from '../history/exchange-facts';
import { readBody } from '../history/read-body';
import { listNamedSecret } from '../tokens/find-field';

/** An answer as it came, and what is needed to read it. */
export interface Received {
  readonly operation: Operation;
  readonly answer: Pick<HttpAnswer, 'httpStatus' | 'headers' | 'body' | 'isCut'>;
  /** Of the request; null: the answer may name one. */
  readonly reference: string | null;
  /** Asked for where the reference is not known. */
  readonly requestBody: string | null;
  /** What the request was given of tokens and the vault. */
  readonly secrets: readonly string[];
  /** What the environment's service calls a token in its answers. */
  readonly tokenName: string;
}

/** An answer as it is kept and shown. */
export interface ReadReceived extends Pick<Exchange, 'reference' | 'response' | 'reading'> {
  /** Bytes that are kept; null: those that came. */
  readonly maskedBytes: Uint8Array | null;
  /** Tokens that the answer issued. */
  readonly issued: readonly string[];
  /** Cookies that it set, which it alone knows. */
  readonly cookies: readonly string[];
  /** Of balances; none of anything else. */
  readonly walletList: WalletList;
}

/**
 * Reads an answer: decodes it, finds out what it means, masks what is secret in it: a body that was masked as a whole may be
 * no JSON any more.
 *
 * Takes time in proportion to the body: of 16 MiB, seconds.
 */
export function readReceived(received: Received): ReadReceived {
  const { operation, answer, requestBody } = received;
  const isPacked = isCompressed(answer.headers.flat(), Buffer.from(answer.body));
  const decoded = isPacked
    ? { body: describeCompressed(answer.body.length), bodyBase64: null }
    : readBody(answer.body, answer.headers);
  const issued = listNamedSecret(decoded.body, received.tokenName);
  const cookies = listCookies(answer.headers);
  const mask = createSecretMask([...received.secrets, ...issued, ...cookies]);
  const masked = mask(decoded.body);
  const whyUnread = findWhyUnread({ ...answer, sizeBytes: answer.body.length });
  const reading = readAnswer(operation, answer.httpStatus, decoded.body, whyUnread, mask);
  const isMasked = isPacked || masked !== decoded.body;
  const shown = isMasked ? { body: masked, bodyBase64: null } : decoded;
  const headers = maskHeaders(answer.headers).map(([name, value]): [string, string] => [name, mask(value)]);
  const maskRead = (text: string | null): string | null => (text === null ? null : mask(text));
  const readReference = (): string | null =>
    readExchangeFacts(operation, requestBody, decoded.body, reading).reference;
  const readId = (): string | null => textOf(readJsonMembers(decoded.body, 'request_id'), 'request_id');
  return {
    reference: received.reference ?? maskRead(readReference()),
    response: {
      httpStatus: answer.httpStatus,
      headers,
      ...shown,
      sizeBytes: answer.body.length,
      isCut: answer.isCut,
      requestId: findHeader(headers, 'x-request-id') ?? maskRead(readId()),
    },
    reading,
    maskedBytes: isMasked ? Buffer.from(masked, 'utf8') : null,
    issued,
    cookies,
    walletList: operation === 'balances' ? maskWallets(readWallets(decoded.body), mask) : noWallets,
  };
}

function maskWallets({ wallets, unreadCount }: WalletList, mask: (text: string) => string): WalletList {
  const masked = wallets.map((one) => ({
    currency: mask(one.currency),
    actualBalance: mask(one.actualBalance),
    availableBalance: mask(one.availableBalance),
    alertLimit: one.alertLimit === null ? null : mask(one.alertLimit),
    status: mask(one.status),
  }));
  return { wallets: masked, unreadCount };
}
