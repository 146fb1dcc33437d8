import { parseRules } from '@shared/webhooks/rules/parse-rules';
import { readExpectation } from '@shared/expect/read-expectation';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { listVaultReferences } from '@shared/http-file/vault-reference';
import { findSecrets, maskHeader, maskSecrets } from '@shared/mask-secrets';
import { readAnswer } from '@shared/payments/read-answer';
import { formatAmount } from '@shared/payments/format-amount';
import { toPlainLine } from '@shared/plain-text';
import { findBase64Fault } from '@shared/signing/base64';
import { expect, it } from 'vitest';
import { readWebhook } from '../../electron/listener/read-webhook';
import { verifyWebhook } from '../../electron/platform/crypto/standard-webhooks';
import { readBaseUrl } from '../../electron/services/environments/base-url';
import { removeSessionCookie } from '../../electron/platform/http/session-cookie';
import { readJsonObject } from '../../electron/sandbox/http/read-json-body';
import { readKey } from '../../electron/services/vault/key-forms/key-reading';
import { countProcessorMs, countThreadMs } from '../support/processor-time';

const LENGTH = 32_000;
/** A pattern that begins at each of them and looks for an end takes the square of their number, or of two, no end at all. */
const units = [
  ...[
    '\\',
    '"',
    "'",
    ' ',
    '\t',
    '\n',
    '\r\n',
    '-',
    '=',
    '%',
    '&',
    '#',
    '>',
    '{',
    '{{',
    '[',
    '(',
    '+',
    '.',
    '/',
    ':',
    ',',
    ';',
  ],
  ...[
    '@',
    '$',
    '<',
    '0',
    'A',
    'a',
    '\u2010',
    '\u2010 ',
    '\u200b',
    '\ud800',
    '\u00e9',
    '" + ',
    '"+\n',
    '"a":',
    'a=',
    '\\n',
    '\\u000',
  ],
  ...[
    'END',
    'END ',
    '-END',
    'BEGIN ',
    '-----BEGIN ',
    'DEK-Info: ',
    'Bearer ',
    'Basic',
    'eyJ',
    'eyJa.',
    'password=',
    'token: ',
  ],
];
const frames = [
  ['', ''],
  ['-----BEGIN PRIVATE KEY-----\n', '!'],
  ['-----BEGIN PRIVATE KEY-----\nEND', '!'],
  ['"', '"'],
] as const;

/** What the app's own process reads of texts that others wrote. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a key': (text) => readKey(text),
  'a header': (text) => maskHeader('X-Note', text),
  'a credential': (text) => maskHeader('Authorization', text),
  'a text that is masked': (text) => maskSecrets(text),
  'secrets of a text': (text) => findSecrets(text),
  rules: (text) => parseRules(text),
  'an answer': (text) => readAnswer('payout', 200, text),
  'a file of requests': (text) => parseHttpFile(text),
  'a line for a terminal': (text) => toPlainLine(text),
  'a type of content': (text) => readJsonObject(Buffer.from('{}'), `application/json${text}`, undefined),
  'a cookie': (text) => removeSessionCookie(Buffer.from(`Cookie: countersign_1=a;${text}\r`)),
  'a reference to the vault': (text) => listVaultReferences(`{{vault.a${text}`),
  'an expectation': (text) => readExpectation(`same as example a${text}!`),
  'a signature': (text) => findBase64Fault(`${text}A`),
  'an amount': (text) => formatAmount(`1${text}`),
  'an address': (text) => readBaseUrl(`http://127.0.0.1/${text}a`),
  'a webhook': (text) =>
    readWebhook({
      receivedAt: 0,
      respondedStatus: 200,
      head: Buffer.from(
        `POST /${text.replace(/\s/g, '')} HTTP/1.1\r\nX-Note: ${text.replace(/[\r\n]/g, '')}`,
      ),
      body: Buffer.from(text),
    }),
};

/** Of a pattern that takes the square, 32,000 characters take a second; of a sound one a few milliseconds. */
const MOST_MS = 400;

it.each(Object.entries(readers))(
  '%s takes time by its length, whatever is repeated in it',
  async (_name, read) => {
    const slow: string[] = [];
    for (const unit of units) {
      for (const [before, after] of frames) {
        const text = before + unit.repeat(LENGTH / unit.length) + after;
        const spentMs = countProcessorMs();
        try {
          await read(text);
        } catch {
          // That it is refused is as well.
        }
        if (spentMs() > MOST_MS) slow.push(`${JSON.stringify(before + unit)}: ${Math.round(spentMs())} ms`);
      }
    }
    expect(slow).toEqual([]);
  },
);

it('computes what a webhook is signed with once, however many signatures it has', () => {
  const key = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const body = Buffer.alloc(16 * 1024 * 1024, 97);
  const verdictOf = (count: number): string => {
    const signatures = Array.from(
      { length: count },
      (_, at) => `v1,${Buffer.alloc(32, at).toString('base64')}`,
    );
    const headers: Record<string, string> = {
      'webhook-id': 'a',
      'webhook-timestamp': '1',
      'webhook-signature': signatures.join(' '),
    };
    return verifyWebhook({ header: (name) => headers[name] ?? null, body }, [key], 1000).verdict;
  };
  const measure = (count: number): number => {
    const spentMs = countThreadMs();
    expect(verdictOf(count)).toBe('invalid');
    return spentMs();
  };
  measure(1);
  // By turns, and the least of several: 16 MiB more to collect, or another process on this core, is measured with one of them.
  const spent = Array.from({ length: 8 }, () => ({ one: measure(1), many: measure(20) }));
  const [one, many] = [
    Math.min(...spent.map((turn) => turn.one)),
    Math.min(...spent.map((turn) => turn.many)),
  ];
  expect(many).toBeLessThan(3 * one + 10);
});
