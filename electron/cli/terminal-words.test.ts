import { expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { joinErrors } from '@shared/joined-errors';
import { describeForTerminal, toTerminalWords } from './terminal-words';

it.each([
  ['Set it in Settings → Updates.', 'Set it with countersign update set URL --public-key PEM.'],
  [
    'not signed with the key in Settings → Updates.',
    'not signed with the key that countersign update set took.',
  ],
  ['Enter it again in Environments, Connection.', 'Enter it again in the app (Environments, Connection).'],
  [
    'saved for X. Enter them in Keys and tokens, or set Y',
    'saved for X. Enter them in the app (Keys and tokens), or set Y',
  ],
  [
    'The vault is locked. Unlock it in Keys and tokens and try again.',
    'The vault is locked. Give its passphrase in COUNTERSIGN_PASSPHRASE, or unlock it in the app (Keys and tokens) and try again.',
  ],
  [
    'Nothing was sent: the local sandbox does not run, and more. Start it, and try again.',
    'Nothing was sent: the local sandbox does not run, and more. Start the app (one with a folder of its own needs the same folder here), or name a service with --base-url.',
  ],
  [
    'Rows are read more than once: save them to a file.',
    'Rows are read more than once: save them to a file. A data directory is named by --data-directory.',
  ],
  ['Type the word reset to put everything aside.', 'Give --confirm reset to put everything aside.'],
  [
    'Try again; the log in the data directory has the details.',
    'Try again; the log in the data directory, or the same command with COUNTERSIGN_DEBUG=1, has the details.',
  ],
  ['A key of in Environmentsandmore stays.', 'A key of in Environmentsandmore stays.'],
])('says %j for a terminal', (said, shown) => {
  expect(toTerminalWords(said)).toBe(shown);
});

it('names the command or the option that goes on from there', () => {
  expect(describeForTerminal({ code: 'inbox.unknown', message: 'No.', details: {} })).toBe(
    'No. countersign inbox list tells the ids.',
  );
  expect(describeForTerminal({ code: 'journey.unknown', message: 'No.', details: {} })).toContain(
    'countersign status',
  );
  expect(describeForTerminal({ code: 'keys.none_for_environment', message: 'No key.', details: {} })).toBe(
    'No key. --key FILE takes one from a file.',
  );
  expect(
    describeForTerminal({ code: 'sandbox.port_in_use', message: 'Port 4010 is used.', details: {} }),
  ).toBe('Port 4010 is used. --port 0 takes a free one, and so does --status-port 0.');
});

it('says of each of several things that are lacking how it is given', () => {
  const lacking = joinErrors([
    new AppError('keys.none_for_environment', 'Import one in Keys and tokens.'),
    new AppError('tokens.no_credentials', 'Enter them in Keys and tokens.'),
  ])!;
  expect(describeForTerminal(lacking)).toBe(
    'Import one in the app (Keys and tokens). --key FILE takes one from a file. Enter them in the app (Keys and tokens).',
  );
});

it('says of a proxy of the variables that it is not followed, where a name was not found', () => {
  const error = { code: 'sending.dns', message: 'Not found.', details: {} } as const;
  expect(describeForTerminal(error, { https_proxy: 'http://10.0.0.1:3128' })).toMatch(
    /^Not found\. https_proxy is not followed: a proxy is set with its environment/,
  );
  expect(describeForTerminal(error, { HTTPS_PROXY: '' })).toBe('Not found.');
  expect(describeForTerminal({ code: 'sending.tls', message: 'No.', details: {} }, { HTTP_PROXY: 'x' })).toBe(
    'No.',
  );
});
