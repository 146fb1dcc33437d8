import { describe, expect, it } from 'vitest';
import {
  checkSigningSecret,
  checkWebhookKeys,
  createWebhookSecret,
  signWebhook,
  verifyWebhook,
} from './standard-webhooks';

/** The reference vectors of Standard Webhooks and of its asymmetric half. */
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = '1614265330';
const body = Buffer.from('{"test": 2432232314}');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const v1 = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const privateKey =
  'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
const publicKey = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';
const v1a = 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==';
const at = Number(timestamp) * 1000;

const check = (
  signature: string | null,
  keys: readonly string[],
  change: { bytes?: Buffer; atMs?: number; without?: string; timestamp?: string } = {},
) => {
  const headers: Record<string, string | null> = {
    'webhook-id': id,
    'webhook-timestamp': change.timestamp ?? timestamp,
    'webhook-signature': signature,
  };
  const header = (name: string): string | null => (name === change.without ? null : (headers[name] ?? null));
  return verifyWebhook({ header, body: change.bytes ?? body }, keys, change.atMs ?? at);
};

describe('signing a webhook', () => {
  it('gives the reference signatures, several for several keys', () => {
    expect(signWebhook([secret], { id, timestamp, body })).toBe(v1);
    expect(signWebhook([privateKey, secret], { id, timestamp, body })).toBe(`${v1a} ${v1}`);
  });

  it('refuses the half that only verifies, and what is no key', () => {
    expect(() => signWebhook([publicKey], { id, timestamp, body })).toThrow(/can only verify/);
    for (const key of ['whsec_', 'whsec_%', 'whpk_AAAA', 'whsk_AAAA', '']) {
      expect(() => checkWebhookKeys([key])).toThrow(/cannot be used/);
    }
  });

  it.each(['hello', 'password', 'secret secret', 'whsec_hello', 'whsec_', '', 'c2hvcnQ='])(
    'refuses %j, which is no secret',
    (word) => {
      const refused = { code: 'signing.bad_webhook_key' };
      expect(() => checkSigningSecret(word)).toThrow(expect.objectContaining(refused) as Error);
      expect(() => checkWebhookKeys([word])).toThrow(expect.objectContaining(refused) as Error);
    },
  );

  it.each(['WHSEC_', 'Whsec_', 'whsec-', 'whsec_whsec_', 'whsec_whsk_', 'WHPK_'])(
    'takes no other secret for one that begins with %s',
    (prefix) => {
      const key = `${prefix}${Buffer.alloc(24, 7).toString('base64')}`;
      expect(() => checkWebhookKeys([key])).toThrow(
        /begin with whsec_, whsk_ or whpk_, in small letters and once/,
      );
    },
  );

  it('takes the Base64 of a whole secret without the prefix, and signs with no key that only verifies', () => {
    expect(() => checkSigningSecret(secret.slice('whsec_'.length))).not.toThrow();
    const verifying = `whpk_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(() => checkSigningSecret(verifying)).toThrow('can only verify');
  });

  it('makes secrets that it can use', () => {
    const fresh = createWebhookSecret();
    expect(check(signWebhook([fresh], { id, timestamp, body }), [fresh]).verdict).toBe('valid');
  });
});

describe('verifying a webhook', () => {
  it.each([
    [v1, [secret], 0],
    [v1a, [publicKey], 0],
    [v1a, [privateKey], 0],
    [`v1,AAAA ${v1}`, [secret], 0],
    [`v2,xx ${v1}`, [createWebhookSecret(), secret], 1],
  ])('takes %s', (signature, keys, keyIndex) => {
    expect(check(signature, keys)).toEqual({ verdict: 'valid', reason: null, keyIndex });
  });

  it('refuses an empty id, as receivers do, though the signature was made with it', () => {
    const headers: Record<string, string> = {
      'webhook-id': '',
      'webhook-timestamp': timestamp,
      'webhook-signature': signWebhook([secret], { id: '', timestamp, body }),
    };
    const header = (name: string): string | null => headers[name] ?? null;
    expect(verifyWebhook({ header, body }, [secret], Number(timestamp) * 1000)).toEqual({
      verdict: 'invalid',
      reason: 'It is signed, but the header webhook-id is empty.',
      keyIndex: null,
    });
  });

  it('tells unsigned and unchecked ones from invalid ones', () => {
    expect(check(null, [secret]).verdict).toBe('unsigned');
    expect(check(v1, []).verdict).toBe('unchecked');
  });

  it.each([
    ['another secret', check(v1, [createWebhookSecret()]), /No signature fits/],
    [
      'changed bytes',
      check(v1, [secret], { bytes: Buffer.from('{"test":2432232314}') }),
      /No signature fits/,
    ],
    ['a signature of the other scheme', check(v1.replace('v1,', 'v1a,'), [secret]), /No signature fits/],
    ['no id', check(v1, [secret], { without: 'webhook-id' }), /webhook-id is missing/],
    ['no timestamp', check(v1, [secret], { without: 'webhook-timestamp' }), /webhook-timestamp is missing/],
    ['nothing to read', check('abc', [secret]), /holds no v1 or v1a signature/],
    [
      'too old',
      check(v1, [secret], { atMs: at + 301_000 }),
      /made 301 s before it came; 300 s are tolerated/,
    ],
    ['too new', check(v1, [secret], { atMs: at - 301_000 }), /made 301 s after it came/],
  ])('refuses %s', (_name, { verdict, reason }, expected) => {
    expect(verdict).toBe('invalid');
    expect(reason).toMatch(expected);
  });

  it.each([
    ['without its =', v1.replace('=', ''), [secret]],
    ['in URL-safe Base64', v1.replaceAll('+', '-').replaceAll('/', '_'), [secret]],
    ['in hex', `v1,${Buffer.from(v1.slice(3), 'base64').toString('hex')}`, [secret]],
    ['with bits behind its end', v1.replace('E=', 'F='), [secret]],
    ['without its =, v1a', v1a.replace(/=+$/, ''), [publicKey]],
  ])(
    'refuses a signature that fits and is written %s: receivers compare it as text',
    (_name, signature, keys) => {
      expect(signature).not.toBe(v1);
      expect(check(signature, keys)).toEqual({
        verdict: 'invalid',
        reason:
          'The signature fits, but is not written in standard Base64, with +, / and the = at its end: receivers refuse it.',
        keyIndex: 0,
      });
    },
  );

  it('takes one that is written right beside the same one that is not', () => {
    const keys = [createWebhookSecret(), secret];
    expect(check(`${v1.replace('=', '')} ${v1}`, keys)).toMatchObject({ verdict: 'valid', keyIndex: 1 });
  });

  it('names milliseconds in the timestamp', () => {
    const signature = signWebhook([secret], { id, timestamp: `${timestamp}000`, body });
    expect(check(signature, [secret], { timestamp: `${timestamp}000` }).reason).toMatch(/is in milliseconds/);
  });

  it('tolerates 300 s either way', () => {
    expect(check(v1, [secret], { atMs: at + 300_000 }).verdict).toBe('valid');
    expect(check(v1, [secret], { atMs: at - 300_000 }).verdict).toBe('valid');
  });

  it('refuses a timestamp that is no number, however it is signed', () => {
    const signature = signWebhook([secret], { id, timestamp: 'soon', body });
    expect(check(signature, [secret], { timestamp: 'soon' }).reason).toMatch(/no number of seconds/);
  });
});
