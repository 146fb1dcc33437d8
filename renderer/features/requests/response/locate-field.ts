/**
 * Finds where a field of a refusal (`recipient.account`, `items[0].id`, `/recipient/account`, `$.recipient.account`) stands in a body.
 *
 * Works on the text as edited, with `{{variables}}` in it, so it reads names and braces and nothing more.
 * @returns the range of the value, or of the deepest parent that is there; null where not even the first part is
 */
export function locateField(body: string, field: string): { start: number; end: number } | null {
  const parts = field
    .replace(/^\$(?=[.[])/, '')
    .split(/[./[\]'"]+/)
    .filter(Boolean);
  let from = 0;
  let to = body.length;
  let found: { start: number; end: number } | null = null;
  for (const part of parts) {
    const member = /^\d+$/.test(part)
      ? findElement(body, from, to, Number(part))
      : findMember(body, from, to, part);
    if (!member) break;
    found = member;
    from = member.start;
    to = member.end;
  }
  return found;
}

interface Range {
  start: number;
  end: number;
}

/** Steps over one value: a text, an object or list with all it holds, or a word. */
function skipValue(body: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < body.length) {
    const character = body[at];
    if (character === '"') {
      at = skipText(body, at);
      if (depth === 0) return at;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && /[,\s]/.test(character ?? '')) return at;
    at += 1;
  }
  return at;
}

function skipText(body: string, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    if (body[at] === '\\') at += 1;
    else if (body[at] === '"') return at + 1;
  }
  return body.length;
}

const skipSpace = (body: string, at: number): number => {
  const match = /[^\s,:]/g;
  match.lastIndex = at;
  return match.exec(body)?.index ?? body.length;
};

function findMember(body: string, from: number, to: number, name: string): Range | null {
  let at = skipSpace(body, from);
  if (body[at] !== '{') return null;
  at = skipSpace(body, at + 1);
  while (at < to && body[at] === '"') {
    const keyEnd = skipText(body, at);
    const key = body.slice(at + 1, keyEnd - 1);
    const start = skipSpace(body, keyEnd);
    const end = skipValue(body, start);
    if (key === name) return { start, end };
    at = skipSpace(body, end);
  }
  return null;
}

function findElement(body: string, from: number, to: number, index: number): Range | null {
  let at = skipSpace(body, from);
  if (body[at] !== '[') return null;
  at = skipSpace(body, at + 1);
  for (let position = 0; at < to && body[at] !== ']'; position += 1) {
    const end = skipValue(body, at);
    if (position === index) return { start: at, end };
    at = skipSpace(body, Math.max(end, at + 1));
  }
  return null;
}
