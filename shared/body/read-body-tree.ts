import { readExpression } from '../http-file/find-expression';

/** A value of a body as it is edited. Offsets include quotes and brackets. */
export interface BodyValue {
  /** `bare`: a number, `true`, a variable, or half of something that is being typed. */
  readonly kind: 'text' | 'bare' | 'object' | 'array';
  readonly start: number;
  end: number;
  /** Of an object that stands high enough; empty for everything else. */
  readonly members: BodyMember[];
  /** What closes it stands there. */
  isClosed: boolean;
}

export interface BodyMember {
  readonly key: string;
  /** Quotes included. */
  readonly keyStart: number;
  readonly keyEnd: number;
  /** After the colon; null: there is none yet. */
  colonEnd: number | null;
  value: BodyValue | null;
}

export interface BodyTree {
  readonly root: BodyValue | null;
  /** Where the text first stops being JSON with variables in it; null: it is. */
  readonly fault: number | null;
  /** Some members are not in it: there are more than are kept. */
  readonly isCut: boolean;
}

/** Objects of the interface stand in one another twice; what is deeper is passed over. */
const LEVELS = 3;
const MOST_MEMBERS = 2000;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * Reads a body that is being edited: variables stand in it, and half of it may not be written yet.
 *
 * Nothing is thrown. What is not JSON is read as far as it makes sense, so that completion works where a comma is
 * missing; `fault` tells. One pass, no recursion: a hostile depth costs no more than its length.
 * @param ending - `where it is cut`: nothing behind the last member that is kept is read, and `fault` says nothing of it
 */
export function readBodyTree(
  text: string,
  ending: 'at its end' | 'where it is cut' = 'at its end',
): BodyTree {
  return new BodyReader(text, ending === 'where it is cut').read();
}

/** The text between quotes, escapes decoded; as it stands where they cannot be. Variables stay as they are. */
export function decodeBodyText(text: string, { start, end }: { start: number; end: number }): string {
  const literal = text.slice(start, end);
  if (!literal.includes('\\') && literal.endsWith('"')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal.replace(/^"|"$/g, '');
  }
}

class BodyReader {
  private at = 0;
  private fault: number | null = null;
  private root: BodyValue | null = null;
  private memberCount = 0;
  /** Of every open container: whether it is an object, and what is awaited in it. */
  private readonly open: {
    isObject: boolean;
    awaits: 'item' | 'colon' | 'value' | 'comma';
    count: number;
  }[] = [];
  /** Of the open containers that are kept. */
  private readonly kept: BodyValue[] = [];

  constructor(
    private readonly text: string,
    private readonly endsWhereCut: boolean,
  ) {}

  read(): BodyTree {
    const { text } = this;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
    for (;;) {
      while (isSpace(text.charCodeAt(this.at))) this.at += 1;
      if (this.at >= text.length || (this.endsWhereCut && this.isCut)) break;
      this.step(text[this.at]!);
    }
    if (this.open.length > 0 || this.root === null) this.blame(text.length);
    return { root: this.root, fault: this.fault, isCut: this.isCut };
  }

  private get isCut(): boolean {
    return this.memberCount > MOST_MEMBERS;
  }

  private step(char: string): void {
    if (char === '{' && readExpression(this.text, this.at) === null) this.enter(true);
    else if (char === '[') this.enter(false);
    else if (char === '}' || char === ']') this.leave(char === '}');
    else if (char === ',' || char === ':') this.separate(char);
    else if (char === '"') this.take('text', this.findTextEnd());
    else this.take('bare', this.findBareEnd());
  }

  private blame(at: number): void {
    this.fault ??= at;
  }

  private enter(isObject: boolean): void {
    const value = this.place(isObject ? 'object' : 'array', this.at, this.text.length);
    this.open.push({ isObject, awaits: 'item', count: 0 });
    if (value !== null && this.kept.length === this.open.length - 1 && this.open.length <= LEVELS) {
      this.kept.push(value);
    }
    this.at += 1;
  }

