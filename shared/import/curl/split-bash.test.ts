import { describe, expect, it } from 'vitest';
import { INLINE_BYTES } from './shell-command';
import { splitBash } from './split-bash';
import { splitCmd } from './split-cmd';

/** The words of each command. */
const words = (text: string): string[][] => splitBash(text).map((one) => one.words);
const only = (text: string) => {
  const commands = splitBash(text);
  expect(commands).toHaveLength(1);
  return commands[0]!;
};

describe('words', () => {
  it.each<[string, string[][]]>([
    ['', []],
    [' \t\r\n', []],
    ['a b\tc\rd', [['a', 'b', 'c', 'd']]],
    ['a;b&c(d)e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a&&b||c|d', [['a'], ['b'], ['c'], ['d']]],
    ['a #b\nc', [['a'], ['c']]],
    ['a#b', [['a#b']]],
    ['# only this', []],
    ['a \\\n b', [['a', 'b']]],
    ['a\\\nb', [['ab']]],
    ['a\\\r\nb', [['a', 'b']]],
    ['a \\ \t\nb', [['a', 'b']]],
    ['a\\ b', [['a b']]],
    ['a\\', [['a']]],
    [`a\\${' '.repeat(30)}b`, [['a ', 'b']]],
    ["a 'b c'd", [['a', 'b cd']]],
    ["a ''", [['a', '']]],
    ["a 'b\\'", [['a', 'b\\']]],
    ["a 'b", [['a', 'b']]],
    ['a "b \\" \\\\ \\$ \\` \\x" c', [['a', 'b " \\ $ ` \\x', 'c']]],
    ['a "b\\\nc\\\r\nd\\\re"', [['a', 'bcd\\\re']]],
    ['a ""', [['a', '']]],
    ['a "b', [['a', 'b']]],
    ['a "b\\', [['a', 'b']]],
    ["a $'b\\n\\'c' d", [['a', "b\n'c", 'd']]],
    ['a $"b" c', [['a', 'b', 'c']]],
    [`a "$'b'"`, [['a', "$'b'"]]],
    ['a "$"b""', [['a', '$b']]],
    ['a $ $1 $? b', [['a', '$', '{{argument_1}}', '$?', 'b']]],
    [
      'X=(-H "a b"\n -d c); X+=(d) ; e "${X[@]}" ${X[*]}f',
      [['e', '-H', 'a b', '-d', 'c', 'd', '-H', 'a b', '-d', 'c', 'df']],
    ],
    ['a "${X[@]}" "$@" "${@:2}" b', [['a', 'b']]],
    ['a $B ${C} ${D:-e} $f-g "$H"', [['a', '{{B}}', '{{C}}', '{{D}}', '{{f}}-g', '{{H}}']]],
    ['a $token_payout $token_other', [['a', '{{token.payout}}', '{{token_other}}']]],
    ["a b“c” d'", [['a', 'b“c”', 'd']]],
  ])('of %j are %j', (text, wanted) => {
    expect(words(text)).toEqual(wanted);
  });

  it.each([
    ['a ${B%/}', "What the shell makes of '${B%/}' is not made here: {{B}} stands in its place as it is."],
    [
      'a ${B:0:3}',
      "What the shell makes of '${B:0:3}' is not made here: {{B}} stands in its place as it is.",
    ],
    ['a $1', "'$1' is what its script or function is called with: give {{argument_1}} that value."],
    ['a ${2}', "'${2}' is what its script or function is called with: give {{argument_2}} that value."],
    ['a "$@"', "What '$@' holds is not known here, and is left out."],
    ['a "${X[@]}"', "What '${X[@]}' holds is not known here, and is left out."],
    ['a $$', "The shell has a value of its own for '$$'; here it stands as it is."],
  ])('of %j are said to stand for what the shell would have made', (text, note) => {
    expect(only(text).notes).toEqual([note]);
  });

  it('have what a variable is where nothing gives it', () => {
    const { defaults, notes } = only(
      'a ${B:-1} "${C-x "y" $Z}" ${D:=${E:-2}} ${F:?say it} ${1:-one} ${B:-other}',
    );
    expect([...(defaults ?? [])]).toEqual([
      ['B', '1'],
      ['C', 'x y {{Z}}'],
      ['E', '2'],
      ['D', '{{E}}'],
      ['argument_1', 'one'],
    ]);
    expect(notes).toEqual([]);
  });

  it('are said to be read so where quotes are those of a text processor, once a command', () => {
    expect(only('a “b" ‘c’ „d')).toMatchObject({ words: ['a', 'b', 'c', '„d'] });
    expect(only('a “b” ‘c').words).toEqual(['a', 'b', 'c']);
    expect(only('a “b” ‘c’').notes).toEqual([
      'Its quotes are those of a text processor, and were read as straight ones.',
    ]);
    expect(splitBash('a “b”\nc “d”').map(({ notes }) => notes.length)).toEqual([1, 1]);
  });
});

