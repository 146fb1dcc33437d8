import type { ExpectationFault } from './expectation';

/** Thrown where a line cannot be read; `readExpectation` gives it back as a value. */
export class LineFault extends Error {
  constructor(readonly fault: ExpectationFault) {
    super(fault.message);
  }
}

/** Reads one line from left to right, and says where it stopped. */
export class TextReader {
  private at = 0;

  constructor(readonly text: string) {
    this.skipBlanks();
  }

  get offset(): number {
    return this.at;
  }

  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next word, up to a blank; empty at the end. */
  peek(): string {
    return /^\S*/.exec(this.text.slice(this.at))?.[0] ?? '';
  }

  /** Takes the next word. @param what - that is missing where the line ends here */
  take(what: string): string {
    const word = this.peek();
    if (word === '') this.fail(`${what} is missing at the end.`);
    this.move(word.length);
    return word;
  }

  skip(word: string): boolean {
    if (this.peek() !== word) return false;
    this.move(word.length);
    return true;
  }

  /** Takes so many characters, and the blanks behind them. */
  move(count: number): string {
    const taken = this.text.slice(this.at, this.at + count);
    this.at += count;
    this.skipBlanks();
    return taken;
  }

  /** What is left, up to the end of the line. */
  rest(): string {
    return this.text.slice(this.at).trimEnd();
  }

  fail(message: string, start = this.at, end = Math.max(start, this.text.length)): never {
    throw new LineFault({ message, start, end });
  }

  /** Says that something stands where the line should have ended. */
  requireEnd(): void {
    if (!this.isAtEnd()) this.fail(`“${this.rest().slice(0, 40)}” is one word too many.`);
  }

  private skipBlanks(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at += 1;
  }
}
