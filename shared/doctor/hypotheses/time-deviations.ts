import { showText } from '../report/show-text';
import { STAGES, type Deviation, type SubjectValue } from '../search/draft';

/** Hours that local time is ahead of UTC, where code that signs payments mostly runs. */
const OFFSETS = [0, 1, 2, 3, 4, 5.5, 8, -4, -5, -7, -8];
/** What Java and Node call the zones where a payment's code mostly runs. */
const ZONES: Readonly<Record<number, readonly (readonly [short: string, long: string])[]>> = {
  0: [
    ['UTC', 'Coordinated Universal Time'],
    ['GMT', 'Greenwich Mean Time'],
  ],
  1: [
    ['WAT', 'West Africa Standard Time'],
    ['CET', 'Central European Standard Time'],
  ],
  2: [
    ['CAT', 'Central Africa Time'],
    ['SAST', 'South Africa Standard Time'],
  ],
  3: [['EAT', 'East Africa Time']],
  5.5: [['IST', 'India Standard Time']],
};
const MARKS = ['', '|', ',', ':', '-', '_', ' ', '&'];
/** So many times of a body are tried; a payment has one. */
const MOST_TIMES = 2;
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:?\d{2})?$/;

/** Lists what comes of signing a time of the body too, in another form than it has there, in front or behind, or between two values. */
export function listTimeDeviations(values: readonly SubjectValue[]): Deviation[] {
  const times = values.slice(4).flatMap(({ path, text }) => {
    const at = readTime(text);
    return at === null ? [] : [{ path, text, at }];
  });
  return times.slice(0, MOST_TIMES).flatMap(({ path, text, at }) =>
    [...listTimeForms(at)]
      .filter(([form]) => form !== text)
      .flatMap(([form, what]) => {
        const phrase = `with ${path} in it as ${form}${what}`;
        return [
          ...MARKS.flatMap((mark) => [4, 0].map((place) => insertTime(form, place, mark, { path, phrase }))),
          ...[1, 2, 3].map((place) => insertTime(form, place, '', { path, phrase })),
        ];
      }),
  );
}

/** What names no zone is UTC. */
function readTime(text: string): number | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const at = Date.parse(text.replace(' ', 'T') + (match.groups!['zone'] === undefined ? 'Z' : ''));
  return Number.isNaN(at) ? null : at;
}

function insertTime(
  form: string,
  place: number,
  mark: string,
  { path, phrase }: { path: string; phrase: string },
): Deviation {
  return {
    stage: STAGES.join,
    slot: 'join',
    tier: 'alone',
    apply: (draft) => {
      draft.layout = (values, picks) =>
        picks
          .map((pick) => values[pick]!)
          .toSpliced(place, 0, form)
          .join(mark);
    },
    explain: () => [
      {
        code: 'string.field_extra',
        phrase,
        remedy: `leave ${path} out of the string`,
        expected: null,
        actual: form,
      },
      ...(mark === ''
        ? []
        : [
            {
              code: 'string.separator' as const,
              phrase: `with ${showText(mark)} between the fields`,
              remedy: 'join the values with nothing between them',
              expected: 'none',
              actual: mark,
            },
          ]),
    ],
  };
}

/** As code of several languages writes a moment, each form once; `what`: how it is said, after the form itself. */
function listTimeForms(at: number): Map<string, string> {
  const forms = new Map<string, string>();
  const add = (what: string, ...texts: string[]): void => {
    for (const text of texts) if (!forms.has(text)) forms.set(text, what);
  };
  const seconds = Math.floor(at / 1000);
  add(', seconds since 1970', `${seconds}`, at % 1000 === 0 ? `${seconds}.0` : String(at / 1000));
  add(', milliseconds since 1970', `${at}`);
  add(', microseconds since 1970', `${at}000`);
  add(', nanoseconds since 1970', `${at}000000`);
  for (const hours of OFFSETS) addLocalForms((...texts) => add(describeZone(hours), ...texts), at, hours);
  return forms;
}

const writeZone = (hours: number): string => {
  const minutes = Math.abs(hours * 60);
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

const describeZone = (hours: number): string => (hours === 0 ? '' : `, its time in UTC${writeZone(hours)}`);

function addLocalForms(add: (...texts: string[]) => void, at: number, hours: number): void {
  const [date = '', rest = ''] = new Date(at + hours * 3_600_000).toISOString().slice(0, -1).split('T');
  const [time = '', ms = ''] = rest.split('.');
  const zone = writeZone(hours);
  const bare = zone.replace(':', '');
  for (const end of [zone, bare, '', ...(hours === 0 ? ['Z'] : [])]) {
    add(`${date}T${time}${end}`, `${date}T${time}.${ms}${end}`, `${date}T${time}.${ms}000${end}`);
    // Java leaves out seconds that are none.
    if (time.endsWith(':00')) add(`${date}T${time.slice(0, -3)}${end}`);
  }
  add(`${date} ${time}`, `${date} ${time}.${ms}`, `${date} ${time}${zone}`, `${date} ${time} ${bare}`);
  const digits = date.replaceAll('-', '');
  add(`${digits}${time.replaceAll(':', '')}`, date, digits);
  const [day = '', number = '', month = '', year = ''] = new Date(at + hours * 3_600_000)
    .toUTCString()
    .split(/,? /);
  for (const [short, long] of ZONES[hours] ?? []) {
    add(`${day} ${month} ${number} ${time} ${short} ${year}`);
    add(`${day} ${month} ${number} ${year} ${time} GMT${bare} (${long})`);
  }
  if (hours !== 0) return;
  add(`${date} ${time} UTC`, `${date} ${time} +0000 UTC`, `${digits}T${time.replaceAll(':', '')}Z`);
  for (const end of ['GMT', 'UTC', '+0000']) add(`${day}, ${number} ${month} ${year} ${time} ${end}`);
}
