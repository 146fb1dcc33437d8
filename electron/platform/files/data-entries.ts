import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { refuseUnreadable } from './files';

/** Databases of a data folder. */
export const databaseNames = [
  'inbox.db',
  'history.db',
  'forwards.db',
  'sandbox.db',
  'sandbox-requests.db',
  'proxy.db',
] as const;

/** Files beside them, and folders, that are the user's: what is neither can be made anew. */
const fileNames = ['settings.json', 'vault.json', 'listener-certificate.pem'];
const folderNames = ['collections', '.trash', 'runs'];
/** Of the listener of that id; the first one's has none. */
const answerRules = /^answer-rules(?:-[\w-]{1,100})?\.json$/;

const isPlainFile = (name: string): boolean => fileNames.includes(name) || answerRules.test(name);

/** What seals the vault where neither a keychain nor a passphrase does. In no backup: beside it nothing would be sealed. */
export const vaultKeyName = 'vault.key';

/** `inbox.db`, its log, its copies before an upgrade, what is said of it; `settings.json.before-2` alike. */
const isPartOf = (name: string, of: string): boolean =>
  name === of || name.startsWith(`${of}-`) || name.startsWith(`${of}.`);

/** Lists what in a data folder is the app's own: never what a browser or Electron keeps there, never a folder put aside. */
export function listOwnEntries(directory: string): string[] {
  const own = [...databaseNames, ...fileNames, vaultKeyName];
  return readdirSync(directory).filter(
    (name) => folderNames.includes(name) || answerRules.test(name) || own.some((one) => isPartOf(name, one)),
  );
}

/** Tells whether a path, as a backup names it, is one that a backup may hold. */
export function isBackedUp(path: string): boolean {
  const [first = '', ...more] = path.split('/');
  if ([first, ...more].some((part) => !isPlainName(part))) return false;
  if (more.length > 0) return folderNames.includes(first);
  return (databaseNames as readonly string[]).includes(first) || isPlainFile(first);
}

/** No way up, no drive, no stream of Windows, no control character. */
const isPlainName = (part: string): boolean =>
  // eslint-disable-next-line no-control-regex
  part !== '' && part !== '.' && part !== '..' && part.length <= 255 && !/[\\:\0-\x1f\x7f]/.test(part);

/** Lists the files of a data folder that a backup holds, databases apart; links and other special files are left out. @throws {AppError} `platform.unwritable` naming a folder that may not be read */
export function listPlainFiles(directory: string): string[] {
  const found: string[] = [];
  const walk = (folder: string, prefix: string): void => {
    for (const entry of readEntries(join(directory, folder))) {
      const path = `${prefix}${entry.name}`;
      if (entry.isDirectory()) walk(join(folder, entry.name), `${path}/`);
      else if (entry.isFile() && isBackedUp(path)) found.push(path);
    }
  };
  for (const entry of readEntries(directory)) {
    if (entry.isFile() && isPlainFile(entry.name)) found.push(entry.name);
    if (entry.isDirectory() && folderNames.includes(entry.name)) walk(entry.name, `${entry.name}/`);
  }
  return found.sort();
}

function readEntries(folder: string): Dirent[] {
  refuseUnreadable(folder);
  return readdirSync(folder, { withFileTypes: true });
}
