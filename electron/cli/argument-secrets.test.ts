import { expect, it } from 'vitest';
import { createArgumentMask } from './argument-secrets';

const PASSWORD = 'Zq7hunterPw9';
const MASK = '•'.repeat(8);

it.each([
  ['a password', `http://amina:${PASSWORD}@pay.example/x`],
  ['a short one', 'http://amina:pw7@pay.example/x'],
  ['one without a user', `https://:${PASSWORD}@pay.example:99999/`],
  ['one without a scheme', `amina:${PASSWORD}@pay.example:1`],
  ['one slash too few', `http:/amina:${PASSWORD}@pay.example/`],
  ['a # in it', `http://amina:${PASSWORD}#x@pay.example/`],
  ['a / in it', `http://amina:x/${PASSWORD}@pay.example/`],
  ['an @ in it', `http://amina:b@${PASSWORD}@pay.example/`],
  ['a host that is none', `https://amina:${PASSWORD}@pay example/`],
  ['a token for a user', 'https://ghp_0123456789abcdefghij@pay.example/'],
  ['a value of the query', `http://pay.example/x?page=2&token=${PASSWORD}`],
  ['a value of an option', `--var=api_key=${PASSWORD}`],
  ['another scheme', `--store=postgres://amina:${PASSWORD}@pay.example/db`],
])('masks what is secret in an argument, wherever it is quoted and cut: %s', (_what, arg) => {
  const mask = createArgumentMask(['listen', arg]);
  const said = mask(`'${arg}' is one argument too many.`);
  expect(said).toContain(MASK);
  for (let length = 1; length <= arg.length; length += 1)
    expect(mask(`not '${arg.slice(0, length)}'.`)).not.toMatch(/Zq7h|hunter|pw7|ghp_0/);
  if (!arg.startsWith('--var')) expect(said).toContain('pay');
});

it('masks a password that an address has encoded since, and that of an option behind its name', () => {
  const mask = createArgumentMask(['http://amina:two words, 9@h/', '--admin-token', 'T0ken-of-the-admin']);
  expect(mask('http://amina:two%20words%2C%209@h/ refused T0ken-of-the-admin')).toBe(
    `http://amina:${MASK}@h/ refused ${MASK}`,
  );
});

it.each([
  'http://127.0.0.1:4010/x?mail=amina@pay.example',
  'https://pay.example:8443/users/@amina',
  'https://amina@pay.example/x',
  'ssh:amina@pay.example:22',
  'amina@pay.example',
  'resources/starter/Payments API/Payout.http',
  'status == FAILED and path == /hooks',
])('leaves what is no secret: %s', (arg) => {
  const said = `cannot read ${arg}: there is no such file`;
  expect(createArgumentMask(['send', arg])(said)).toBe(said);
});
