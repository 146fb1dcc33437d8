import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  printHttpRequest,
  replaceBody,
  replaceHeaders,
  replaceRequestLine,
  setAnnotations,
  setName,
} from './edit-http-file';
import { parseHttpFile } from './parse-http-file';

const text =
  '### one\r\n# keep me\r\n# @expect status 201\r\nPOST http://x/a\r\n  ?b=1\r\nA: 1\r\n# between\r\nB:   2\r\n\r\n{ "a": 1.00 }\r\n\r\n### two\r\nGET http://y\r\n';
const file = parseHttpFile(text);
const [first, second] = [file.requests[0]!, file.requests[1]!];

describe('edits', () => {
  it('replace the body alone', () => {
    expect(replaceBody(file, first, '[]')).toBe(text.replace('{ "a": 1.00 }', '[]'));
    expect(replaceBody(file, first, '{ "a": 1.00 }')).toBe(text);
  });

  it('give a body to a request without one, wherever it stands', () => {
    for (const source of [
      'GET http://x',
      'GET http://x\n',
      'GET http://x\n\n',
      'GET http://x\n\n\n###\nGET http://y\n',
      'GET http://x\n# c\n###\nGET http://y\n',
      'GET http://x\nA: b\n###\nGET http://y',
    ]) {
      const parsed = parseHttpFile(source);
      const next = parseHttpFile(replaceBody(parsed, parsed.requests[0]!, '{}\n{}'));
      expect(next.requests.map(({ body }) => body)).toEqual(
        ['{}\n{}', null].slice(0, parsed.requests.length),
      );
    }
  });

  it('change, add and remove headers, comments between them kept', () => {
    expect(
      replaceHeaders(file, first, [
        ['A', '1'],
        ['B', '2'],
      ]),
    ).toBe(text);
    expect(
      replaceHeaders(file, first, [
        ['A', '1'],
        ['B', '3'],
        ['C', '4'],
      ]),
    ).toBe(text.replace('B:   2', 'B: 3\r\nC: 4'));
    expect(replaceHeaders(file, first, [['A', '1']])).toBe(text.replace('\r\nB:   2', ''));
    expect(replaceHeaders(file, first, [])).toBe(text.replace('\r\nA: 1', '').replace('\r\nB:   2', ''));
    expect(replaceHeaders(file, second, [['A', '1']])).toBe(text.replace('http://y', 'http://y\r\nA: 1'));
  });

  it('change method and URL', () => {
    expect(replaceRequestLine(file, first, { method: 'PUT' })).toBe(text.replace('POST', 'PUT'));
    expect(replaceRequestLine(file, first, { url: 'http://z' })).toBe(
      text.replace('http://x/a\r\n  ?b=1', 'http://z'),
    );
    expect(replaceRequestLine(file, first, { method: 'POST', url: 'http://x/a?b=1' })).toBe(text);
  });

  it('set names and annotations', () => {
    const named = setName(file, second, 'Mine');
    expect(named).toBe(text.replace('GET http://y', '# @name Mine\r\nGET http://y'));
    const again = parseHttpFile(named);
    expect(setName(again, again.requests[1]!, null)).toBe(text);
    expect(setAnnotations(file, first, 'expect', ['status 201', 'body code in ACCEPTED'])).toBe(
      text.replace('status 201\r\n', 'status 201\r\n# @expect body code in ACCEPTED\r\n'),
    );
  });

  it('print what reads back the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[A-Za-z-]{1,12}$/), fc.stringMatching(/^[!-~]{0,20}$/))),
        fc.json().map((body) => (body.trim() === '' ? null : body)),
        (headers, body) => {
          const [request] = parseHttpFile(
            printHttpRequest({
              name: 'N',
              operation: 'payout',
              method: 'POST',
              url: '{{base_url}}/p',
              headers,
              body,
            }),
          ).requests;
          expect(request).toMatchObject({ name: 'N', operation: 'payout', url: '{{base_url}}/p', body });
          expect(request?.headers.map(({ name, value }) => [name, value])).toEqual(headers);
        },
      ),
    );
  });
});
