import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  SNIPPET_LANGUAGES,
  writeSnippet,
  type SnippetLanguage,
  type SnippetValues,
} from '@shared/signing/snippets/signing-snippets';
import { makeTemporaryFolder } from '../support/temporary';

const UNUSUAL = [
  'plain', '', ' ', 'two words', "it's", '"quoted"', "'single'", '`tick`', '$HOME', '${HOME}', '$(id)', '#{1+1}', '#$0', '#@x',
  '%s%d%%', '%n', '\\', '\\\\', '\\n', 'a\\', '\\u0041', '\\x41', '\\', '\n', 'line\nbreak', '\r\n', '\t', '\u0001\u001f\u007f', 'é',
  'Zoë', '中文', 'العربية', '😀', '👩‍👩‍👧', '\u200b', '\ufeff', '\u00a0', '\u2028', '\u202e', 'a\u009b\u{e0041}7', '-n', '--', '-', '!', '!!', '*', '?', '~', '{a,b}',
  '<>&|;', '//comment', '/*x*/', '<?php ?>', '\ud800', '1e3', '0012',
]; // prettier-ignore

/** Fifty sets of values; each unusual text stands in each place once. */
const VECTORS: SnippetValues[] = Array.from({ length: 50 }, (_, index) => ({
  reference: UNUSUAL[index % UNUSUAL.length]!,
  amount: ['1000', '1000.00', '1e3', '12345678901234567890', UNUSUAL[(index + 13) % UNUSUAL.length]!][
    index % 5
  ]!,
  country: UNUSUAL[(index + 29) % UNUSUAL.length]!,
  serviceCode: UNUSUAL[(index + 41) % UNUSUAL.length]!,
}));

let directory = '';
let keyPath = '';
let expected: string[] = [];

function textOf({ reference, amount, country, serviceCode }: SnippetValues): string {
  return reference + amount + country + serviceCode;
}

beforeAll(() => {
  directory = makeTemporaryFolder('snippets');
  keyPath = join(directory, 'private key.pem');
  const publicPath = join(directory, 'public.pem');
  execFileSync('openssl', [
    'genpkey',
    '-quiet',
    '-algorithm',
    'RSA',
    '-pkeyopt',
    'rsa_keygen_bits:2048',
    '-out',
    keyPath,
  ]);
  execFileSync('openssl', ['pkey', '-in', keyPath, '-pubout', '-out', publicPath]);
  expected = VECTORS.map((values) => {
    const input = Buffer.from(textOf(values));
    const signature = execFileSync('openssl', ['dgst', '-sha256', '-sign', keyPath], { input });
    const signaturePath = join(directory, 'signature.bin');
    writeFileSync(signaturePath, signature);
    execFileSync('openssl', ['dgst', '-sha256', '-verify', publicPath, '-signature', signaturePath], {
      input,
    });
    return signature.toString('base64');
  });
});

function isHere(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function codeOf(language: SnippetLanguage, values: SnippetValues): string {
  return writeSnippet(language, values, keyPath).code;
}

/** Writes each snippet into a file of its own. */
function writeEach(language: SnippetLanguage): string[] {
  return VECTORS.map((values, index) => {
    const { fileName, code } = writeSnippet(language, values, keyPath);
    const file = join(directory, `${index}-${fileName}`);
    writeFileSync(file, code);
    return file;
  });
}

/** Runs each snippet by itself, as a person would. */
function runEach(language: SnippetLanguage, command: string): string[] {
  return writeEach(language).map((file) => execFileSync(command, [file], { encoding: 'utf8' }).trimEnd());
}

/** Runs all snippets after one another in one process: an interpreter's start takes longer than its work. */
function runAll(language: SnippetLanguage, command: string, ...args: string[]): string[] {
  const output = execFileSync(command, [...args, ...writeEach(language)], { encoding: 'utf8' });
  return output.trimEnd().split(/\r?\n/);
}

const NODE_ALL =
  'const run = async () => { for (const file of process.argv.slice(1)) await import(file); }; void run();';
const PYTHON_ALL = 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file, run_name="__main__")';