  private leave(isObject: boolean): void {
    const top = this.open.at(-1);
    if (top === undefined || top.isObject !== isObject) {
      this.blame(this.at);
      this.at += 1;
      return;
    }
    if (top.awaits !== 'comma' && !(top.awaits === 'item' && top.count === 0)) this.blame(this.at);
    this.at += 1;
    if (this.kept.length === this.open.length) {
      const value = this.kept.pop()!;
      value.end = this.at;
      value.isClosed = true;
    } else if (this.last !== null && this.kept.length === this.open.length - 1) {
      this.last.end = this.at;
      this.last.isClosed = true;
    }
    this.open.pop();
    this.await('comma');
  }

  private separate(char: ',' | ':'): void {
    const top = this.open.at(-1);
    const wanted = char === ',' ? 'comma' : 'colon';
    if (top?.awaits !== wanted) this.blame(this.at);
    this.at += 1;
    if (top === undefined) return;
    if (char === ',') top.awaits = 'item';
    else if (top.isObject) {
      top.awaits = 'value';
      const member = this.member();
      if (member !== null) member.colonEnd ??= this.at;
    }
  }

  private take(kind: 'text' | 'bare', end: number): void {
    const start = this.at;
    this.at = end;
    const top = this.open.at(-1);
    const isKey = top?.isObject === true && top.awaits !== 'value';
    if (!isKey) {
      const value = this.place(kind, start, end);
      if (value !== null) value.isClosed = kind === 'bare' || (end > start + 1 && this.text[end - 1] === '"');
      this.await('comma');
      return;
    }
    if (top.awaits !== 'item' || kind === 'bare') this.blame(start);
    top.awaits = 'colon';
    top.count += 1;
    const owner = this.kept.length === this.open.length ? this.kept.at(-1) : undefined;
    if (owner === undefined || ++this.memberCount > MOST_MEMBERS) return;
    const key = kind === 'text' ? decodeBodyText(this.text, { start, end }) : this.text.slice(start, end);
    owner.members.push({ key, keyStart: start, keyEnd: end, colonEnd: null, value: null });
  }

  /** The container that was begun last and whose end is not known yet, where its members are not kept. */
  private last: BodyValue | null = null;

  /** Puts a value where one is awaited; null: it is too deep to be kept. */
  private place(kind: BodyValue['kind'], start: number, end: number): BodyValue | null {
    const top = this.open.at(-1);
    if (top === undefined ? this.root !== null : top.awaits !== (top.isObject ? 'value' : 'item'))
      this.blame(start);
    if (kind === 'bare' && !this.isLiteral(start, end)) this.blame(start);
    if (top !== undefined) top.count += top.isObject ? 0 : 1;
    const value: BodyValue = { kind, start, end, members: [], isClosed: false };
    if (top === undefined) {
      this.root ??= value;
      return value;
    }
    if (this.kept.length !== this.open.length) return null;
    const member = this.member();
    if (member === null || this.memberCount > MOST_MEMBERS) return null;
    member.value ??= value;
    if (kind === 'object' || kind === 'array') this.last = value;
    return value;
  }

  private member(): BodyMember | null {
    const isKept = this.kept.length === this.open.length;
    return (isKept ? this.kept.at(-1)?.members.at(-1) : undefined) ?? null;
  }

  private await(what: 'comma'): void {
    const top = this.open.at(-1);
    if (top !== undefined) top.awaits = what;
  }

  private isLiteral(start: number, end: number): boolean {
    const literal = this.text.slice(start, Math.min(end, start + 1000));
    return (
      literal.includes('{{') ||
      /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(literal)
    );
  }

  /** A text ends at its quote, or where its line does; a variable in it may have quotes of its own. */
  private findTextEnd(): number {
    const { text } = this;
    for (let at = this.at + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 34) return at + 1;
      if (code === 92) at += 1;
      else if (code === 10 || code === 13) {
        this.blame(at);
        return at;
      } else if (code === 123) at = (readExpression(text, at)?.end ?? at + 1) - 1;
    }
    this.blame(text.length);
    return text.length;
  }

  private findBareEnd(): number {
    const { text } = this;
    let at = this.at;
    while (at < text.length) {
      const found = readExpression(text, at);
      if (found === null && /[\s{}[\],:"]/.test(text[at]!)) break;
      at = found?.end ?? at + 1;
    }
    return Math.max(at, this.at + 1);
  }
}

/** The member of a name; the last one counts, as in `JSON.parse`. Null: there is none. */
export function memberOf({ members }: BodyValue, name: string): BodyMember | null {
  return members.findLast(({ key }) => key === name) ?? null;
}
