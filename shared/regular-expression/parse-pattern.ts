import { isLonger } from '../is-longer';

/** A pattern as a tree. Sets test one code point. */
export type PatternNode =
  | { readonly kind: 'set'; readonly has: (code: number) => boolean }
  | { readonly kind: 'at'; readonly place: 'start' | 'end' | 'word' | 'no_word' }
  | { readonly kind: 'all'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'any'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace = (code: number): boolean => /\s/.test(String.fromCodePoint(code));
export const isLineEnd = (code: number): boolean =>
  code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

const classes: Readonly<Record<string, (code: number) => boolean>> = {
  d: isDigit,
  D: (code) => !isDigit(code),
  w: isWord,
  W: (code) => !isWord(code),
  s: isSpace,
  S: (code) => !isSpace(code),
};

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/** What is wrong with a pattern, and at which of its characters. */
export class PatternFault extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

const deepestGroup = 50;
const longestPattern = 500;
const mostRepeats = 1000;
const highestCode = 0x10ffff;

/** What repeats the part before it. */
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/;

/** Reads a pattern into its tree: the syntax of JavaScript without look-around and back references. */
export class PatternParser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly source: string,
    /** What `.` stands for. */
    private readonly isDot: (code: number) => boolean,
    /** Whether a letter stands for its other case, too. */
    private readonly isLoose = false,
  ) {}

  parse(): PatternNode {
    if (isLonger(this.source, longestPattern)) {
      this.fail(`A pattern has at most ${longestPattern} characters.`);
    }
    const node = this.readChoice();
    if (this.at < this.source.length) this.fail("This ')' closes nothing.");
    return node;
  }

  private fail(message: string, offset = this.at): never {
    throw new PatternFault(message, offset);
  }

  private readChoice(): PatternNode {
    const parts = [this.readSequence()];
    while (this.source[this.at] === '|') {
      this.at += 1;
      parts.push(this.readSequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts };
  }

  private readSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      parts.push(this.readRepeated());
    }
    return { kind: 'all', parts };
  }

  private readRepeated(): PatternNode {
    const part = this.readAtom();
    const found = this.findQuantifier();
    if (found === null) return part;
    const [whole, sign, from = '0', comma, to = ''] = found;
    this.at += whole.length;
    if (this.findQuantifier() !== null) this.fail('Nothing to repeat here.');
    if (part.kind === 'at') this.fail('A place cannot be repeated.');
    if (sign !== undefined) {
      return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    }
    const least = Number(from);
    const most = comma === undefined ? least : to === '' ? Infinity : Number(to);
    if (most < least) this.fail('The second number is smaller than the first.');
    if (least > mostRepeats || (most !== Infinity && most > mostRepeats)) {
      this.fail(`A repetition counts to ${mostRepeats} at most.`);
    }
    return { kind: 'repeat', part, least, most };
  }

  private findQuantifier(): RegExpExecArray | null {
    return QUANTIFIER.exec(this.source.slice(this.at));
  }

  private readAtom(): PatternNode {
    const character = this.source[this.at] ?? '';
    if (character === '(') return this.readGroup();
    if (character === '[') return this.readClass();
    if (this.findQuantifier() !== null) this.fail('Nothing to repeat here.');
    if (character === '^' || character === '$') {
      this.at += 1;
      return { kind: 'at', place: character === '^' ? 'start' : 'end' };
    }
    if (character === '.') {
      this.at += 1;
      return { kind: 'set', has: this.isDot };
    }
    if (character === '\\' && /[bB]/.test(this.source[this.at + 1] ?? '')) {
      this.at += 2;
      return { kind: 'at', place: this.source[this.at - 1] === 'b' ? 'word' : 'no_word' };
    }
    return { kind: 'set', has: this.toTest(this.readCharacter()) };
  }

  private readGroup(): PatternNode {
    const start = this.at;
    const rest = this.source.slice(start);
    if (/^\(\?<?[=!]/.test(rest)) {
      this.fail('Look-around is not supported: its time has no bound. Write two expectations.', start);
    }
    this.at += /^\((?:\?:|\?<[A-Za-z_$][\w$]*>)?/.exec(rest)![0].length;
    if (this.source[this.at] === '?') {
      this.fail('There is no such group: write (…), (?:…) or (?<name>…).', start);
    }
    if (++this.depth > deepestGroup) this.fail('Groups are nested too deeply.', start);
    const inner = this.readChoice();
    if (this.source[this.at] !== ')') this.fail("This '(' is never closed.", start);
    this.at += 1;
    this.depth -= 1;
    return inner;
  }

  /** A character, or the test of a class such as `\d`. */
  private readCharacter(): number | ((code: number) => boolean) {
    const code = this.source.codePointAt(this.at) ?? 0;
    this.at += code > 0xffff ? 2 : 1;
    return code === 92 ? this.readEscape() : code;
  }

  private readEscape(): number | ((code: number) => boolean) {
    const letter = this.source[this.at] ?? '';
    if (letter === '') this.fail("A '\\' at the end stands for nothing.", this.at - 1);
    if (Object.hasOwn(classes, letter)) {
      this.at += 1;
      return classes[letter]!;
    }
    if (/[pP]/.test(letter)) return this.readCategory();
    const hex = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/i.exec(
      this.source.slice(this.at, this.at + 10),
    );
    if (hex !== null) {
      this.at += hex[0].length;
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
      if (code > highestCode) this.fail('There is no such character: \\u{10FFFF} is the last.');
      return code;
    }
    if (/[1-9k]/.test(letter)) this.fail('Back references are not supported: their time has no bound.');
    this.at += 1;
    if (Object.hasOwn(controls, letter)) return controls[letter]!;
    if (/[A-Za-z]/.test(letter)) this.fail(`There is no '\\${letter}'.`, this.at - 1);
    return letter.codePointAt(0)!;
  }

  /** `\p{Lu}`: a general category of Unicode, asked of one character at a time. */
  private readCategory(): (code: number) => boolean {
    const found = /^[pP]\{([CLMNPSZ][a-z]?)\}/.exec(this.source.slice(this.at, this.at + 6));
    const category = found === null ? null : makeCategory(found[1]!);
    if (found === null || category === null)
      this.fail('\\p takes a category of characters: \\p{L}, \\p{Lu}, \\p{Nd} …', this.at - 1);
    this.at += found[0].length;
    return this.loosen(found[0].startsWith('P') ? (code) => !category(code) : category);
  }

  private readClass(): PatternNode {
    const start = this.at++;
    const isNegated = this.source[this.at] === '^';
    if (isNegated) this.at += 1;
    const tests: ((code: number) => boolean)[] = [];
    while (this.source[this.at] !== ']') {
      if (this.at >= this.source.length) this.fail("This '[' is never closed.", start);
      tests.push(this.readRange());
    }
    this.at += 1;
    return { kind: 'set', has: (code) => tests.some((test) => test(code)) !== isNegated };
  }

  private readRange(): (code: number) => boolean {
    const from = this.readClassCharacter();
    const isRange = this.source[this.at] === '-' && this.source[this.at + 1] !== ']';
    if (typeof from === 'function' || !isRange) return this.toTest(from);
    this.at += 1;
    const to = this.readClassCharacter();
    if (typeof to === 'function')
      this.fail("A range ends with a character. Write '\\-' where no range is meant.");
    if (to < from) this.fail('This range runs backwards.');
    return this.loosen((code) => code >= from && code <= to);
  }

  private toTest(one: number | ((code: number) => boolean)): (code: number) => boolean {
    if (typeof one === 'function') return one;
    if (!this.isLoose) return (code) => code === one;
    const wanted = toOneCase(one);
    return (code) => code === one || toOneCase(code) === wanted;
  }

  private loosen(has: (code: number) => boolean): (code: number) => boolean {
    if (!this.isLoose) return has;
    return (code) => has(code) || has(toOneCase(code)) || has(toLower(code));
  }

  /** In a class `\b` is a backspace. */
  private readClassCharacter(): number | ((code: number) => boolean) {
    if (this.source.startsWith('\\b', this.at)) {
      this.at += 2;
      return 8;
    }
    return this.readCharacter();
  }
}

/** A letter of one case for all its cases, as the engine has it: `ß` is no `SS`, and no letter becomes one of ASCII. */
function toOneCase(code: number): number {
  const upper = String.fromCodePoint(code).toUpperCase();
  const other = upper.codePointAt(0)!;
  const isOne = upper.length === (other > 0xffff ? 2 : 1);
  return isOne && (code < 128 || other >= 128) ? other : code;
}

function toLower(code: number): number {
  const lower = String.fromCodePoint(code).toLowerCase().codePointAt(0)!;
  return toOneCase(lower) === toOneCase(code) ? lower : code;
}

/** null: there is no such category. */
function makeCategory(name: string): ((code: number) => boolean) | null {
  try {
    const one = new RegExp(`^\\p{${name}}$`, 'u');
    return (code) => one.test(String.fromCodePoint(code));
  } catch {
    return null;
  }
}
