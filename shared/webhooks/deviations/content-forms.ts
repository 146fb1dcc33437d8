import { showText } from '../../doctor/report/show-text';
import type { Form, WebhookDeviation } from './deviation';

/** What stands before and behind the body in what is signed. */
export interface SignedFrame {
  readonly head: string;
  readonly tail: string;
  readonly hasBody: boolean;
}

type Part = 'id' | 'time' | 'body';

const NAMES: Readonly<Record<Part, string>> = {
  id: 'webhook-id',
  time: 'webhook-timestamp',
  body: 'the body',
};
const RIGHT: readonly Part[] = ['id', 'time', 'body'];
const ORDERS: readonly (readonly Part[])[] = [
  ['time', 'body'],
  ['body'],
  ['id', 'body'],
  ['time', 'id', 'body'],
  ['body', 'time'],
  ['body', 'id'],
  ['id', 'body', 'time'],
  ['body', 'id', 'time'],
  ['body', 'time', 'id'],
  ['time', 'body', 'id'],
  ['id', 'time'],
];
const SEPARATORS = ['', ':', '|', '\n', '-', '_', ',', ' ', ';', '/'];
/** What languages print for a header that their code did not find. */
const NOTHINGS = ['', 'undefined', 'null', 'None', 'nil', '<nil>'];
const remedy = 'sign webhook-id, webhook-timestamp and the body, in this order, with a dot between them';

const wrong = (phrase: string): WebhookDeviation => ({ part: 'content', phrase, remedy });

/** Lists what senders put together to sign it, the right one first. */
export function listContentForms(id: string, timestamp: string): Form<SignedFrame>[] {
  const right = { id, time: timestamp };
  const make = (
    order: readonly Part[],
    separator: string,
    deviation: WebhookDeviation | null,
    values: Readonly<Record<'id' | 'time', string>> = right,
    isCommon = false,
  ): Form<SignedFrame> => ({ value: frame(order, separator, values), deviation, isCommon });
  const times = [...listTimes(timestamp), ...listNothings('time')];
  return [
    make(RIGHT, '.', null, right, true),
    ...ORDERS.map((order) =>
      make(order, '.', wrong(describeOrder(order)), right, order.length < 3 || order.at(-1) === 'body'),
    ),
    make(
      RIGHT,
      '',
      wrong('without the dots between webhook-id, webhook-timestamp and the body'),
      right,
      true,
    ),
    ...times.map(([time, deviation]) => make(RIGHT, '.', deviation, { id, time }, true)),
    ...listNothings('id').map(([text, deviation]) =>
      make(RIGHT, '.', deviation, { id: text, time: timestamp }),
    ),
    ...listTimes(timestamp).map(([time, deviation]) =>
      make(['time', 'body'], '.', merge(wrong(describeOrder(['time', 'body'])), deviation), { id, time }),
    ),
    // A header that was not found mostly has another beside it.
    ...listNothings('time').map(([text, deviation]) =>
      make(RIGHT, '.', merge(describeNothing('id', text), deviation), { id: text, time: text }, true),
    ),
    ...SEPARATORS.flatMap((separator) => [
      ...(separator === '' ? [] : [make(RIGHT, separator, wrong(`with ${between(separator)} its parts`))]),
      ...ORDERS.filter(({ length }) => length > 1).map((order) =>
        make(order, separator, wrong(`${describeOrder(order)}, with ${between(separator)} them`)),
      ),
    ]),
  ];
}

/** The milliseconds of a second, for a sender that signs them and sends seconds: which of them, nobody tells. */
export function* listMilliseconds(id: string, timestamp: string): Generator<Form<SignedFrame>> {
  if (!/^\d{10}$/.test(timestamp)) return;
  for (let part = 1; part < 1000; part += 1) {
    const time = timestamp + String(part).padStart(3, '0');
    const value = frame(RIGHT, '.', { id, time });
    yield { value, deviation: wrongTime(time, 'in milliseconds'), isCommon: false };
  }
}

function frame(
  order: readonly Part[],
  separator: string,
  values: Readonly<Record<'id' | 'time', string>>,
): SignedFrame {
  const at = order.indexOf('body');
  const write = (parts: readonly Part[]): string[] =>
    parts.map((part) => (part === 'body' ? '' : values[part]));
  if (at === -1) return { head: write(order).join(separator), tail: '', hasBody: false };
  return {
    head: write(order.slice(0, at))
      .map((text) => text + separator)
      .join(''),
    tail: write(order.slice(at + 1))
      .map((text) => separator + text)
      .join(''),
    hasBody: true,
  };
}

function describeOrder(order: readonly Part[]): string {
  if (order.length === 1) return 'over the body alone';
  const missing = RIGHT.filter((part) => !order.includes(part)).map((part) => NAMES[part]);
  if (missing.length > 0 && RIGHT.filter((part) => order.includes(part)).join() === order.join())
    return `without ${missing.join(' and ')}`;
  return `over ${order.map((part) => NAMES[part]).join(', then ')}`;
}

const between = (separator: string): string =>
  separator === '' ? 'nothing between' : `${showText(separator)} between`;

type Time = readonly [text: string, deviation: WebhookDeviation];

function wrongTime(text: string, how: string): WebhookDeviation {
  const phrase = `with the timestamp ${how}, ${text}`;
  return { part: 'timestamp', phrase, remedy: 'sign the very text that webhook-timestamp has, in seconds' };
}

function listTimes(timestamp: string): Time[] {
  const seconds = /^\d{13}$/.test(timestamp) ? timestamp.slice(0, -3) : timestamp;
  if (!/^\d{10}$/.test(seconds)) return [];
  const iso = new Date(Number(seconds) * 1000).toISOString();
  const forms: [string, string][] = [
    [seconds, 'in seconds'],
    [`${seconds}000`, 'in milliseconds'],
    [`${seconds}.0`, 'as a float'],
    [iso, 'as a date'],
    [iso.replace('.000Z', 'Z'), 'as a date'],
    [iso.replace('.000Z', '+00:00'), 'as a date'],
    [iso.replace('.000Z', '').replace('T', ' '), 'as a date'],
  ];
  return forms.filter(([text]) => text !== timestamp).map(([text, how]) => [text, wrongTime(text, how)]);
}

function listNothings(part: 'id' | 'time'): Time[] {
  return NOTHINGS.map((text) => [text, describeNothing(part, text)]);
}

const describeNothing = (part: 'id' | 'time', text: string): WebhookDeviation =>
  wrong(
    text === '' ? `with an empty ${NAMES[part]}` : `with the word “${text}” in the place of ${NAMES[part]}`,
  );

function merge(first: WebhookDeviation, second: WebhookDeviation): WebhookDeviation {
  return { ...first, phrase: `${first.phrase} and ${second.phrase}` };
}
