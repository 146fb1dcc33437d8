import { beforeEach, expect, it, vi } from 'vitest';
import type { Logger } from '../platform/ports';
import type { Router } from '../services/router';
import { connectIpc } from './ipc-host';

type Call = (event: unknown, method: unknown, input: unknown) => Promise<unknown>;

/** Electron as it looks from here: the handler that was given, and the windows that are ours. */
const electron = vi.hoisted(() => ({
  handlers: new Map<string, unknown>(),
  ownContents: null as unknown,
}));
vi.mock('electron', () => ({
  BrowserWindow: {
    fromWebContents: (contents: unknown) => (contents === electron.ownContents ? {} : null),
    getAllWindows: () => [],
  },
  ipcMain: {
    handle: (channel: string, handler: unknown) => void electron.handlers.set(channel, handler),
    removeHandler: (channel: string) => electron.handlers.delete(channel),
  },
  protocol: {},
  session: {},
}));

const page = 'https://countersign.invalid/';
const dispatch = vi.fn(async () => ({ ok: true, value: {} }));
const log = vi.fn();
let disconnect: () => void;
beforeEach(() => {
  vi.clearAllMocks();
  disconnect = connectIpc({
    router: { dispatch } as unknown as Router,
    events: { subscribeAll: () => () => undefined } as never,
    logger: { log } as unknown as Logger,
  });
});

/** Calls as a frame would: the main one of our own window, unless something else is said of it. */
function callFrom({ url = page, isSubframe = false, isForeignContents = false, isGone = false } = {}) {
  const mainFrame = { url: isSubframe ? page : url };
  const sender = { mainFrame };
  electron.ownContents = isForeignContents ? {} : sender;
  const senderFrame = isGone ? null : isSubframe ? { url } : mainFrame;
  return (electron.handlers.get('countersign:call') as Call)({ sender, senderFrame }, 'app.status', {});
}

it.each([page, `${page}#/requests`, `${page}index.html`, `${page}index.html#/inbox`])(
  'takes calls of the main frame of our window at %s',
  async (url) => {
    expect(await callFrom({ url })).toEqual({ ok: true, value: {} });
    expect(dispatch).toHaveBeenCalledExactlyOnceWith('app.status', {});
    disconnect();
    expect(electron.handlers.size).toBe(0);
  },
);

it.each([
  ['a frame inside our page, at our own address', { isSubframe: true }],
  ['a frame that is gone', { isGone: true }],
  ['what is no window', { isForeignContents: true }],
  ['an empty page', { url: 'about:blank' }],
  ['a page without address', { url: '' }],
  ['a page of data', { url: 'data:text/html,x' }],
  ['a file', { url: 'file:///index.html' }],
  ['another origin', { url: 'https://example.com/' }],
  ['our origin without encryption', { url: 'http://countersign.invalid/' }],
  ['our origin at another port', { url: 'https://countersign.invalid:444/' }],
  ['an origin that begins like ours', { url: 'https://countersign.invalid.example.com/' }],
  ['a user name that looks like our origin', { url: 'https://countersign.invalid@example.com/' }],
])('refuses %s, and logs it', async (_name, from) => {
  expect(await callFrom(from)).toMatchObject({ ok: false, error: { code: 'ipc.refused_sender' } });
  expect(dispatch).not.toHaveBeenCalled();
  expect(log).toHaveBeenCalledExactlyOnceWith('error', 'ipc.refused_sender', expect.anything());
});
