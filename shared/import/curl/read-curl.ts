import {
  createImported,
  quoteFirstWord,
  type Imported,
  type ImportedRequest,
  type ImportSource,
} from '../imported';
import { readCurlArguments } from './read-arguments';
import { readPowershell, splitPowershell } from './read-powershell';
import { findCurlArguments, readAssignment, type ShellCommand } from './shell-command';
import { splitBash } from './split-bash';
import { splitCmd } from './split-cmd';

const powershellCall = /(?:^|[\s;|(])(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s/i;
/** A caret at a line's end, or before a quote: the Windows command prompt. */
const cmdMark = /\^[ \t]*\r?\n|\^"/;
/** A backtick at a line's end: PowerShell. */
const powershellMark = /`[ \t]*\r?\n\s*-/;

function split(text: string): ShellCommand[] {
  if (powershellMark.test(text)) {
    return splitPowershell(text).map((words) => ({ words, input: null, notes: [] }));
  }
  // What stands in single quotes is text, and the command prompt knows none.
  return cmdMark.test(text.replace(/'.*$/s, '')) ? splitCmd(text) : splitBash(text);
}

/**
 * Reads commands of curl from bash, the Windows command prompt or PowerShell, and PowerShell's own calls.
 *
 * @source curl(1); what browsers copy as cURL (bash), cURL (cmd) and PowerShell
 */
export function readCurl(source: ImportSource): Imported {
  const text = source.files[0]?.text ?? '';
  const imported = createImported(null);
  if (powershellCall.test(text)) {
    imported.items = readPowershell(text);
    return imported;
  }
  for (const command of split(text)) {
    const words = findCurlArguments(command);
    const assignment = words === null ? readAssignment(command) : null;
    if (assignment !== null) {
      imported.shared.push({ ...assignment, isSecret: false });
      continue;
    }
    // `[ -n "$name" ] ||` asks whether a value was given already.
    if (command.words[0] === '[') continue;
    if (words === null) {
      const what = `The command '${quoteFirstWord(command.words.join(' '))}' is none of curl, and left out.`;
      imported.notes.push({ where: source.name, what });
      continue;
    }
    const requests: ImportedRequest[] = readCurlArguments(words, command.input);
    for (const request of requests) request.notes.push(...command.notes);
    imported.items.push(...requests);
  }
  return imported;
}
