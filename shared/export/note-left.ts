import { listSome } from '../list-some';
import type { ExportNote } from './export-source';
import { sayCount } from './note-annotations';
import type { PortableRequest } from './portable-requests';

/** Says once for all requests what of theirs has no place in the other tool: what is switched off, and examples. */
export function noteLeftRows(
  requests: readonly Pick<PortableRequest, 'off' | 'examples'>[],
  where: string,
  notes: ExportNote[],
): void {
  const say = (what: string, counts: readonly number[]): void => {
    const of = counts.filter((count) => count > 0).length;
    if (of > 0) notes.push({ where, what: `${what} are not taken along (${sayCount(of)}).` });
  };
  const countOff = ({ off }: Pick<PortableRequest, 'off'>): number =>
    off.headers.length + off.parameters.length;
  say('Headers and parameters that are off', requests.map(countOff));
  say(
    'Examples',
    requests.map(({ examples }) => examples.length),
  );
}

/** Says of bodies that go along as bytes what is not done in them. */
export function noteOpenBodies(requests: readonly PortableRequest[], notes: ExportNote[]): void {
  for (const { where, body } of requests) {
    if (body !== null && 'bytes' in body && body.hasVariables)
      notes.push({ where, what: 'Variables between the files of its body are not filled in.' });
  }
}

/** Says of headers that a tool on Node.js writes other bytes of them, or none: here they are UTF-8. */
export function noteLatin(requests: readonly PortableRequest[], tool: string, notes: ExportNote[]): void {
  for (const { where, headers } of requests) {
    const given = headers.filter(([, value]) => /[^\0-\x7f]/.test(value));
    const names = [...new Map(given.map(([name]) => [name.toLowerCase(), name])).values()];
    const what = `${tool} sends its ${names.length === 1 ? 'header' : 'headers'} ${listSome(names)} in Latin-1, which is UTF-8 here, and ends with an error at letters that Latin-1 has not.`;
    if (names.length > 0) notes.push({ where, what });
  }
}
