import { expect, it } from 'vitest';
import { readPlace } from './read-place';

it.each([
  ['https://API.example.com.:443/x', 'api.example.com:'],
  ['http://[::ffff:10.1.2.3]:8443', '10.1.2.3:8443'],
  ['http://[::ffff:10.1.2.3:8443', null],
  ['http://127.1:80', 'localhost:'],
  ['http://0:4010', 'localhost:4010'],
  ['http://[::]:4010', 'localhost:4010'],
  ['http://a.localhost.:4010', 'localhost:4010'],
  ['https://[2001:db8::1]', '[2001:db8::1]:'],
  ['', null],
])('reads %s as %s', (address, place) => {
  expect(readPlace(address)).toBe(place);
});
