import { constants, inflateRawSync, unzipSync } from 'node:zlib';
import { MAY_BE_ESCAPED, unescape } from './escaped-reading';

/** A stretch of a text that is not to be shown, as it is written there. */
export interface SecretPlace {
  readonly from: number;
  readonly to: number;
  readonly secret: string;
}

/** What may still be unpacked of one text, whatever stands in it. */
export interface UnpackingBudget {
  bytesLeft: number;
}

/** More than any message that a service packs into a field; a bomb has a thousand times as much. */
const MOST_UNPACKED_BYTES = 4 * 1024 * 1024;

export const startUnpacking = (): UnpackingBudget => ({ bytesLeft: MOST_UNPACKED_BYTES });

/** In fewer characters nobody encodes a text that holds a secret of eight. */
const SHORTEST_RUN = 16;
/** Base64 and hex over several lines, as MIME and PEM break them, have lines of this many characters or more. */
const SHORTEST_LINE = 40;

/**
 * Finds texts in Base64 or hex, packed by gzip or zlib or not, that hold what is sought.
 *
 * What stands right before such a text may look like a part of it, so it is read from each place where it may begin. Takes
 * time in proportion to the text, and unpacks no more than the budget; what would need more counts as found.
 * @param sought.shortest - bytes of the shortest text that is sought: what is too short to hold it is not decoded
 * @param sought.hasMoreLetters - some of it is not ASCII: it is sought in the bytes of UTF-8, too
 * @param holds - tells whether what is sought stands in a text that was decoded, a byte a character
 */
export function findEncoded(
  text: string,
  { shortest, hasMoreLetters }: { shortest: number; hasMoreLetters: boolean },
  budget: UnpackingBudget,
  holds: (decoded: string) => boolean,
): SecretPlace[] {
  const isLegible = hasMoreLetters ? LEGIBLE_OR_UTF8 : LEGIBLE;
  // Packed, hex takes half of its bytes, and Base64 of these two thirds.
  const least = Math.max(SHORTEST_RUN, Math.floor((shortest * 2) / 3));
  const isSought = (run: string): boolean =>
    listReadings(run, shortest, budget).some(
      (reading) => reading === null || holdsLegibly(reading, shortest, isLegible, holds),
    );
  return listStretches(text, MAY_STAND_IN_RUN, least).flatMap(({ from, secret: written }) => {
    // Slashes and line breaks of Base64 are escaped where it stands in JSON.
    const reading = MAY_BE_ESCAPED.test(written) ? unescape(written) : null;
    const runs = listRuns(reading?.text ?? written).filter(({ secret }) => secret.length >= least);
    return runs
      .filter(({ secret }) => isSought(secret))
      .map((run) => ({
        from: from + (reading?.starts[run.from] ?? run.from),
        to: from + (reading?.ends[run.to - 1] ?? run.to),
        secret: run.secret,
      }));
  });
}

type CharacterClass = (unit: number) => boolean;

const classOf = (pattern: RegExp): CharacterClass => {
  const isIn = Array.from({ length: 256 }, (_, unit) => pattern.test(String.fromCharCode(unit)));
  return (unit) => isIn[unit] === true;
};

const IN_RUN = classOf(/[\w+/-]/);
const MAY_STAND_IN_RUN = classOf(/[\w+/\r\n\\%-]/);
const LEGIBLE = classOf(/[\0\t\n\r\x20-\x7e]/);
const LEGIBLE_OR_UTF8 = classOf(/[\0\t\n\r\x20-\x7e\x80-\xf4]/);

/** A secret among bytes that are no text is found by its own Base64, wherever it begins. */
function holdsLegibly(
  bytes: Buffer,
  shortest: number,
  isLegible: CharacterClass,
  holds: (decoded: string) => boolean,
): boolean {
  return findStretches(bytes.length, (at) => isLegible(bytes[at]!), shortest).some(([from, to]) =>
    holds(bytes.toString('latin1', from, to)),
  );
}

