import { expect, it } from 'vitest';
import { createIpcTransport } from './ipc';
import type { EventListener } from './transport';

it('listens once at the bridge, and hands each event to whoever listens then', () => {
  const atBridge: EventListener[] = [];
  const transport = createIpcTransport({
    host: 'electron',
    call: async () => ({ ok: true, value: null }),
    subscribe: (listener) => {
      atBridge.push(listener);
      return () => undefined;
    },
    pathOf: () => '',
  });
  const heard: string[] = [];
  const stops = Array.from({ length: 30 }, (_, index) =>
    transport.subscribe((name) => heard.push(`${index} ${name}`)),
  );
  expect(atBridge).toHaveLength(1);
  for (const stop of stops.slice(1)) stop();
  atBridge[0]!('inbox.changed', { unreadCount: 0 });
  expect(heard).toEqual(['0 inbox.changed']);
});
