import { expect, it } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { describeCharset } from './describe-charset';
import { describeKept } from './describe-shortened';

it('says how a text was read that is not UTF-8, and of what is no text that it is none', () => {
  const headers: [string, string][] = [['Content-Type', 'text/html; charset=ISO-8859-1']];
  expect(describeCharset({ headers, body: 'für', bodyBase64: null })).toBeNull();
  expect(describeCharset({ headers, body: 'für', bodyBase64: 'ZvxyCg==' })).toContain('read as iso-8859-1');
  expect(describeCharset({ headers, body: 'f\ufffdr', bodyBase64: 'ZvxyCg==' })).toContain(
    'no text that can be read',
  );
});

it('says it of an answer that is kept, too, beside how much of it is shown', () => {
  const keep = (response: object): string | null =>
    describeKept({
      response: { headers: [], isBodyShortened: false, sizeBytes: 3, ...response },
    } as unknown as Exchange);
  expect(keep({ body: '{}', bodyBase64: null })).toBeNull();
  expect(keep({ body: '\ufffd\ufffd', bodyBase64: '//8=' })).toBe('Its bytes are no text that can be read.');
  const shortened = { isBodyShortened: true, isCut: false, sizeBytes: 5000 };
  expect(keep({ body: '{', bodyBase64: null, ...shortened })).toBe(
    'The beginning of 5,000 bytes. Copy has them all.',
  );
  expect(describeKept({ response: null } as Exchange)).toBeNull();
});
