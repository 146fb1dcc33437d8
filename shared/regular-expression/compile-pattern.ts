import { isLineEnd, isWord, PatternFault, PatternParser, type PatternNode } from './parse-pattern';

export { PatternFault } from './parse-pattern';

type Step =
  | { readonly op: 'set'; readonly has: (code: number) => boolean }
  | { readonly op: 'at'; readonly place: 'start' | 'end' | 'word' | 'no_word' }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'found' };

/** A pattern that finds out in bounded time whether a text holds it. */
export interface SafePattern {
  /** @returns null where the text is too long to be searched with this pattern */
  test(text: string): boolean | null;
  /** What making it and its searches so far have cost, in steps. */
  readonly work: number;
}

/** A pattern of more steps would take too long over a body. */
const mostSteps = 4000;
/** Steps of one search: a fraction of a second. */
const mostWork = 5_000_000;

/**
 * Makes a pattern that no text and no author can hang.
 *
 * The patterns of a file come from whoever wrote it. The engine's own tries one way after another, which takes years for
 * `(a+)+$`; this one follows all ways at once, so that time is at most steps × characters, and that is bounded.
 * @param source - syntax of JavaScript, without look-around and back references
 * @param flags - of `i`, `m`, `s`, `u`
 * @throws {PatternFault} with the offset in `source`
 */
export function compilePattern(source: string, flags: string): SafePattern {
  const unknown = /[^imsu]/.exec(flags)?.[0];
  if (unknown !== undefined)
    throw new PatternFault(`There is no flag '${unknown}': use i, m, s.`, source.length);
  const isDot = flags.includes('s') ? () => true : (code: number): boolean => !isLineEnd(code);
  const program: Step[] = [];
  emit(program, new PatternParser(source, isDot, flags.includes('i')).parse());
  program.push({ op: 'found' });
  return new Search(program, flags.includes('m'));
}

/**
 * Makes a pattern of JSONPath's `match` and `search`: an I-Regexp, and what else `compilePattern` reads.
 *
 * @param isWhole - it has to match the text from its beginning to its end
 * @throws {PatternFault} with the offset in `source`
 * @source RFC 9485; RFC 9535, 2.4.6 and 2.4.7
 */
export function compileIRegexp(source: string, isWhole: boolean): SafePattern {
  const tree = new PatternParser(source, (code) => code !== 10 && code !== 13).parse();
  const program: Step[] = [];
  if (isWhole) push(program, { op: 'at', place: 'start' });
  emit(program, tree);
  if (isWhole) push(program, { op: 'at', place: 'end' });
  program.push({ op: 'found' });
  return new Search(program, false);
}

function push(program: Step[], step: Step): number {
  if (program.length >= mostSteps)
    throw new PatternFault('This pattern repeats too much. Make it simpler.', 0);
  return program.push(step) - 1;
}

function emit(program: Step[], node: PatternNode): void {
  if (node.kind === 'set') push(program, { op: 'set', has: node.has });
  else if (node.kind === 'at') push(program, { op: 'at', place: node.place });
  else if (node.kind === 'all') for (const part of node.parts) emit(program, part);
  else if (node.kind === 'any') emitChoice(program, node.parts);
  else emitRepeat(program, node);
}

function emitChoice(program: Step[], parts: readonly PatternNode[]): void {
  const jumps: { op: 'jump'; to: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    if (!isLast) push(program, split);
    emit(program, part);
    if (isLast) continue;
    const jump = { op: 'jump' as const, to: 0 };
    push(program, jump);
    jumps.push(jump);
    split.second = program.length;
  }
  for (const jump of jumps) jump.to = program.length;
}

function emitRepeat(program: Step[], { part, least, most }: Extract<PatternNode, { kind: 'repeat' }>): void {
  for (let count = 0; count < least; count += 1) emit(program, part);
  if (most === Infinity) {
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    const at = push(program, split);
    emit(program, part);
    push(program, { op: 'jump', to: at });
    split.second = program.length;
    return;
  }
  const splits: { op: 'split'; first: number; second: number }[] = [];
  for (let count = least; count < most; count += 1) {
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    push(program, split);
    splits.push(split);
    emit(program, part);
  }
  for (const split of splits) split.second = program.length;
}

/** A step that takes a character, and where it leads. */
interface Reached {
  readonly has: (code: number) => boolean;
  readonly next: number;
}

/** Follows all ways through a program at once. */
class Search implements SafePattern {
  work: number;
  private readonly seen: Uint32Array;
  private turn = 0;

  constructor(
    private readonly program: readonly Step[],
    private readonly isMultiline: boolean,
  ) {
    this.seen = new Uint32Array(program.length);
    this.work = program.length;
  }

  test(text: string): boolean | null {
    this.seen.fill(0);
    this.turn = 0;
    const most = this.work + mostWork;
    let threads: number[] = [];
    for (let at = 0; ;) {
      const code = at < text.length ? text.codePointAt(at)! : -1;
      this.turn += 1;
      const here: Reached[] = [];
      for (const thread of threads) if (this.follow(here, thread, text, at)) return true;
      if (this.follow(here, 0, text, at)) return true;
      if (this.work > most) return null;
      if (code === -1) return false;
      threads = here.filter(({ has }) => has(code)).map(({ next }) => next);
      at += code > 0xffff ? 2 : 1;
    }
  }

  /** Adds what can be reached without a character; true: the end of the program. */
  private follow(reached: Reached[], from: number, text: string, at: number): boolean {
    const open = [from];
    for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
      if (this.seen[pc] === this.turn) continue;
      this.seen[pc] = this.turn;
      this.work += 1;
      const step = this.program[pc]!;
      if (step.op === 'found') return true;
      if (step.op === 'set') reached.push({ has: step.has, next: pc + 1 });
      else if (step.op === 'jump') open.push(step.to);
      else if (step.op === 'split') open.push(step.second, step.first);
      else if (this.isAt(step.place, text, at)) open.push(pc + 1);
    }
    return false;
  }

  private isAt(place: 'start' | 'end' | 'word' | 'no_word', text: string, at: number): boolean {
    const before = at === 0 ? -1 : text.charCodeAt(at - 1);
    const after = at === text.length ? -1 : text.charCodeAt(at);
    if (place === 'start') return before === -1 || (this.isMultiline && isLineEnd(before));
    if (place === 'end') return after === -1 || (this.isMultiline && isLineEnd(after));
    return (isWord(before) !== isWord(after)) === (place === 'word');
  }
}
