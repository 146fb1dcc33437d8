import { describe, expect, it } from 'vitest';
import type { HttpRequestBlock } from './http-file';
import { parseHttpFile } from './parse-http-file';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';

/** Reads one request with a body; `type` null: no Content-Type. */
const read = (type: string | null, body: string): HttpRequestBlock =>
  parseHttpFile(`POST http://h/a\n${type === null ? 'A: b' : `Content-Type: ${type}`}\n\n${body}`)
    .requests[0]!;

/** What goes out of a body: files stand as `[path]`. */
function write({ body, bodyCuts }: HttpRequestBlock): string | null {
  if (body === null) return null;
  let [text, kept] = ['', 0];
  for (const { start, end, put } of bodyCuts) {
    text += body.slice(kept, start) + (typeof put === 'string' ? put : `[${put.path}]`);
    kept = end;
  }
  return text + body.slice(kept);
}
const send = (type: string | null, body: string): string | null => write(read(type, body));

describe('a body ends', () => {
  it.each([
    ['before line breaks that are the file’s', JSON_TYPE, '{}\n\n\r\n', '{}'],
    ['after the blanks on its last line', 'text/plain', 'a \t\n', 'a \t'],
    ['before lines of blanks alone, in text, too', 'text/plain', 'a\n \t\r\n\n  \n', 'a'],
    ['before a variable under it', JSON_TYPE, '{}\n\n@x = 1\n', '{}'],
    ['before blank lines and a variable under it', JSON_TYPE, '{}\n \t\n@x = 1\n', '{}'],
    ['before several, and comments between them', JSON_TYPE, '{}\n# one\n@x = 1\n// two\n@y = 2\n', '{}'],
    ['before an assertion', JSON_TYPE, '{}\n?? status == 200\n', '{}'],
    ['before a comment, where it can hold none', JSON_TYPE, '{}\n# a comment', '{}'],
    ['before a comment in a form, too', FORM, 'a=b\n# a comment', 'a=b'],
    ['after a comment that may be text', 'text/plain', 'a\n# b', 'a\n# b'],
    ['before such a comment, where a variable follows', 'text/plain', 'a\n# b\n@x = 1', 'a'],
    ['before a script', JSON_TYPE, '{}\n{{\n  exports.x = 1;\n}}\n', '{}'],
    ['before a script of an event', 'text/plain', 'a\n \t{{@response\n x\n}}\n# b', 'a'],
    ['before two scripts', 'text/plain', 'a\n{{\n1\n}}\n\n{{+after\n2\n}}', 'a'],
    ['after what only looks like the end of a script', JSON_TYPE, '{"a":{\n"b":{}\n}}', '{"a":{\n"b":{}\n}}'],
    ['after a template that ends a line', JSON_TYPE, '{"a":{{b}}\n}', '{"a":{{b}}\n}'],
    ['before a script with braces in it', 'text/plain', 'a\n{{\n  x = "{{y}}";\n  {{ z\n}}\n', 'a'],
    ['after braces that begin no line', 'text/plain', 'a {{\nb\n}}\n# c', 'a {{\nb\n}}\n# c'],
    ['after braces with more on their line', 'text/plain', 'a\n{{b}} c\n}}\n# d', 'a\n{{b}} c\n}}\n# d'],
    ['after braces with more on their line, of JSON', JSON_TYPE, '{"a":\n{{b c}}\n}}', '{"a":\n{{b c}}\n}}'],
    ['before the blanks that a script is indented by', 'text/plain', 'a\n  {{\n  }}', 'a'],
    ['before a response handler', JSON_TYPE, '{}\n> {% client.log(1) %}', '{}'],
    ['before a handler’s file', JSON_TYPE, '{}\n> ./handler.js\n', '{}'],
    ['before a kept answer', JSON_TYPE, '{}\n<> 2026.json', '{}'],
    ['before a file that the answer is kept in', JSON_TYPE, '{}\n>> kept.json', '{}'],
    ['before an answer that was pasted', JSON_TYPE, '{}\n\nHTTP/1.1 200 OK\n\n{"b":1}', '{}'],
    ['before the first of several', JSON_TYPE, '{}\nHTTP/1.1 200 OK\n\n<> b.json\n> c.js', '{}'],
    [
      'after lines that only look like those',
      'text/plain',
      '> quoted\n<b>\nHTTP/2\n>x\nz',
      '> quoted\n<b>\nHTTP/2\n>x\nz',
    ],
    ['before a real one behind such a line', 'text/plain', '> quoted\na\n> b.js', '> quoted\na'],
    ['nowhere but in its line', 'text/plain', 'a > b.js', 'a > b.js'],
  ])('%s', (_where, type, body, sent) => expect(send(type, body)).toBe(sent));

  it('and begins behind lines of blanks alone', () => {
    expect(send('text/plain', ' \t\n\n  \na')).toBe('a');
  });

  it('where nothing is left: there is none', () => {
    for (const rest of ['', '\n\n', '@x = 1\n', '# a\n\n', '> handler.js', '\r\n\r\n']) {
      const found = read(JSON_TYPE, rest);
      expect([found.body, found.bodyCuts, found.bodyStart === found.bodyEnd]).toEqual([null, [], true]);
    }
  });
});

