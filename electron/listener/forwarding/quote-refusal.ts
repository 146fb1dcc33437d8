import type { IncomingHttpHeaders } from 'node:http';
import { quoteAnswer } from '@shared/quote-answer';
import { createHiding } from '../../platform/mask-message';
import { listOwnSecrets } from '../../platform/own-secrets';
import { readLogBody, readLogHead } from '../inbox-log';
import type { OutgoingForward } from './delivery';
import { readForwardedHead } from './forward-head';

/** What is looked through for secrets that an answer may repeat is no longer. */
const MOST_SEARCHED_BYTES = 1024 * 1024;

/**
 * Gives a backend's own words about a webhook that it refused, without what the webhook proved itself with.
 *
 * @param answer - the body of its answer, or its beginning
 * @returns in quotation marks; empty: it says nothing that can be read
 */
export function quoteRefusal(
  { row }: OutgoingForward,
  answer: Buffer,
  answerHeaders: IncomingHttpHeaders,
): string {
  const { target, headers } = readForwardedHead(readLogHead(row));
  const pairs = Array.from(
    { length: headers.length / 2 },
    (_, at) => [headers[2 * at]!, headers[2 * at + 1]!] as const,
  );
  const body = readLogBody(row);
  const text = body.length > MOST_SEARCHED_BYTES ? null : body.toString('utf8');
  return quoteAnswer(
    answer,
    answerHeaders,
    createHiding(listOwnSecrets({ url: target, headers: pairs, body: text })),
  );
}
