import { expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { parseHttpFile } from './parse-http-file';
import { findRefusal, prepareRequest } from './prepare-request';

const many = 30_000;
const list = (write: (at: number) => string): string =>
  Array.from({ length: many }, (_, at) => write(at)).join('\n');
const dynamic = { get: () => null, renew: () => undefined, renewTimes: () => undefined };
const prepare = (text: string) =>
  prepareRequest(parseHttpFile(text).requests[0]!, { variables: {}, dynamic });

it.each([
  ['variables that nobody gives', `POST http://h/a\n\n${list((at) => `{{v${at}}}`)}`],
  ['those of another client', `POST http://h/a\n\n${list((at) => `{{l${at}.response.body.v}}`)}`],
  ['values of another client', `POST http://h/a\n\n${list((at) => `{{$processEnv V${at}}}`)}`],
  [
    'those of another client in headers',
    `POST http://h/a\n${list((at) => `H${at}: {{l${at}.response.body.v}}`)}\n`,
  ],
  [
    'those of another client within values',
    `${list((at) => `@v${at} = {{l${at}.response.body.v}}`)}\nPOST http://h/a\n\n${list((at) => `{{v${at}}}`)}`,
  ],
])('%s take time that grows with their number', (_what, text) => {
  const processorMs = countProcessorMs();
  const { foreign, notes, unresolved } = prepare(text);
  expect(unresolved).toHaveLength(many);
  expect(foreign.length + notes.length).toBeLessThanOrEqual(many);
  expect(processorMs()).toBeLessThan(2_000);
});

it('tells the line of each, of one whose name another begins with, too', () => {
  const text =
    'POST http://h/a\nA: x\nB: {{token}}\n\n{{l10.response.body.v}}\n\n{{l1.response.body.v}} {{token}}\n{{$dotenv X}}';
  const { foreign, notes } = prepare(text);
  expect(foreign.map(({ name, line }) => [name, line])).toEqual([
    ['token', 3],
    ['l10.response.body.v', 5],
    ['l1.response.body.v', 7],
  ]);
  expect(notes.map(({ line }) => line)).toEqual([8]);
});

it('refuses variables that lead back to themselves by what they are, and not as given by nobody', () => {
  const prepared = prepare('@a = {{b}}\n@b = {{a}}\nGET http://h/{{a}}\n');
  expect(findRefusal(prepared)?.message).toMatch(/^\{\{a\}\} cannot be filled in: values lead back/);
  expect(prepared.notes.map(({ message }) => message)).toEqual([findRefusal(prepared)?.message]);
});
