import { describe, expect, it } from 'vitest';
import { createDynamicValues } from './dynamic-values';
import { describeForeignName } from './foreign-variables';
import { parseHttpFile } from './parse-http-file';
import { fillVaultReferences } from './vault-reference';
import { encodeBasic } from './basic-header';
import { fillVariables, mapToSource, resolveRequest } from './resolve-request';

const sources = () => {
  let count = 0;
  return {
    now: () => Date.UTC(2026, 10, 21, 3, 4, 5, 678),
    random: { uuid: () => `uuid-${++count}`, bytes: (size: number) => new Uint8Array(size).fill(128) },
  };
};
const resolve = (
  text: string,
  variables: Record<string, string> = {},
  dynamic = createDynamicValues(sources()),
) => resolveRequest(parseHttpFile(text).requests[0]!, { variables, dynamic });

describe('resolveRequest', () => {
  it('fills URL, headers and body, and keeps what the back end fills', () => {
    const result = resolve(
      'POST {{base_url}}/a\nAuthorization: Bearer {{token.payout}}\nX-Custom-Signature: {{ signature }}\nX: {{ base_url }}\n\n{"u":"{{base_url}}"}',
      { base_url: 'http://x' },
    );
    expect(result).toMatchObject({
      method: 'POST',
      url: 'http://x/a',
      headers: [
        ['Authorization', 'Bearer {{token.payout}}'],
        ['X-Custom-Signature', '{{ signature }}'],
        ['X', 'http://x'],
      ],
      body: '{"u":"http://x"}',
      unresolved: [],
    });
  });

  describe('{{last_reference}}', () => {
    const query = (head: string, lastReferences = { collection: 'C-1', payout: 'P-1' }) =>
      resolveRequest(parseHttpFile(`POST x\n${head}\n\n{{last_reference}}`).requests[0]!, {
        variables: { last_reference: 'C-1' },
        lastReferences,
        dynamic: createDynamicValues(sources()),
      });

    it('is that of the product whose token asks', () => {
      expect(query('Authorization: Bearer {{token.collection}}').body).toBe('C-1');
      expect(query('Authorization: Bearer {{ token.payout }}').body).toBe('P-1');
      expect(query('X: none').body).toBe('C-1');
    });

    it('is nobody’s where none of that product was sent, and says what to do', () => {
      const head = 'Authorization: Bearer {{token.remittance}}';
      expect(query(head).unresolved).toEqual([{ name: 'last_reference', where: 'body' }]);
      expect(describeForeignName('last_reference')).toContain('none was sent yet');
      // Settings of earlier versions, and a value that somebody gave, know of no product.
      expect(query(head, {} as never).body).toBe('C-1');
      expect(query(head, { collection: 'other', payout: 'P-1' }).body).toBe('C-1');
    });
  });

  it('names what nobody gave and leaves it as written', () => {
    const result = resolve('POST {{nope}}/a\n\n{"t":"{{token.payout}}","n":{{nope}}}');
    expect(result.body).toBe('{"t":"{{token.payout}}","n":{{nope}}}');
    expect(result.unresolved).toEqual([
      { name: 'nope', where: 'url' },
      { name: 'token.payout', where: 'body' },
      { name: 'nope', where: 'body' },
    ]);
  });

  it('writes a text from elsewhere as JSON has it where a quote is open, and nowhere else', () => {
    const fill = (text: string, it: string) =>
      resolveRequest(parseHttpFile(`POST http://x\nX: {{it}}\n\n${text}`).requests[0]!, {
        variables: { it, own: it, around: 'of {{it}}', loop: '{{loop2}}', loop2: '{{loop}}{{around}}' },
        isText: (name) => name === 'it',
        dynamic: createDynamicValues(sources()),
      });
    const value = 'a"b\\c';
    expect(fill('{"a":"{{it}}","b":"\\"{{it}}","{{it}}":{{it}}}', value)).toMatchObject({
      headers: [['X', value]],
      body: String.raw`{"a":"a\"b\\c","b":"\"a\"b\\c","a\"b\\c":a"b\c}`,
    });
    expect(fill('{"a":"{{own}}"}', value).body).toBe(`{"a":"${value}"}`);
    expect(fill('{"a":"{{around}}"}', value).body).toBe(String.raw`{"a":"of a\"b\\c"}`);
    expect(fill('"{{it}}"', value).body).toBe(`"${value}"`);
    // Behind a comment that is cut out the quotes before it still count.
    expect(fill('{"a":"1",\n# note\n"b":"{{it}}"}', value).body).toContain(String.raw`"b":"a\"b\\c"`);
  });

  it('pins dynamic values by occurrence until renewed', () => {
    const dynamic = createDynamicValues(sources());
    const text = 'POST http://x/{{$uuid}}\n\n{"a":"{{$uuid}}","b":"{{$random.uuid}}"}';
    const first = resolve(text, {}, dynamic);
    expect(first.body).toBe('{"a":"uuid-2","b":"uuid-3"}');
    expect(resolve(text, {}, dynamic)).toEqual(first);
    dynamic.renew();
    expect(resolve(text, {}, dynamic).url).toBe('http://x/uuid-4');
  });

  it('takes the time anew where it is asked to, and keeps every other draw', () => {
    let now = Date.UTC(2026, 0, 1);
    const dynamic = createDynamicValues({ ...sources(), now: () => now });
    const text =
      'POST http://x/{{$uuid}}\n\n{{$isoTimestamp}} {{$timestamp}} {{$datetime iso8601}} {{$uuid}}';
    const first = resolve(text, {}, dynamic);
    now += 60_000;
    expect(resolve(text, {}, dynamic)).toEqual(first);
    dynamic.renewTimes();
    const second = resolve(text, {}, dynamic);
    expect(second.url).toBe(first.url);
    expect(second.body).toMatch(/^2026-01-01T00:01:00\.000Z 1767225660 2026-01-01T00:01:00\S* uuid-2$/);
  });

  it('resolves a file variable once, before the environment', () => {
    const result = resolve(
      '@ref = {{$uuid}}\n@base_url = http://file\nPOST {{base_url}}\n\n{{ref}} {{ref}}',
      { base_url: 'http://env' },
    );
    expect(result).toMatchObject({ url: 'http://file', body: 'uuid-1 uuid-1' });
  });

  it('stops at cycles, at depth and at size', () => {
    expect(
      resolve('POST http://x\n\n{{a}}', { a: '{{b}}', b: '{{a}}' }).unresolved.map(({ name }) => name),
    ).toContain('a');
    const bomb = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`v${i}`, `{{v${i + 1}}}`.repeat(50)]),
    );
    const result = resolve('POST http://x\n\n{{v0}}', { ...bomb, v12: 'x'.repeat(100_000) });
    expect(result.body!.length).toBeLessThan(1_100_000);
    expect(result.unresolved.length).toBeGreaterThan(0);
  });

  it('fills in no more than goes out, whatever part it stands in, and says so', () => {
    const a = 'x'.repeat(900_000);
    const many = (text: string): string => text.repeat(2000);
    for (const text of [
      `POST http://x\n\n${many('{{a}}')}`,
      `POST http://x?${many('{{a}}')}`,
      `POST http://x\n${many('A: {{a}}\n')}`,
      `POST http://x\n\n{{b}}`,
    ]) {
      const result = resolve(text, { a, b: many('{{a}}') });
      expect([result.isTooLong, result.unresolved]).toEqual([true, []]);
      const filled = [result.url, result.body ?? '', ...result.headers.flat()].join('');
      expect(filled.length).toBeLessThan(17 * 2 ** 20);
    }
    expect(resolve('POST http://x\n\n{{a}}{{a}}', { a }).isTooLong).toBe(false);
    expect(resolve('POST http://x\n\n{{a}}', { a: a + a })).toMatchObject({
      isTooLong: true,
      unresolved: [],
    });
  });

  it('leaves braces of text and JSON alone', () => {
    const body = '{"a":{"b":{}}, "c":"{{}} {{ }} {{\n}} {{"}';
    expect(resolve(`POST http://x\n\n${body}`)).toMatchObject({ body, unresolved: [] });
  });

  it('writes times in the forms the interface asks for', () => {
    const result = resolve(
      "POST http://x\n\n{{$datetime 'YYYY-MM-DD HH:mm:ss'}}|{{$isoTimestamp}}|{{$timestamp}}|{{$datetime iso8601 -1 d}}|{{$datetime rfc1123}}|{{$timestamp 1 h}}",
    );
    expect(result.body).toBe(
      '2026-11-21 03:04:05|2026-11-21T03:04:05.678Z|1795230245|2026-11-20T03:04:05.678Z|Sat, 21 Nov 2026 03:04:05 GMT|1795233845',
    );
  });

  it('draws numbers and text', () => {
    expect(
      resolve('POST http://x\n\n{{$randomInt 10 20}}|{{$random.integer(1, 3)}}|{{$random.hexadecimal(4)}}')
        .body,
    ).toBe('15|2|0000');
    expect(
      resolve('POST http://x\n\n{{$randomInt 5 5}}{{$constructor}}{{$datetime x}}').unresolved,
    ).toHaveLength(3);
  });

  it('maps offsets of the resolved body back to the source', () => {
    const text = 'POST http://x\n\n{"r":"{{ref}}","amount":1000,"c":"K{{cc}}"}';
    const { body, bodyMap } = resolve(text, { ref: 'REF-0000001', cc: 'E' });
    const source = parseHttpFile(text).requests[0]!.body!;
    const back = (part: string) => {
      const start = body!.indexOf(part);
      const mapped = mapToSource(bodyMap, start, start + part.length);
      return source.slice(mapped.start, mapped.end);
    };
    expect(back('REF-0000001')).toBe('{{ref}}');
    expect(back('1000')).toBe('1000');
    expect(back('KE')).toBe('K{{cc}}');
    expect(back('"REF')).toBe('"{{ref}}');
  });

  it('parses and resolves a body of 1 MB in less than three times what JSON.parse takes for it', () => {
    const body = `{"reference":"{{$uuid}}","rows":[${'{"amount": 1000, "note": "some text"},\n'.repeat(27_000)}{}]}`;
    const dynamic = createDynamicValues(sources());
    // The quickest of each, turn by turn: what else the machine does slows both. The frame itself is a matter of `npm run bench`.
    const quickest = { resolve: Infinity, parse: Infinity };
    const time = (name: keyof typeof quickest, act: () => unknown): void => {
      const started = performance.now();
      act();
      quickest[name] = Math.min(quickest[name], performance.now() - started);
    };
    for (let round = 0; round < 9; round++) {
      time('resolve', () => resolve(`POST http://x\nA: b\n\n${body}`, {}, dynamic));
      time('parse', () => JSON.parse(body));
    }
    expect(quickest.resolve).toBeLessThan(3 * quickest.parse);
  });
});