describe('what is not for the command', () => {
  it.each<[string, string[][]]>([
    ['a > b c', [['a', 'c']]],
    ['a >b c', [['a', 'c']]],
    ['a >> "b c" d', [['a', 'd']]],
    ["a > 'b c' d", [['a', 'd']]],
    ['a 2>&1 b', [['a', 'b']]],
    ['a 2> b c', [['a', 'c']]],
    ['a12 > b', [['a12']]],
    ['a 12> b', [['a', '12']]],
    ['a < b c', [['a', 'c']]],
    ['a >b;c', [['a'], ['c']]],
    ['a >b|c', [['a'], ['c']]],
    ['a >b&c', [['a'], ['c']]],
    ['a >"b', [['a', 'b']]],
  ])('is left out of %j: %j', (text, wanted) => {
    expect(words(text)).toEqual(wanted);
  });

  it('but the bytes that our own export writes into it', () => {
    const own = "curl --data-binary @<(printf %s 'AAH/+w==' | openssl base64 -d -A) u";
    expect(words(own)).toEqual([['curl', '--data-binary', `@${INLINE_BYTES}AAH/+w==`, 'u']]);
  });
});

describe('what a command is handed as a file', () => {
  it.each<[string, string[][]]>([
    ['a @<(printf %s \'x\'"$Y") b', [['a', '@data:,x{{Y}}', 'b']]],
    ["a @<(echo 'x y')", [['a', '@data:,x y\n']]],
    ["a @<(cat <<E\nit's ($Y\nE\n) b", [['a', "@data:,it's ({{Y}}\n", 'b']]],
    ['a @<(cat x.json) b', [['a', '@x.json', 'b']]],
    ["a @<(jq -n '{a: 1}') b", [['a', '@data:,{{output}}', 'b']]],
    ['a > >(tee b c) 2> >(cat >&2) d', [['a', 'd']]],
    ['a < <(b c) d', [['a', 'd']]],
    [
      'diff <(curl u) <(curl v)',
      [
        ['curl', 'u'],
        ['curl', 'v'],
        ['diff', 'data:,{{output}}', 'data:,{{output}}'],
      ],
    ],
  ])('stands in its place, and no command of its own: %j', (text, wanted) => {
    expect(words(text)).toEqual(wanted);
  });
});

describe('what is put into a command', () => {
  it.each<[string, string[], string]>([
    ['a <<< b c', ['a', 'c'], 'b\n'],
    ["a <<<'b c'", ['a'], 'b c\n'],
    ['a <<E b\n1 $X\nE\n', ['a', 'b'], '1 {{X}}\n'],
    ['a << E\n1\nE', ['a'], '1\n'],
    ["a <<'E F'\n1 $X\nE F", ['a'], '1 $X\n'],
    ['a <<"E"\n1 $X\nE', ['a'], '1 $X\n'],
    ['a <<\\E\n1 $X\nE', ['a'], '1 $X\n'],
    ['a <<E\n"q" \\$X \\\\ \\"\nE', ['a'], '"q" $X \\ \\"\n'],
    ['a <<-E\n\t\t1\n\t 2\n\tE', ['a'], '1\n 2\n'],
    ['a <<E\n\t1\nE', ['a'], '\t1\n'],
    ['a <<E\r\n1\r\nE\r\n', ['a'], '1\r\n'],
    ['a <<E\nEE\n E E\nE', ['a'], 'EE\n E E\n'],
    ['a <<E\n1\n  E\n2\nE\n', ['a'], '1\n  E\n2\n'],
    ['a <<E\n1\n  E\n2', ['a'], '1\n'],
    ['a <<E\n1', ['a'], '1\n'],
    ['a <<E\n', ['a'], ''],
    ['a <<E', ['a'], ''],
    [`a <<E\n E\n${'x\n'.repeat(3000)}E\n`, ['a'], ''],
  ])('by %j is read', (text, wanted, input) => {
    const [command] = splitBash(text);
    expect(command!.words).toEqual(wanted);
    expect(command!.input ?? '').toBe(input);
  });

  it('goes on below it, each text to its own command', () => {
    expect(splitBash('a <<X | b <<Y\n1\nX\n2\nY\nc')).toMatchObject([
      { words: ['a'], input: '1\n', source: null },
      { words: ['b'], input: '2\n', source: { words: ['a'] } },
      { words: ['c'], input: null, source: null },
    ]);
    expect(splitBash('a || b')[1]!.source).toBeNull();
  });
});

