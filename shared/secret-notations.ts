import { decodeForm } from './mask-nested';

/** How names and values stand in one notation. */
export interface SecretNotation {
  readonly pattern: RegExp;
  /** The name as it was meant, without escapes; not given: as it is written. */
  readName?(written: string): string;
  /** The pattern ends where the value begins, which goes on to this quote: a long one is more than a pattern can go back in. */
  readonly quote?: string;
}

/** What says how a credential is meant, in front of it: it may be shown. Any other word may be the first of a passphrase. */
export const SCHEME =
  '(?:(?:bearer|basic|token|digest|api-?key|negotiate|dpop|hawk|jwt) {1,9}(?=[^\\s"\']))?';

/** A notation whose values stand in quotes, once for each kind of them. */
function inQuotes(before: string, name: string, between: string, flags: string): SecretNotation[] {
  return [`"`, `'`].map((quote) => ({
    pattern: new RegExp(`(${before})(${name})(${between}${quote})`, flags),
    quote,
  }));
}

/** Every pattern has the groups before, name, between, and value but where there is a `quote`; all of them take linear time, whatever the text. */
export const secretNotations: readonly SecretNotation[] = [
  // Attributes of XML, assignments of a shell and comparisons: name="value", name == "value".
  {
    pattern:
      /((?:^|[\s<,;({[])(?:--?|[\w.-]{1,60}:)?)([\w.-]{1,200})(\s{0,200}[!=:?+]?={1,2}\s{0,200}(?:"(?=[^"<>]+")|'(?=[^'<>]+')))([^<>]+?)(?=["'])/g,
  },
  // Arguments of GraphQL, members of scripts: name: "value", :name => "value".
  ...inQuotes('(?:^|[\\s,({[|]):?', '[\\w-]{1,200}', '\\s{0,80}(?::|=>)\\s{0,80}', 'g'),
  // Query and form: name=value, blanks around the sign; lines of a shell, an .env file, a log: export NAME=value, (name=value); expectations: header NAME == value.
  {
    pattern:
      /((?:^|[?&#;\r\n])[ \t+]{0,200}(?:export[ \t]{1,9})?|[\s,({[|"'`]-{0,2})([^=&#;?\s"'<>]{1,200})([ \t]{0,200}[!=:?+]?={1,2}[ \t+]{0,200}["']?)([^&#;\s"'<>]+)/g,
    readName: readFormName,
  },
  // Options of a command: --name value.
  {
    pattern: /((?:^|[\s"'`])--)([\w-]{1,80})([ \t]{1,9}["']?)([^\s"'-][^\s"']*)/g,
  },
  // multipart/form-data: name="name", blank line, value.
  {
    pattern:
      /( name="?)([^"\r\n;]{1,200})((?:[";][^\r\n]{0,500})?(?:\r?\n[^\r\n]{1,500}){0,8}\r?\n\r?\n)([^\r\n]+)/gi,
    readName: readFormName,
  },
  // YAML: name: |, the value on the lines below.
  {
    pattern:
      /((?:^|[\r\n])[ \t-]{0,80})([\w.-]{1,200})([ \t]{0,80}:[ \t]{1,80}[|>][-+\d]{0,3}[ \t]{0,80}\r?\n[ \t]{1,80})([^\s][^\r\n]*(?:\r?\n[ \t]{1,80}[^\s][^\r\n]*){0,200})/g,
  },
  // Heads and YAML: name: value, on a line of its own.
  {
    pattern: new RegExp(
      `((?:^|[\\r\\n])[ \\t-]{0,80})([\\w.-]{1,200})([ \\t]{0,80}:[ \\t]{1,80}${SCHEME})((?![|>][-+\\d]{0,3}[ \\t]{0,80}[\\r\\n])(?:\\{\\{|[^\\s"'{[])[^\\r\\n]*)`,
      'gi',
    ),
  },
  // A header as an argument: -H 'Name: value'.
  ...[`"`, `'`].map((quote) => ({
    pattern: new RegExp(`(${quote})([\\w.-]{1,200})([ \\t]{0,80}:[ \\t]{0,80}${SCHEME})`, 'gi'),
    quote,
  })),
  // Name:value without a blank, as arguments of HTTPie and structures of Go have it.
  {
    pattern: /((?:^|[\s,({[])(?:-H)?)([\w.-]{1,200})(:)((?:\{\{[^{}\r\n]{1,240}\}\}|[^\s"'{}[\],;])+)/g,
  },
  // XML: <name>value<, <name><![CDATA[value]]>, and <key>name</key><value>value<.
  {
    pattern: /(<(?:[\w.-]{1,60}:)?)([\w.-]{1,200})((?:\s[^<>]{0,500})?>)([^<>]+)(?=<\/)/g,
  },
  {
    pattern:
      /(<(?:[\w.-]{1,60}:)?)([\w.-]{1,200})((?:\s[^<>]{0,500})?>\s{0,200}<!\[CDATA\[)((?:(?!<!\[CDATA\[)[\s\S])+?)(?=\]\]>|$)/g,
  },
  {
    pattern:
      /(<(?:[\w.-]{1,60}:)?(?:name|key)>\s{0,80})([\w.-]{1,200})(\s{0,80}<\/[\w.:-]{1,60}>\s{0,80}<(?:[\w.-]{1,60}:)?(?:value|string)>)([^<>]+)(?=<\/)/gi,
  },
];

/** `user[password]` and `Login(password` are passwords, however they are percent-encoded. */
function readFormName(written: string): string {
  return decodeForm(written)
    .trim()
    .replace(/^.*[({,|]|[!:+]$/gs, '')
    .replace(/\s+/g, '_')
    .replace(/[[\]]+/g, '.')
    .replace(/\.$/, '');
}
