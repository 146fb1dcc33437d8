import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printHttpRequest, replaceBody, replaceRequestLine, setAnnotations, setName } from './edit-http-file';
import { parseHttpFile } from './parse-http-file';
import { replaceHeaders } from './replace-headers';

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

  it.each([
    ['POST http://x\nA: 1', '{}', 'POST http://x\nA: 1\n\n{}\n'],
    ['POST http://x\nA: 1\n', '{}', 'POST http://x\nA: 1\n\n{}\n'],
    ['POST http://x\nA: 1\n\n', '{}', 'POST http://x\nA: 1\n\n{}\n'],
    ['POST http://x\r\nA: 1\r\n', '{}', 'POST http://x\r\nA: 1\r\n\r\n{}\r\n'],
    ['POST http://x\n \t\n', '{}', 'POST http://x\n \t\n{}\n'],
    ['POST http://x\r\n\r\n\r\n###\r\n', '{}', 'POST http://x\r\n\r\n{}\r\n###\r\n'],
    ['POST http://x\n###\nGET http://y\n\nz', '{}', 'POST http://x\n\n{}\n###\nGET http://y\n\nz'],
    ['POST http://x\n\n\n### y\nGET http://y', '{}', 'POST http://x\n\n{}\n### y\nGET http://y'],
    ['POST http://x', '', 'POST http://x'],
    ['POST http://x', null, 'POST http://x'],
    ['POST http://x\n\n{}\n', null, 'POST http://x\n\n\n'],
  ])('give %j the body %j, and leave every other byte', (source, body, wanted) => {
    const parsed = parseHttpFile(source);
    expect(replaceBody(parsed, parsed.requests[0]!, body)).toBe(wanted);
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

  it.each([
    ['http://x HTTP/1.1\n', { method: 'POST' }, 'POST http://x HTTP/1.1\n'],
    ['http://x\n', { method: 'GET' }, 'http://x\n'],
    ['get http://x HTTP/1.1\nA: 1', { url: 'http://y\r\n/z' }, 'get http://y/z HTTP/1.1\nA: 1'],
    ['GET  http://x HTTP/1.1', { method: 'GET', url: 'http://x' }, 'GET  http://x HTTP/1.1'],
    ['GET http://x', { method: 'PUT', url: 'http://y' }, 'PUT http://y'],
    ['GET http://x', {}, 'GET http://x'],
  ])('make %j with %j to %j', (source, change, wanted) => {
    const parsed = parseHttpFile(source);
    expect(replaceRequestLine(parsed, parsed.requests[0]!, change)).toBe(wanted);
  });

  it.each([
    ['GET http://x', 'x', ['1', '2'], '# @x 1\n# @x 2\nGET http://x'],
    ['#  @x   1\nGET http://x', 'x', ['1'], '#  @x   1\nGET http://x'],
    [
      '// @x 1\n# @y 2\n# @x 3\n# z\nGET http://x',
      'x',
      ['1', '4'],
      '// @x 1\n# @y 2\n# @x 4\n# z\nGET http://x',
    ],
    ['# @x 1\n# @y 2\nGET http://x', 'x', ['1', '3'], '# @x 1\n# @x 3\n# @y 2\nGET http://x'],
    ['# @x 1\n# @y 2\nGET http://x', 'x', [], '# @y 2\nGET http://x'],
    ['# @y 1\nGET http://x', 'x', ['a\r\nb'], '# @y 1\n# @x a b\nGET http://x'],
    ['# @y 1\nGET http://x', 'no-sign', [''], '# @y 1\n# @no-sign\nGET http://x'],
    ['GET http://x\n# @x 1', 'x', ['2'], 'GET http://x\n# @x 2'],
    ['GET http://x\n# @x 1', 'x', [], 'GET http://x\n'],
  ])('give %j the annotation @%s with %j', (source, name, values, wanted) => {
    const parsed = parseHttpFile(source);
    expect(setAnnotations(parsed, parsed.requests[0]!, name, values)).toBe(wanted);
  });

  it('keep a header whose name alone changes in its place', () => {
    expect(
      replaceHeaders(file, first, [
        ['X', '1'],
        ['B', '2'],
      ]),
    ).toBe(text.replace('A: 1', 'X: 1'));
    const unix = parseHttpFile('GET http://x\nA: 1\nB: 2\n\nb');
    expect(replaceHeaders(unix, unix.requests[0]!, [['A', '1']])).toBe('GET http://x\nA: 1\n\nb');
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

  it('print no more than there is', () => {
    expect(printHttpRequest({ method: 'GET', url: 'http://x', headers: [] })).toBe('GET http://x\n');
    expect(
      printHttpRequest({ name: 'N', method: 'PUT', url: 'http://x', headers: [['A', '1']], body: 'b' }),
    ).toBe('# @name N\nPUT http://x\nA: 1\n\nb\n');
    expect(
      printHttpRequest({ operation: 'status', method: 'GET', url: 'http://x', headers: [], body: '' }),
    ).toBe('# @operation status\nGET http://x\n');
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
