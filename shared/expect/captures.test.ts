import { describe, expect, it } from 'vitest';
import { readJsonTree } from '../json/json-tree';
import { readCapture, takeCapture } from './captures';

const sources = {
  headers: [['X-Request-Id', 'r1']] as [string, string][],
  body: readJsonTree('{"data":{"payment_uuid":"47","amount":1000.00,"list":[1,{"a":true}]}}'),
  webhooks: [null, readJsonTree('{"other":1}'), readJsonTree('{"payment_reference":"P-1"}')],
};

describe('a capture', () => {
  it.each([
    ['p = body data.payment_uuid', '47'],
    ['p=body /data/amount', '1000.00'],
    ['p = body data.list', '[1,{"a":true}]'],
    ['p = header x-request-id', 'r1'],
    ['p = webhook payment_reference', 'P-1'],
    ['p = body /data/list/0', '1'],
    ['p = body /data/list/00', null],
    ['p = body data.nothing', null],
    ['p = header X-None', null],
  ])('%s takes %s', (text, value) => {
    const read = readCapture(text);
    expect('capture' in read && takeCapture(read.capture, sources)).toBe(value);
  });

  it.each([
    ['payment body x', /NAME = body/],
    ['p = answer x', /body, header or webhook/],
    ['p = body', /which part/],
    ['p = body a b', /one word too many/],
    ['p = body a..b', /no path/],
    ['p = body list[*].a', /any key behind 'ignoring' alone/],
  ])('%s is refused', (text, words) => {
    const read = readCapture(text);
    expect('fault' in read && read.fault.message).toMatch(words);
  });
});
