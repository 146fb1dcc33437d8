import { describe, expect, it } from 'vitest';
import { hash, infoOf, padPkcs1, padPss, padZeros } from '../../../test/support/doctor-blocks';
import { encodeBase64 } from '../../signing/base64';
import type { HashName } from '../../signing/hash-algorithms';
import { fromHex } from '../../signing/hex';
import { startDraft, type Draft } from '../search/draft';
import { readSubject } from '../subject';
import { readPaddings, type Padding } from './read-padding';
import { chooseMatcher, explainPadding, readPayload } from './read-payload';

const subject = readSubject(
  '{"transaction":{"reference":"R-1","amount":10,"service_code":"X"},"originator":{"country":"KE"}}',
);
const read = (block: Uint8Array): Padding => readPaddings(block, 2048, hash)[0]!;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const bare = (payload: string | Uint8Array): Padding =>
  read(padPkcs1(typeof payload === 'string' ? bytesOf(payload) : payload));
const digest = (name: HashName, text: string): Uint8Array => fromHex(hash(name, text));
const whole = (text: string): Draft => ({ ...startDraft(subject.values), whole: text });

describe('what is said of a padding', () => {
  const ofUnknownHash = fromHex(`302130090605112233445505000414${'ab'.repeat(20)}`);
  it.each([
    ['the right one', read(padPkcs1(infoOf('a'))), []],
    ['one with a fault', read(padZeros(infoOf('a'))), [[null, 'with no padding around the DigestInfo']]],
    ['PSS', read(padPss('a', new Uint8Array(20))), [['padding.pss', 'with PSS padding']]],
    [
      'PSS over another hash',
      read(padPss('a', new Uint8Array(20), 2048, 'sha1')),
      [['padding.pss', 'with PSS padding'], ['hash.sha1', 'with SHA-1']],
    ],
    ['bytes that were padded', bare('text'), [['hash.missing', 'without hashing, the bytes padded as they are']]],
    ['a digest that was padded', bare(digest('sha256', 'text')), [['hash.missing', 'over the digest padded as it is, without its DigestInfo']]],
    ['a digest that was not', read(padZeros(digest('sha256', 'text'))), [['hash.missing', 'over the digest as it is, without padding and without its DigestInfo']]],
    ['bytes that were not', read(padZeros(bytesOf('text'))), [['hash.missing', 'without padding and without hashing']]],
    [
      'an odd DigestInfo',
      bare(ofUnknownHash),
      [[null, 'with a DigestInfo of a hash that is not known, or with a digest of another length']],
    ],
  ])('names %s', (_what, padding, causes) => {
    expect(explainPadding(padding).map(({ code, phrase }) => [code, phrase])).toEqual(causes);
  }); // prettier-ignore
});

describe('a string fits', () => {
  const md5 = hash('md5', 'text');
  it.each<[string, Padding, HashName, (string | null)[]]>([
    ['a DigestInfo', read(padPkcs1(infoOf('text'))), 'sha256', []],
    ['PSS', read(padPss('text', new Uint8Array(20), 2048, 'sha384')), 'sha384', []],
    ['its own bytes', bare('text'), 'sha256', []],
    ['its digest as bytes', bare(digest('sha256', 'text')), 'sha256', []],
    ['another digest as bytes', bare(digest('sha1', 'text')), 'sha1', ['hash.sha1']],
    ['its digest as hex', bare(hash('sha256', 'text')), 'sha256', ['hash.hex_text']],
    ['its digest as large hex', bare(md5.toUpperCase()), 'md5', ['hash.hex_text', 'hash.md5']],
    [
      'its digest as Base64',
      bare(encodeBase64(digest('sha512', 'text'))),
      'sha512',
      ['hash.base64_text', 'hash.sha512'],
    ],
  ])('%s', (_what, padding, outer, causes) => {
    const chosen = chooseMatcher(padding, hash);
    expect(chosen.outer).toBe(outer);
    expect([whole('text!'), whole('tex'), whole('next')].some((draft) => chosen.matcher.matches(draft))).toBe(
      false,
    );
    expect(chosen.matcher.matched).toBeNull();
    expect(chosen.matcher.matches(whole('text'))).toBe(true);
    expect(chosen.matcher.matched?.causes.map(({ code }) => code)).toEqual(causes);
    expect(chosen.matcher.searched).toBe(4);
  });

  it.each([
    ['hex in two cases', `Ab${md5.slice(2)}`],
    ['hex of no hash', md5.slice(2)],
    ['hex with signs around it', `<${md5}>`],
    ['Base64 that is cut', encodeBase64(digest('sha256', 'text')).slice(0, -1)],
    ['Base64 with signs before it', `<<<<<<<<${encodeBase64(digest('sha256', 'text'))}`],
    ['bytes of no text', Uint8Array.of(0xff, ...bytesOf(md5))],
    ['a text with a control character', `${md5}\u0001`],
  ])('no digest: %s', (_what, payload) => {
    expect(chooseMatcher(bare(payload), hash).outer).toBe('sha256');
    expect(chooseMatcher(bare(payload), hash).matcher.matches(whole('text'))).toBe(false);
  });
});

describe('a text that was padded as it is', () => {
  it.each<[string, string | Uint8Array, (string | null)[] | null]>([
    [
      'is read with two of the values',
      'R-1,10',
      ['string.field_missing', 'string.field_missing', 'string.field_extra'],
    ],
    ['is read with other lines', 'R-1\t10\r\nX', ['string.field_missing', 'string.field_extra']],
    ['is read behind a mark of byte order', '\ufeffR-110KEX', ['string.field_extra']],
    ['is none with one value', 'R-1 and more', null],
    ['is none with values of one letter', 'R-1X', null],
    ['is none with control characters', 'R-110KEX\u0000', null],
    ['is none where it is no text', Uint8Array.of(0xff, ...bytesOf('R-110KE')), null],
    ['is none where it is a digest', encodeBase64(digest('sha256', 'text')), null],
  ])('%s', (_what, payload, causes) => {
    const found = readPayload(bare(payload), subject);
    expect(found?.deviations.flatMap(({ explain }) => explain().map(({ code }) => code)) ?? null).toEqual(
      causes,
    );
    if (found !== null) expect(found.text).toBe(payload);
  });

  it('is none of another padding', () => {
    expect(readPayload(read(padPkcs1(infoOf('R-110KEX'))), subject)).toBeNull();
  });
});
