import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOnce } from './cli-once';
import { because, isInstalled } from '../support/programs';
import { makeTemporaryFolder } from '../support/temporary';

const directory = makeTemporaryFolder('cli-signing');
const at = (name: string) => join(directory, name);
const text = 'R-11000.00KEMPESA-B2C';
const body =
  '{ "transaction": { "reference": "R-1", "amount": 1000.00, "service_code": "MPESA-B2C" }, "originator": { "country": "KE" } }\n';

function openssl(args: readonly string[], input?: string): Buffer {
  return execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** Keys of another program, not our own. */
beforeEach(({ skip }) => skip(...because('openssl')));
beforeAll(() => {
  if (!isInstalled('openssl')) return;
  writeFileSync(at('body.json'), body);
  openssl(['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', at('key.pem')]);
  openssl(['pkey', '-in', at('key.pem'), '-pubout', '-out', at('public.pem')]);
  openssl(['rsa', '-in', at('key.pem'), '-traditional', '-out', at('pkcs1.pem')]);
  openssl([
    'pkcs8',
    '-topk8',
    '-in',
    at('key.pem'),
    '-v2',
    'aes-256-cbc',
    '-passout',
    'pass:s3same',
    '-out',
    at('locked.pem'),
  ]);
  openssl(['genrsa', '-out', at('small.pem'), '1024']);
  openssl(['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', at('ec.pem')]);
});

describe('sign', () => {
  it('makes signatures that openssl verifies', async () => {
    const { stdout, exitCode } = await runOnce(['sign', '--key', at('key.pem'), '--body', at('body.json')]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[A-Za-z0-9+/]{342}==\n$/);
    writeFileSync(at('signature.bin'), Buffer.from(stdout, 'base64'));
    const said = openssl(
      ['dgst', '-sha256', '-verify', at('public.pem'), '-signature', at('signature.bin')],
      text,
    );
    expect(said.toString()).toContain('Verified OK');
  });

  it('prints the string, its spans, the key and warnings as JSON', async () => {
    const { json } = await runOnce(['sign', '--key', at('key.pem'), '--body', '-', '--json'], {
      input: body,
    });
    expect(json).toHaveLength(1);
    const [line] = json as [Record<string, unknown>];
    expect(Object.keys(line)).toEqual([
      'string_to_sign',
      'signature',
      'key_fingerprint',
      'spans',
      'warnings',
    ]);
    expect(line['string_to_sign']).toBe(text);
    expect(line['spans']).toEqual([
      { field: 'reference', pointer: '/transaction/reference', start: 0, end: 3 },
      { field: 'amount', pointer: '/transaction/amount', start: 3, end: 10 },
      { field: 'country', pointer: '/originator/country', start: 10, end: 12 },
      { field: 'service_code', pointer: '/transaction/service_code', start: 12, end: 21 },
    ]);
    expect(line['warnings']).toEqual(
      expect.arrayContaining([{ code: expect.any(String) as string, message: expect.any(String) as string }]),
    );
  });

  it('warns of fields that the service would refuse when it knows the operation', async () => {
    const { json } = await runOnce([
      'sign',
      '--key',
      at('key.pem'),
      '--body',
      at('body.json'),
      '--operation',
      'payout',
      '--json',
    ]);
    const warnings = json[0]?.['warnings'] as { code: string; message: string }[];
    expect(
      warnings.filter(({ code }) => code === 'field.refused').map(({ message }) => message.split(' ')[0]),
    ).toContain('recipient');
  });

  it('opens a protected key with the passphrase of the environment', async () => {
    const args = ['sign', '--key', at('locked.pem'), '--body', at('body.json')];
    expect((await runOnce(args, { env: { COUNTERSIGN_KEY_PASSPHRASE: 's3same' } })).exitCode).toBe(0);
    expect((await runOnce(args)).stderr).toMatch(
      /into COUNTERSIGN_KEY_PASSPHRASE, .*keys\.passphrase_needed/,
    );
    const wrong = await runOnce(args, { env: { COUNTERSIGN_KEY_PASSPHRASE: 'nope-nope' } });
    expect(wrong.stderr).toContain('keys.wrong_passphrase');
    expect(wrong.stderr).not.toContain('nope-nope');
  });

  it.each([
    ['not JSON', 'key.pem', '{"transaction":', 'signing.not_json'],
    ['a missing field', 'key.pem', '{}', 'signing.field_missing'],
    ['a wrong type', 'key.pem', body.replace('1000.00', '[1]'), 'signing.field_wrong_type'],
    ['bytes that are not UTF-8', 'key.pem', Buffer.from([0x7b, 0xff, 0x7d]), 'cli.not_utf8'],
    ['an unreadable PEM', 'body.json', body, 'keys.unreadable'],
    ['a public key', 'public.pem', body, 'keys.public_given'],
    ['a 1024-bit key', 'small.pem', body, 'keys.too_short'],
    ['an EC key', 'ec.pem', body, 'keys.not_rsa'],
    ['no such key', 'nope.pem', body, 'cli.unreadable_file'],
    ['a body of 50 MB', 'key.pem', Buffer.alloc(50_000_000, 32), 'cli.file_too_large'],
  ])('refuses %s', async (_what, key, input, code) => {
    const result = await runOnce(['sign', '--key', at(key), '--body', '-', '--json'], { input });
    expect(result.stderr).toMatch(/^\{"event":"error",[^\n]+\}\n$/);
    expect(JSON.parse(result.stderr)).toMatchObject({ code, exit_code: 2 });
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
  });
});

describe('verify', () => {
  const sign = () => openssl(['dgst', '-sha256', '-sign', at('key.pem')], text).toString('base64');
  const verify = (signature: string) =>
    runOnce([
      'verify',
      '--public-key',
      at('public.pem'),
      '--body',
      at('body.json'),
      '--signature',
      signature,
      '--json',
    ]);

  it('accepts what openssl signs', async () => {
    const { json, exitCode } = await verify(sign());
    expect(exitCode).toBe(0);
    expect(json).toEqual([{ valid: true, string_to_sign: text, reason: expect.any(String) as string }]);
  });

  it('gives exit code 1 and a reason for anything else', async () => {
    const right = sign();
    // Another first letter than the right one has: with a fixed one, one run in 64 forges nothing.
    const forged = `${right.startsWith('A') ? 'B' : 'A'}${right.slice(1)}`;
    const urlSafe = right.replaceAll('+', '-').replaceAll('/', '_').replace(/^../, '-A');
    for (const signature of [forged, urlSafe, '']) {
      const { json, exitCode } = await verify(signature);
      expect([exitCode, json[0]?.['valid']]).toEqual([1, false]);
      expect(json[0]?.['reason']).not.toBe('');
    }
  });
});

describe('doctor', () => {
  it('names what was done differently', async () => {
    const signature = openssl(
      ['dgst', '-sha256', '-sign', at('key.pem')],
      'R-1|1000.00|KE|MPESA-B2C',
    ).toString('base64');
    const { json, exitCode } = await runOnce([
      'doctor',
      '--public-key',
      at('public.pem'),
      '--body',
      at('body.json'),
      '--signature',
      signature,
      '--json',
    ]);
    expect(exitCode).toBe(1);
    const [line] = json as [Record<string, unknown>];
    expect(Object.keys(line)).toEqual([
      'valid', 'verdict', 'explanation', 'causes', 'signed_string', 'expected_string', 'searched', 'elapsed_ms',
      'planned',
    ]); // prettier-ignore
    expect(line).toMatchObject({
      valid: false,
      verdict: 'explained',
      signed_string: 'R-1|1000.00|KE|MPESA-B2C',
    });
    expect((line['causes'] as { code: string }[])[0]?.code).toBe('string.separator');
  });

  it('takes the signature from a file, header name and all, and says valid with exit code 0', async () => {
    writeFileSync(
      at('signature.txt'),
      openssl(['dgst', '-sha256', '-sign', at('key.pem')], text).toString('base64'),
    );
    const args = ['doctor', '--public-key', at('public.pem'), '--body', at('body.json'), '--signature-file'];
    expect(await runOnce([...args, at('signature.txt')])).toMatchObject({ exitCode: 0 });
    for (const end of ['\n', '\r\n', '\n\n']) {
      writeFileSync(at('line.txt'), readFileSync(at('signature.txt'), 'utf8') + end);
      expect(await runOnce([...args, at('line.txt')])).toMatchObject({ exitCode: end === '\n\n' ? 1 : 0 });
    }
    const searched = await runOnce([...args, at('signature.txt'), '--search-for', '3600']);
    expect(searched).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^valid: /) as string });
    const refused = await runOnce([...args, at('signature.txt'), '--search-for', '3']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('10 to 3600 seconds, not 3'),
    ]);
  });

  it('tells no secret of the data folder back, however the other side came to it', async () => {
    const data = ['--data', at('doctor-data')];
    const uat = { name: 'uat', kind: 'sandbox', baseUrl: 'http://127.0.0.1:1' };
    const saved = { ...uat, variables: { api_secret: 'Schlüssel KE 4b7e91d2' } };
    await runOnce(['call', 'environments.save', ...data], { input: JSON.stringify(saved) });
    const claimed = `R-1-1000.00${saved.variables.api_secret}-KEMPESA-B2C`;
    const signature = openssl(['dgst', '-sha256', '-sign', at('key.pem')], claimed).toString('base64');
    const given = ['--public-key', at('public.pem'), '--body', at('body.json'), '--signature', signature];
    const { stdout, json } = await runOnce(['doctor', ...given, '--claimed', claimed, ...data, '--json']);
    expect(json[0]).toMatchObject({ signed_string: 'R-1-1000.00‹a secret of the vault›-KEMPESA-B2C' });
    expect(stdout).not.toMatch(/Schl|4b7e/);
  });
});

