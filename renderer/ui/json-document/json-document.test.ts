import { describe, expect, it } from 'vitest';
import { JsonDocument } from './json-document';
import { findInSteps, type TextHits } from './text-search';

const text = '{"code":"100","data":{"amount":1000.00,"tags":["a","b"]},"empty":{},"n":12345678901234567890}';
const show = (document: JsonDocument) =>
  document
    .lines(0, 100)
    .lines.map(({ depth, name, text: value }) => `${' '.repeat(depth)}${name ?? ''}=${value}`);

describe('JsonDocument', () => {
  it('lists lines as the tree is opened, literals as they came', () => {
    const document = new JsonDocument(text);
    expect(show(document)).toEqual([
      '={4 values}',
      ' code="100"',
      ' data={2 values}',
      '  amount=1000.00',
      '  tags=[2 values]',
      '   0="a"',
      '   1="b"',
      ' empty={}',
      ' n=12345678901234567890',
    ]);
    document.setOpen(2, false);
    expect(document.lines(0, 100).total).toBe(5);
    expect(document.lines(2, 3).lines).toMatchObject([{ name: 'data', isOpen: false }]);
  });

  it('begins shut where there is much, and opens the way to what was found', () => {
    const document = new JsonDocument(`[${'{"a":{"b":"x"}},'.repeat(400)}{"a":{"b":"Needle"}}]`);
    expect(document.lines(0, 10).total).toBe(402);
    const [hit] = document.find('needle');
    const line = document.reveal(hit!);
    expect(document.lines(line, line + 1).lines).toMatchObject([{ name: 'b', text: '"Needle"' }]);
    expect(document.place(hit!)).toEqual({ pointer: '/400/a/b', path: '$[400].a.b', source: '"Needle"' });
  });

  it('filters by path and pointer, and says where a path is wrong', () => {
    const document = new JsonDocument(text);
    expect(document.filter('/data/amount')).toEqual({
      count: 1,
      areMore: false,
      isCut: false,
      text: '1000.00',
    });
    expect(document.filter('$..tags[*]')).toMatchObject({
      count: 2,
      text: '$.data.tags[0]\n"a"\n\n$.data.tags[1]\n"b"',
    });
    expect(() => document.filter('$[')).toThrow('at character 3');
  });

  it('refuses what is no JSON', () => {
    expect(() => new JsonDocument('<html>')).toThrow();
  });

  it('reads ten megabytes, and any line of them', () => {
    const document = new JsonDocument(
      `[${'{"currency":"KES","amount":1000.00,"tags":[1,2,3]},'.repeat(200_000)}0]`,
    );
    expect(document.lines(199_999, 200_001).lines).toMatchObject([{ name: '199998' }, { name: '199999' }]);
    expect(document.filter('$[199999].amount')).toMatchObject({ text: '1000.00' });
    expect(document.filter('$[*].amount')).toMatchObject({ count: 10_000, areMore: true, isCut: true });
    expect(document.filter('$')).toMatchObject({
      count: 1,
      areMore: false,
      isCut: true,
      text: expect.stringMatching(/^\[\{"currency".{1000}/) as string,
    });
  });
});

describe('findInSteps', () => {
  const find = (text: string, query: string): TextHits => {
    const steps = findInSteps(text, query);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };

  it('finds what lies across the end of a step, once', () => {
    const long = `${'x'.repeat(499_998)}NeedLe${'x'.repeat(600_000)}needle`;
    expect(find(long, 'needle').hits.map(({ start }) => start)).toEqual([499_998, 1_100_004]);
    expect(find('a.b.c', '.').hits).toHaveLength(2);
  });

  it('takes what is typed for text, never for a pattern', () => {
    for (const query of ['(a+)+$', '[', '\\', '*', '.*', '{1}', '-', '/']) {
      expect(find(`x${query}y`, query).hits).toEqual([{ start: 1, end: 1 + query.length }]);
    }
  });

  it('lists no more than two thousand', () => {
    expect(find('a'.repeat(10_000), 'a')).toMatchObject({ isCut: true });
  });
});
