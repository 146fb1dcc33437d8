import { expect, it } from 'vitest';
import { createRequest } from '../imported';
import { takeOwnCredentials } from './own-credentials';

const take = (method: string, path: string, headers: [string, string][]) => {
  const request = createRequest({ name: '', method, url: `{{baseUrl}}${path}`, headers });
  const { headers: after, notes } = takeOwnCredentials(request);
  return { headers: Object.fromEntries(after), notes };
};
const payout = (headers: [string, string][]) => take('POST', '/payments/v1/payouts', headers);

it('puts the token and the signature of the app where a script of another client had them', () => {
  const { headers, notes } = payout([
    ['Authorization', 'Bearer {{access_token}}'],
    ['X-Custom-Signature', '{{payoutSignature}}'],
  ]);
  expect(headers).toEqual({
    Authorization: 'Bearer {{token.payout}}',
    'X-Custom-Signature': '{{signature}}',
  });
  expect(notes).toEqual([
    '{{access_token}} in its header Authorization is written {{token.payout}} here: the app fetches a token for each send that needs one.',
    '{{payoutSignature}} in its header X-Custom-Signature is written {{signature}} here: the app signs the bytes of each send, no script is needed for it.',
  ]);
});

it('puts them in the place of those that were copied along, and says no value', () => {
  const { headers, notes } = payout([
    ['authorization', 'Bearer eyJhbGciOi.copied.token'],
    ['x-custom-signature', 'Y29waWVk'],
  ]);
  expect(headers).toEqual({
    authorization: 'Bearer {{token.payout}}',
    'x-custom-signature': '{{signature}}',
  });
  expect(notes).toHaveLength(2);
  expect(notes.join()).not.toMatch(/copied|Y29waWVk/);
});

it('knows a payment whose path has variables of the same document', () => {
  const request = createRequest({
    name: '',
    method: 'POST',
    url: '{{baseUrl}}/payments/{{version}}/{{what}}',
    headers: [['X-Custom-Signature', '{{sig}}']],
    variables: [['what', 'payouts']],
  });
  expect(takeOwnCredentials(request, { version: '{{major}}', major: 'v1' }).headers).toEqual([
    ['X-Custom-Signature', '{{signature}}'],
  ]);
  expect(takeOwnCredentials(request).headers).toEqual(request.headers);
});

it('leaves a variable of a name that only begins alike', () => {
  const { headers } = payout([['X-Custom-Signature', '{{sigma}}']]);
  expect(headers).toEqual({ 'X-Custom-Signature': '{{sigma}}' });
});

it('says that what a script did before is done by the app', () => {
  const request = createRequest({
    name: '',
    method: 'POST',
    url: '{{baseUrl}}/payments/v1/payouts',
    headers: [['X-Custom-Signature', '{{signature}}']],
    notes: ['Its pre-request script is not taken over: scripts are not run here.'],
  });
  expect(takeOwnCredentials(request).notes.at(-1)).toBe(
    '{{signature}} needs no script: the app signs the bytes of each send.',
  );
});

it('says of a variable that a script may have set what stands for it here', () => {
  const request = createRequest({
    name: '',
    method: 'POST',
    url: '{{baseUrl}}/payments/v1/payouts',
    headers: [
      ['Authorization', 'Bearer {{ tok }}'],
      ['X-Custom-Signature', '{{sig2}}'],
      ['X-Tenant', '{{tenant}}'],
    ],
  });
  const signature =
    '{{sig2}} in its header X-Custom-Signature stays: {{signature}} in its place has the app sign each send.';
  const script = 'Its pre-request script is not taken over: scripts are not run here.';
  expect(takeOwnCredentials(request)).toEqual({ ...request, notes: [signature] });
  expect(takeOwnCredentials({ ...request, notes: [script] }).notes).toEqual([
    script,
    '{{tok}} in its header Authorization stays: where a script got a token, write {{token.payout}}, and the app fetches it.',
    signature,
  ]);
});

it('says that a payment has no signature, and adds none', () => {
  const { headers, notes } = payout([['Authorization', '{{token}}']]);
  expect(headers).toEqual({ Authorization: 'Bearer {{token.payout}}' });
  expect(notes.at(-1)).toContain('add `X-Custom-Signature: {{signature}}`');
});

it('leaves alone what is ours, what is somebody else’s, and what has no one product', () => {
  const own: [string, string][] = [
    ['Authorization', 'Bearer {{token.payout}}'],
    ['X-Custom-Signature', '{{signature}}'],
  ];
  expect(payout(own)).toEqual({ headers: Object.fromEntries(own), notes: [] });
  const named: [string, string][] = [
    ['Authorization', 'Bearer {{partner_pass}}'],
    ['X-Custom-Signature', '{{partner}}'],
  ];
  expect(payout(named)).toEqual({
    headers: Object.fromEntries(named),
    notes: [
      '{{partner}} in its header X-Custom-Signature stays: {{signature}} in its place has the app sign each send.',
    ],
  });
  for (const [method, path] of [
    ['POST', '/v1/charges'],
    ['GET', '/payments/v1/payouts'],
    ['POST', '/tsq/v1/query/payments'],
  ] as const) {
    const other: [string, string][] = [['Authorization', 'Bearer {{token}}']];
    expect(take(method, path, other)).toEqual({ headers: Object.fromEntries(other), notes: [] });
  }
});

it.each(['{{ signature }}', '{{signature}}'])(
  'needs no script for %s in the header of the signature',
  (value) => {
    const notes = ['Its pre-request script is not taken over: scripts are not run here.'];
    const headers: [string, string][] = [
      ['Accept', '*/*'],
      ['X-Custom-Signature', value],
    ];
    const payment = { name: '', method: 'POST', url: '{{baseUrl}}/payments/v1/payouts', notes };
    const last = (all: [string, string][]) =>
      takeOwnCredentials(createRequest({ ...payment, headers: all })).notes.at(-1);
    expect(last(headers)).toContain('needs no script');
    for (const other of [`x${value}`, `${value}x`, '{{partner}}'])
      expect(
        last([
          ['X-Custom-Signature', other],
          ['X-Own', value],
        ]),
      ).not.toContain('needs no script');
  },
);

it('takes a variable with something beside it for none of the names that it knows', () => {
  for (const value of ['Key {{access_token}}', 'Bearer {{access_token}}x']) {
    expect(payout([['Authorization', value]]).headers).toEqual({ Authorization: value });
  }
  const blanks = payout([['Authorization', 'Bearer  {{ access_token }}']]);
  expect(blanks.headers).toEqual({ Authorization: 'Bearer {{token.payout}}' });
});
