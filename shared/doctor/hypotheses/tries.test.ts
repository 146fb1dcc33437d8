import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hash } from '../../../test/support/doctor-blocks';
import { readJsonTree } from '../../json/json-tree';
import { toHex } from '../../signing/hex';
import type { DoctorQuestion } from '../question';
import { startDraft, writeDraft, type Deviation } from '../search/draft';
import { readSubject } from '../subject';
import { JSON_STYLES, writeJson } from './json-styles';
import { listLayoutDeviations } from './layout-deviations';
import { listDeviations } from './list-deviations';
import { listNumberForms } from './number-forms';
import { listRequestDeviations } from './request-deviations';
import { TEXT_ENCODINGS } from './text-encodings';
import { compareClaimed } from './whole-deviations';

const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'signing', 'doctor-tries');
/** Writes what is tried as what is expected; look at the difference before you keep it. */
const isUpdate = process.env['UPDATE_FIXTURES'] === '1';

function compare(name: string, lines: readonly string[]): void {
  const path = join(folder, `${name}.txt`);
  if (isUpdate) writeFileSync(path, `${lines.join('\n')}\n`);
  expect(lines).toEqual(readFileSync(path, 'utf8').replace(/\n$/, '').split('\n'));
}

const show = (data: string | Uint8Array): string =>
  typeof data === 'string' ? JSON.stringify(data) : `<${toHex(data)}>`;

const bodyOf = (transaction: object, country: string, more: object = {}): string =>
  JSON.stringify({ transaction, originator: { country, name: 'A. B' }, ...more });

interface Asked {
  readonly body: string;
  readonly claimedString?: string;
  readonly earlier?: DoctorQuestion['earlier'];
  readonly outer?: 'sha1';
}

/** What the doctor tries of a question, and the values as the service joins them. */
function list({ body, claimedString, earlier = [], outer }: Asked) {
  const subject = readSubject(body);
  const key = { name: null, environment: null, fingerprint: '', bits: 2048, recover: () => null };
  const question = { body, signature: '', key, otherKeys: [], claimedString: claimedString ?? null, earlier };
  const { likely, unlikely } = listDeviations(question, subject, outer ?? 'sha256', hash);
  const showFact = (fact: string | null): string => (fact === null ? '-' : show(fact));
  const print = ({ tier, slot, stage, apply, explain }: Deviation): string => {
    const draft = startDraft(subject.values);
    apply(draft);
    const causes = explain().map(
      ({ code, phrase, expected, actual }) =>
        `${code ?? ''} ${showFact(expected)} ${showFact(actual)} ${show(phrase)}`,
    );
    return `${tier} ${slot} ${stage} ${show(writeDraft(draft))} ${causes.join(', ')}`;
  };
  return { likely: likely.map(print), unlikely: unlikely().map(print) };
}

describe('the strings that the doctor tries, with what is said of each', () => {
  it.each<[string, Asked]>([
    [
      'whole-amount',
      {
        body: bodyOf(
          { reference: 'inv-0042', amount: 1234500, service_code: 'PESA', currency: 'KES' },
          'KE',
          { recipient: { country: 'UG' } },
        ),
        claimedString: 'inv-00421234500.00KE?',
        outer: 'sha1',
        earlier: [
          { title: 'Remittance, 10:04', reference: 'inv-0041', stringToSign: 'inv-004110KEPESA' },
          { title: 'Payout, 10:03', reference: 'inv-0042', stringToSign: 'inv-0042999KEPESA' },
          { title: 'Payout, 10:02', reference: 'inv-0042', stringToSign: 'inv-0042999UGPESA' },
          { title: 'Payout, 10:02', reference: 'inv-0042', stringToSign: 'inv-42/999KEPESA' },
          { title: 'Payout, 10:02', reference: 'inv-0042', stringToSign: 'inv-0042KEPESA' },
          { title: 'Payout, 10:01', reference: 'inv-0040', stringToSign: null },
          { title: 'Payout, 10:00', reference: 'inv-0042', stringToSign: 'inv-00421234500KEPESA' },
        ],
      },
    ],
    [
      'beyond-ascii',
      {
        body: `${bodyOf({ reference: ' Réf\u2019-1 "a"', amount: '250.50', service_code: 'X/y\r\n<z>\n\r  ! ' }, 'kenya').replaceAll(',"', ', "')}\n \r\r\n`,
      },
    ],
  ])('are these: %s', (name, asked) => {
    compare(name, list(asked).likely);
  });

  it('are fewer where the body is long, and so many that are hardly ever met', () => {
    const transaction = { reference: 'R', amount: 1, service_code: 'X' };
    const wholes = (noteLength: number): string[] => {
      const { likely, unlikely } = list({
        body: bodyOf(transaction, 'KE', { note: 'x'.repeat(noteLength) }),
      });
      const ofParts = unlikely.filter((line) => !line.includes('over the four values'));
      expect(ofParts.length > 0).toBe(noteLength < 64 * 1024);
      // What stands for no value at all is short whatever the body is.
      const ofBody = likely.filter(
        (line) => !/over nothing|with the amount as 0 and|in place of each|in which no value/.test(line),
      );
      return ofBody.flatMap((line) => /^(\w+) whole /.exec(line)?.[1] ?? []);
    };
    expect(wholes(64 * 1024)).toEqual(['alone']);
    expect(new Set(wholes(8192))).toEqual(new Set(['alone', 'rare']));
    expect(new Set(wholes(1))).toEqual(new Set(['common', 'usual', 'rare']));
  });
});

