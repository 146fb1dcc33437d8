import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HandlersOf } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { isLoopbackName } from '@shared/payments/text-formats';
import { isLater, MOST_NOTICE_BYTES, type ReleaseNotice } from '@shared/updates/release-notice';
import { makeDirectory, syncDirectory, toFileError } from '../../platform/files/files';
import { downloadFile } from '../../platform/http/download-file';
import type { HttpAnswer, HttpClient, Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import { readNotice, readPublisherKey } from './read-notice';

const UpdatesError = errorsOf<'updates'>();

const NOTICE_TIMEOUT_MS = 15_000;
const IDLE_MS = 30_000;
/** A kibibyte a second: less is no line that somebody would wait at. */
const SLOWEST = { bytes: 60 * 1024, everyMs: 60_000 };
const PART = '.part';
const MOST_SIGNATURE_BYTES = 1024;

/** Looks for a newer release where the user has set an address, when the user asks. */
export interface UpdatesService {
  readonly handlers: HandlersOf<'updates'>;
}

interface Deps extends Pick<Ports, 'dataDirectory' | 'version'> {
  readonly http: HttpClient;
  readSource(): UpdateSource;
  writeSource(source: UpdateSource): void;
}

/** Address of the notice and the publisher's public key; both `''`: none is asked. */
interface UpdateSource {
  readonly address: string;
  readonly publicKeyPem: string;
}

export function createUpdatesService(deps: Deps): UpdatesService {
  const fetchNotice = async (): Promise<{ notice: ReleaseNotice; address: URL }> => {
    const { address: text, publicKeyPem } = deps.readSource();
    const address = readAddress(text);
    const key = readPublisherKey(publicKeyPem);
    const ask = (url: string, most: number): Promise<Uint8Array> => askFor(deps.http, url, most);
    const [bytes, signature] = await Promise.all([
      ask(address.href, MOST_NOTICE_BYTES),
      ask(`${address.href}.sig`, MOST_SIGNATURE_BYTES),
    ]);
    return { notice: readNotice(bytes, Buffer.from(signature).toString('latin1'), key), address };
  };
  return {
    handlers: {
      'updates.setSource'({ address, publicKeyPem }) {
        const source = { address: address.trim(), publicKeyPem: publicKeyPem.trim() };
        if (source.address === '') source.publicKeyPem = '';
        else {
          readAddress(source.address);
          readPublisherKey(source.publicKeyPem);
        }
        deps.writeSource(source);
        return source;
      },
      async 'updates.check'() {
        const { notice } = await fetchNotice();
        return {
          current: deps.version,
          latest: notice.version,
          isNewer: isLater(notice.version, deps.version),
          released: notice.released,
          notes: notice.notes,
          files: notice.files.map(({ name, size, ...made }) => ({
            name,
            sizeBytes: size,
            isForThisSystem: isForThisSystem(made),
          })),
        };
      },
      async 'updates.download'({ name }) {
        const { notice, address } = await fetchNotice();
        const wanted = notice.files.find((file) => file.name === name);
        if (wanted === undefined || !isLater(notice.version, deps.version))
          throw new UpdatesError(
            'updates.unknown_file',
            `'${name.slice(0, 80)}' is no file of a newer release. Check for updates again.`,
          );
        if (deps.dataDirectory === null)
          throw new UpdatesError(
            'updates.unwritable',
            'Nothing is kept in this run. Name a data folder with --data DIR.',
          );
        return keepFile(join(deps.dataDirectory, 'updates'), new URL(wanted.name, address), wanted);
      },
    },
  };
}

/** What is universal runs on every processor of its system. */
function isForThisSystem({ system, arch }: { system: string; arch: string }): boolean {
  return system === process.platform && (arch === process.arch || arch === 'universal');
}

function readAddress(text: string): URL {
  if (text === '')
    throw new UpdatesError(
      'updates.off',
      'No address of updates is set: Countersign looks for none. Set it in Settings → Updates.',
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || /[?#]/.test(text))
    throw new UpdatesError(
      'updates.bad_address',
      'The address of updates has to begin with https:// and to name no user, no ? and no #: the signature and the files lie beside it.',
    );
  return url;
}

async function askFor(http: HttpClient, url: string, most: number): Promise<Uint8Array> {
  let answer: HttpAnswer;
  try {
    answer = await http({
      method: 'GET',
      url,
      headers: [],
      body: null,
      timeoutMs: NOTICE_TIMEOUT_MS,
      aftermath: 'none',
      maxResponseBytes: most,
    });
  } catch (error) {
    throw unreachable(error);
  }
  if (answer.httpStatus === 200 && !answer.isCut) return answer.body;
  throw new UpdatesError(
    'updates.unreachable',
    answer.isCut
      ? `${url} is longer than ${most} bytes: that is no notice of a release.`
      : `${url} answered ${answer.httpStatus}.`,
  );
}

/** What the client says of a failed call, but for its advice, which is about payments. */
function unreachable(error: unknown): Error {
  const [what = ''] = (error instanceof Error ? error.message : String(error)).split(
    /(?<=[^.]{3})\.(?:\s|$)/,
  );
  return new UpdatesError('updates.unreachable', `Nothing was fetched from the address of updates: ${what}.`);
}

const describeBytes = (came: number, size: number): string =>
  came > size ? `more than its ${size} bytes came` : `${came} of ${size} bytes came`;

/**
 * A file stands under its name only when all of it came and is what was signed.
 *
 * Each download has a part of its own: of two at once, neither renames what the other is still writing.
 */
async function keepFile(
  folder: string,
  url: URL,
  wanted: ReleaseNotice['files'][number],
): Promise<{ file: string; sha512: string }> {
  makeDirectory(folder);
  removeOldParts(folder);
  const [file, part] = [join(folder, wanted.name), join(folder, `${wanted.name}.${randomUUID()}${PART}`)];
  try {
    const came = await downloadFile(url, part, { mostBytes: wanted.size, idleMs: IDLE_MS, slowest: SLOWEST });
    if (came.sha512 !== wanted.sha512)
      throw new UpdatesError(
        'updates.bad_file',
        `${wanted.name} is not what the publisher signed (${describeBytes(came.bytes, wanted.size)}). It was deleted: download it again, or ask the publisher.`,
      );
    moveIntoPlace(part, file);
    return { file, sha512: came.sha512 };
  } catch (error) {
    throw error instanceof AppError ? error : unreachable(error);
  } finally {
    rmSync(part, { force: true });
  }
}

/** @throws {AppError} `platform.unwritable`, where a folder has its name */
function moveIntoPlace(part: string, file: string): void {
  const folder = dirname(file);
  try {
    renameSync(part, file);
    syncDirectory(folder);
  } catch (error) {
    throw toFileError(error, folder);
  }
}

/** What a download that was killed left behind; one that is under way was written to a moment ago. */
function removeOldParts(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(PART))) {
    const part = join(folder, name);
    const changedMs = lstatSync(part, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - changedMs > 2 * IDLE_MS) rmSync(part, { recursive: true, force: true });
  }
}
