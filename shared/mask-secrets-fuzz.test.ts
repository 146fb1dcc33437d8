import { expect, it } from 'vitest';
import { countProcessorMs } from '../test/support/processor-time';
import { maskSecrets } from './mask-secrets';

it('takes linear time for hostile texts', () => {
  const processorMs = countProcessorMs();
  for (const part of ['"', '"a', '\\"', '"a":', '?a', '=', '&token', '<a', '<a>', ' name="', '//a:', '{"a":"', '"pin":[', '"pin":{"', "'pin':'", '<pin><![CDATA[', ' pin="', '"pin" ', '"\\"', '\\" ', '"pin":1', '"token":"\\', '"{\\"token', '"\\u0022":"', 'a=%7B%22&', '\r\n', 'a=?', 'a=b=', '"%25%25', '&amp;', '"&quot;%22\\"', '\npin: ', 'pin: x\n', '//a:@', '%2522', '&amp;quot;', '"pin=1"', 'name="\n', '["pin",', '("pin",(', '{"value":"x","name":"pin"},', '{"value":', ' --pin ', '-u a:', '-u "', ' a:', "'a: ", 'pin: |\n ', '<a key="pin" ', '<a key="pin" value="x">', '<key>pin</key>', '(a=', '[["pin",1],', "'pin'=>", ' pin=>"', '\\,"', 'a:b=', '(a:b=', 'a: b=', '|a=(b:', ' body a', 'webhook within 1 body a ', '[body pin in "', '\nbody pin == ]']) {
    maskSecrets(part.repeat(Math.ceil(250_000 / part.length)));
    maskSecrets(`${part.repeat(Math.ceil(10_000 / part.length))}=key`);
  }
  expect(processorMs()).toBeLessThan(6_000);
}); // prettier-ignore

it('looks for an address with a password once, however many slashes there are', () => {
  const processorMs = countProcessorMs();
  maskSecrets('/'.repeat(2_000_000));
  maskSecrets(`//${'a'.repeat(698)}`.repeat(3000));
  expect(processorMs()).toBeLessThan(1_000);
});

it('takes values of 50 million characters, and of as many escapes, in its stride', () => {
  for (const piece of ['x', '\\\\']) {
    const value = piece.repeat(50_000_000 / piece.length);
    expect(maskSecrets(`{"note":"${value}"}`).length).toBe(value.length + 11);
    expect(maskSecrets(`{"password":"${value}"}`).length).toBeLessThan(100);
  }
});