describe('what another command would print', () => {
  const note = (what: string): string =>
    `What '${what}' would print is not known here: give {{output}} a value in its place.`;

  it.each<[string, string[], string[]]>([
    ['a $(b c) d', ['a', '{{output}}', 'd'], ['$(b…']],
    ['a x$(b)y', ['a', 'x{{output}}y'], ['$(b)']],
    ['a "$(b "c)" \')\')" d', ['a', '{{output}}', 'd'], ['$(b…']],
    ["a $(b \\) ')' $(c)) d", ['a', '{{output}}', 'd'], ['$(b…']],
    ["a $(b $'\\')') d", ['a', '{{output}}', 'd'], ['$(b…']],
    ['a $(b (c)) d', ['a', '{{output}}', 'd'], ['$(b…']],
    ['a `b` d', ['a', '{{output}}', 'd'], ['`b`']],
    ['a "`b`" d', ['a', '{{output}}', 'd'], ['`b`']],
    ['a $(b', ['a', '{{output}}'], ['$(b']],
    ['a `b', ['a', '{{output}}'], ['`b']],
  ])('in %j is a variable, and said', (text, wanted, quoted) => {
    const { words: found, notes } = only(text);
    expect(found).toEqual(wanted);
    expect(notes).toEqual(quoted.map(note));
  });

  it('is the signature where openssl makes it as our own export has it', () => {
    expect(only('a "$(printf x | openssl dgst -sha256 -sign k.pem | base64)"')).toMatchObject({
      words: ['a', '{{signature}}'],
      notes: [],
    });
  });

  it('is drawn where it is a UUID or a time, and not where a variable is set to it, which stays the same', () => {
    expect(only('a -H "K: $(uuidgen)" `date +%s`')).toMatchObject({
      words: ['a', '-H', 'K: {{$uuid}}', '{{$timestamp}}'],
      notes: [],
    });
    for (const set of ['R=$(uuidgen)', 'export R="x$(uuidgen)"', 'R=1 S=`uuidgen`'])
      expect(only(set).words.at(-1)).toMatch(/\{\{output\}\}$/);
  });

  it('is its text where `cat` prints one, and that ends it', () => {
    expect(only('a "$(cat <<E\n{"n": $N}\n\nE\n)" b')).toMatchObject({
      words: ['a', '{"n": {{N}}}', 'b'],
      notes: [],
    });
    expect(only("a $(cat <<'E'\n$N\nE\n) b").words).toEqual(['a', '$N', 'b']);
    expect(only('a $( cat <<-"E" \r\nx\r\n\tE )b').words).toEqual(['a', 'xb']);
    expect(only('a $(cat <<E\nE\n)').words).toEqual(['a', '']);
    expect(only('a $(cat <<E\nx\nF\n)').words).toEqual(['a', '{{output}}']);
    expect(only('a $(cat b)').words).toEqual(['a', '{{output}}']);
  });

  it('is asked for where it is a call of curl: that is a command, too, as deep as five', () => {
    expect(words('T=$(curl -s u | jq .) && curl v')).toEqual([
      ['curl', '-s', 'u'],
      ['T={{output}}'],
      ['curl', 'v'],
    ]);
    expect(words('T=`curl u`')).toEqual([['curl', 'u'], ['T={{output}}']]);
    expect(words('T=$(libcurl u)')).toEqual([['T={{output}}']]);
    const nested = (depth: number): string => (depth === 0 ? 'x' : `$(curl ${nested(depth - 1)})`);
    expect(words(`T=${nested(7)}`).filter(([name]) => name === 'curl')).toHaveLength(5);
  });

  it('stands in the text below a command as well', () => {
    const { input, notes } = only('a <<E\n$(b) `c`\nE');
    expect(input).toBe('{{output}} {{output}}\n');
    expect(notes).toEqual([note('$(b)'), note('`c`')]);
    expect(words('a <<E\n$(curl u)\nE')).toContainEqual(['curl', 'u']);
  });
});

it.each([
  ['bash', splitBash],
  ['the command prompt', splitCmd],
])('refuses a script of %s for its commands before all of them are held', (_shell, split) => {
  expect(() => split('curl http://a\n'.repeat(200_002))).toThrow('more than 200000 commands');
});
