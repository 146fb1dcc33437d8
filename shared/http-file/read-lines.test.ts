import { describe, expect, it } from 'vitest';
import { describeForeignLine, scriptEnd, scriptStart, trailerLine } from './foreign-lines';
import type { HttpRequestBlock } from './http-file';
import { parseHttpFile } from './parse-http-file';

const parse = (text: string): HttpRequestBlock => parseHttpFile(text).requests[0]!;

describe('a line of its own is told from text of a body', () => {
  it.each([
    ['{{', true],
    [' \t{{ \t', true],
    ['{{@js', true],
    ['{{@js  request', true],
    ['{{+after ', true],
    ['{{@request', true],
    ['x{{', false],
    ['{{ name }}', false],
    ['{{@jsx y', false],
    ['{{a b', false],
  ])('%j begins a script: %s', (line, isOne) => expect(scriptStart.test(line)).toBe(isOne));

  it.each([
    ['}}', true],
    [' }} \t', true],
    ['x}}', false],
    ['}}x', false],
    ['}} x', false],
  ])('%j ends a script: %s', (line, isOne) => expect(scriptEnd.test(line)).toBe(isOne));

  it.each([
    ['>{%', true],
    ['>  {% x', true],
    ['> handler.js', true],
    ['> \t../handler.js \t', true],
    ['>> kept.json', true],
    ['>>! \tkept.json', true],
    ['<> 2026.json', true],
    ['<>  2026.json', true],
    ['HTTP/1.1 200 OK', true],
    ['HTTP/2  404', true],
    [' > handler.js', false],
    ['> handler', false],
    ['> handler.js and more', false],
    ['>handler.js', false],
    ['> <a>.js', false],
    ['>>kept', false],
    ['<>kept', false],
    ['HTTP/1.1 2000', false],
    ['HTTP/x 200', false],
    ['see HTTP/1.1 200', false],
  ])('%j ends a body: %s', (line, isOne) => expect(trailerLine.test(line)).toBe(isOne));

  it.each([
    ['import ./a.http', /not imported/],
    ['run  ./a.http', /not imported/],
    ['...headers', /from a variable/],
    ['<  ./x.js', /kept but not run/],
    ['\t?? status == 200', /not judged/],
  ])('%j before a body is told', (line, note) => expect(describeForeignLine(line, 'head')).toMatch(note));

  it.each(['xrun ./a', 'important: 1', 'run', 'a...b', '... ', 'a < b', '<x'])(
    '%j is none of theirs',
    (line) => {
      expect(describeForeignLine(line, 'head')).toBeNull();
    },
  );
});

describe('annotations', () => {
  it.each([
    ['# @name a', 'name', 'a'],
    ['#@name a', 'name', 'a'],
    ['  ## @name =  a b  ', 'name', 'a b'],
    ['//// @name=a', 'name', 'a'],
    ['//@no-log', 'no-log', ''],
    ['# @tag  x, y', 'tag', 'x, y'],
    ['# @a_1-b \t=\t c', 'a_1-b', 'c'],
  ])('%j is one', (line, name, value) => {
    expect(parse(`GET http://h/a\n${line}\nA: b`).annotations).toMatchObject([{ name, value, line: 2 }]);
  });

  it.each(['# x @name a', '# @1name a', '# @ name', '# @name:a', 'x # @name a', '# mail a@name.b'])(
    '%j is none',
    (line) => expect(parse(`GET http://h/a\n\n${line}`).annotations).toEqual([]),
  );

  it('name the request before its title, whatever else is said', () => {
    const named = parse('### Title\n# @tag x\n# @name named\nGET http://h/a');
    expect(named.name).toBe('named');
    expect(parse('### Title\n# @tag x\nGET http://h/a').name).toBe('Title');
    expect(parse('### Title\n# @name\nGET http://h/a').name).toBe('Title');
    expect(parse('### # Title #2 \nGET http://h/a').name).toBe('# Title #2');
  });
});

