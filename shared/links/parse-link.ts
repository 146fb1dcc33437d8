import { viewList, type ViewId } from '../actions/view-list';

/** What a link or a file that was handed to the app asks for; nothing of it sends or changes anything by itself. */
export type AppLink =
  | { kind: 'view'; view: ViewId; rest: string }
  | { kind: 'request'; collection: string; path: string }
  | { kind: 'import'; path: string }
  | { kind: 'file'; path: string }
  | { kind: 'refused'; reason: string };

const mostCharacters = 2048;
const scheme = 'countersign://';

/** What may follow the view's name; any other view opens as it is. */
const restOf: Partial<Readonly<Record<ViewId, RegExp>>> = {
  payments: /^[^/]{1,200}$/,
  inbox: /^[\w-]{1,64}$/,
  help: /^(?:welcome|shortcuts|new|docs(?:\/[\w-]{1,60})?)$/,
};

const refuse = (reason: string): AppLink => ({
  kind: 'refused',
  reason: `This link was not followed: ${reason}`,
});

/** Controls, and marks that would turn or hide what a question shows. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Reads a link that another program handed over, which may be anybody's.
 *
 * `countersign://view/<view>[/<id>]`, `countersign://request/<collection>/<path of the file>`,
 * `countersign://import?file=<absolute path>`. What is not one of these to the letter is refused.
 */
export function parseLink(text: string): AppLink {
  if (text.length > mostCharacters) return refuse('it is too long.');
  if (text.slice(0, scheme.length).toLowerCase() !== scheme)
    return refuse(`it does not begin with ${scheme}`);
  const [, place = '', query] = /^([^?#]*)(?:\?([^#]*))?$/s.exec(text.slice(scheme.length)) ?? [];
  const [kind = '', ...rawParts] = place.replace(/\/$/, '').split('/');
  const parts = rawParts.map(decode);
  if (parts.some((part) => part === null || part === '' || hidden.test(part))) {
    return refuse('it is not well written.');
  }
  const words = parts as string[];
  if (kind === 'import') return words.length === 0 ? readImport(query) : refuse('it names no file.');
  if (query !== undefined) return refuse('it asks for more than a place.');
  if (kind === 'view') return readView(words);
  if (kind === 'request') return readRequest(words);
  return refuse('it leads to nothing that the app has.');
}

/** A part of the address, decoded once; null: its encoding is broken. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function readView([name = '', ...others]: readonly string[]): AppLink {
  const view = viewList.find(({ id }) => id === name)?.id;
  if (view === undefined) return refuse('the app has no such view.');
  const rest = others.join('/');
  const isKnown = rest === '' || (restOf[view]?.test(rest) ?? false);
  return isKnown ? { kind: 'view', view, rest } : refuse('that view has no such place.');
}

function readRequest([collection = '', ...folders]: readonly string[]): AppLink {
  const path = folders.join('/');
  const isInside = [collection, ...folders].every((one) => one !== '.' && one !== '..' && !/[\\/]/.test(one));
  if (folders.length === 0 || !isInside || !isRequestFile(path)) {
    return refuse('it names no request of a collection.');
  }
  return { kind: 'request', collection, path };
}

function readImport(query: string | undefined): AppLink {
  const [name, value = '', ...others] = (query ?? '').split(/[=&]/);
  const path = decode(value);
  if (name !== 'file' || others.length > 0 || path === null) {
    return refuse('it does not name one file of this machine.');
  }
  const fault = findPathFault(path);
  return fault === null ? { kind: 'import', path } : refuse(fault);
}

/** Whether a file is named as request files are. */
export const isRequestFile = (path: string): boolean => /[^\\/]\.(?:http|rest)$/i.test(path);

/**
 * Whether a text is the whole path of a file of this machine: none of the network's (opening one would tell another
 * machine who asks), none of a device, none with `.` or `..`, by which it could be one all the same.
 */
export const isLocalPath = (path: string): boolean => findPathFault(path) === null;

/** Says of a text that is no such path what is wrong with it; null: it is one. */
export function findPathFault(path: string): string | null {
  if (path.length > mostCharacters) return 'its path is too long.';
  if (hidden.test(path)) return 'its path has a character that nobody sees. Rename what has it.';
  return leadsToThisMachine(path) ? null : 'its path leads to none of this machine.';
}

function leadsToThisMachine(path: string): boolean {
  const parts = path.split(/[\\/]/);
  if (parts.includes('..') || parts.includes('.')) return false;
  if (/^[A-Za-z]:[\\/](?![\\/])/.test(path)) return true;
  return /^\/(?!\/)/.test(path) && !path.includes('\\') && !/^\/(?:dev|proc|sys|net)(?:\/|$)/.test(path);
}
