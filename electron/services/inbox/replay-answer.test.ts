import { expect, it } from 'vitest';
import { describeReplayAnswer } from './replay-webhook';

const typed = 'typed-by-hand-8812';
const answer = (text: string, headers: [string, string][] = []) => ({
  httpStatus: 401,
  headers,
  body: Buffer.from(text),
  timings: {
    queueMs: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    firstByteMs: null,
    downloadMs: null,
    totalMs: 5,
  },
});
const call = { url: 'http://127.0.0.1:3000/hooks', headers: [], body: null };

it.each([
  ['the address', { url: `http://127.0.0.1:3000/hooks?token=${typed}` }],
  ['a header', { headers: [['Authorization', `Bearer ${typed}`]] as [string, string][] }],
  ['the body', { body: Buffer.from(`{"api_key":"${typed}"}`) }],
])('keeps no secret of %s that the receiver repeats', (_where, given) => {
  const headers: [string, string][] = [
    ['WWW-Authenticate', `Bearer error_description="${typed}"`],
    ['X-Echo', typed],
  ];
  const told = describeReplayAnswer({ ...call, ...given }, answer(`you said ${typed}`, headers));
  expect(told).toMatchObject({ httpStatus: 401, elapsedMs: 5, body: 'you said ••••••••' });
  expect(JSON.stringify(told)).not.toContain(typed);
});

it('leaves everything else as it came', () => {
  const headers: [string, string][] = [['Location', '/elsewhere']];
  const told = describeReplayAnswer(call, answer('{ "ok":\ttrue, "amount": 1000.00 }', headers));
  expect(told).toMatchObject({ headers, body: '{ "ok":\ttrue, "amount": 1000.00 }' });
});