describe('key', () => {
  it('generates pairs that openssl reads, in files for their owner alone, and replaces nothing', async () => {
    const args = ['key', 'generate', '--out', at('new.pem'), '--public-out', at('new.pub'), '--json'];
    const { json, exitCode } = await runOnce(args);
    expect(exitCode).toBe(0);
    expect(JSON.stringify(json)).not.toContain('PRIVATE');
    expect(statSync(at('new.pem')).mode & 0o777).toBe(0o600);
    const again = openssl(['pkey', '-in', at('new.pem'), '-pubout']).toString();
    expect(readFileSync(at('new.pub'), 'utf8')).toBe(again);
    const refused = await runOnce(args);
    expect([refused.exitCode, refused.stderr.includes('cli.file_exists')]).toEqual([2, true]);
  });

  it('says that the private key is written where the public one cannot be', async () => {
    const pair = ['key', 'generate', '--out', at('half.pem'), '--public-out', at('no-such/half.pub')];
    const { exitCode, stderr } = await runOnce(pair);
    expect([exitCode, existsSync(at('half.pem'))]).toEqual([2, true]);
    expect(stderr).toContain(`The new private key is in ${at('half.pem')} already`);
  });

  it('replaces no private key by its own public half, even with --force', async () => {
    const file = at('kept.pem');
    const pair = ['key', 'generate', '--out', file, '--public-out', `${directory}/./kept.pem`];
    expect(await runOnce([...pair, '--force'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('name one file') as string,
    });
    expect(existsSync(file)).toBe(false);
    expect((await runOnce(['key', 'generate', '--out', file])).exitCode).toBe(0);
    const before = readFileSync(file, 'utf8');
    for (const args of [
      ['key', 'public', file],
      ['key', 'convert', file, '--to', 'spki'],
      ['key', 'convert', file, '--to', 'spki-der'],
    ]) {
      const refused = await runOnce([...args, '--out', file, '--force']);
      expect([refused.exitCode, readFileSync(file, 'utf8')], args.join(' ')).toEqual([2, before]);
    }
    const anew = ['key', 'convert', file, '--to', 'pkcs1', '--out', file, '--force'];
    expect((await runOnce(anew)).exitCode).toBe(0);
  });

  it.skipIf(process.platform === 'win32')(
    'knows a private key that is to be replaced by another name of it, too',
    async () => {
      const file = at('linked.pem');
      symlinkSync(directory, at('folder'));
      const pair = ['key', 'generate', '--out', file, '--public-out', at('folder/linked.pem'), '--force'];
      expect(await runOnce(pair)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('name one file') as string,
      });
      expect(existsSync(file)).toBe(false);
      expect((await runOnce(['key', 'generate', '--out', file])).exitCode).toBe(0);
      const before = readFileSync(file, 'utf8');
      linkSync(file, at('hard.pem'));
      symlinkSync(file, at('soft.pem'));
      for (const name of ['folder/linked.pem', 'hard.pem', 'soft.pem']) {
        const { exitCode, stderr } = await runOnce(['key', 'public', file, '--out', at(name), '--force']);
        expect([exitCode, readFileSync(at(name), 'utf8')], name).toEqual([2, before]);
        expect(stderr).toContain('holds the private key');
      }
    },
  );

  it('writes a protected key that openssl opens', async () => {
    const env = { COUNTERSIGN_KEY_PASSPHRASE: 'open sesame' };
    expect((await runOnce(['key', 'generate', '--encrypt', '--out', at('enc.pem')], { env })).exitCode).toBe(
      0,
    );
    expect(
      openssl(['pkey', '-in', at('enc.pem'), '-passin', 'pass:open sesame', '-pubout']).toString(),
    ).toContain('PUBLIC');
  });

  it('tells what a key is, and what was mended', async () => {
    const { json } = await runOnce(['key', 'inspect', at('pkcs1.pem'), '--json']);
    expect(json[0]).toMatchObject({
      kind: 'private',
      format: 'PKCS#1 PEM',
      bits: 2048,
      exponent: 65537,
      public_key_pem: readFileSync(at('public.pem'), 'utf8'),
    });
    expect(json[0]?.['fingerprint']).toMatch(/^[0-9a-f]{64}$/);
    expect(json[0]?.['repairs']).toHaveLength(1);
  });

  it('gives the public key of a pair, from standard input too', async () => {
    const { stdout } = await runOnce(['key', 'public', '-'], { input: readFileSync(at('key.pem')) });
    expect(stdout).toBe(readFileSync(at('public.pem'), 'utf8'));
  });

  it('converts PKCS#1 to PKCS#8, and DER back', async () => {
    const { stdout } = await runOnce(['key', 'convert', at('pkcs1.pem')]);
    expect(stdout).toBe(readFileSync(at('key.pem'), 'utf8'));
    await runOnce(['key', 'convert', at('key.pem'), '--to', 'pkcs8-der', '--out', at('key.der')]);
    expect((await runOnce(['key', 'convert', at('key.der'), '--to', 'pkcs1'])).stdout).toBe(
      readFileSync(at('pkcs1.pem'), 'utf8'),
    );
    expect((await runOnce(['key', 'convert', at('public.pem'), '--to', 'pkcs8'])).stderr).toContain(
      'keys.public_given',
    );
  });

  it('writes no private key without a passphrase where a new one is given', async () => {
    const env = { COUNTERSIGN_NEW_KEY_PASSPHRASE: 'a new one' };
    const convert = (...args: string[]) => runOnce(['key', 'convert', at('key.pem'), ...args], { env });
    expect((await convert()).stdout).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    for (const form of ['pkcs8', 'pkcs1', 'pkcs8-der']) {
      const { exitCode, stderr } = await convert('--to', form, '--out', at('open.key'));
      expect([exitCode, stderr], form).toEqual([2, expect.stringContaining('without a passphrase')]);
    }
    expect(existsSync(at('open.key'))).toBe(false);
    expect((await convert('--to', 'spki')).stdout).toBe(readFileSync(at('public.pem'), 'utf8'));
  });
});
