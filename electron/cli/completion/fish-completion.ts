import {
  FIRST_OPTIONS,
  groupCommands,
  kindOfValue,
  listEnvironments,
  listFirstWords,
  secondWord,
  type DescribedCommand,
} from './describe-commands';

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function writeFishCompletion(commands: readonly DescribedCommand[]): string {
  const pairs = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => quote(name));
  const at = (name: string): string => quote(`__countersign_at ${quote(name)}`);
  const offer = (name: string, word: string, title: string): string =>
    `complete -c countersign -f -n ${at(name)} -a ${quote(word)} -d ${quote(title)}`;
  const argumentChoices = commands.flatMap(({ name, positionals }) =>
    positionals.flatMap(({ name: argument, choices }, index) => {
      if (choices === undefined) return [];
      const isHere = `__countersign_at ${quote(name)}; and __countersign_count ${name.split(' ').length + 1 + index}`;
      return `complete -c countersign -f -n ${quote(isHere)} -a ${quote(choices.join(' '))} -d ${quote(argument)}`;
    }),
  );
  const options = commands.flatMap(({ name, options: all }) =>
    all.map(([option, spec]) => {
      const offers = {
        choices: `-x -a ${quote(spec.choices?.join(' ') ?? '')}`,
        environments: "-x -a '(__countersign_environments)'",
        files: '-r',
        nothing: '-x',
      };
      const values = offers[kindOfValue(option, spec)];
      const takes = spec.type === 'flag' ? '' : ` ${values}`;
      return `complete -c countersign -n ${at(name)} -l ${option}${takes} -d ${quote(spec.help)}`;
    }),
  );
  return [
    '# Completion of countersign for fish: countersign completion fish | source',
    'function __countersign_words',
    '    set -l words (commandline -opc)',
    '    test "$words[2]" = help; and set -e words[2]',
    "    printf '%s\\n' $words",
    'end',
    'function __countersign_environments',
    `    sh -c ${quote(listEnvironments)}`,
    'end',
    'function __countersign_at --argument-names wanted',
    '    set -l words (__countersign_words)',
    '    set -l command "$words[2]"',
    '    set -l pair "$words[2] $words[3]"',
    `    contains -- $pair ${pairs.join(' ')}; and set command $pair`,
    '    test "$command" = "$wanted"',
    'end',
    'function __countersign_count --argument-names wanted',
    '    test (count (__countersign_words)) -eq $wanted',
    'end',
    ...listFirstWords(commands).map(([word, title]) => offer('', word, title)),
    ...FIRST_OPTIONS.map(
      ([name, title]) => `complete -c countersign -f -n ${at('')} -l ${name} -d ${quote(title)}`,
    ),
    ...[...groupCommands(commands)].flatMap(([first, members]) =>
      members.map((command) => offer(first, secondWord(command), command.title)),
    ),
    ...argumentChoices,
    ...options,
  ].join('\n');
}
