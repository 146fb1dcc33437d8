import { findTextEnd, readJsonText } from './mask-nested';
import { isSecretName } from './secrets';

/** The value of a secret as it is written in a text, and the name that stands beside it. */
export interface PairedValue {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** A list or an object that is being read. */
interface Frame {
  readonly isObject: boolean;
  readonly from: number;
  /** Of an object: the name of the member whose value comes next. */
  member: string;
  /** The name of a secret: of an object in one of its members, of a list the last element. */
  secretName: string | null;
  /** What may be the value: of an object its members of such names, of a list what stands behind a secret's name. */
  readonly values: (PairedValue & { readonly isSure: boolean })[];
  count: number;
}

const NAME_MEMBER =
  /(?:^|_)(?:name|key|header|field|id|param|parameter|property|variable|label|type|kind|k|n)$/i;
const VALUE_MEMBER = /(?:^|_)(?:value|val|v|content|text|data)$/i;
const USER_OPTION = /^(?:-[a-zA-Z]{0,9}u|-U|--(?:proxy-)?user)$/;
/** A name beside a name is a list of names, as forms and schemas have it. */
const LOOKS_LIKE_NAME = /^[A-Za-z_][\w.-]{0,80}$/;
const HAS_DIGIT = /\d/;
/** A text that stands for itself and may be a name. */
const LONE_TEXT = /["']([^"'\s]{1,200})["'](?=\s{0,80}(?:[,)\]}]|$))/g;
const BARE = /[\w.+-]+/y;
const NAMES_WHAT_FOLLOWS = /\s*(?::|=>)/y;
/** Deeper ones are made to deceive, and are read as if they had no brackets. */
const MOST_DEPTH = 1000;

const isNameOfSecret = (text: string): boolean => isSecretName(text) || USER_OPTION.test(text);

/**
 * Finds the values of secrets whose names stand beside them as values of their own: members of one object, in whatever
 * order (`{"value":"…","name":"api_key"}`), and neighbours in a list (`["api_key","…"]`).
 *
 * Reads what is nearly JSON, too: single quotes, tuples, texts that were cut off. Takes linear time.
 * @returns places in order, without overlaps
 */
export function findPairedValues(text: string): PairedValue[] {
  if (!hasLoneName(text)) return [];
  const found = new PairReader(text).read();
  found.sort((left, right) => left.from - right.from || right.to - left.to);
  let end = 0;
  return found.filter(({ from, to }) => from >= end && ((end = to), true));
}

/** Most texts have none, and are not read. */
function hasLoneName(text: string): boolean {
  LONE_TEXT.lastIndex = 0;
  for (let one = LONE_TEXT.exec(text); one !== null; one = LONE_TEXT.exec(text)) {
    if (isNameOfSecret(readJsonText(one[1]!))) return true;
    // The quote at its end may begin the next one.
    LONE_TEXT.lastIndex -= 1;
  }
  return false;
}

class PairReader {
  private readonly found: PairedValue[] = [];
  private readonly frames: Frame[] = [startFrame(true, 0)];
  private tooDeep = 0;
  private at = 0;
  private lineEnd = -1;
  /** A quote begins a text behind a sign alone: all others are of prose. */
  private isBehindSign = true;

  constructor(private readonly text: string) {}

  read(): PairedValue[] {
    while (this.at < this.text.length) if (!this.isBehindSign || !this.readScalar()) this.readSign();
    while (this.frames.length > 0) this.closeFrame();
    return this.found;
  }

  private get frame(): Frame {
    return this.frames.at(-1)!;
  }

  private readScalar(): boolean {
    const { text, at } = this;
    const character = text[at]!;
    if (character === '"' || character === "'") {
      const end = findTextEnd(text, at + 1, character);
      if (this.lineEnd <= at) this.lineEnd = findLineEnd(text, at);
      this.isBehindSign = false;
      if (end > this.lineEnd) this.at += 1;
      else this.take(Math.min(end + 1, text.length), readJsonText(text.slice(at + 1, end)));
      return true;
    }
    BARE.lastIndex = at;
    const bare = BARE.exec(text)?.[0];
    if (bare === undefined) return false;
    this.isBehindSign = false;
    this.take(at + bare.length, bare);
    return true;
  }

  private take(to: number, written: string): void {
    const { at: from, frame } = this;
    this.at = to;
    NAMES_WHAT_FOLLOWS.lastIndex = to;
    if (frame.isObject && NAMES_WHAT_FOLLOWS.test(this.text)) frame.member = written;
    else addValue(frame, { from, to, written });
  }

  private readSign(): void {
    const character = this.text[this.at]!;
    this.at += 1;
    if (/\s/.test(character)) return;
    this.isBehindSign = /[{[(,:>]/.test(character);
    if (/[{[(]/.test(character)) {
      if (this.frames.length >= MOST_DEPTH) this.tooDeep += 1;
      else this.frames.push(startFrame(character === '{', this.at - 1));
    } else if (/[)\]}]/.test(character)) {
      if (this.tooDeep > 0) this.tooDeep -= 1;
      else if (this.frames.length > 1) this.closeFrame();
    }
  }

  private closeFrame(): void {
    const frame = this.frames.pop()!;
    const around = this.frames.at(-1);
    const isPair = frame.count === 2 && around?.isObject === false;
    for (const { from, to, name, isSure } of frame.values) {
      if (!frame.isObject && (isSure || isPair)) this.found.push({ from, to, name });
      else if (frame.isObject && frame.secretName !== null)
        this.found.push({ from, to, name: frame.secretName });
    }
    if (around !== undefined) addValue(around, { from: frame.from, to: this.at, written: null });
  }
}

const startFrame = (isObject: boolean, from: number): Frame => ({
  isObject,
  from,
  member: '',
  secretName: null,
  values: [],
  count: 0,
});

/** @param written - null: a list or an object */
function addValue(
  frame: Frame,
  { from, to, written }: { from: number; to: number; written: string | null },
): void {
  if (frame.isObject) {
    const member = frame.member.replace(/([a-z\d])([A-Z])/g, '$1_$2');
    if (written !== null && NAME_MEMBER.test(member) && isSecretName(written)) frame.secretName = written;
    else if (VALUE_MEMBER.test(member)) frame.values.push({ from, to, name: '', isSure: true });
    frame.member = '';
    return;
  }
  frame.count += 1;
  if (frame.secretName !== null && (written === null || !isNameOfSecret(written))) {
    const isSure = written !== null && !isName(written);
    frame.values.push({ from, to, name: frame.secretName, isSure });
  }
  frame.secretName = written !== null && isNameOfSecret(written) ? written : null;
}

const isName = (written: string): boolean => LOOKS_LIKE_NAME.test(written) && !HAS_DIGIT.test(written);

function findLineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Splits what may be shown off the value behind `-u`: the user's name. */
export function splitUser(name: string, value: string): string {
  return USER_OPTION.test(name) ? value.slice(0, value.indexOf(':') + 1) : '';
}
