import { searchWords } from '@shared/actions/search-words';
import { go, snapshot, type KeyResult, type SnapshotKey } from 'fuzzysort';
import { ownValue } from '@shared/own-value';
import type { AppCommand } from '../session/commands';

const mostShown = 100;
/** Below it letters stand so far apart that nobody meant them. */
const leastScore = 0.2;

export interface FoundCommand {
  id: string;
  command: AppCommand;
  /** Places of the letters that were typed, in the title and, a space on, in the group. */
  matched: ReadonlySet<number>;
}

/**
 * Makes the search over some commands: letters in their order, words in any order, in title and group.
 * @returns what is found for a query, the best first; all of them, in their order, for an empty one
 */
export function searchCommands(commands: readonly AppCommand[]): (query: string) => FoundCommand[] {
  const whole = snapshot(commands, { key: textOf });
  const narrow = commands.length > mostWeighed ? holdCommands(commands) : () => null;
  const none: ReadonlySet<number> = new Set();
  return (query) =>
    nameOf(query) === ''
      ? commands.slice(0, mostShown).map((command) => ({ id: command.id, command, matched: none }))
      : go(nameOf(query), narrow(nameOf(query)) ?? whole, {
          limit: mostShown,
          threshold: leastScore,
          scoreFn: (one) => preferTitle(one, query),
        }).map(({ obj, indexes }) => ({
          id: obj.id,
          command: obj,
          matched: new Set(indexes),
        }));
}

/** Adds what an action of the table is found by, too; what comes of data has words of its own. */
export function addWords(command: AppCommand): AppCommand {
  const words = ownValue(searchWords, command.id);
  return words === undefined ? command : { ...command, words };
}

const textOf = ({ title, group, words = '' }: AppCommand): string => `${title} ${group} ${words}`;

/** So many are weighed letter by letter at each key stroke: of twenty thousand requests that would hold the window up. */
const mostWeighed = 1000;

/** Finds among many those that hold each word as it was typed, first what begins so, the shortest first; null: none does. */
function holdCommands(commands: readonly AppCommand[]) {
  const entries = commands
    .map((command) => ({ command, text: textOf(command).toLowerCase() }))
    .toSorted((a, b) => a.command.title.length - b.command.title.length);
  return (wanted: string): SnapshotKey<AppCommand> | null => {
    const words = wanted.split(/\s+/);
    const held = entries.filter(({ text }) => words.every((word) => text.includes(word)));
    if (held.length === 0) return null;
    const isBegun = ({ text }: { text: string }): boolean => text.startsWith(wanted);
    const best = [...held.filter(isBegun), ...held.filter((one) => !isBegun(one))].slice(0, mostWeighed);
    return snapshot(
      best.map(({ command }) => command),
      { key: textOf },
    );
  };
}

/**
 * A group is the same for many: what is found by its title comes before what is found by its group, and what
 * begins so before everything else, the shortest first. Then what has words that begin so, in its title first: letters that
 * stand apart are a guess beside that.
 */
function preferTitle({ score, indexes, obj }: KeyResult<AppCommand>, query: string): number {
  const { title, words = '' } = obj;
  const wanted = nameOf(query);
  if (nameOf(title).startsWith(wanted)) return 1 + wanted.length / title.length;
  const inTitle = indexes.filter((index) => index < title.length).length;
  const likeness = score * (0.8 + (0.2 * inTitle) / indexes.length);
  if (wanted.length < leastWord) return likeness;
  if (hasWordsFrom(title, wanted)) return guess + (1 - guess) * likeness;
  return hasWordsFrom(words, wanted) ? guess : guess * likeness;
}

/** What letters that stand apart come to at most. */
const guess = 0.9;
/** Fewer letters begin too many words. */
const leastWord = 3;

/** Whether words of a text, one or several in their order, begin so. */
function hasWordsFrom(text: string, wanted: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1]!)) return true;
  return false;
}

/** Those of a command's words in which letters were found, each with its place in what was searched: why it stands there. */
export function listFoundWords({ command, matched }: FoundCommand): { text: string; offset: number }[] {
  const { title, group, words } = command;
  if (words === undefined) return [];
  let offset = title.length + group.length + 2;
  return words.split(', ').flatMap((text) => {
    const place = { text, offset };
    offset += text.length + 2;
    return [...matched].some((index) => index >= place.offset && index < place.offset + text.length)
      ? [place]
      : [];
  });
}

/** A title without the dots that promise a question. */
const nameOf = (title: string): string =>
  title
    .replace(/(?:…|\.{3})$/, '')
    .trim()
    .toLowerCase();

/** Cuts a text into pieces that were typed and pieces that were not; `offset`: its place in what was searched. */
export function cutMatches(
  text: string,
  matched: ReadonlySet<number>,
  offset = 0,
): { text: string; isMatched: boolean }[] {
  const pieces: { text: string; isMatched: boolean }[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const isMatched = matched.has(index + offset);
    const last = pieces.at(-1);
    if (last?.isMatched === isMatched) last.text += text[index];
    else pieces.push({ text: text[index] ?? '', isMatched });
  }
  return pieces;
}
