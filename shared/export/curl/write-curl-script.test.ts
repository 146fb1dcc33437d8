import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { exportCollection } from '../export-collection';

const long = 'x'.repeat(140_000);

/** Runs the script with a curl that writes the body that it was given. */
function run(
  text: string,
  variables: Record<string, string> | null = null,
): { body: string; notes: string[] } {
  const { files, notes } = exportCollection(
    {
      name: 'C',
      files: [{ path: 'a.http', text }],
      environment: variables && { name: 'e', baseUrl: '', privateNames: [], variables },
      readFile: () => null,
      sources: { now: () => 0, random: { uuid: () => 'u', bytes: (size) => new Uint8Array(size) } },
      version: '1',
    },
    'curl',
  );
  // A program, as curl is one, and no function: those take arguments of any length.
  const print = 'case "$1" in @*) cat "${1#@}" ;; *) printf %s "$1" ;; esac';
  const curl = `curl() { /bin/sh -c '${print}' curl "\${@: -1}"; }`;
  const script = `${curl}\namount="1 'é"\n${String(files[0]!.content)}`;
  const body = execFileSync('bash', ['-s'], { input: script, maxBuffer: 10_000_000, encoding: 'utf8' });
  return { body, notes: notes.map(({ what }) => what) };
}

it.each([
  ['a text', `it's ${long}`, `it's ${long}`],
  ['a text with variables', `{{amount}} ${long} {{amount}}`, `1 'é ${long} 1 'é`],
  ['a NUL', 'a\0b', 'a\0b'],
])('hands over %s that is more than one argument takes', (_what, body, sent) => {
  expect(run(`POST http://h/x\nContent-Type: text/plain\n\n${body}\n`).body).toBe(sent);
});

it('signs nothing that a shell cannot hold, and says so', () => {
  const body =
    '{"transaction":{"reference":"R\\u0000","amount":1,"service_code":"S"},"originator":{"country":"KE"}}';
  const { notes } = run(`POST http://h/payments/v1/payouts\nX-Custom-Signature: {{signature}}\n\n${body}\n`);
  expect(notes).toContain('What its signature covers cannot be read: give it as $signature.');
});

it('fills in a variable that is called as one of the shell’s own with its own value', () => {
  const variables = {
    UID: '77',
    USER: 'alice',
    RANDOM: '5',
    _: 'u',
    BASH_VERSION: 'b',
    HOME: '/h',
    userId: '1',
  };
  const names = Object.keys(variables);
  const body = names.map((name) => `{{${name}}}`).join(' ');
  expect(run(`POST http://h/x\nContent-Type: text/plain\n\n${body}\n`, variables).body).toBe(
    Object.values(variables).join(' '),
  );
});
