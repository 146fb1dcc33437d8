import { expect, it } from 'vitest';
import { describeCharset } from './describe-charset';

it('says how a text was read that is not UTF-8, and of what is no text that it is none', () => {
  const headers: [string, string][] = [['Content-Type', 'text/html; charset=ISO-8859-1']];
  expect(describeCharset({ headers, body: 'für', bodyBase64: null })).toBeNull();
  expect(describeCharset({ headers, body: 'für', bodyBase64: 'ZvxyCg==' })).toContain('read as iso-8859-1');
  expect(describeCharset({ headers, body: 'f\ufffdr', bodyBase64: 'ZvxyCg==' })).toContain(
    'no text that can be read',
  );
});