describe('the request line', () => {
  it.each([
    ['GET http://h/a', 'GET', 'http://h/a', null],
    ['get http://h/a', 'get', 'http://h/a', null],
    ['http://h/a', 'GET', 'http://h/a', null],
    ['{{host}}/a', 'GET', '{{host}}/a', null],
    ['/a', 'GET', '/a', null],
    ['localhost/a', 'GET', 'localhost/a', null],
    ['api.example/a', 'GET', 'api.example/a', null],
    ['my-api.example.com', 'GET', 'my-api.example.com', null],
    ['host:80/a', 'GET', 'host:80/a', null],
    ['[::1]:80/a', 'GET', '[::1]:80/a', null],
    ['PURGE http://h/a', 'PURGE', 'http://h/a', null],
    ['GET http://h/a b', 'GET', 'http://h/a b', null],
    ['GET http://h/a \tHTTP/1.1', 'GET', 'http://h/a', 'HTTP/1.1'],
    ['GET http://h/a http/2', 'GET', 'http://h/a', 'http/2'],
    ['GET http://h/aHTTP/1.1', 'GET', 'http://h/aHTTP/1.1', null],
    ['GET http://h/?x=HTTP/1.1x', 'GET', 'http://h/?x=HTTP/1.1x', null],
  ])('%j is %s %s', (line, method, url, httpVersion) => {
    const found = parse(`  ${line}  \n\nbody`);
    expect(found).toMatchObject({ method, url, httpVersion, line: 1 });
    const text = `  ${line}  \n\nbody`;
    expect(text.slice(found.urlStart, found.urlEnd)).toBe(url);
  });

  it.each(['purge http://h/a', 'a sentence about http://h', 'GETS', 'GET', 'word', '-', 'Not a.b'])(
    '%j is none',
    (line) =>
      expect(parseHttpFile(line).requests.map(({ url }) => url)).not.toContain(line.split(' ').at(-1)),
  );

  it('goes on behind nothing that stands after the version, and says so', () => {
    const found = parse('GET http://h/a\n  ?b=1 HTTP/1.1  left over\n  &c=2');
    expect([found.url, found.httpVersion]).toEqual(['http://h/a?b=1', 'HTTP/1.1']);
    expect(found.notes.map(({ line, message }) => [line, message.split('”')[0]])).toEqual([
      [2, '“left over'],
      [3, '“&c=2'],
    ]);
    const text = 'GET http://h/a\n  ?b=1';
    expect(text.slice(0, parse(text).urlEnd)).toBe(text);
  });
});

describe('headers and files', () => {
  it('stand where they are said to stand', () => {
    const text = 'GET http://h\n  X-A :  one two \nX-Empty:\nX_B:c:d';
    const { headers } = parse(text);
    expect(
      headers.map(({ name, value, valueStart, valueEnd, nameEnd, line }) => [
        name,
        value,
        text.slice(valueStart, valueEnd),
        text.slice(nameEnd - name.length, nameEnd),
        line,
      ]),
    ).toEqual([
      ['X-A', 'one two', 'one two', 'X-A', 2],
      ['X-Empty', '', '', 'X-Empty', 3],
      ['X_B', 'c:d', 'c:d', 'X_B', 4],
    ]);
    expect(text.slice(headers[1]!.valueStart - 1, headers[1]!.valueStart)).toBe(':');
  });

  it('refuses what no header is called', () => {
    for (const line of ['a b: c', ': c', 'é: c', 'no colon'])
      expect(parse(`GET http://h\n${line}`).faults.map((fault) => fault.line)).toEqual([2]);
  });

  it.each([
    ['< ./a.json', 0],
    ['<@ \t./a.json', 1],
    ['<@latin1 ./a.json', 1],
  ])('%j right under them is the body; variables in it are a fault', (line, faults) => {
    const found = parse(`POST http://h\nA: b\n${line}`);
    expect(found.headers).toHaveLength(1);
    expect(found.body).not.toBeNull();
    expect(
      found.faults.filter(({ message }) => message.startsWith('Variables inside another file')),
    ).toHaveLength(faults);
    expect(found.faults).toHaveLength(faults);
  });
});

it('a script that does not end hides nothing behind it', () => {
  const found = parse('GET http://h/a\n{{\nA: b');
  expect(found.headers.map(({ name }) => name)).toEqual(['A']);
  const ended = parse('GET http://h/a\n{{\nx()\n}}\nA: b');
  expect(ended.headers.map(({ name }) => name)).toEqual(['A']);
  expect(ended.notes).toEqual([{ line: 2, message: 'Scripts are kept but not run.' }]);
});

it('tells notes in the order of their lines', () => {
  const found = parse(
    '# @prompt x\nGET http://h/a HTTP/1.1 y\n# @loop 3\n?? status == 200\n\n{"a":1}\n?? b\n',
  );
  const lines = found.notes.map(({ line }) => line);
  expect(lines).toEqual([...lines].sort((one, other) => one - other));
  expect(lines.slice(0, 4)).toEqual([1, 2, 3, 4]);
});
