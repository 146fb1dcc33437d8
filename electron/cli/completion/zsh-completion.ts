import { nameValue, type OptionSpec, type PositionalSpec } from '../option-table';
import {
  FIRST_OPTIONS,
  groupCommands,
  kindOfValue,
  listEnvironments,
  listFirstWords,
  secondWord,
  type DescribedCommand,
} from './describe-commands';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** Colons and brackets part the fields of what `_arguments` and `_describe` read. */
const escape = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

function describeOption([name, spec]: readonly [string, OptionSpec]): string {
  const offers = {
    choices: `(${spec.choices?.join(' ') ?? ''})`,
    environments: '_countersign_environments',
    files: '_files',
    nothing: ' ',
  };
  const value = `:${escape(nameValue(spec))}:${offers[kindOfValue(name, spec)]}`;
  return quote(
    `${spec.isList === true ? '*' : ''}--${name}[${escape(spec.help)}]${spec.type === 'flag' ? '' : value}`,
  );
}

const describeArgument = ({ name, choices }: PositionalSpec, index: number): string[] =>
  choices === undefined ? [] : [quote(`${index + 1}:${escape(name)}:(${choices.join(' ')})`)];

const describeWords = (words: readonly (readonly [string, string])[]): string =>
  words.map(([word, title]) => quote(`${escape(word)}:${escape(title)}`)).join(' ');

/** Writes what zsh completes `countersign` by: to be sourced, or to be found on `fpath` as `_countersign`. */
export function writeZshCompletion(commands: readonly DescribedCommand[]): string {
  const pairs = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => quote(name));
  const groups = [...groupCommands(commands)].map(([first, members]) => {
    const words = members.map((command) => [secondWord(command), command.title] as const);
    return `      ${first}) candidates=(${describeWords(words)}) ;;`;
  });
  return [
    '#compdef countersign',
    '# Completion of countersign for zsh: source <(countersign completion zsh)',
    '_countersign_environments() {',
    '  local -a names',
    `  names=(\${(f)"$(setopt nullglob; ${listEnvironments})"})`,
    '  compadd -a names',
    '}',
    '_countersign() {',
    '  local -a candidates',
    '  if [[ "$words[2]" == help ]] && (( CURRENT > 2 )); then',
    '    words=("$words[1]" "${(@)words[3,-1]}")',
    '    (( CURRENT -= 1 ))',
    '  fi',
    '  if (( CURRENT == 2 )); then',
    `    candidates=(${describeWords(listFirstWords(commands))})`,
    `    [[ "$words[2]" == -* ]] && candidates=(${describeWords(FIRST_OPTIONS.map(([name, title]) => [`--${name}`, title]))})`,
    '    _describe command candidates',
    '    return',
    '  fi',
    '  if (( CURRENT == 3 )); then',
    '    case "$words[2]" in',
    ...groups,
    '    esac',
    '    (( $#candidates )) && _describe command candidates',
    '  fi',
    '  local command="$words[2]" skipped=1',
    '  if (( CURRENT > 3 )); then',
    '    case "$words[2] $words[3]" in',
    `      ${pairs.join('|')}) command="$words[2] $words[3]" skipped=2 ;;`,
    '    esac',
    '  fi',
    '  shift $skipped words',
    '  (( CURRENT -= skipped ))',
    '  case "$command" in',
    ...commands.map(
      ({ name, options, positionals }) =>
        `    ${quote(name)}) _arguments ${[...options.map(describeOption), ...positionals.flatMap(describeArgument)].join(' ')} '*:FILE:_files' ;;`,
    ),
    '  esac',
    '}',
    'if [[ "$funcstack[1]" == _countersign ]]; then _countersign "$@"; else compdef _countersign countersign; fi',
  ].join('\n');
}
