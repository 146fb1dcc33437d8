import type { Cause } from '../causes';

/** The body as the deviations see it: the four signed values and every other value. */
export interface SubjectValue {
  readonly path: string;
  readonly text: string;
  /** Between the quotes, or the literal, exactly as written. */
  readonly raw: string;
  readonly isString: boolean;
  /** Where its key stands more than once: the values before the one that counts. Left out: it stands once. */
  readonly earlier?: readonly string[];
}

/** How a text becomes bytes, other than by UTF-8. */
export type Encode = (text: string) => Uint8Array;
/** What is done to text (in UTF-8) or bytes before the hash that is signed. */
export type Wrap = (data: string | Uint8Array) => string | Uint8Array;

/** A string to sign in the making. Deviations change it; {@link composeDraft} writes it. */
export interface Draft {
  /** Texts of the values; the first four are the signed ones, in order. */
  values: string[];
  /** Which values, in which order. */
  picks: number[];
  separator: string;
  /** The one gap that the separator stands in, counted from 1; 0: none of them; null: all. */
  gap: number | null;
  /** Whether the separator also stands before the first value, or after the last one. */
  edge: 'before' | 'after' | null;
  /** Writes the values in a form of its own. */
  layout: ((values: readonly string[], picks: readonly number[]) => string) | null;
  /** Stands in place of everything above. */
  whole: string | null;
  /** Changes the joined text. */
  recast: ((text: string) => string) | null;
  prefix: string;
  suffix: string;
  encode: Encode | null;
  wrap: Wrap | null;
}

/** Deviations apply in the order of their stages. */
export const STAGES = {
  value: 0,
  order: 1,
  subset: 2,
  extra: 3,
  join: 4,
  whole: 5,
  recast: 6,
  affix: 7,
  encode: 8,
  wrap: 9,
} as const;

/**
 * How often a deviation is met, and so what it is tried with: `common`, `usual` and `seldom` with two others of these, of which
 * one at least is met more often, `rare` with two common ones, `alone` with none.
 */
export type Tier = 'common' | 'usual' | 'seldom' | 'rare' | 'alone';

/** One way to build the string otherwise than the service does. */
export interface Deviation {
  readonly stage: number;
  /** Two deviations of one slot exclude each other. */
  readonly slot: string;
  readonly tier: Tier;
  /** Makes the causes once the deviation is found; not before, there are many. */
  readonly explain: () => Cause[];
  readonly apply: (draft: Draft) => void;
}

/** Starts a draft as the service builds its string. */
export function startDraft(values: readonly SubjectValue[]): Draft {
  return {
    values: values.map(({ text }) => text),
    picks: [0, 1, 2, 3],
    separator: '',
    gap: null,
    edge: null,
    layout: null,
    whole: null,
    recast: null,
    prefix: '',
    suffix: '',
    encode: null,
    wrap: null,
  };
}

/** Makes one draft like another; lists are copied, so that both can change. Done for each candidate. */
export function copyDraft(from: Draft, to: Draft): void {
  for (let index = 0; index < 4; index += 1) to.values[index] = from.values[index]!;
  if (to.picks.length !== from.picks.length) to.picks.length = from.picks.length;
  for (let index = 0; index < from.picks.length; index += 1) to.picks[index] = from.picks[index]!;
  to.separator = from.separator;
  to.gap = from.gap;
  to.edge = from.edge;
  to.layout = from.layout;
  to.whole = from.whole;
  to.recast = from.recast;
  to.prefix = from.prefix;
  to.suffix = from.suffix;
  to.encode = from.encode;
  to.wrap = from.wrap;
}

/** Writes the text of a draft, before any encoding. */
export function composeDraft(draft: Draft): string {
  let text = draft.whole ?? joinValues(draft);
  if (draft.recast !== null) text = draft.recast(text);
  return draft.prefix + text + draft.suffix;
}

/** Gives what a draft stands for: a text, which is hashed as UTF-8, or bytes. */
export function writeDraft(draft: Draft): string | Uint8Array {
  const text = composeDraft(draft);
  const data = draft.encode === null ? text : draft.encode(text);
  return draft.wrap === null ? data : draft.wrap(data);
}

function joinValues({ values, picks, separator, gap, edge, layout }: Draft): string {
  if (layout !== null) return layout(values, picks);
  let text = (edge === 'before' ? separator : '') + (values[picks[0] ?? -1] ?? '');
  for (let index = 1; index < picks.length; index += 1) {
    text += gap === null || gap === index ? separator + values[picks[index]!]! : values[picks[index]!]!;
  }
  return edge === 'after' ? text + separator : text;
}