describe('a value', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`v${at}`, at === 8 ? 'end' : `{{v${at + 1}}}`]),
  );
  it('may name another one, five deep', () => {
    expect(resolve('GET http://x/{{v4}}', chain)).toMatchObject({ url: 'http://x/end', unresolved: [] });
    const deep = resolve('GET http://x/{{v3}}/{{v3}}', chain);
    expect(deep.url).toBe('http://x/{{v8}}/{{v8}}');
    expect(deep.unresolved).toEqual([{ name: 'v8', where: 'url' }]);
    expect(deep.entangled).toEqual([{ name: 'v8', from: 'v3' }]);
  });

  it('is whole where it stands by itself, beside one that names it too deep', () => {
    const { url, entangled } = resolve('GET http://x/{{v2}}/{{v3}}/{{v4}}/{{v5}}', chain);
    expect(url).toBe('http://x/{{v7}}/{{v8}}/end/end');
    expect(entangled.map(({ from }) => from)).toEqual(['v2', 'v3']);
  });

  it('is at most a mebibyte long', () => {
    const most = 'x'.repeat(1024 * 1024);
    expect(resolve('POST http://x\n\n{{a}}', { a: most })).toMatchObject({ body: most, unresolved: [] });
    const more = resolve('POST http://x\n\n{{a}}', { a: `${most}x` });
    // It has a value, and is not said to have none.
    expect(more).toMatchObject({ body: '{{a}}', variablesUsed: {}, isTooLong: true, unresolved: [] });
  });

  it('is told with what was drawn, once for all its places', () => {
    const text =
      'GET http://x/{{a}}/{{ $uuid }}\nX: {{a}} {{nope}} {{nope}}\nY: {{ signature }} {{token.payout}}';
    expect(resolve(text, { a: '{{b}}', b: '1', unused: '2' })).toMatchObject({
      headers: [
        ['X', '1 {{nope}} {{nope}}'],
        ['Y', '{{ signature }} {{token.payout}}'],
      ],
      variablesUsed: { a: '1', b: '1' },
      dynamicUsed: [{ expression: '$uuid', value: 'uuid-1' }],
      unresolved: [{ name: 'nope', where: 'header' }],
      bodyMap: [],
      body: null,
    });
  });

  it.each(['xsignature', 'signatures', 'mytoken.payout', 'token.payout1'])(
    'of {{%s}} is nothing that the back end fills in',
    (name) => {
      expect(resolve(`GET http://x\nX: {{${name}}}`).unresolved).toEqual([{ name, where: 'header' }]);
    },
  );

  it('is encoded for an address where that is asked for', () => {
    const result = resolve('GET http://x/{{ %a }}/{{%nope}}', { a: 'b c/d' });
    expect(result.url).toBe('http://x/b%20c%2Fd/{{%nope}}');
    expect(result.unresolved).toEqual([{ name: 'nope', where: 'url' }]);
    // Half of a surrogate pair has no bytes: it goes out as browsers send it.
    expect(resolve('GET http://x/{{%a}}', { a: 'b\ud800' }).url).toBe('http://x/b%EF%BF%BD');
  });

  it('is encoded, too, where it is drawn, and where it stands in the value of another', () => {
    const { url, body } = resolve(
      'POST http://x/{{%$uuid}}?at={{%$datetime "DD MM"}}&u={{%u}}&n={{%n}}\n\n"{{%$uuid}}{{%$processEnv A}}"',
      { u: 'a {{$uuid}}', n: 'b {{nope}} {{%$nope}} c' },
    );
    expect(url).toMatch(
      /^http:\/\/x\/uuid-1\?at=\d\d%20\d\d&u=a%20uuid-2&n=b%20\{\{%nope\}\}%20\{\{%\$nope\}\}%20c$/,
    );
    expect(body).toBe('"uuid-3{{%$processEnv A}}"');
  });
});

