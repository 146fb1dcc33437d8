import { nameValue, type OptionSpec } from '../option-table';
import type { DescribedCommand } from './describe-commands';

/** Backslashes are roff's own, a plain dash may be drawn as a hyphen, and a dot or quote at the start is a request. */
const escape = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=['.])/gm, '\\&')
    // Not every roff reads UTF-8.
    .replace(
      /[^\n -~]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );

function describeOption([name, spec]: readonly [string, OptionSpec]): string[] {
  const value = spec.type === 'flag' ? '' : ` \\fI${escape(nameValue(spec))}\\fR`;
  const remarks = [
    ...(spec.choices ? [`One of ${spec.choices.join(', ')}.`] : []),
    ...(spec.fallback === undefined || spec.fallback === '' ? [] : [`Default: ${spec.fallback}.`]),
    ...(spec.isRequired ? ['Required.'] : []),
    ...(spec.isList ? ['May be repeated.'] : []),
  ];
  const help = /[.!?]$/.test(spec.help) ? spec.help : `${spec.help}.`;
  return ['.TP', `\\fB\\-\\-${escape(name)}\\fR${value}`, escape([help, ...remarks].join(' '))];
}

function describeCommand({ name, usage, summary, positionals, options, notes }: DescribedCommand): string[] {
  return [
    `.SS ${escape(name)}`,
    `.B countersign ${escape(usage)}`,
    '.PP',
    escape(summary),
    ...positionals.flatMap((one) => [
      '.TP',
      `\\fI${escape(one.name)}\\fR`,
      escape(one.choices === undefined ? one.help : `${one.help}: one of ${one.choices.join(', ')}.`),
    ]),
    ...options.flatMap(describeOption),
    ...notes.flatMap((note) => ['.PP', escape(note)]),
  ];
}

/** Writes the manual of the whole command line, for `man countersign`. */
export function writeManPage(commands: readonly DescribedCommand[], version: string): string {
  return [
    `.TH COUNTERSIGN 1 "" "countersign ${escape(version)}" "User Commands"`,
    '.SH NAME',
    'countersign \\- sign, send, receive and look up payments; a sandbox of the whole service',
    '.SH SYNOPSIS',
    '.B countersign',
    '.I COMMAND',
    '.RI [ options ]',
    '.SH COMMANDS',
    ...commands.flatMap(describeCommand),
    '.SH EXIT STATUS',
    ...[
      ['0', 'Done.'],
      ['1', 'What was asked is false, or was refused.'],
      ['2', 'Wrong usage, or bad input; one line on standard error says which.'],
      ['3', 'Not reachable, or timed out.'],
      ['129', 'Ended as its terminal was closed.'],
      [
        '130',
        'Ended by Ctrl+C before it was done; what runs until then (sandbox, listen, proxy, app) ends with 0.',
      ],
      ['143', 'Ended by SIGTERM before it was done; what runs until then ends with 0.'],
    ].flatMap(([code, meaning]) => ['.TP', `.B ${code}`, meaning!]),
    '',
  ].join('\n');
}
