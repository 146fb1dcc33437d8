import {
  createHmac,
  createSign,
  generateKeyPairSync,
  privateEncrypt,
  constants,
  createHash,
  sign,
} from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { payout, remittance } from '../support/bodies';
import {
  clientKeys,
  paths,
  signText,
  startService,
  stringToSign,
  type Answer,
  type Service,
} from './support/service-client';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

const BUSINESS = [
  ['POST', paths.remittance], ['POST', paths.payout], ['POST', paths.collection], ['POST', paths.status], ['GET', paths.balances],
] as const; // prettier-ignore

const ask = (method: string, path: string, authorization?: string): Promise<Answer> =>
  service.call(method, path, method === 'POST' ? '{}' : undefined, {
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    ...(authorization === undefined ? {} : { authorization }),
  });

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('5 authentication', () => {
  test('5 rule 1: every business endpoint asks for a bearer token', async () => {
    for (const [method, path] of BUSINESS) {
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        'Basic eDp5',
        'Bearer a b',
        await service.token('payout'),
      ]) {
        expect((await ask(method, path, authorization)).httpStatus, `${path} ${authorization}`).toBe(401);
      }
    }
  });

  test('5 rule 1: the token is a JWT', async () => {
    const [header] = (await service.token('payout')).split('.');
    expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toMatchObject({ typ: 'JWT' });
  });

  test('5 rule 1: a forged, altered, unsigned or re-signed token is refused', async () => {
    const token = await service.token('payout');
    const [header, claims, signature] = token.split('.') as [string, string, string];
    const other = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    const widened = part({ ...other, product: 'remittance' });
    const hmac = (input: string, key: string) => createHmac('sha256', key).update(input).digest('base64url');
    const pem = clientKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const rs256 = part({ alg: 'RS256', typ: 'JWT' });
    const rsa = createSign('RSA-SHA256')
      .update(`${rs256}.${claims}`)
      .sign(clientKeys.privateKey, 'base64url');
    const forged = [
      `${header}.${widened}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${header}.${claims}.${signature.slice(0, -2)}`,
      `${part({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      `${part({ alg: 'None' })}.${claims}.${signature}`,
      `${part({ alg: 'HS512', typ: 'JWT' })}.${claims}.${signature}`,
      `${rs256}.${claims}.${rsa}`,
      `${header}.${claims}.${hmac(`${header}.${claims}`, pem)}`,
      `${header}.${claims}.${hmac(`${header}.${claims}`, '')}`,
      `${header}.${claims}.${signature}.${signature}`,
    ];
    for (const each of forged) {
      const answer = await ask('POST', paths.payout, `Bearer ${each}`);
      expect(answer.httpStatus, each).toBe(401);
      expect(answer.json, each).toMatchObject({ code: '400.001.100', status: 'REJECTED' });
    }
  });

  test('5 rule 2: a token is reused until it expires, and no longer', async () => {
    const headers = await service.bearer('payout');
    const send = () => service.call('GET', paths.balances, undefined, headers);
    await service.advance(3590);
    expect((await send()).httpStatus).toBe(200);
    await service.advance(11);
    expect((await send()).httpStatus).toBe(401);
    const initiation = await service.post(paths.payout, payout(), headers);
    expect(initiation.json).toMatchObject({ code: '400.001.100' });
  });

  test('5 rule 2: tokens of one product may be held side by side', async () => {
    const [first, second] = [await service.requestToken('payout'), await service.requestToken('payout')];
    expect(first.json.access_token).not.toBe(second.json.access_token);
    for (const { json } of [first, second]) {
      expect((await ask('GET', paths.balances, `Bearer ${json.access_token as string}`)).httpStatus).toBe(
        200,
      );
    }
  });

  test('5 rule 3: a token is good for its own product only; any other is an authentication failure', async () => {
    const wrong = { remittance: ['payout', 'collection'], payout: ['remittance', 'collection'], collection: ['payout', 'remittance'] } as const; // prettier-ignore
    for (const target of ['remittance', 'payout', 'collection'] as const) {
      for (const product of wrong[target]) {
        const answer = await service.post(paths[target], {}, await service.bearer(product));
        expect(answer.httpStatus, `${product} for ${target}`).toBe(401);
        expect(answer.json, `${product} for ${target}`).toMatchObject({
          code: '400.200',
          status: 'REJECTED',
          data: null,
        });
      }
    }
  });

  test('5 rule 4: the simulator and the token endpoint ask for no token', async () => {
    expect((await service.post(paths.sendTest, {})).httpStatus).toBe(400);
    expect((await service.requestToken('payout')).httpStatus).toBe(200);
  });
});

/** Sends a payout whose signature is given; the body may be written by hand. */
async function sendSigned(body: string, signature: string | undefined): Promise<Answer> {
  return service.post(paths.payout, body, {
    ...(await service.bearer('payout')),
    ...(signature === undefined ? {} : { 'x-custom-signature': signature }),
  });
}

async function expectRefused(body: string, signature: string | undefined, why: string): Promise<void> {
  const answer = await sendSigned(body, signature);
  expect(answer.httpStatus, why).toBe(401);
  expect(answer.json, why).toMatchObject({ code: '400.200', status: 'REJECTED', data: null });
}

/** Writes a payout with chosen literals for the four signed values. */
function writePayout(reference: string, amount: string, country = '"KE"', serviceCode = '"MPESA"'): string {
  const body = payout() as Record<string, Record<string, unknown>>;
  const text = JSON.stringify(body);
  return text
    .replace(/"reference":"[^"]*"/, `"reference":${reference}`)
    .replace('"amount":1000', `"amount":${amount}`)
    .replace('"country":"KE"', `"country":${country}`)
    .replace('"service_code":"MPESA"', `"service_code":${serviceCode}`);
}

describe('5.5 request signature', () => {
  test('5.5 a missing, empty or foreign signature is refused with 400.200', async () => {
    const body = payout();
    const text = JSON.stringify(body);
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    await expectRefused(text, undefined, 'missing');
    await expectRefused(text, '', 'empty');
    await expectRefused(text, signText(stringToSign(body), stranger), 'other key');
    await expectRefused(text, signText('something else'), 'other text');
  });

  test('5.5 string to sign: the four values, in order, without separators', async () => {
    const body = payout({ 'transaction.reference': 'sts-1' });
    const text = JSON.stringify(body);
    for (const wrong of [
      'sts-1|1000|KE|MPESA',
      'sts-1 1000 KE MPESA',
      '1000sts-1KEMPESA',
      'sts-11000MPESAKE',
      'sts-11000KE',
      'sts-11000KEMPESA\n',
      text,
    ]) {
      await expectRefused(text, signText(wrong), wrong);
    }
    expect((await sendSigned(text, signText('sts-11000KEMPESA'))).httpStatus).toBe(201);
  });

  test('5.5 string to sign: the number format is the one sent', async () => {
    for (const [literal, others] of [
      ['1000.00', ['1000', '1000.0']],
      ['1e3', ['1000', '1E3']],
      ['1000', ['1000.00', '1e3']],
    ] as const) {
      const reference = `num-${literal}`;
      const text = writePayout(JSON.stringify(reference), literal);
      for (const other of others)
        await expectRefused(text, signText(`${reference}${other}KEMPESA`), `${literal} signed as ${other}`);
      expect((await sendSigned(text, signText(`${reference}${literal}KEMPESA`))).httpStatus, literal).toBe(
        201,
      );
    }
  });

  test('5.5 string to sign: casing is the one sent', async () => {
    const body = payout({ 'transaction.service_code': 'mPesa', 'transaction.reference': 'Case-1' });
    const text = JSON.stringify(body);
    await expectRefused(text, signText('Case-11000KEMPESA'), 'upper');
    await expectRefused(text, signText('case-11000KEmPesa'), 'lower');
    expect((await sendSigned(text, signText('Case-11000KEmPesa'))).httpStatus).toBe(201);
  });

  test('5.5 string to sign: the country code form must match', async () => {
    for (const [sent, other] of [
      ['KE', 'KEN'],
      ['KEN', 'KE'],
    ] as const) {
      const body = payout({ 'originator.country': sent, 'transaction.reference': `form-${sent}` });
      const text = JSON.stringify(body);
      await expectRefused(text, signText(`form-${sent}1000${other}MPESA`), `${sent} signed as ${other}`);
      expect((await sendSigned(text, signText(`form-${sent}1000${sent}MPESA`))).httpStatus).toBe(201);
    }
  });

  test('5.5 string to sign: text counts decoded, in UTF-8', async () => {
    const text = writePayout(String.raw`"ref-\u00e9\ud83d\ude00\/\"q\""`, '1000');
    await expectRefused(text, signText(String.raw`ref-\u00e9\ud83d\ude00\/\"q\"1000KEMPESA`), 'as written');
    expect((await sendSigned(text, signText('ref-é😀/"q"1000KEMPESA'))).httpStatus).toBe(201);
  });

  test('5.5 string to sign: values elsewhere in the body do not count', async () => {
    const decoy = `{"meta":{"transaction":{"reference":"x","amount":1,"service_code":"y"},"originator":{"country":"UG"}},${writePayout('"decoy-1"', '1000').slice(1)}`
      .replace(',"meta":{"order":7}', ''); // prettier-ignore
    expect((await sendSigned(decoy, signText('decoy-11000KEMPESA'))).httpStatus).toBe(201);
  });

  test('5.5 algorithm: RSA PKCS#1 v1.5 with SHA-256 only', async () => {
    const body = payout();
    const text = JSON.stringify(body);
    const data = Buffer.from(stringToSign(body));
    const key = clientKeys.privateKey;
    const digest = createHash('sha256').update(data).digest();
    const wrong = {
      'sha-1': sign('sha1', data, key),
      'sha-512': sign('sha512', data, key),
      pss: sign('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING }),
      'digest without DigestInfo': privateEncrypt(key, digest),
      'text without digest': privateEncrypt(key, data),
      'digest hashed again': sign('sha256', digest, key),
      'digest as hex text': sign('sha256', Buffer.from(digest.toString('hex')), key),
    };
    for (const [why, bytes] of Object.entries(wrong))
      await expectRefused(text, bytes.toString('base64'), why);
    expect((await sendSigned(text, sign('sha256', data, key).toString('base64'))).httpStatus).toBe(201);
  });

  test('5.5 encoding: standard Base64 only', async () => {
    // A reference is searched whose signature has both characters that the two alphabets differ in.
    let body = payout();
    for (let count = 0; !/(?=.*\+)(?=.*\/)/.test(signText(stringToSign(body))); count++) {
      body = payout({ 'transaction.reference': `b64-${count}` });
    }
    const text = JSON.stringify(body);
    const good = signText(stringToSign(body));
    const bytes = Buffer.from(good, 'base64');
    await expectRefused(text, bytes.toString('base64url'), 'url-safe');
    await expectRefused(text, good.replaceAll('+', '-').replaceAll('/', '_'), 'url-safe, padded');
    await expectRefused(text, good.replace(/=+$/, ''), 'unpadded');
    await expectRefused(text, bytes.toString('hex'), 'hex');
    await expectRefused(text, `${good.slice(0, 64)} ${good.slice(64)}`, 'wrapped');
    await expectRefused(text, `"${good}"`, 'quoted');
    await expectRefused(text, Buffer.from(good).toString('base64'), 'encoded twice');
    await expectRefused(text, good.slice(4), 'cut');
    const twice = await sendSigned(text, `${good}, ${good}`);
    expect(twice.json).toMatchObject({ description: expect.stringContaining('there more than once') });
    expect((await sendSigned(text, good)).httpStatus).toBe(201);
  });

  test('5.5 keys: one of several registered keys is enough; a replaced key is refused', async () => {
    const second = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pemOf = (key: typeof second.publicKey) => key.export({ type: 'spki', format: 'pem' }).toString();
    const own = await startService({ publicKeys: [pemOf(clientKeys.publicKey), pemOf(second.publicKey)] });
    try {
      const send = async (key: typeof second.privateKey) => {
        const body = payout();
        return (
          await own.initiate('payout', body, { 'x-custom-signature': signText(stringToSign(body), key) })
        ).httpStatus;
      };
      expect([await send(clientKeys.privateKey), await send(second.privateKey)]).toEqual([201, 201]);
      const pem = pemOf(second.publicKey);
      expect((await own.admin('PUT', 'public-keys', { pem })).httpStatus).toBe(200);
      expect([await send(clientKeys.privateKey), await send(second.privateKey)]).toEqual([401, 201]);
    } finally {
      await own.close();
    }
  });

  test('5.5 keys: only RSA public keys of 2048 bits and more, in SPKI form, are registered', async () => {
    const spki = { type: 'spki', format: 'pem' } as const;
    const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(spki);
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(spki);
    const pkcs1 = clientKeys.publicKey.export({ type: 'pkcs1', format: 'pem' });
    const secret = clientKeys.privateKey.export(pkcs8);
    for (const pem of [small, ec, pkcs1, secret, 'nonsense', '']) {
      const answer = await service.admin('POST', 'public-keys', { pem: String(pem) });
      expect(answer.httpStatus, String(pem).slice(0, 40)).toBe(400);
      expect(answer.text).not.toContain('PRIVATE KEY-----\\nMII');
    }
  });

  test('5.5 the signature is asked for on both initiations and nowhere else', async () => {
    for (const [product, body] of [
      ['payout', payout()],
      ['remittance', remittance()],
    ] as const) {
      expect((await service.post(paths[product], body, await service.bearer(product))).json.code).toBe(
        '400.200',
      );
    }
    expect((await service.status('payout', { payment_uuid: '1' })).httpStatus).toBe(404);
    expect((await service.balances('payout')).httpStatus).toBe(200);
  });

  test('5.5 where a signed field is missing or neither text nor number, the field check answers first', async () => {
    for (const [path, value] of [
      ['reference', null],
      ['amount', true],
      ['service_code', []],
    ] as const) {
      const body = payout({ [`transaction.${path}`]: value });
      const answer = await sendSigned(JSON.stringify(body), undefined);
      expect(answer.httpStatus, path).toBe(400);
      expect(answer.json.data.field_errors).toEqual([
        expect.objectContaining({ field: `transaction.${path}` }),
      ]);
    }
  });
});
