import type { Command } from './command';
import { commandList } from './command-list';
import { listOptions, nameValue, type OptionSpec } from './option-table';

function printRows(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}

function describeOption([name, spec]: readonly [string, OptionSpec]): [string, string] {
  const left = spec.type === 'flag' ? `--${name}` : `--${name} ${nameValue(spec)}`;
  const remarks = [
    ...(spec.choices ? [`one of ${spec.choices.join(', ')}`] : []),
    ...(spec.fallback === undefined || spec.fallback === '' ? [] : [`default ${spec.fallback}`]),
    ...(spec.isRequired ? ['required'] : []),
    ...(spec.isList ? ['may be repeated'] : []),
  ];
  return [left, remarks.length === 0 ? spec.help : `${spec.help} (${remarks.join('; ')})`];
}

/** The help of the whole command line, of one group of commands, or both. */
export function printOverview(names: readonly string[] = Object.keys(commandList)): string {
  const rows = names.map((name) => [name, commandList[name]?.summary ?? ''] as const);
  return [
    'Usage: countersign COMMAND [options]',
    '',
    'Commands:',
    ...printRows(rows),
    '',
    'countersign COMMAND --help tells the options of one; --version tells the version.',
    'Exit codes: 0 done; 1 what was asked is false or was refused; 2 wrong usage or bad input; 3 not reachable or timed out.',
  ].join('\n');
}

export function printCommandHelp(command: Command): string {
  const options = Object.entries(listOptions(command.options)).map(describeOption);
  const positionals = command.positionals.map(
    ({ name, help, choices }) =>
      [name, choices === undefined ? help : `${help} (one of ${choices.join(', ')})`] as const,
  );
  return [
    `Usage: countersign ${command.usage}`,
    '',
    `${command.summary}`,
    ...(positionals.length === 0 ? [] : ['', 'Arguments:', ...printRows(positionals)]),
    '',
    'Options:',
    ...printRows(options),
    ...(command.notes === undefined ? [] : ['', ...command.notes]),
  ].join('\n');
}