describe('what is tried depends on the values', () => {
  const tried = (transaction: object, country = 'KE', asked: Partial<Asked> = {}): string[] =>
    list({
      body: bodyOf({ reference: 'R', amount: 1, service_code: 'X', ...transaction }, country),
      ...asked,
    }).likely;
  const inLatin1 = (lines: string[]): boolean => lines.some((line) => line.includes('as Latin-1'));

  it('charsets where something is beyond ASCII, be it escaped in the body or claimed alone', () => {
    expect(inLatin1(tried({}))).toBe(false);
    expect(inLatin1(tried({}, 'KE', { claimedString: 'é' }))).toBe(true);
    const body = bodyOf({ reference: 'é', amount: 1, service_code: 'X' }, 'KE').replace('é', '\\u00e9');
    expect(inLatin1(list({ body }).likely)).toBe(true);
  });

  it('forms of numbers of the amount alone', () => {
    expect(tried({ reference: '100' }).filter((line) => /value:0 .*number\.format/.test(line))).toEqual([]);
  });

  it.each([
    ['Xx', ['XX', 'xx']],
    [' kenya ', [' KENYA ', 'KE', 'ke', 'KEN', 'ken', '404', 'Kenya', 'Ke', 'Ken', 'kenya', 'KENYA']],
  ])('the forms of the country %j', (country, forms) => {
    const found = tried({}, country).filter((line) => line.includes(' country.form '));
    expect(found.map((line) => / "R1([^"]*)X" /.exec(line)?.[1])).toEqual(forms);
  });

  it('what is claimed, unless it is what is expected', () => {
    const wholes = (claimedString: string): string[] =>
      tried({}, 'KE', { claimedString }).filter((line) => line.includes(` whole 5 "${claimedString}"`));
    expect(wholes('R1KEX')).toEqual([]);
    expect(wholes('R-1')).toHaveLength(1);
  });

  it.each([
    ['XKE10R', []],
    ['R-10KEX', ['string.field_extra']],
    ['R10', ['string.field_missing', 'string.field_missing']],
    ['R1KEX', ['string.field_missing', 'string.field_extra']],
  ])(
    'what a claim of %j lacks, and has beyond the values; one that is empty is never missing',
    (claim, codes) => {
      expect(compareClaimed(claim, ['R', '10', 'KE', 'X']).map(({ code }) => code)).toEqual(codes);
      expect(compareClaimed('RKEX', ['R', '', 'KE', 'X'])).toEqual([]);
    },
  );

  it('names around the values, those of another value of the body included', () => {
    const subject = readSubject(
      bodyOf({ reference: 'R', amount: 1, service_code: 'X', currency: 'KES' }, 'KE'),
    );
    const strings = listLayoutDeviations(subject.values).map(({ apply }) => {
      const draft = startDraft(subject.values);
      draft.picks.push(4);
      apply(draft);
      return writeDraft(draft);
    });
    expect(strings).toEqual(
      expect.arrayContaining([
        '{"reference":"R","amount":1,"country":"KE","service_code":"X","currency":"KES"}',
        'reference=R&amount=1&country=KE&service_code=X&currency=KES',
        'transaction.reference=R&transaction.amount=1&originator.country=KE&transaction.service_code=X&transaction.currency=KES',
      ]),
    );
  });

  it('parts of the body in all styles, of those that hardly anyone signs', () => {
    const { unlikely } = list({ body: bodyOf({ reference: 'R', amount: 1, service_code: 'X' }, 'KE') });
    expect(unlikely.filter((line) => line.includes('(4 spaces)')).length).toBeGreaterThan(0);
    expect(unlikely.filter((line) => line.includes('as other interfaces have it')).length).toBeGreaterThan(0);
  });
});

