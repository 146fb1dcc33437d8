import { describe, expect, it } from 'vitest';
import { indexJson, sourceOf, stepsTo, writeJsonPath, writePointer } from '../json/json-index';
import { findNodes } from './find-nodes';
import { parsePath } from './parse-path';

/** The example of RFC 9535, 1.5. */
const store = `{ "store": {
  "book": [
    { "category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95 },
    { "category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99 },
    { "category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99 },
    { "category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8", "price": 22.99 }
  ],
  "bicycle": { "color": "red", "price": 399.00 }
} }`;

function find(text: string, path: string): string[] {
  const index = indexJson(text);
  return findNodes(index, parsePath(path)).nodes.map((node) => sourceOf(index, node));
}

function locate(text: string, path: string): string[] {
  const index = indexJson(text);
  return findNodes(index, parsePath(path)).nodes.map((node) => writeJsonPath(stepsTo(index, node)));
}

describe('a path into JSON', () => {
  // @source RFC 9535, table 2
  it.each([
    ['$.store.book[*].author', ['"Nigel Rees"', '"Evelyn Waugh"', '"Herman Melville"', '"J. R. R. Tolkien"']],
    ['$..author', ['"Nigel Rees"', '"Evelyn Waugh"', '"Herman Melville"', '"J. R. R. Tolkien"']],
    ['$.store..price', ['8.95', '12.99', '8.99', '22.99', '399.00']],
    ['$..book[2].title', ['"Moby Dick"']],
    ['$..book[2].publisher', []],
    ['$..book[-1].title', ['"The Lord of the Rings"']],
    ['$..book[0,1].price', ['8.95', '12.99']],
    ['$..book[:2].price', ['8.95', '12.99']],
    ['$..book[::-2].price', ['22.99', '12.99']],
    ['$..book[?@.isbn].price', ['8.99', '22.99']],
    ['$..book[?@.price<10].price', ['8.95', '8.99']],
    ["$..book[?@.price < 10 && @.category == 'fiction'].title", ['"Moby Dick"']],
    ['$..book[?!(@.isbn || @.author == "Nigel Rees")].title', ['"Sword of Honour"']],
    ['$.store.book[?@.price > $.store.book[1].price].title', ['"The Lord of the Rings"']],
    ["$['store']['bicycle']['color']", ['"red"']],
    ['$..book[?length(@.title) > 15].price', ['8.95', '22.99']],
    ['$..book[?count(@.*) == 4].price', ['8.95', '12.99']],
    ["$..book[?match(@.author, 'J\\\\. R.*')].price", ['22.99']],
    ["$..book[?search(@.title, '[Ss]word')].price", ['12.99']],
    ["$..book[?search(@.isbn, '^0-\\\\d{3}-')].price", ['8.99', '22.99']],
    ['$..book[?value(@..isbn) == "0-553-21311-3"].price', ['8.99']],
    ['store.bicycle.price', ['399.00']],
    ['/store/book/1/price', ['12.99']],
  ])('%s', (path, wanted) => {
    expect(find(store, path)).toEqual(wanted);
  });

  it('compares numbers by their exact value, and gives them as they came', () => {
    const text = '[1000.00, 1e3, 12345678901234567890, 12345678901234567891]';
    expect(find(text, '$[?@ == 1000]')).toEqual(['1000.00', '1e3']);
    expect(find(text, '$[?@ > 12345678901234567890]')).toEqual(['12345678901234567891']);
  });

  it('finds keys with slashes, tildes, quotes, escapes and other letters, and names the way to them', () => {
    const text = '{"a/b":{"m~n":1},"it\'s":2,"\\u00fc":3,"":4}';
    expect(find(text, '/a~1b/m~0n')).toEqual(['1']);
    expect(find(text, "$['it\\'s']")).toEqual(['2']);
    expect(find(text, '$.ü')).toEqual(['3']);
    expect(find(text, '/')).toEqual(['4']);
    for (const path of locate(text, '$..*')) expect(find(text, path)).toHaveLength(1);
  });

  it('compares objects and lists by meaning, at any depth', () => {
    const deep = `${'['.repeat(50_000)}1e0${']'.repeat(50_000)}`;
    const text = `[{"l":{"a":1,"b":[2,{}]},"r":{"b":[2.0,{}],"a":1}},{"l":[1],"r":[1,1]},{"l":{"a":1},"r":{"b":1}},
      {"l":${deep},"r":${deep.replace('1e0', '1')}}]`;
    expect(locate(text, '$[?@.l == @.r]')).toEqual(['$[0]', '$[3]']);
  });

  it('takes texts in the order of their code points', () => {
    expect(find('["\\ud83d\\ude00","\\uff5e","a"]', "$[?@ > '～']")).toEqual(['"\\ud83d\\ude00"']);
  });

  it('gives the whole for the empty pointer and $', () => {
    for (const path of ['', '$']) expect(find(' [1] ', path)).toEqual(['[1]']);
  });

  it('takes the last of a repeated key, and lists them all', () => {
    expect(find('{"a":1,"a":2}', '$.a')).toEqual(['2']);
    expect(find('{"a":1,"a":2}', '$.*')).toEqual(['1', '2']);
  });

  it('names every value by a pointer that leads back to it', () => {
    const index = indexJson(store);
    for (let node = 0; node < index.count; node += 1) {
      expect(findNodes(index, parsePath(writePointer(stepsTo(index, node)))).nodes).toEqual([node]);
    }
  });

  it.each([
    ['$.', 3],
    ['$[', 3],
    ['$[1', 4],
    ['$[?]', 4],
    ['$[?size(@) > 1]', 4],
    ['$[?length(@)]', 13],
    ['$[?length(@.*) > 1]', 11],
    ['$[?count(1) > 1]', 10],
    ['$[?length(@, 1) > 1]', 12],
    ["$[?match(@, 'a') == true]", 4],
    ["$[?search(@, '(a')]", 14],
    ["$[?search(@, '\\\\p{Zz}')]", 14],
    ['$[?@.* == 1]', 4],
    ['$[?!@.a == 1]', 5],
    ["$['\\ud800']", 4],
    ['$[-0]', 3],
    ['$[9007199254740992]', 3],
    ["$['a", 3],
    ['$x', 2],
    ['$[01.5]', 3],
    ['/a~2', 3],
    ['{}', 1],
    ['$[?@.a = 1]', 8],
    ['  $x', 4],
    [' /a~2', 4],
    ['a b', 3],
    ['[0]x', 4],
    ['data.0', 6],
  ])('says where %s is wrong', (path, character) => {
    expect(() => parsePath(path)).toThrow(
      expect.objectContaining({
        code: 'json.bad_path',
        message: expect.stringContaining(`at character ${character}:`) as string,
      }) as Error,
    );
  });

  it('runs nothing as code', () => {
    for (const path of ['$[(@.length-1)]', '$[?process.exit()]', '$.constructor', '$.__proto__']) {
      const found = (() => {
        try {
          return find('{"a":1}', path);
        } catch (error) {
          return (error as { code: string }).code;
        }
      })();
      expect(['json.bad_path', []]).toContainEqual(found);
    }
  });

  it.each([
    ['a place of two digits', '[0,1,2,3,4,5,6,7,8,9,10,11,12]', '/12', ['12']],
    ['no place with a letter before it', '[0,1]', '/a1', []],
    ['no place with a letter behind it', '[0,1]', '/1a', []],
    ['no place with a zero before it', '[0,1]', '/01', []],
    ['no place from the end', '[0,1]', '/-1', []],
    ['no place that is a fraction', '[0,1]', '/0.5', []],
    ['nothing by steps of nothing', '[0,1]', '$[::0]', []],
    [
      'characters, and not halves of them',
      '["\u{1f600}","a\u{1f600}b","ab","\ud83dx"]',
      '$[?length(@) == 1]',
      ['"\u{1f600}"'],
    ],
    [
      'three of them',
      '["a\u{1f600}b","\u{1f600}\u{1f600}","abc"]',
      '$[?length(@) == 3]',
      ['"a\u{1f600}b"', '"abc"'],
    ],
    [
      'members of an object, a repeated one once',
      '[{"x":1,"x":2},{"x":1,"y":2}]',
      '$[?length(@) == 1]',
      ['{"x":1,"x":2}'],
    ],
    ['no length of what has none', '[1,true,null,"a"]', '$[?length(@) >= 0]', ['"a"']],
    ['nothing by a pattern that is no text', '{"p":1,"a":["1"]}', '$.a[?match(@, $.p)]', []],
    ['nothing by a pattern that is nowhere', '{"a":["1"]}', '$.a[?match(@, $.p)]', []],
    ['nothing by a pattern that cannot be read', '{"p":"(","a":["("]}', '$.a[?search(@, $.p)]', []],
    ['what a pattern of the text finds', '{"p":"b.","a":["abc","ab"]}', '$.a[?search(@, $.p)]', ['"abc"']],
    ['the whole by a pattern of the text', '{"p":"b.","a":["abc","bc"]}', '$.a[?match(@, $.p)]', ['"bc"']],
    ['numbers alone before a number', '["1",1,null,[0],false]', '$[?@ < 2]', ['1']],
    ['a number before numbers alone', '["3",3,null,[9],true]', '$[?2 < @]', ['3']],
    ['texts alone before a text', '[1,"a",null,["a"]]', "$[?@ < 'b']", ['"a"']],
    ['texts that begin alike', '["a","ab","abc","b","aa",""]', "$[?@ < 'ab']", ['"a"', '"aa"', '""']],
    ['texts up to one that is the same', '["ab","abc"]', "$[?@ <= 'ab']", ['"ab"']],
    ['texts by their characters, and not as numbers', '["1.0","1","1.00"]', "$[?@ == '1.0']", ['"1.0"']],
    ['no list that is a number', '{"a":[[1],1,{"x":1}],"n":1}', '$.a[?@ == $.n]', ['1']],
    ['no number that is a list', '{"a":[[1],1,{"x":1}],"n":[1.0]}', '$.a[?@ == $.n]', ['[1]']],
    [
      'nothing where both sides are nowhere but by sameness',
      '[{"a":1},{}]',
      '$[?@.b == @.c]',
      ['{"a":1}', '{}'],
    ],
    ['nothing smaller where a side is nowhere', '[{"a":1},{}]', '$[?@.a < @.b]', []],
  ])('finds %s', (_what, text, path, found) => expect(find(text, path)).toEqual(found));

  it('counts what is looked at, long texts by their length', () => {
    const compare = (items: number): string[] =>
      find(`["${'a'.repeat(10_000)}",${'1,'.repeat(items)}1]`, '$[?$[0] == $[0]]');
    expect(compare(100)).toHaveLength(102);
    expect(() => compare(1100)).toThrow(expect.objectContaining({ code: 'json.too_many' }) as Error);
  });

  it('gives the first ten thousand of more, and says so', () => {
    const count = (items: number) => findNodes(indexJson(`[${'1,'.repeat(items - 1)}1]`), parsePath('$[*]'));
    expect(count(10_001)).toMatchObject({ isCut: true });
    expect(count(10_001).nodes).toHaveLength(10_000);
    expect(count(10_000)).toMatchObject({ isCut: false });
    expect(count(10_000).nodes).toHaveLength(10_000);
  });

  it('refuses a path that is too long, or nested too deeply', () => {
    expect(() => parsePath(`$[?${'('.repeat(400)}@${')'.repeat(400)}]`)).toThrow('nested too deeply');
    expect(() => parsePath(`$${'.a'.repeat(600)}`)).toThrow('longer than');
  });
});
