import type { AppLink } from '@shared/links/parse-link';
import { afterEach, expect, it, vi } from 'vitest';
import { setTransport } from '../transport/client';
import { createFakeTransport } from '../transport/fake';
import { closeLinkQuestion, startLinks, useAskedLink } from './asked-link';

afterEach(() => vi.unstubAllGlobals());

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

it('asks about each of the files that come at once, the first one first', async () => {
  const waiting: AppLink[] = [];
  const fake = createFakeTransport({
    'app.takeLink': async () => {
      const link = waiting.shift() ?? null;
      await settle();
      return { link };
    },
  });
  vi.stubGlobal('window', { countersign: { host: 'electron' } });
  setTransport(fake);
  startLinks();
  await settle();
  for (const path of ['/a.http', '/b.http', '/c.http']) {
    waiting.push({ kind: 'file', path });
    fake.emit('app.linkCame', {});
  }
  const asked: unknown[] = [];
  for (let count = 0; count < 4; count += 1) {
    await settle().then(settle).then(settle).then(settle);
    asked.push(useAskedLink.getState().asked);
    closeLinkQuestion();
  }
  expect(asked).toEqual([...['/a.http', '/b.http', '/c.http'].map((path) => ({ kind: 'file', path })), null]);
});
