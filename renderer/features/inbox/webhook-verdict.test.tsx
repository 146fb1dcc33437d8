import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Explained, WebhookDetail } from './inbox-state';
import { SignatureRemark, WebhookVerdict } from './webhook-verdict';
import { makeWebhookSummary } from '../../../test/support/webhook-summary';

const invalid: WebhookDetail = {
  ...makeWebhookSummary({ id: 'a', verdict: 'invalid' }),
  verdictReason: 'No signature fits.',
  headers: [],
  body: '{}',
  bodyBase64: 'e30=',
  isBodyCut: false,
  paymentReference: null,
  code: null,
  answeredInMs: 3,
  remoteAddress: null,
  remarks: [],
};

const why = (webhook: WebhookDetail, explained: Explained | null = null): string =>
  renderToStaticMarkup(<SignatureRemark webhook={webhook} explained={explained} onAsk={() => undefined} />);

it('says why a signature is not valid, and offers to look for what its sender did otherwise', () => {
  expect(renderToStaticMarkup(<WebhookVerdict webhook={invalid} />)).toContain('invalid');
  const html = why(invalid);
  expect(html).toContain('Its signature is not valid. No signature fits.');
  expect(html).toMatch(/<button[^>]*>What did its sender do otherwise\?/);
});

it('says what was found, by whose secret, as text alone', () => {
  const causes = [{ part: 'body' as const, message: 'Signed over <b>\u202e.' }];
  const html = why(invalid, { verdict: 'invalid', reason: 'Signed over <b>\u202e.', keyIndex: 0, causes });
  expect(html).toContain('By the secret of the sandbox here: Signed over &lt;b&gt;');
  expect(html).not.toContain('\u202e');
  expect(html).not.toContain('<button');
});

it('offers nothing where it is valid, unsigned, or kept cut', () => {
  expect(why({ ...invalid, verdict: 'valid' })).toBe('');
  expect(why({ ...invalid, verdict: 'unsigned' })).toBe('');
  expect(why({ ...invalid, verdict: 'unchecked', isKeptCut: true })).not.toContain('<button');
});
