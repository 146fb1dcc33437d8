import { execFileSync } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { openRequest } from '../tree/collection-actions';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { copyAsCurl } from './copy-as-curl';
import { showSaid } from '../../../ui/show-said';

vi.mock('../../../ui/show-said', () => ({ showSaid: vi.fn() }));

async function copyFrom(text: string, files: Record<string, string> = {}) {
  const sign = vi.fn(() => ({ signature: 'c2lnbmVk' }) as never);
  startFakeBackEnd(
    { 'a.http': text },
    {
      'collections.readBodyFile': ({ file }) => ({ base64: btoa(files[file] ?? '') }),
      'signing.sign': sign,
    },
  );
  const writeText = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  await openRequest('a.http');
  await copyAsCurl(selectActiveTab(useRequestsStore.getState())!.id);
  vi.unstubAllGlobals();
  return { command: String(writeText.mock.lastCall?.[0]), sign };
}

/** What curl would be given as the body: through a pipe, or as an argument. */
function readBody(command: string): string {
  const replaced = command.replace(/(^|\| )curl /, '$1run ');
  const run = 'run() { for last; do :; done; if [ "$last" = @- ]; then cat; else printf %s "$last"; fi; }';
  return execFileSync('sh', ['-c', `${run}\n${replaced}`], { encoding: 'latin1' });
}

const part = 'Content-Disposition: form-data; name="a"';

it.each([
  ['a file alone', 'application/octet-stream', '< ./x.bin', '\x00\xff\r\n'],
  [
    'files between texts',
    'multipart/form-data; boundary=B',
    `--B\n${part}\n\n< ./x.bin\n--B--`,
    `--B\r\n${part}\r\n\r\n\x00\xff\r\n\r\n--B--`,
  ],
  [
    'line ends that a terminal takes for Enter',
    'multipart/form-data; boundary=B',
    `--B\n${part}\n\nv\n--B--`,
    `--B\r\n${part}\r\n\r\nv\r\n--B--`,
  ],
])('has the body that is sent, of %s', async (_what, type, body, sent) => {
  const text = `POST {{base_url}}/a\nContent-Type: ${type}\n\n${body}\n`;
  const { command } = await copyFrom(text, { './x.bin': '\x00\xff\r\n' });
  expect(readBody(command)).toBe(sent);
  expect(command).not.toMatch(/[\0\r]/);
});

it('is signed over the bytes of its file', async () => {
  const body =
    '{"transaction":{"reference":"R","amount":1,"service_code":"S"},"originator":{"country":"KE"}}';
  const text =
    '# @operation payout\nPOST {{base_url}}/payments/v1/payouts\nX-Custom-Signature: {{signature}}\n\n< ./p.json\n';
  const { command, sign } = await copyFrom(text, { './p.json': body });
  expect(sign).toHaveBeenCalledWith(expect.objectContaining({ body }));
  expect(command).toContain('c2lnbmVk');
  expect(readBody(command)).toBe(body);
});

it.each([
  [
    'X-A: {{vault.x}}\nX-B: {{nobody}}\n\n{"a":"{{ vault.x }}"}',
    '. Before you run it, fill in {{vault.x}}, {{nobody}}',
  ],
  ['X-A: {{a}}{{b}}{{c}}{{d}}{{e}}\n', '. Before you run it, fill in {{a}}, {{b}}, {{c}} and 2 more'],
  ['X-A: {{base_url}}\n\n< ./x.json', ''],
])('says what is to be filled in: %j', async (rest, said) => {
  await copyFrom(`POST {{base_url}}/a\n${rest}\n`, { './x.json': '{"a":"{{b}}"}' });
  await vi.waitFor(() => expect(showSaid).toHaveBeenLastCalledWith(`Copied${said}`));
});
