import { basename, join } from 'node:path';
import { nameExample, parseExample } from '@shared/http-file/example-file';
import { findConflicts, SETTLE_CONFLICT } from '@shared/http-file/find-conflicts';
import { isLfsPointer } from '@shared/http-file/lfs-pointer';
import type { ExampleText } from '@shared/expect/judge-answer';
import { readRegularFile, type ReadFault } from '../../platform/files/regular-file';

const maxFileBytes = 4 * 1024 * 1024;

/** What is wrong with a file of that name that is there. */
const faults: Readonly<Record<Exclude<ReadFault, 'missing'>, { fault: string; advice: string }>> = {
  outside: {
    fault: 'is a link that leads out of its folder',
    advice: 'Put the example itself beside the request.',
  },
  not_regular: {
    fault: 'is no file but a pipe or a device',
    advice: 'Put a file of that name in its place.',
  },
  too_large: {
    fault: `is larger than ${maxFileBytes / 1024 / 1024} MiB and was not read`,
    advice: 'Compare a smaller answer, or its parts with `body`.',
  },
  forbidden: { fault: 'may not be read', advice: 'Look at its permissions.' },
  crowded: {
    fault: 'could not be opened, as too many files are',
    advice: 'Raise the limit (ulimit -n), and try again.',
  },
  unreadable: { fault: 'could not be read by the system', advice: 'Try again, and look at its disk.' },
};

/** What git left in the place of an example; null: nothing. */
function findLeft(text: string): { fault: string; advice: string } | null {
  if (isLfsPointer(text)) return { fault: 'is a pointer of Git LFS', advice: 'Run git lfs pull.' };
  const [conflict] = findConflicts(text);
  if (conflict === undefined) return null;
  return { fault: `has two versions from line ${conflict.fault.line} on`, advice: SETTLE_CONFLICT };
}

/**
 * Reads an example of a request: the answer that the app kept beside it, else a JSON file of that name.
 *
 * @param directory - of the request file; nothing outside of it is read
 * @param file - path of the request file
 * @returns its body; else what is wrong with the first that is there, or that there is none of that name
 */
export function readExample(directory: string, file: string, name: string): ExampleText {
  const none = {
    fault: 'there is no such example',
    advice: `Save the answer as an example of that name, or its body beside the request as ${name}.example.json.`,
  };
  if (name.includes('\0')) return none;
  const own = `${nameExample(basename(file), name)}.http`;
  for (const candidate of [own, `${name}.example.http`, `${name}.example.json`, `${name}.json`]) {
    const { bytes, fault } = readRegularFile(join(directory, candidate), {
      root: directory,
      maxBytes: maxFileBytes,
    });
    if (fault === 'missing') continue;
    if (bytes === null) return { fault: `${candidate} ${faults[fault].fault}`, advice: faults[fault].advice };
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    const left = findLeft(text);
    if (left !== null) return { fault: `${candidate} ${left.fault}`, advice: left.advice };
    if (!candidate.endsWith('.http')) return { text };
    const body = parseExample(text)?.body ?? null;
    if (body !== null) return { text: body };
    return { fault: `${candidate} holds no answer`, advice: 'Save the answer as an example again.' };
  }
  return none;
}
