import { expect, it } from 'vitest';
import { judgeAnswer, type AnswerExpectation, type ReceivedAnswer } from './judge-answer';
import { expectationForms, readExpectation } from './read-expectation';
import { readJudged } from './read-judged';
import { completeExpectation, suggestExpectations } from './suggest-expectations';

function answered(httpStatus: number, body: string): ReceivedAnswer {
  return {
    operation: 'payout',
    httpStatus,
    headers: [],
    body,
    ...readJudged(body),
    isUnread: false,
    totalMs: 1,
    summary: '',
    outcome: null,
    signature: null,
  };
}

it.each([
  [
    400,
    '{"error":"bad","message":"It is bad","param":"amount"}',
    ['status 400', 'schema payout', 'body error == bad', 'body message exists', 'body param == amount'],
  ],
  [
    201,
    '{"code":"ACCEPTED","data":{"payment_uuid":"47","state":"a b","access_token":"x"},"list":[1],"a b":1,"none":null}',
    [
      'status 201',
      'body code == ACCEPTED',
      'body data.payment_uuid exists',
      'body data.state exists',
      'body data.access_token exists',
      'body list is array',
      'body none exists',
    ],
  ],
  [502, 'gone', ['status 502']],
  [204, '', ['status 204']],
  [
    422,
    '{"error":"too_much","param":"amount"}',
    ['status 422', 'body error == too_much', 'body param == amount'],
  ],
  // Under the names of values that last, too: what is another the next time.
  [
    200,
    '{"code":"550e8400-e29b-41d4-a716-446655440000","status":"2030-01-31T12:00:00.5Z","state":"processing","error":"R-1234567890","param":1900000000}',
    [
      'status 200',
      'body code exists',
      'body status exists',
      'body state exists',
      'body error exists',
      'body param exists',
    ],
  ],
  [200, '{"state":"succeeded"}', ['status 200', 'body state == succeeded']],
  [
    200,
    '{"not":1,"exists":1,"in":1,"is":1,"==":1,"<x":1,"":1,"a.b":1,"a/b":1,"data":{"not":1,"a":{"b":{"c":1}}},"error":true}',
    ['status 200', 'body data.not exists', 'body error == true'],
  ],
  [
    200,
    `{"code":"${'x'.repeat(80)}","state":"${'x'.repeat(81)}","status":404.5}`,
    ['status 200', `body code == ${'x'.repeat(80)}`, 'body state exists', 'body status == 404.5'],
  ],
  [
    200,
    `{${Array.from({ length: 30 }, (_, at) => `"k${at}":1`).join(',')}}`,
    ['status 200', ...Array.from({ length: 20 }, (_, at) => `body k${at} exists`)],
  ],
  [200, '[1]', ['status 200']],
  [999, '{"code":1}', ['body code == 1']],
  // What a run would fill in, take for several places, or not find again in the file.
  [
    200,
    '{"{{a}}":1,"*":1,"a*":1,"\\u0000":1,"\\u0085x":1,"\\ud800":1,"data":{"*":1,"x{{":1,"{x}":1},"code":"a\\u0007","state":"\\udc00"}',
    ['status 200', 'body a* exists', 'body data.{x} exists', 'body code exists', 'body state exists'],
  ],
])('what came with %i is expected again, and holds', (httpStatus, body, lines) => {
  const answer = answered(httpStatus, body);
  expect(suggestExpectations(answer)).toEqual(lines);
  for (const line of lines) {
    const read = readExpectation(line);
    const help = { fill: (text: string) => text, readExample: () => ({ fault: '', advice: '' }) };
    expect(
      'expectation' in read && judgeAnswer(read.expectation as AnswerExpectation, answer, help).isHeld,
    ).toBe(true);
  }
});

it('completes a line from the forms that there are, each of which can be read', () => {
  expect(completeExpectation('stat')).toEqual([
    'status 201',
    'status in 200,201',
    'state within 30s == succeeded',
  ]);
  expect(completeExpectation('  stat')).toEqual(completeExpectation('stat'));
  expect(completeExpectation('status 201')).toEqual([]);
  expect(completeExpectation('')).toEqual([]);
  for (const form of Object.values(expectationForms).flatMap(({ forms }) => forms)) {
    expect(readExpectation(form)).toHaveProperty('expectation');
  }
});