describe('fillVariables', () => {
  const own = [{ name: 'f', value: 'file {{e}}', line: 1 }];
  it.each([
    ['plain', 'plain', []],
    ['{{f}}', 'file env', []],
    ['{{e}} {{g}}', 'env given', []],
    ['{{nope}} {{nope}} {{$uuid}}', '{{nope}} {{nope}} {{$uuid}}', ['nope', '$uuid']],
  ])('makes of %s: %s, and misses %j', (text, filled, unresolved) => {
    expect(fillVariables(text, own, { variables: { e: 'env', g: 'env' }, given: { g: 'given' } })).toEqual({
      filled,
      unresolved,
    });
  });
});

describe('encodeBasic', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  it.each([
    ['Authorization', 'Basic ann  secret word', `Basic ${base64('ann:secret word')}`],
    ['authorization', 'basic\tann:se:cret', `basic ${base64('ann:se:cret')}`],
    ['Proxy-Authorization', 'Basic ann:', `Basic ${base64('ann:')}`],
    ['Authorization', 'Basic   ann: secret', `Basic ${base64('ann: secret')}`],
    ['Authorization', 'Basic :secret', `Basic ${base64(':secret')}`],
    ['Authorization', 'Basic ann', 'Basic ann'],
    ['Authorization', 'Basic ann ', 'Basic ann '],
    ['Authorization', 'Basic YW5uOnNlY3JldA==', 'Basic YW5uOnNlY3JldA=='],
    ['Authorization', 'Basic {{user}} secret', 'Basic {{user}} secret'],
    ['Authorization', 'Not Basic ann secret', 'Not Basic ann secret'],
    ['Authorization', 'Bearer ann secret', 'Bearer ann secret'],
    ['X-Authorization', 'Basic ann secret', 'Basic ann secret'],
    ['Authorization-Info', 'Basic ann secret', 'Basic ann secret'],
  ])('%s: %s leaves as %s', (name, value, sent) => {
    expect(encodeBasic(name, value, (text) => text)).toBe(sent);
  });

  const values = {
    user: 'Acme Pay Ltd',
    pass: 'se: cret',
    braces: 'a{{b',
    none: '',
    pair: '{{user}}:{{pass}}',
    whole: 'Basic {{pair}}',
    plain: 'Basic ann secret',
  };
  it.each([
    ['Basic {{user}}:{{pass}}', 'Acme Pay Ltd:se: cret'],
    ['Basic {{user}} {{pass}}', 'Acme Pay Ltd:se: cret'],
    ['Basic   {{ user }}:x {{pass}}', 'Acme Pay Ltd:x se: cret'],
    ['Basic {{user}} x {{pass}}', 'Acme Pay Ltd:x se: cret'],
    ['Basic {{none}}:{{pass}}', ':se: cret'],
    ['Basic {{user}}:{{none}}', 'Acme Pay Ltd:'],
    ['Basic ann:{{braces}}', 'ann:a{{b'],
    ['Basic {{pair}}', 'Acme Pay Ltd:se: cret'],
    ['{{whole}}', 'Acme Pay Ltd:se: cret'],
    ['{{plain}}', 'ann:secret'],
  ])('tells user from password in %s by where they stand, whatever their values hold', (header, pair) => {
    const { headers } = resolve(`POST http://x\nAuthorization: ${header}\n\n`, values);
    expect(headers).toEqual([['Authorization', `Basic ${base64(pair)}`]]);
  });

  it.each([
    ['Basic {{user}}:{{vault.pass}}', 'Acme Pay Ltd:se: cret'],
    ['Basic {{user}} {{vault.pass}}', 'Acme Pay Ltd:se: cret'],
    ['Basic {{vault.user}}:{{pass}}', 'Acme Ltd:se: cret'],
    ['Basic {{vault.user}}:{{vault.pass}}', 'Acme Ltd:se: cret'],
  ])('does so in %s, too, where the back end has a part', (header, pair) => {
    const { headers } = resolve(`POST http://x\nAuthorization: ${header}\n\n`, values);
    const text = headers[0]![1];
    expect(text).toContain('{{vault.');
    const ofVault = (name: string) => (name === 'user' ? 'Acme Ltd' : 'se: cret');
    const sent = encodeBasic('Authorization', text, (part) => fillVaultReferences(part, ofVault));
    expect(sent).toBe(`Basic ${base64(pair)}`);
  });

  it('draws a dynamic value of a user once', () => {
    const { headers, dynamicUsed } = resolve('POST http://x\nAuthorization: Basic {{$uuid}}:x\n\n');
    expect(headers[0]![1]).toBe(`Basic ${base64(`${dynamicUsed[0]!.value}:x`)}`);
    expect(dynamicUsed).toHaveLength(1);
  });
});