describe('a value is written', () => {
  it('as numbers are: integers, fractions, exponents', () => {
    const literals = [
      '0',
      '7',
      '100',
      '1234567',
      '-1500',
      '0.05',
      '0.5',
      '12.999',
      '1250.50',
      '-2.5',
      '1e3',
      '1.5e-7',
      ' 42 ',
      '12.500',
      ' 0.50 ',
      '10200',
      '1.5e-27',
      '12345678901234567891',
      '1e21',
      '1e400',
      'x',
    ];
    compare(
      'number-forms',
      literals.map((literal) => {
        const { forms, commonCount } = listNumberForms(literal);
        return `${show(literal)}: ${forms.slice(0, commonCount).join(' ')} / ${forms.slice(commonCount).join(' ')}`;
      }),
    );
  });

  it('as JSON is, in each style', () => {
    const tree = readJsonTree(
      `{"c":0,"b":[1.50,true,{"a":1e3}],"a/<&'+\\"é\u2028>":{"d":{},"c":[],"n":null},"a":"d","B":1}`,
    )!;
    compare(
      'json-styles',
      JSON_STYLES.map((style) =>
        `${style.isCommon ? 'common' : 'rare'} ${style.name}: ${show(writeJson(tree, style))}`.replaceAll(
          '\u2028',
          '(U+2028)',
        ),
      ),
    );
  });

  it('as bytes are, in each encoding', () => {
    const text = 'aé€\u0081😀';
    compare(
      'encodings',
      TEXT_ENCODINGS.map(
        ({ name, encode, isAsciiSame, isRare }) =>
          `${name}: ${show(encode(text))} ${isAsciiSame ?? false} ${isRare ?? false}`,
      ),
    );
    for (const { name, encode, isAsciiSame } of TEXT_ENCODINGS)
      expect(toHex(encode('az')) === '617a', name).toBe(isAsciiSame === true);
  });
});

describe('a request line with the body', () => {
  const strings = (timestamp: string | undefined, spaces = ''): Set<string | null> => {
    const body = JSON.stringify({ transaction: { timestamp, n: 1 } }).replace(':1', `:${spaces}1`);
    return new Set(
      listRequestDeviations(body, hash).map(({ apply }) => {
        const draft = startDraft([]);
        apply(draft);
        return draft.whole;
      }),
    );
  };
  const path = '/payments/v1/payouts';

  it.each([
    ['2026-01-02 03:04:05', ['2026-01-02 03:04:05', '1767323045', '1767323045000']],
    ['2026-01-02T03:04:05.678+01:00', ['2026-01-02T03:04:05.678+01:00', '1767319445', '1767319445678']],
    ['yesterday', ['yesterday']],
    [undefined, []],
  ])('is tried with the times of %j', (timestamp, times) => {
    const body = JSON.stringify({ transaction: { timestamp, n: 1 } });
    const digest = hash('sha256', body);
    const found = strings(timestamp);
    const tried = [
      `POST\n${path}\n${body}`,
      `post ${path} ${digest}`,
      `${path}.${digest.toUpperCase()}`,
      `${path}:${Buffer.from(digest, 'hex').toString('base64')}`,
    ];
    for (const time of times)
      tried.push(
        `${time}.${body}`,
        `POST|${path}|${time}|${body}`,
        `${time},POST,${path},${digest}`,
        `${path}${time}${body}`,
        `${time}${path}${body}`,
      );
    expect(tried.filter((one) => !found.has(one))).toEqual([]);
    expect(found.size).toBe(7 * 4 * (12 + times.length * 25));
  });

  it('is tried with the body as it is sent and minified, and not where that is long', () => {
    const found = strings(undefined, '  ');
    for (const spaces of ['', '  ']) expect(found).toContain(`POST|${path}|{"transaction":{"n":${spaces}1}}`);
    expect(strings('x'.repeat(16 * 1024))).toHaveLength(0);
    expect(listRequestDeviations('no JSON', hash)).toEqual([]);
  });
});
