import { SIGNED_FIELDS } from '../../signing/signed-fields';
import type { Cause } from '../causes';
import { cutText, showText } from '../report/show-text';
import { STAGES, type Deviation, type Draft, type SubjectValue, type Tier } from '../search/draft';

const PLACES = [0, 1, 2, 3] as const;
const NAMES = SIGNED_FIELDS.map(({ path }) => path.slice(path.indexOf('.') + 1));

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Lists every order of the four values but the right one. */
export function listOrderDeviations(): Deviation[] {
  return permute([...PLACES])
    .filter((order) => order.some((place, index) => place !== index))
    .map((order) => ({
      stage: STAGES.order,
      slot: 'order',
      tier: 'common',
      apply: ({ picks }) => order.forEach((place, index) => void (picks[index] = place)),
      explain: () => [
        {
          code: 'string.order',
          phrase: `in the order ${order.map((place) => NAMES[place]).join(', ')}`,
          remedy: `join them in the order ${NAMES.join(', ')}`,
          expected: NAMES.join(', '),
          actual: order.map((place) => NAMES[place]).join(', '),
        },
      ],
    }));
}

function permute(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permute(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** Lists what comes of leaving out one, two or three of the values. */
export function listSubsetDeviations(): Deviation[] {
  const subsets = Array.from({ length: 14 }, (_, index) =>
    PLACES.filter((place) => ((index + 1) >> place) & 1),
  );
  return subsets
    .sort((left, right) => right.length - left.length)
    .map((kept) => {
      const missing = PLACES.filter((place) => !kept.some((one) => one === place));
      return {
        stage: STAGES.subset,
        slot: 'subset',
        tier: missing.length === 1 ? 'common' : 'rare',
        apply: (draft) =>
          void (draft.picks = draft.picks.filter((pick) => !missing.some((one) => one === pick))),
        explain: () => missing.map(missingCause),
      };
    });
}

function missingCause(place: number): Cause {
  const path = SIGNED_FIELDS[place]!.path;
  return {
    code: 'string.field_missing',
    phrase: `without ${NAMES[place]}`,
    remedy: `add ${path} to the string`,
    expected: path,
    actual: null,
  };
}

function extraCause(value: SubjectValue): Cause {
  return {
    code: 'string.field_extra',
    phrase: `with ${value.path} (${cutText(value.text)}) in it`,
    remedy: `leave ${value.path} out of the string`,
    expected: null,
    actual: value.text,
  };
}

function repeatedCause(value: SubjectValue): Cause {
  return {
    ...extraCause(value),
    phrase: `with ${value.path} (${cutText(value.text)}) in it twice`,
    remedy: `put ${value.path} into the string once, at its place`,
  };
}

/** Values that are signed by mistake more often than others. */
const LIKELY_EXTRAS: readonly string[] = [
  'transaction.currency',
  'transaction.timestamp',
  'recipient.account',
  'originator.msisdn',
];

/** So many values of a body are tried at either end with two others: those that stand first in it. */
const MOST_ENDS = 14;

/**
 * Lists what comes of signing another value of the body too, at any place, or in place of a signed one.
 *
 * @param values - the four signed values first; an extra repeats one of these, or is one behind them
 */
export function listExtraDeviations(values: readonly SubjectValue[]): Deviation[] {
  return values.flatMap((value, index) => [
    ...[4, 0, 1, 2, 3].map((place) => insertValue(value, index, place)),
    ...(index < 4 ? [] : PLACES.map((place) => replaceValue(value, index, place))),
  ]);
}

function insertValue(value: SubjectValue, index: number, place: number): Deviation {
  const isAtEnd = place === 0 || place === 4;
  return {
    stage: STAGES.extra,
    slot: `extra:${index}:${place}`,
    tier: LIKELY_EXTRAS.includes(value.path) ? 'common' : isAtEnd && index < MOST_ENDS ? 'seldom' : 'rare',
    apply: (draft) => insertPick(draft, place, index),
    explain: () => [index < 4 ? repeatedCause(value) : extraCause(value)],
  };
}

/** Counts places from the end when the list has already grown, so that 'last' stays last. */
function insertPick(draft: Draft, place: number, index: number): void {
  const { picks } = draft;
  const at = place === 4 ? picks.length : Math.min(place, picks.length);
  picks.push(index);
  for (let to = picks.length - 1; to > at; to -= 1) picks[to] = picks[to - 1]!;
  picks[at] = index;
}

function replaceValue(value: SubjectValue, index: number, place: number): Deviation {
  return {
    stage: STAGES.extra,
    slot: `replace:${place}`,
    // The country of the recipient is taken for that of the originator before anything else is.
    tier: lastName(value.path) === NAMES[place] ? 'seldom' : 'rare',
    apply: ({ picks }) => {
      const at = picks.indexOf(place);
      if (at !== -1) picks[at] = index;
    },
    explain: () => [
      {
        code: 'string.field_missing',
        phrase: `with ${value.path} (${cutText(value.text)}) in place of ${SIGNED_FIELDS[place]!.path}`,
        remedy: `sign ${SIGNED_FIELDS[place]!.path}, not ${value.path}`,
        expected: SIGNED_FIELDS[place]!.path,
        actual: value.path,
      },
      { ...extraCause(value), phrase: '', remedy: '' },
    ],
  };
}

/** Separators that are met with often; the service uses none. */
const COMMON_SEPARATORS = [
  '|', ',', ';', ':', '.', '-', '_', ' ', '\n', '&', '+', '/', '#', '||', ', ', '\t', '\r\n', '\\n', '~', '*', '=',
]; // prettier-ignore
const SEPARATORS = [
  '::', ' | ', ' - ', '; ', ': ', '--', '__', '//', '@', '^', '%', '$', '!', '\\', '\0', '\r', '->', '&&', ';;', '|~|',
  '..', '\\r\\n', '\\t', '\u001f', '\u001e', '·', '•',
]; // prettier-ignore

/** A tier for what comes first in a list, and one for the rest of it. */
const tierAt = (index: number, most: number, first: Tier, others: Tier): Tier =>
  index < most ? first : others;

/** Lists separators between the values, after or before each of them, and in one gap or at one end alone. */
export function listSeparatorDeviations(): Deviation[] {
  return [
    ...COMMON_SEPARATORS.map((mark) => separate(mark, 'common', 'between the fields')),
    ...SEPARATORS.map((mark, index) =>
      separate(mark, tierAt(index, 8, 'seldom', 'rare'), 'between the fields'),
    ),
    ...[...COMMON_SEPARATORS, ...SEPARATORS].flatMap((mark, index) => {
      const tier = tierAt(index, 10, 'usual', tierAt(index, COMMON_SEPARATORS.length, 'rare', 'alone'));
      return [
        separate(mark, tier, 'after each field', { edge: 'after' }),
        separate(mark, tier, 'before each field', { edge: 'before' }),
      ];
    }),
    // White space in one gap is white space after a value.
    ...COMMON_SEPARATORS.filter((mark) => mark.trim() === mark).flatMap((mark, index) => [
      ...['first', 'second', 'third'].map((name, gap) =>
        separate(mark, tierAt(index, 8, 'usual', 'rare'), `in the ${name} gap alone`, { gap: gap + 1 }),
      ),
      ...(['after', 'before'] as const).map((edge) => {
        const where = edge === 'after' ? 'after the last value alone' : 'before the first value alone';
        return separate(mark, tierAt(index, 6, 'seldom', 'rare'), where, { gap: 0, edge });
      }),
    ]),
  ];
}

/** Lists separators that are not the same in each gap, or stand in two of the three. */
export function listMixedSeparatorDeviations(): Deviation[] {
  const marks = ['', ...COMMON_SEPARATORS.slice(0, 8), '/'];
  return marks.flatMap((first) =>
    marks.flatMap((second) =>
      marks
        .map((third) => [first, second, third])
        .filter((gaps) => new Set(gaps).size > 1 && gaps.filter((mark) => mark !== '').length > 1)
        .map(mixSeparators),
    ),
  );
}

const GAPS = ['first', 'second', 'third'];

function mixSeparators(marks: readonly string[]): Deviation {
  const said = marks.flatMap((mark, index) =>
    mark === '' ? [] : [`${showText(mark)} in the ${GAPS[index]}`],
  );
  return {
    stage: STAGES.join,
    slot: 'join',
    tier: 'alone',
    apply: (draft) => {
      draft.layout = (values, picks) =>
        picks.map((pick, index) => `${index === 0 ? '' : (marks[index - 1] ?? '')}${values[pick]}`).join('');
    },
    explain: () => [
      {
        code: 'string.separator',
        phrase: `with ${said.slice(0, -1).join(', ')} and ${said.at(-1)} gap`,
        remedy: 'join the values with nothing between them',
        expected: 'none',
        actual: marks.join(''),
      },
    ],
  };
}

function separate(
  separator: string,
  tier: Tier,
  where: string,
  { gap = null, edge = null }: Partial<Pick<Draft, 'gap' | 'edge'>> = {},
): Deviation {
  return {
    stage: STAGES.join,
    slot: 'join',
    tier,
    apply: (draft) => {
      draft.separator = separator;
      draft.gap = gap;
      draft.edge = edge;
    },
    explain: () => [
      {
        code: 'string.separator',
        phrase: `with ${showText(separator)} ${where}`,
        remedy: 'join the values with nothing between them',
        expected: 'none',
        actual: separator,
      },
    ],
  };
}