describe('the shape of a body', () => {
  it.each([
    ['JSON by its type', 'Application/JSON; charset=utf-8', '{}\n# c', '{}'],
    ['XML by its type', 'application/soap+xml', '<a/>\n# c', '<a/>'],
    ['JSON without a type', null, '[1]\n# c', '[1]'],
    ['an object without a type', null, '{}\n# c', '{}'],
    ['XML without a type', null, '<a/>\n# c', '<a/>'],
    ['text without a type', null, 'a\n# c', 'a\n# c'],
    ['text by its type, whatever it begins with', 'text/plain', '{}\n# c', '{}\n# c'],
    ['a form by its type', `${FORM}; charset=utf-8`, 'a=1\n&b=2', 'a=1&b=2'],
  ])('is read as %s', (_what, type, body, sent) => expect(send(type, body)).toBe(sent));

  it('is that of the last Content-Type, in whatever case', () => {
    const text = 'POST http://h/a\nContent-Type: text/plain\ncontent-TYPE: application/json\n\n{}\n# c';
    expect(parseHttpFile(text).requests[0]?.body).toBe('{}');
  });
});

describe('a form', () => {
  it.each([
    ['lines that begin with its sign', 'a=1\n&b=2', 'a=1&b=2'],
    ['lines that end with it', 'a=1&\nb=2', 'a=1&b=2'],
    ['lines with it on either side', 'a=1 &\r\n  & b=2', 'a=1&b=2'],
    ['blanks around it', 'a=1 \t& \t\r\n \tb=2', 'a=1&b=2'],
    ['a value that goes on', 'a=one\n  two', 'a=onetwo'],
    ['blank lines', 'a=1\n\n\n&b=2', 'a=1&b=2'],
    ['four lines', 'a=1\n&b=2\n&c=3\n&d=4', 'a=1&b=2&c=3&d=4'],
    ['blanks inside of a line as they are', 'a=1 2\n&b= 3', 'a=1 2&b= 3'],
  ])('joins %s', (_what, body, sent) => expect(send(FORM, body)).toBe(sent));
});

describe('a multipart body', () => {
  it('ends each line with CR and LF, and none twice', () => {
    expect(send(MULTIPART, '--b\nA: b\r\n\nvalue\n--b--\n')).toBe('--b\r\nA: b\r\n\r\nvalue\r\n--b--');
  });

  it('has files in the places of their lines', () => {
    const found = read(MULTIPART, '--b\nA: b\n\n< ./a b.png \t\n--b--');
    expect(write(found)).toBe('--b\r\nA: b\r\n\r\n[./a b.png]\r\n--b--');
    expect(found.bodyCuts.find(({ put }) => typeof put !== 'string')?.put).toEqual({
      path: './a b.png',
      line: 7,
    });
  });
});

