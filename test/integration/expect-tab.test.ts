import { describe, expect, it } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { judgeAnswer, type AnswerExpectation } from '@shared/expect/judge-answer';
import { readExpectation } from '@shared/expect/read-expectation';
import { suggestExpectations } from '@shared/expect/suggest-expectations';
import { fillVariables } from '@shared/http-file/resolve-request';
import type { HttpAnswer } from '../../electron/platform/ports';
import { readAnswer as readInRun } from '../../electron/services/running/send-attempts';
import { readReceived } from '../../electron/services/sending/read-received';
import { judgeLine, readAnswer as readInTab } from '../../renderer/features/requests/editor/judge-lines';
import { answers, body as usualBody, headers as usualHeaders, variables } from '../support/expectation-cases';

const token = 'eyJhbGciOiJIUzI1NiJ9.abcdefghijkl.mnopqrst';
const secretBody = JSON.stringify({
  status: `of ${token}`,
  code: token,
  access_token: token,
  pin: 123_456_789_012,
  credentials: { user: 'somebody', list: [1, 2] },
  note: `Bearer ${token}, thank you`,
  url: 'https://a.example/pay?api_key=0123456789abcdef&x=1',
  data: { payment_uuid: '4711', secret: 'very-secret-value', open: 'Loading…' },
});

type Answer = Pick<HttpAnswer, 'httpStatus' | 'headers'> & { bytes: Uint8Array };
const json: [string, string] = ['Content-Type', 'application/json'];
const given: readonly (readonly [string, Answer])[] = [
  ['an ordinary answer', { httpStatus: 201, headers: usualHeaders, bytes: Buffer.from(usualBody) }],
  [
    'an answer with secrets',
    {
      httpStatus: 200,
      headers: [
        json,
        ['Set-Cookie', 'sid=0123456789abcdef'],
        ['X-Token', token],
        ['Location', `/a?token=${token}`],
      ],
      bytes: Buffer.from(secretBody),
    },
  ],
  [
    'Latin 1',
    {
      httpStatus: 200,
      headers: [['Content-Type', 'application/json; charset=iso-8859-1']],
      bytes: Buffer.from('{"code":"é","data":{"text":"ÿ"}}', 'latin1'),
    },
  ],
  [
    'UTF-16',
    {
      httpStatus: 200,
      headers: [['Content-Type', 'application/json; charset=utf-16le']],
      bytes: Buffer.from('{"code":"é","data":{"text":"ÿ"}}', 'utf16le'),
    },
  ],
  ['a byte order mark', { httpStatus: 200, headers: [json], bytes: Buffer.from('\uFEFF{"code":"é"}') }],
  ['bytes that are no text', { httpStatus: 200, headers: [json], bytes: Buffer.from([0x22, 0xff, 0x22]) }],
  ['nothing', { httpStatus: 204, headers: [], bytes: Buffer.alloc(0) }],
  [
    'what is no JSON',
    { httpStatus: 502, headers: [['Content-Type', 'text/html']], bytes: Buffer.from('<p>gone</p>') },
  ],
  [
    'what is compressed',
    { httpStatus: 200, headers: [json, ['Content-Encoding', 'gzip']], bytes: Buffer.from(usualBody) },
  ],
];

/** About the answers above, besides the lines that each kind of expectation is tried with. */
const more = [
  `body access_token == ${token}`,
  'body access_token matches /^eyJ.*rst$/',
  'body access_token exists',
  'body access_token is string',
  'body pin is number',
  'body pin > 5',
  'body credentials exists',
  'body credentials is object',
  'body credentials.user == somebody',
  'body credentials.user exists',
  'body credentials.none not exists',
  'body credentials.list.0 == 1',
  'body note contains thank',
  'body note not contains eyJ',
  'body url contains 0123456789abcdef',
  'body data is object',
  'body data contains open',
  'body data.secret != very-secret-value',
  'body data.open == Loading…',
  'body data.payment_uuid == 4711',
  'body contains very-secret-value',
  'body matches /mnopqrst/',
  'body == {"code":"é"}',
  'body code == é',
  'body data.text == ÿ',
  'body exists',
  'schema token',
  'schema payout',
  `header X-Token == ${token}`,
  'header X-Token exists',
  'header Set-Cookie matches /cdef$/',
  'header Location contains mnopqrst',
  'body data.payment_uuid == {{nobody}}',
];

const fillLine = (text: string) => fillVariables(text, [], { variables });
const fill = (text: string): string => fillLine(text).filled;
const readExample = () => ({ fault: '', advice: '' });

function receive({ httpStatus, headers, bytes }: Answer) {
  const raw = {
    httpStatus,
    headers,
    body: bytes,
    isCut: false,
    timings: { totalMs: 12.345 },
  } as unknown as HttpAnswer;
  const received = readReceived({
    operation: 'payout',
    answer: raw,
    reference: null,
    requestBody: null,
    secrets: [token],
    tokenName: 'access_token',
  });
  const exchange = { operation: 'payout', ...received, timings: raw.timings } as unknown as Exchange;
  return { inTab: readInTab({ exchange }), inRun: readInRun(exchange, raw)! };
}

const judgeInRun = (line: string, answer: ReturnType<typeof receive>['inRun']): boolean => {
  const read = readExpectation(line);
  if ('fault' in read) throw new Error(`${line}: ${read.fault.message}`);
  return judgeAnswer(read.expectation as AnswerExpectation, answer, { fill, readExample }).isHeld;
};

describe.each(given)('under Expect, of %s', (_what, answer) => {
  const { inTab, inRun } = receive(answer);

  it('a line holds, or does not, as a run says of the same answer, or is left to the run', () => {
    const lines = [...answers.flat(), ...more].filter((line) => 'expectation' in readExpectation(line));
    const differing = lines.filter((line) => {
      const { tone } = judgeLine(line, inTab, fillLine);
      return tone !== 'open' && (tone === 'held') !== judgeInRun(line, inRun);
    });
    expect(differing).toEqual([]);
  });

  it('what came is expected so that a run finds it again', () => {
    const lines = suggestExpectations(inTab.answer!);
    expect(lines.filter((line) => !judgeInRun(line, inRun))).toEqual([]);
  });
});

it('leaves to the run what is masked and what has no value here, and nothing else', () => {
  const { inTab } = receive(given[1]![1]);
  const left = more.filter((line) => judgeLine(line, inTab, fillLine).tone === 'open');
  expect(left).toMatchInlineSnapshot(`
    [
      "body access_token == eyJhbGciOiJIUzI1NiJ9.abcdefghijkl.mnopqrst",
      "body access_token matches /^eyJ.*rst$/",
      "body access_token is string",
      "body pin is number",
      "body pin > 5",
      "body credentials.user == somebody",
      "body credentials.list.0 == 1",
      "body note contains thank",
      "body note not contains eyJ",
      "body url contains 0123456789abcdef",
      "body data contains open",
      "body data.secret != very-secret-value",
      "body data.open == Loading…",
      "body contains very-secret-value",
      "body matches /mnopqrst/",
      "body == {"code":"é"}",
      "body code == é",
      "schema token",
      "schema payout",
      "header X-Token == eyJhbGciOiJIUzI1NiJ9.abcdefghijkl.mnopqrst",
      "header Set-Cookie matches /cdef$/",
      "header Location contains mnopqrst",
      "body data.payment_uuid == {{nobody}}",
    ]
  `);
});