/** Compiles all snippets in one go, each under a name of its own: a compiler's start takes longer than its work. */
function runJava(): string[] {
  const folder = join(directory, 'java');
  mkdirSync(folder);
  const files = VECTORS.map((values, index) => {
    const file = join(folder, `Sign${index}.java`);
    writeFileSync(file, codeOf('java', values).replace('class Sign ', `class Sign${index} `));
    return file;
  });
  const all = join(folder, 'All.java');
  const calls = VECTORS.map((_, index) => `Sign${index}.main(args);`).join('\n');
  writeFileSync(all, `class All { public static void main(String[] args) throws Exception { ${calls} } }`);
  execFileSync('javac', ['-d', folder, all, ...files]);
  return execFileSync('java', ['-cp', folder, 'All'], { encoding: 'utf8' }).trimEnd().split(/\r?\n/);
}

function runGo(): string[] {
  const folder = join(directory, 'go');
  mkdirSync(folder);
  VECTORS.forEach((values, index) => {
    writeFileSync(
      join(folder, `sign${index}.go`),
      codeOf('go', values).replace('func main()', `func sign${index}()`),
    );
  });
  const calls = VECTORS.map((_, index) => `sign${index}()`).join('\n');
  writeFileSync(join(folder, 'main.go'), `package main\n\nfunc main() {\n${calls}\n}\n`);
  writeFileSync(join(folder, 'go.mod'), 'module snippets\n\ngo 1.18\n');
  const environment = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  return execFileSync('go', ['run', '.'], { cwd: folder, encoding: 'utf8', env: environment })
    .trimEnd()
    .split('\n');
}

const RUNNERS: readonly (readonly [SnippetLanguage, string, string[], () => string[]])[] = [
  ['node', process.execPath, ['--version'], () => runAll('node', process.execPath, '-e', NODE_ALL)],
  ['python', 'python3', ['--version'], () => runAll('python', 'python3', '-c', PYTHON_ALL)],
  ['php', 'php', ['-r', 'exit(extension_loaded("openssl") ? 0 : 1);'], () => runEach('php', 'php')],
  [
    'ruby',
    'ruby',
    ['-ropenssl', '-e', ''],
    () => runAll('ruby', 'ruby', '-e', 'ARGV.each { |file| load file }'),
  ],
  ['openssl', 'bash', ['--version'], () => runEach('openssl', 'bash')],
  ['java', 'javac', ['-version'], runJava],
  ['go', 'go', ['version'], runGo],
];

describe('signing code', () => {
  for (const [language, command, check, run] of RUNNERS) {
    // Skipped where the language is not installed; the name says which.
    it.skipIf(!isHere(command, check))(
      `in ${language} signs 50 sets of values as openssl does`,
      () => {
        expect(run()).toEqual(expected);
      },
      300_000,
    );
  }

  it.each(SNIPPET_LANGUAGES)(
    'in %s holds no character that nobody sees, or that turns its line around',
    (language) => {
      const hidden = 'a\u202e\u009b31m\u001b\u0007\u200b\u2028\ufeff\u{e0041}\u007fb';
      const code = codeOf(language, {
        reference: hidden,
        amount: hidden,
        country: hidden,
        serviceCode: hidden,
      });
      expect(code).not.toMatch(/[\p{Cf}\u2028]|(?!\n|\t)\p{Cc}/u);
    },
  );

  it.each(['csharp', 'kotlin'] as const)('in %s holds the values, whole', (language) => {
    const code = codeOf(language, {
      reference: 'INV-"1"',
      amount: '1000.00',
      country: 'KE',
      serviceCode: '$S',
    });
    expect(code).toContain('INV-\\"1\\"');
    expect(code).toContain('"1000.00"');
    expect(code).toContain(language === 'kotlin' ? '"\\$S"' : '"$S"');
    expect(code).not.toMatch(/%(?:reference|amount|country|service_code|key)%/);
  });
});
