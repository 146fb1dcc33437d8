import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeDeviations } from '@shared/webhooks/deviations/deviation';
import { explainWebhook } from './explain-webhook';

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = '1614265330';
const text = '{"client_reference":"R/1","payer":"Zoë","amount":10.0,"ok":true}\n';
const body = Buffer.from(text);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const key = Buffer.from(secret.slice(6), 'base64');
const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

const mac = (message: string | Buffer, by: string | Buffer = key, hash = 'sha256'): Buffer =>
  createHmac(hash, by).update(message).digest();
const v1 = (digest: Buffer): string => `v1,${digest.toString('base64')}`;
const right = `${id}.${timestamp}.${text}`;
const over = (written: string): string => v1(mac(`${id}.${timestamp}.${written}`));

const explain = (signature: string, keys = [secret], bytes = body) =>
  explainWebhook(signature, { id, timestamp, body: bytes }, keys, () => 0);

describe('what a sender of webhooks did otherwise', () => {
  it.each([
    ['the text of the secret', v1(mac(right, secret)), 'with the text of the secret, whsec_ and all, as the key'],
    ['the secret not decoded', v1(mac(right, secret.slice(6))), 'with the Base64 behind whsec_ as the key, not decoded'],
    ['a line feed at the secret', v1(mac(right, `${secret}\n`)), 'with the text of the secret and a line feed as the key'],
    ['the prefix decoded, too', v1(mac(right, Buffer.from(secret, 'base64'))), 'decoded from Base64 together with its whsec_'],
    ['atob', v1(mac(right, Buffer.from(key.toString('latin1')))), 'decoded into a text (atob)'],
    ['the body alone', v1(mac(text)), 'over the body alone'],
    ['no id', v1(mac(`${timestamp}.${text}`)), 'without webhook-id'],
    ['no timestamp', v1(mac(`${id}.${text}`)), 'without webhook-timestamp'],
    ['no dots', v1(mac(`${id}${timestamp}${text}`)), 'without the dots'],
    ['an id that was not found', v1(mac(`undefined.${timestamp}.${text}`)), 'with the word “undefined” in the place of webhook-id'],
    ['two headers that were not found', v1(mac(`undefined.undefined.${text}`)), 'with the word “undefined” in the place of webhook-id and with the word “undefined” in the place of webhook-timestamp'],
    ['lines', v1(mac(`${id}\n${timestamp}\n${text}`)), 'with a line feed between its parts'],
    ['another order', v1(mac(`${timestamp}.${id}.${text}`)), 'over webhook-timestamp, then webhook-id, then the body'],
    ['whole milliseconds', v1(mac(`${id}.${timestamp}000.${text}`)), 'with the timestamp in milliseconds, 1614265330000'],
    ['milliseconds', v1(mac(`${id}.${timestamp}123.${text}`)), 'with the timestamp in milliseconds, 1614265330123'],
    ['a date', v1(mac(`${id}.2021-02-25T15:02:10.000Z.${text}`)), 'with the timestamp as a date, 2021-02-25T15:02:10.000Z'],
    ['the body trimmed', over(text.trim()), 'over the body without the white space around it, which is not what came'],
    ['one line feed more', over(`${text}\n`), 'over the body and a line feed'],
    ['JavaScript', over(JSON.stringify(JSON.parse(text))), 'numbers rewritten'],
    ['Python', over('{"client_reference": "R/1", "payer": "Zo\\u00eb", "amount": 10.0, "ok": true}'), 'with spaces after commas and colons, non-ASCII escaped'],
    ['PHP', over('{"client_reference":"R\\/1","payer":"Zo\\u00eb","amount":10.0,"ok":true}'), 'escaped as PHP does'],
    ['bytes of Python', over(String.raw`b'{"client_reference":"R/1","payer":"Zo\xc3\xab","amount":10.0,"ok":true}\n'`), 'as Python prints bytes'],
    ['a dict of Python', over("{'client_reference': 'R/1', 'payer': 'Zoë', 'amount': 10.0, 'ok': True}"), 'as Python prints a dict'],
    ['a hash of Ruby', over('{"client_reference"=>"R/1", "payer"=>"Zoë", "amount"=>10.0, "ok"=>true}'), 'over the body as Ruby prints a hash'],
    ['a map of Java', over('{client_reference=R/1, payer=Zoë, amount=10.0, ok=true}'), 'over the body as Java prints a map'],
    ['an array of PHP', over('a:4:{s:16:"client_reference";s:3:"R/1";s:5:"payer";s:4:"Zoë";s:6:"amount";d:10;s:2:"ok";b:1;}'), 'over the body as PHP serialises an array'],
    ['a form', over('client_reference=R%2F1&payer=Zo%C3%AB&amount=10&ok=1'), 'over the body as the fields of a form'],
    ['Windows-1252', over(text.replace('ë', 'Ã«')), 'over the body read as Latin-1'],
    ['UTF-16', v1(mac(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(text, 'utf16le')]))), 'over the body written as UTF-16 (little endian)'],
    ['an object', over('[object Object]'), 'a parsed object that became text'],
    ['SHA-1', v1(mac(right, key, 'sha1')), 'with HMAC-SHA-1'],
    ['SHA-512', v1(mac(right, key, 'sha512')), 'with HMAC-SHA-512'],
    ['no HMAC', v1(createHash('sha256').update(key).update(right).digest()), 'without HMAC'],
    ['hex', mac(right).toString('hex'), 'with the signature written without “v1,” in front, and with the signature written as hex'],
    ['no v1', mac(right).toString('base64'), 'with the signature written without “v1,” in front'],
    ['a prefix of others', `sha256=${mac(right).toString('hex')}`, 'with “sha256=” in front of the signature'],
    ['the header of others', `t=${timestamp},v1=${mac(`${timestamp}.${text}`).toString('hex')}`, 'without webhook-id'],
    ['Base64 of hex', v1(Buffer.from(mac(right).toString('hex'))), 'with the signature written as Base64 of the hex text'],
    ['Base64 twice', v1(Buffer.from(mac(right).toString('base64'))), 'with the signature written as Base64 twice'],
    ['another version', `v1a,${mac(right).toString('base64')}`, 'with “v1a,” in front'],
  ])('tells %s', (_what, signature, phrase) => {
    const { deviations, keyIndex } = explain(signature);
    expect(describeDeviations(deviations)).toContain(phrase);
    expect(keyIndex).toBe(0);
  }); // prettier-ignore

  // What Java's new String(bytes, "windows-1252") makes of them; Łukasz has a byte that it knows nothing for.
  it('reads Windows-1252 as the Web does and as Java does', () => {
    const bytes = Buffer.from('{"a":"€"}');
    expect(explain(over('{"a":"â‚¬"}'), [secret], bytes).deviations[0]?.phrase).toContain('Windows-1252');
    const others = Buffer.from('{"a":"Łukasz"}');
    expect(explain(over('{"a":"Å\ufffdukasz"}'), [secret], others).deviations[0]?.phrase).toContain(
      'Windows-1252',
    );
  });

  it('tells two at once, and by which of the secrets', () => {
    const signature = `v1,${mac(`${timestamp}.${text.trim()}`, secret).toString('hex')}`;
    const { deviations, keyIndex } = explain(signature, [other, secret]);
    expect(deviations.map(({ part }) => part)).toEqual(['encoding', 'secret', 'content', 'body']);
    expect(keyIndex).toBe(1);
  });

  it('tells nothing of what another secret signed, and how much was tried', () => {
    const { deviations, tried, isCut } = explain(v1(mac(right, Buffer.alloc(24, 9))));
    expect(deviations).toEqual([]);
    expect(tried).toBeGreaterThan(10_000);
    expect(isCut).toBe(false);
  });

  it('looks for one thing by each secret before it looks for two by the first', () => {
    let now = 0;
    const { deviations, keyIndex, isCut } = explainWebhook(
      over(text.trim()),
      { id, timestamp, body },
      [other, other, secret],
      () => (now += 1),
    );
    expect([deviations.length, keyIndex, isCut]).toEqual([1, 2, false]);
  });

  it('ends a search that takes too long, and says so', () => {
    let now = 0;
    const ended = explainWebhook('v1,AAAA', { id, timestamp, body }, [secret], () => (now += 100));
    expect(ended).toMatchObject({ deviations: [], isCut: true });
  });

  it('looks at bytes that are no text as they came', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    const { deviations } = explain(v1(mac(bytes)), [secret], bytes);
    expect(describeDeviations(deviations)).toContain('over the body alone');
  });

  it('names nothing where an Ed25519 key is all there is', () => {
    expect(explain(v1(mac(right)), [`whpk_${Buffer.alloc(32, 1).toString('base64')}`]).tried).toBe(0);
  });
});
