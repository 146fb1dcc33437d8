import {
  FIRST_OPTIONS,
  groupCommands,
  kindOfValue,
  listEnvironments,
  listFirstWords,
  secondWord,
  type DescribedCommand,
  type OfferedKind,
} from './describe-commands';

/** Names of our own alone come in here: letters, digits, dashes, blanks. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Words of a closed list by the command and the place on the line at which they stand. */
const listArgumentChoices = ({ name, positionals }: DescribedCommand): [string, readonly string[]][] =>
  positionals.flatMap(({ choices }, index) =>
    choices === undefined ? [] : [[`${name} ${name.split(' ').length + 1 + index}`, choices]],
  );

/**
 * Writes what bash completes `countersign` by: commands, their options, and values where a list of them is closed.
 * Elsewhere bash completes names of files.
 */
export function writeBashCompletion(commands: readonly DescribedCommand[]): string {
  const pairs = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => quote(name));
  const flags = (command: DescribedCommand): string =>
    quote(command.options.map(([name]) => `--${name}`).join(' '));
  const valued = (kind: OfferedKind): string[] =>
    commands.flatMap((command) =>
      command.options
        .filter(([name, spec]) => spec.type !== 'flag' && kindOfValue(name, spec) === kind)
        .map(([name]) => quote(`${command.name} --${name}`)),
    );
  const choices = commands.flatMap((command) =>
    command.options
      .filter(([, spec]) => spec.choices !== undefined)
      .map(
        ([name, spec]) =>
          `    ${quote(`${command.name} --${name}`)}) words=${quote(spec.choices!.join(' '))} ;;`,
      ),
  );
  const groups = [...groupCommands(commands)].map(
    ([first, members]) => [`${first} 2`, members.map(secondWord)] as const,
  );
  const placed = [...groups, ...commands.flatMap(listArgumentChoices)].map(
    ([place, words]) => `      ${quote(place)}) words=${quote(words.join(' '))} ;;`,
  );
  return [
    '# Completion of countersign for bash: source <(countersign completion bash)',
    '_countersign() {',
    '  if [[ ${COMP_WORDS[1]} == help ]] && ((COMP_CWORD > 1)); then',
    '    local -a COMP_WORDS=("${COMP_WORDS[0]}" "${COMP_WORDS[@]:2}")',
    '    local COMP_CWORD=$((COMP_CWORD - 1))',
    '  fi',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}"',
    '  local command="${COMP_WORDS[1]}" words="" second=""',
    '  COMPREPLY=()',
    '  if ((COMP_CWORD == 1)); then',
    `    [[ $current == -* ]] && words=${quote(FIRST_OPTIONS.map(([name]) => `--${name}`).join(' '))} || words=${quote(
      listFirstWords(commands)
        .map(([word]) => word)
        .join(' '),
    )}`,
    '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '    return',
    '  fi',
    '  ((COMP_CWORD > 2)) && second="${COMP_WORDS[2]}"',
    '  case "$command $second" in',
    `    ${pairs.join(' | ')}) command="$command $second" ;;`,
    '  esac',
    '  case "$command $previous" in',
    ...choices,
    `    ${valued('environments').join(' | ')}) words=$(${listEnvironments}) ;;`,
    `    ${valued('files').join(' | ')}) return ;;`,
    `    ${valued('nothing').join(' | ')}) compopt +o default 2>/dev/null; return ;;`,
    '  esac',
    '  if [[ -z $words && $current == -* ]]; then',
    '    case "$command" in',
    ...commands.map((command) => `      ${quote(command.name)}) words=${flags(command)} ;;`),
    '    esac',
    '  elif [[ -z $words ]]; then',
    '    case "$command $COMP_CWORD" in',
    ...placed,
    '    esac',
    '  fi',
    '  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _countersign countersign',
  ].join('\n');
}
