import { expect, it } from 'vitest';
import { listCookies, listOwnSecrets } from './own-secrets';

const nothing = { url: 'https://service.example/x?page=2', headers: [], body: null } as const;

it.each([
  ['its address', { url: 'https://service.example/x?page=2&api_key=of-the-address' }, ['of-the-address']],
  ['its body', { body: '{"user":"amina","password":"of-the-body"}' }, ['of-the-body']],
  ['a header', { headers: [['X-Api-Key', 'of-a-header']] }, ['of-a-header']],
  ['a token', { headers: [['authorization', 'Bearer of-a-token']] }, ['of-a-token']],
  [
    'Basic, and the password in it',
    { headers: [['Authorization', 'basic YW1pbmE6cGFzczp3b3Jk']] },
    ['YW1pbmE6cGFzczp3b3Jk', 'pass:word'],
  ],
  ['Basic of no pair', { headers: [['Authorization', 'Basic YW1pbmE=']] }, ['YW1pbmE=']],
  [
    'each cookie',
    { headers: [['Cookie', 'theme=dark; sid=of=a=cookie']] },
    ['theme=dark; sid=of=a=cookie', 'dark', 'of=a=cookie'],
  ],
  ['one place and another once', { headers: [['X-Token', 'same']], body: 'token=same' }, ['same']],
  ['no placeholder', { headers: [['Authorization', 'Bearer {{token.payout}}']] }, []],
  ['nothing where nothing is secret', { headers: [['X-Cookie-Policy', 'a=strict']] }, []],
] as [string, object, string[]][])(
  'lists what a request proves itself with: %s',
  (_what, request, secrets) => {
    expect(listOwnSecrets({ ...nothing, ...request })).toEqual(secrets);
  },
);

it('lists the values of the cookies that an answer sets, without what else stands there, and no short one or word', () => {
  const set = [
    'sid=of=a=cookie; Path=/; HttpOnly; SameSite=Strict',
    'theme=dark',
    'consent=accepted',
    'bare-value',
    'q="quoted-1"; Path=/',
  ];
  const headers = set.map((value): [string, string] => ['set-Cookie', value]);
  expect(listCookies([['X-Cookie', 'no=cookie-at-all'], ...headers])).toEqual([
    'of=a=cookie',
    'bare-value',
    'quoted-1',
  ]);
});
