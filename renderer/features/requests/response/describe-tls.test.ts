import { expect, it } from 'vitest';
import { describeTls } from './describe-tls';

const tls = { protocol: 'TLSv1.3', cipher: 'AES', chain: [] };
const address = '127.0.0.1:1';

it.each([
  ['https://a.test', { address, tls }, 'TLSv1.3, AES'],
  ['http://a.test', { address, tls }, 'TLSv1.3, AES: to the proxy alone, in the clear from there'],
  ['http://a.test', { address, tls: null }, 'None: in the clear'],
  ['https://a.test', { address, tls: null }, 'Not agreed on'],
  ['HTTPS://a.test', { address: null, tls: null }, 'Not agreed on'],
  ['http://a.test', { address: null, tls: null }, 'None'],
])('says of %s with %j how far it was encrypted', (url, trace, told) => {
  expect(describeTls(trace, url)).toBe(told);
});
