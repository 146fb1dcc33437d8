/** What `date` writes for its letters, as patterns here have it. @source date(1); Day.js, formats */
const letters: Readonly<Record<string, string>> = {
  Y: 'YYYY',
  y: 'YY',
  m: 'MM',
  d: 'DD',
  H: 'HH',
  M: 'mm',
  S: 'ss',
  F: 'YYYY-MM-DD',
  T: 'HH:mm:ss',
  R: 'HH:mm',
  z: 'ZZ',
  ':z': 'Z',
  '3N': 'SSS',
  '%': '%',
};

const uuid =
  /^(?:uuidgen(?: +-r)?|cat +\/proc\/sys\/kernel\/random\/uuid)(?: *\| *tr +['"]?(?:A-Z|\[:upper:\]|\[A-Z\])['"]? +['"]?(?:a-z|\[:lower:\]|\[a-z\])['"]?)?$/;
const date =
  /^date(?<utc> +(?:-u|--utc|--universal))? +(?<quote>["']?)\+(?<inner>["']?)(?<format>[^"'`$\\]{1,100})\k<inner>\k<quote>$/;

/**
 * Gives the variable that stands for what a command prints, where the app can draw the same for each send.
 *
 * @param written - `$(…)` or in backticks
 * @returns an expression without its braces; null: only running the command would tell
 */
export function readKnownOutput(written: string): string | null {
  const command = written.replace(/^\$\(|^`|[)`]$/g, '').trim();
  if (uuid.test(command)) return '$uuid';
  const { utc, format = '' } = date.exec(command)?.groups ?? {};
  if (format === '%s') return '$timestamp';
  const pattern = format === '' ? null : readFormat(format);
  return pattern === null ? null : `${utc === undefined ? '$localDatetime' : '$datetime'} '${pattern}'`;
}

function readFormat(format: string): string | null {
  let pattern = '';
  for (const [part, letter] of format.matchAll(/%(:z|3N|[^])|[A-Za-z]+|[^]/g)) {
    const known = letter === undefined ? writeText(part) : letters[letter];
    if (known === undefined) return null;
    pattern += known;
  }
  return pattern;
}

/** Letters would be read as a pattern; a bracket or brace would end it. */
const writeText = (text: string): string | undefined =>
  /^[A-Za-z]/.test(text) ? `[${text}]` : /[[\]{}%]/.test(text) ? undefined : text;
