import { expect, it } from 'vitest';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { prepareRequest } from '@shared/http-file/prepare-request';
import { describeUnsigned } from './describe-unsigned';

function describe(headers: string): string {
  const text = `# @operation status\nPOST https://pay.example/x\n${headers}\n{}\n`;
  const [block] = parseHttpFile(text).requests;
  const dynamic = { get: () => null, renew: () => undefined, renewTimes: () => undefined };
  return describeUnsigned({ block: block!, prepared: prepareRequest(block!, { variables: {}, dynamic }) });
}

it('says that a request carries no signature only where it carries none', () => {
  expect(describe('Accept: */*\n')).toBe('A status query carries no signature.');
  expect(describe('X-Custom-Signature: AAAA\n')).toBe(
    'A status query is not signed. The X-Custom-Signature that is typed is sent.',
  );
  expect(describe('X-Hub-Signature-256: sha256=00\n')).toBe(
    'A status query is not signed. Its header X-Hub-Signature-256 is sent as it is.',
  );
});
