import type { HeaderList } from '../contract/common';

/** What keeps the bytes of a webhook from being read as the text that they stand for. */
export const bodyRemarkKinds = ['compressed', 'not_utf8'] as const;

export interface BodyRemark {
  readonly kind: (typeof bodyRemarkKinds)[number];
  readonly text: string;
}

const asCame = 'Its bytes are kept, and handed on, as they came.';

/**
 * Says why what is shown of a body is not what its sender wrote.
 *
 * @param body.isUtf8 - asked for where it is not compressed
 */
export function remarkBody(
  headers: HeaderList,
  body: { sizeBytes: number; isUtf8(): boolean },
): BodyRemark[] {
  if (body.sizeBytes === 0) return [];
  const codings = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value.trim());
  const coding = codings.join(', ').toLowerCase();
  if (coding !== '' && coding !== 'identity')
    return [
      {
        kind: 'compressed',
        text: `Compressed (${coding.slice(0, 40)}), and not unpacked here: nothing is read in it. ${asCame}`,
      },
    ];
  if (body.isUtf8()) return [];
  return [{ kind: 'not_utf8', text: `Not UTF-8: what of the body is none is shown as \ufffd. ${asCame}` }];
}
