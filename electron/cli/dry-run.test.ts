import { expect, it } from 'vitest';
import { usualProfile, usualSetup } from '@shared/contract/usual-setup';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import type { CommandContext } from './command';
import { printDryRun } from './dry-run';

it('masks what looks like a secret, wherever it stands', () => {
  const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl';
  const pem = '-----BEGIN PRIVATE KEY-----\\nMIICANARY\\n-----END PRIVATE KEY-----';
  let shown: Record<string, string> = {};
  const context = { isJson: true, printJson: (value: typeof shown) => (shown = value) };
  const body = `{"note":"${jwt}","other":"${pem}"}`;
  const headers = [
    ['X-Note', `a ${jwt}`],
    ['X-Use', 'Bearer 0123456789canary'],
  ];
  const rest = { isSigned: false, unresolved: [], variablesUsed: {}, notes: [], foreign: [] };
  printDryRun(context as unknown as CommandContext, {
    prepared: {
      method: 'POST',
      url: `https://h/a/${jwt}/b`,
      headers,
      body,
      ...rest,
    } as unknown as PreparedRequest,
    fileBody: null,
    environment: null,
    allowHosts: [],
  });
  const all = JSON.stringify(shown) + Buffer.from(shown['body_base64']!, 'base64').toString('utf8');
  expect(all).not.toMatch(/eyJzdWI|MIICANARY|56789canary/);
  expect(all).toContain('{"note":"eyJh…dXJl","other":"----…----"}');
});

it('masks a consumer secret that was typed under the name that the profile has for it', () => {
  const requestNames = { ...usualProfile.requestNames, consumerSecret: 'word' };
  const setup = { ...usualSetup, profile: { ...usualProfile, requestNames } };
  const environment = {
    name: 'uat',
    label: 'uat',
    baseUrl: 'https://uat.example',
    variables: {},
    privateNames: [],
    setup,
  };
  const show = (body: string): string => {
    let shown: { body_base64: string } | null = null;
    const context = { isJson: true, printJson: (value: typeof shown) => (shown = value) };
    const prepared = { method: 'POST', url: 'https://uat.example/tickets', headers: [], body };
    const rest = { isSigned: false, unresolved: [], variablesUsed: {}, notes: [], foreign: [] };
    printDryRun(context as unknown as CommandContext, {
      prepared: { ...prepared, ...rest } as unknown as PreparedRequest,
      fileBody: null,
      environment,
      allowHosts: [],
    });
    return Buffer.from(shown!['body_base64'], 'base64').toString('utf8');
  };
  expect(show('{"who":"me","word":"typed by hand"}')).toBe('{"who":"me","word":"••••••••"}');
  const reference = '{"who":"me","word":"{{vault.consumer_secret}}"}';
  expect(show(reference)).toBe(reference);
});