describe('the way back from what is sent', () => {
  const text = 'POST http://x\nContent-Type: application/x-www-form-urlencoded\n\n{{a}}=1\n&b={{b}}\n&c=3';
  it('leads over lines that were joined, and values of any length', () => {
    const { body, bodyMap } = resolve(text, { a: 'long name', b: '' });
    expect(body).toBe('long name=1&b=&c=3');
    const source = parseHttpFile(text).requests[0]!.body!;
    const back = (start: number, end: number) => {
      const mapped = mapToSource(bodyMap, start, end);
      return source.slice(mapped.start, mapped.end);
    };
    expect(back(0, 4)).toBe('{{a}}');
    expect(back(9, 11)).toBe('=1');
    expect(back(11, 12)).toBe('\n&');
    expect(back(11, 13)).toBe('\n&b');
    expect(back(body!.indexOf('c'), body!.length)).toBe('c=3');
    expect(back(4, 11)).toBe('{{a}}=1');
    expect(back(body!.indexOf('c'), body!.indexOf('c'))).toBe('');
  });

  it('is as long as the body where nothing was filled in, and nowhere without a body', () => {
    const { bodyMap } = resolve('POST http://x\n\nplain');
    expect(bodyMap).toEqual([{ start: 0, end: 5, sourceStart: 0, sourceEnd: 5, variable: null }]);
    expect(mapToSource(bodyMap, 1, 3)).toEqual({ start: 1, end: 3 });
    expect(mapToSource([], 1, 3)).toEqual({ start: 1, end: 3 });
  });
});