describe('a file in a body', () => {
  it.each([
    ['alone', '< ./body.json', '[./body.json]'],
    ['with a tab', '<\t./body.json', '[./body.json]'],
    ['between other lines', 'a\n< one.txt\nb\n< two.txt', 'a\n[one.txt]\nb\n[two.txt]'],
    ['not where the line begins otherwise', 'a\n < one.txt', 'a\n < one.txt'],
    ['not without a blank', '<one.txt', '<one.txt'],
    ['with blanks behind it', '< ./body.json \t', '[./body.json]'],
    ['with blanks in it', '< ./my body.json', '[./my body.json]'],
    ['not without a name', 'a\n< \nb', 'a\n< \nb'],
  ])('stands for its bytes: %s', (_what, body, sent) => expect(send('text/plain', body)).toBe(sent));

  it('whose variables would be filled in is a fault, with its line', () => {
    const text = 'POST http://h/a\nContent-Type: text/plain\n\na\n<@ one.txt\n<@latin1 two.txt';
    const [found] = parseHttpFile(text).requests;
    expect(found?.faults.map(({ line, message }) => [line, message.includes('<@')])).toEqual([
      [5, true],
      [6, true],
    ]);
    expect(read('text/plain', '< one.txt').faults).toEqual([]);
  });
});

describe('lines of other clients inside a body', () => {
  it.each([
    ['an assertion', '{"a":1,\n?? status == 200\n"b":2}', '{"a":1,\n"b":2}', /not judged/, 5],
    ['an indented one', '{"a":1,\n  ?? x\n"b":2}', '{"a":1,\n"b":2}', /not judged/, 5],
    ['a script', '{"a":1,\n{{\nx = 1;\n}}\n"b":2}', '{"a":1,\n"b":2}', /script/i, 5],
  ])('are cut out and told: %s', (_what, body, sent, note, line) => {
    const found = read(JSON_TYPE, body);
    expect(write(found)).toBe(sent);
    expect(found.notes).toEqual([{ line, message: expect.stringMatching(note) as string }]);
  });

  it('stay where they only look like them', () => {
    for (const body of ['{"a":"??"}', '{"a":{{b}}}', '{"a":"{{"}', '{"a":\n"?? b"}']) {
      expect([send(JSON_TYPE, body), read(JSON_TYPE, body).notes]).toEqual([body, []]);
    }
  });

  it('are cut once where a file is named within them', () => {
    expect(send('text/plain', 'a\n{{\n< one.txt\n}}\nb')).toBe('a\nb');
  });
});

describe('what stands around a body', () => {
  it('has the lines that it has in the file', () => {
    const text = [
      '@a = 1',
      'POST http://h/a',
      'Content-Type: application/json',
      '',
      '# a comment',
      '',
      '@b = 2',
      '{',
      '}',
      '',
      '@c = 3',
      '?? status == 200',
      '> {% x %}',
      '@d = 4',
      '',
      '### next',
      'GET http://h/b',
    ].join('\n');
    const { requests, variables } = parseHttpFile(text);
    expect(variables.map(({ name, line }) => [name, line])).toEqual([
      ['a', 1],
      ['b', 7],
      ['c', 11],
      ['d', 14],
    ]);
    const [first, second] = requests;
    expect(text.slice(first!.bodyStart, first!.bodyEnd)).toBe('{\n}');
    expect([first!.bodyLine, second!.line, write(first!)]).toEqual([8, 17, '{\n}']);
    expect(first!.notes.map(({ line }) => line)).toEqual([12, 13]);
  });

  it('is told of a response handler, by the line in which it begins', () => {
    const found = read(JSON_TYPE, '{\n}\n\n> handler.js');
    expect(found.notes).toEqual([{ line: 7, message: 'Response handlers are kept but not run.' }]);
  });

  it('says nothing where only breaks follow', () => {
    expect(read(JSON_TYPE, '{}\n\n\n').notes).toEqual([]);
  });
});
