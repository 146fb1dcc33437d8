import { activeCharacters, escapeUnit } from './hidden-characters';

/**
 * What a build server does as it reads it in a log: Azure and GitHub anywhere in a line, TeamCity at its beginning. Each
 * sets variables, masks words or ends the build.
 */
export const loggedCommand = /##(?:vso|teamcity)?\[/gi;
/** The same at the beginning of a line, white space before it or not, as GitHub has it today. */
const commandLine = /^([^\S\n\r\u2028\u2029]*):(?=:[a-z][a-z-]*(?: [^\n]*?)?::)/gim;

/**
 * Writes what a terminal or a build server would act on as `\xNN` or `\uNNNN`: what came from a network must not move the
 * cursor, rename the window, hide a line, or set a variable of the build.
 */
export function toPlainText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(activeCharacters, (character) => {
      const code = character.charCodeAt(0);
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : escapeUnit(character);
    })
    .replace(loggedCommand, (command) => `${command.slice(0, -1)}\\x5b`)
    .replace(commandLine, '$1\\x3a');
}

/** JSON leaves these as they are, and many a program that reads lines ends one at them: Python's `splitlines`, YAML 1.1. */
const lineSeparators = /[\u2028\u2029]/g;

/** JSON on one line, with the same escaped as JSON has it: a terminal shows it, a program reads it. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(lineSeparators, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'))
    .replace(activeCharacters, escapeUnit)
    .replace(loggedCommand, (command) => `${command.slice(0, -1)}\\u005b`);
}

/** The same for a text that must stay on its line. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/[\n\u2028\u2029]/g, '\\n');
}