/** Lists the longest stretches of a class that have so many characters. A pattern would overflow on long ones. */
function listStretches(text: string, isIn: CharacterClass, least: number): SecretPlace[] {
  return findStretches(text.length, (at) => isIn(text.charCodeAt(at)), least).map(([from, to]) => ({
    from,
    to,
    secret: text.slice(from, to),
  }));
}

/**
 * Finds where so many neighbours or more are of a class. Looks first at where the shortest such stretch would end: of a
 * text that has none most places are never looked at, and none is looked at more than twice.
 */
export function findStretches(
  length: number,
  isIn: (at: number) => boolean,
  least: number,
): [from: number, to: number][] {
  const found: [number, number][] = [];
  let first = 0;
  for (let last = least - 1; last < length; last = first + least - 1) {
    let before = last;
    while (before >= first && isIn(before)) before -= 1;
    if (before >= first) {
      first = before + 1;
      continue;
    }
    let to = last + 1;
    while (to < length && isIn(to)) to += 1;
    found.push([first, to]);
    first = to + 1;
  }
  return found;
}

/** Lists runs of Base64 or hex; what goes on over several lines is one, without its line breaks. */
function listRuns(text: string): SecretPlace[] {
  const runs: SecretPlace[] = [];
  let lastLine = 0;
  for (const line of listStretches(text, IN_RUN, 1)) {
    const before = runs.at(-1);
    const goesOn = lastLine >= SHORTEST_LINE && /^\r?\n$/.test(text.slice(before!.to, line.from));
    if (goesOn)
      runs[runs.length - 1] = { from: before!.from, to: line.to, secret: before!.secret + line.secret };
    else runs.push(line);
    lastLine = line.secret.length;
  }
  return runs;
}

const IN_HEX = classOf(/[\da-fA-F]/);

/** Reads a run from each place where its text may begin; null: it unpacks to more than may be looked at. */
function listReadings(run: string, shortest: number, budget: UnpackingBudget): (Buffer | null)[] {
  const hex = listStretches(run, IN_HEX, Math.max(SHORTEST_RUN, shortest)).map(({ secret }) => secret);
  const base64 = hex[0] === run ? [] : [0, 1, 2, 3].map((place) => run.slice(place));
  const packedFrom = run.indexOf('H4sI');
  if (packedFrom > 3) base64.push(run.slice(packedFrom));
  return [
    ...hex.flatMap((digits) => [Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex')]),
    ...base64.map((characters) => Buffer.from(characters, 'base64')),
  ]
    .map((bytes) => (isPacked(bytes) ? unpack(bytes, budget) : bytes))
    .filter((bytes) => bytes === null || bytes.length >= shortest);
}

/** The first bytes of gzip, and of zlib with its checksum. */
function isPacked(bytes: Buffer): boolean {
  if (bytes.length < 8) return false;
  const head = bytes.readUInt16BE(0);
  return head === 0x1f8b || (bytes[0] === 0x78 && head % 31 === 0);
}

function unpack(bytes: Buffer, budget: UnpackingBudget): Buffer | null {
  if (budget.bytesLeft === 0) return null;
  // What was cut off is read as far as it goes.
  const options = { maxOutputLength: budget.bytesLeft, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    const unpacked = isPlainGzip(bytes)
      ? inflateRawSync(bytes.subarray(GZIP_HEAD_BYTES), options)
      : unzipSync(bytes, options);
    budget.bytesLeft -= unpacked.length;
    return unpacked;
  } catch (error) {
    // Two bytes looked as if it were packed; another fault says the same.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return bytes;
    budget.bytesLeft = 0;
    return null;
  }
}

const GZIP_HEAD_BYTES = 10;

/** Without a name or a note: then what is packed can be read alone, and what stands behind it is no fault. */
const isPlainGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[3] === 0;
