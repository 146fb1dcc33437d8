import type { Cause } from '../causes';
import { showText } from '../report/show-text';
import { STAGES, type Deviation } from '../search/draft';

/** A value that the code which signs has at hand beside the body. It is secret: no answer holds it. */
export interface KnownValue {
  /** 'the bearer token': goes on after 'with '. */
  readonly name: string;
  readonly text: string;
}

const SEPARATORS = ['', '.', ':', '|', '\n', ' ', ',', '&', '-', '_'];
const remedy =
  'sign the four values alone; the token goes into Authorization, and nothing secret into the string';

/** Lists what comes of putting a token or a credential before or behind the string. */
export function listKnownDeviations(known: readonly KnownValue[]): Deviation[] {
  return known.flatMap((value) => [...listOf(value, value.text, value.name), ...listBearer(value)]);
}

function listBearer(value: KnownValue): Deviation[] {
  return /token/.test(value.name) ? listOf(value, `Bearer ${value.text}`, `“Bearer” and ${value.name}`) : [];
}

function listOf({ text }: KnownValue, written: string, name: string): Deviation[] {
  if (text === '') return [];
  return SEPARATORS.flatMap((separator) => {
    const and = separator === '' ? '' : ` and ${showText(separator)}`;
    const tier = separator === '' ? 'common' : 'usual';
    const tell = (where: string) => (): Cause[] => [
      {
        code: 'string.field_extra',
        phrase: `with ${name}${and} ${where}`,
        remedy,
        expected: null,
        actual: null,
      },
    ];
    return [
      {
        stage: STAGES.affix,
        slot: 'prefix',
        tier,
        apply: (draft) => void (draft.prefix = written + separator + draft.prefix),
        explain: tell('in front'),
      },
      {
        stage: STAGES.affix,
        slot: 'suffix',
        tier,
        apply: (draft) => void (draft.suffix += separator + written),
        explain: tell('at the end'),
      },
    ] satisfies Deviation[];
  });
}

/** Gives a text with names in the place of secrets, in angle marks. */
export type HideKnown = (text: string) => string;

/**
 * Makes what hides secrets in all that is shown of a signed or claimed string.
 *
 * @param expected - the string to sign: what stands in it is shown there, and hidden elsewhere would look like a difference
 */
export function createKnownHiding(secrets: readonly KnownValue[], expected: string): HideKnown {
  const hidden = secrets
    .filter(({ text }) => text !== '' && !expected.includes(text))
    .toSorted((left, right) => right.text.length - left.text.length);
  return (text) => hidden.reduce((rest, one) => rest.replaceAll(one.text, () => `‹${one.name}›`), text);
}
