import { oneLine } from '../../http-file/example-file';
import { describeFile, guessTypeByCurl, type FormPart } from '../form-bodies';

/** A word of `-F`, and where what follows it begins. */
interface Word {
  text: string;
  next: number;
}

/** Reads a word up to one of some signs: in quotes with `\"` and `\\`, or as it stands without blanks around it. */
function readWord(text: string, from: number, ends: string): Word {
  const start = from + /^\s*/.exec(text.slice(from))![0].length;
  const quoted = /^"([^"\\]*(?:\\.[^"\\]*)*)"/s.exec(text.slice(start));
  let end = start + (quoted?.[0].length ?? 0);
  while (end < text.length && !ends.includes(text[end]!)) end += 1;
  // What stands between the quotes and the sign is nothing to curl.
  if (quoted !== null) return { text: quoted[1]!.replace(/\\(["\\])/g, '$1'), next: end };
  return { text: text.slice(start, end).trimEnd(), next: end };
}

/** What stands behind a value: `;type=…;filename=…;headers=…;encoder=…`. */
interface Settings {
  contentType: string | null;
  fileName?: string;
  headers: string[];
  next: number;
}

function readSettings(text: string, from: number, ends: string, notes: string[]): Settings {
  const settings: Settings = { contentType: null, headers: [], next: from };
  let isAfterType = false;
  while (text[settings.next] === ';') {
    const mark = settings.next;
    const at = mark + 1 + /^\s*/.exec(text.slice(mark + 1))![0].length;
    const name = /^(?:type|filename|headers|encoder)(?==)/i.exec(text.slice(at))?.[0].toLowerCase();
    const isType = name === 'type';
    const { text: value, next } = readWord(text, name === undefined ? at : at + name.length + 1, ends);
    settings.next = next;
    if (isType) settings.contentType = value;
    // `;charset=…` behind a type is part of it.
    else if (name === undefined && isAfterType) settings.contentType += text.slice(mark, next).trimEnd();
    else if (name === 'filename') settings.fileName = value;
    else if (name === 'headers') addHeader(settings.headers, value, notes);
    else if (name === 'encoder')
      notes.push(`The encoding of a part of its form (encoder=${value}) is not taken over.`);
    isAfterType = isType || (name === undefined && isAfterType);
  }
  return settings;
}

function addHeader(headers: string[], value: string, notes: string[]): void {
  if (/^[@<]/.test(value))
    notes.push(`The headers of a part of its form in the file '${value.slice(1, 200)}' are not taken over.`);
  else headers.push(oneLine(value));
}

/**
 * Reads one `-F name=value` of curl.
 *
 * @returns its part, or one for each of its files
 * @source curl(1), --form; src/tool_formparse.c
 */
export function readFormField(field: string): { parts: FormPart[]; notes: string[] } {
  const { parts, notes } = readParts(field);
  return {
    parts: parts.map((part) => ({ ...part, contentType: part.contentType ?? guessTypeByCurl(part) })),
    notes,
  };
}

function readParts(field: string): ReturnType<typeof readFormField> {
  const equals = field.indexOf('=');
  const given = equals === -1 ? field : field.slice(0, equals);
  const text = equals === -1 ? '' : field.slice(equals + 1);
  const name = given === '' ? null : given;
  const notes: string[] = [];
  const mark = text[0];
  if (mark === '@') return { parts: readFiles(name, text, notes), notes };
  if (mark === '(') {
    notes.push(
      'The parts that curl would put into one of its form (‘=(’ … ‘=)’) stand beside each other here.',
    );
    return { parts: [], notes };
  }
  if (text === ')') return { parts: [], notes };
  const isField = mark === '<';
  const { text: plain, next } = readWord(text, isField ? 1 : 0, ';');
  if (isField) notes.push(describeFile(plain));
  const { next: _next, fileName, ...settings } = readSettings(text, next, ';', notes);
  if (!isField) {
    const named = fileName === undefined ? {} : { fileName };
    return { parts: [{ name, value: plain, ...settings, ...named }], notes };
  }
  // What a file says in place of a text has no name, whatever `filename=` says.
  return { parts: [{ name, value: { file: plain }, ...settings, isField }], notes };
}

function readFiles(name: string | null, text: string, notes: string[]): FormPart[] {
  const parts: FormPart[] = [];
  for (let at = 0; at === 0 || text[at] === ',';) {
    const { text: file, next } = readWord(text, at + 1, ';,');
    const { next: after, ...settings } = readSettings(text, next, ';,', notes);
    notes.push(describeFile(file));
    parts.push({ name, value: { file }, ...settings });
    at = after;
  }
  if (parts.length > 1)
    notes.push('curl would send several files as one part of its form; here each is a part of its own.');
  return parts;
}
