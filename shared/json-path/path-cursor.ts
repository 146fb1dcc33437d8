import { AppError } from '../errors';

/** Brackets and filters within one another. */
const DEEPEST = 16;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '/': '/',
  '\\': '\\',
};

/** Says where a path cannot be read. @param at - characters before that place */
export function pathFault(at: number, what: string): AppError<'json.bad_path'> {
  return new AppError('json.bad_path', `This path cannot be read at character ${at + 1}: ${what}.`, {
    details: { at },
  });
}

/** Reads a path from left to right. */
export class PathCursor {
  #at = 0;
  #depth = 0;

  /** @param shift - of what was typed: so many characters before the text, less what was put before it */
  constructor(
    readonly text: string,
    readonly shift = 0,
  ) {}

  get at(): number {
    return this.#at;
  }

  get next(): string {
    return this.text[this.#at] ?? '';
  }

  fail(what: string, at = this.#at): never {
    throw pathFault(Math.max(0, Math.min(at, this.text.length) + this.shift), what);
  }

  expect(wanted: string): void {
    if (!this.take(wanted)) this.fail(`${wanted} is expected here`);
  }

  take(wanted: string): boolean {
    if (!this.text.startsWith(wanted, this.#at)) return false;
    this.#at += wanted.length;
    return true;
  }

  takeAfterBlanks(wanted: string): boolean {
    this.skipBlanks();
    return this.take(wanted);
  }

  /** @param pattern - sticky */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  skipBlanks(): void {
    this.match(/[ \t\r\n]*/y);
  }

  within<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > DEEPEST) this.fail('it is nested too deeply');
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** A text in quotes, escapes read; null: none begins here. @source RFC 9535, 2.3.1.1 */
  readQuoted(): string | null {
    const quote = this.next;
    if (quote !== '"' && quote !== "'") return null;
    const start = this.#at;
    let value = '';
    for (this.#at += 1; this.#at < this.text.length;) {
      const character = this.next;
      if (character < ' ') this.fail('this character is written as an escape, such as \\n');
      this.#at += 1;
      if (character === quote) return value;
      value += character === '\\' ? this.#readEscape(quote) : character;
    }
    return this.fail('the text that begins here has no end', start);
  }

  #readEscape(quote: string): string {
    const hex = this.match(
      /u(?:[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F]|(?![dD][89a-fA-F])[\da-fA-F]{2})[\da-fA-F]{2}/y,
    );
    if (hex !== null) {
      return String.fromCharCode(
        ...hex
          .split(/\\?u/)
          .slice(1)
          .map((code) => parseInt(code, 16)),
      );
    }
    const letter = this.next;
    const meant = letter === quote ? quote : ESCAPES[letter];
    if (meant === undefined) this.fail('there is no such escape', this.#at - 1);
    this.#at += 1;
    return meant;
  }
}
