import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { serveApp } from './app-protocol';

/** What was handed to Electron's session. */
const given = vi.hoisted(() => ({
  serve: (_request: Request): Promise<Response> => Promise.reject(new Error('nothing was registered')),
  mayRequest: (_contents: unknown, _permission: string, _answer: (isAllowed: boolean) => void): void => {},
  mayCheck: (_contents: unknown, _permission: string): boolean => true,
  isSpelling: true,
  hasNotifications: true,
  languages: ['en-US'],
  proxyMode: 'system',
  filter: (_details: { url: string }, _answer: (verdict: { cancel: boolean }) => void): void => {},
}));
vi.mock('electron', () => ({
  Notification: { isSupported: () => given.hasNotifications },
  protocol: {
    handle: (scheme: string, serve: typeof given.serve) => scheme === 'https' && (given.serve = serve),
  },
  session: {
    defaultSession: {
      setPermissionRequestHandler: (handler: typeof given.mayRequest) => (given.mayRequest = handler),
      setPermissionCheckHandler: (handler: typeof given.mayCheck) => (given.mayCheck = handler),
      setSpellCheckerEnabled: (isEnabled: boolean) => (given.isSpelling = isEnabled),
      setSpellCheckerLanguages: (languages: string[]) => (given.languages = languages),
      setProxy: (proxy: { mode: string }) => {
        given.proxyMode = proxy.mode;
        return Promise.resolve();
      },
      webRequest: { onBeforeRequest: (filter: typeof given.filter) => (given.filter = filter) },
    },
  },
}));

beforeAll(() => {
  const root = makeTemporaryFolder('page');
  writeFileSync(join(root, 'index.html'), '<title>Countersign</title>');
  serveApp(root);
});

const isCanceled = (url: string): boolean => {
  const answer = vi.fn();
  given.filter({ url }, answer);
  expect(answer).toHaveBeenCalledOnce();
  return answer.mock.calls[0]![0].cancel as boolean;
};
const ask = (url: string, method = 'GET') => given.serve(new Request(url, { method }));

it('has the session ask nobody for dictionaries or a proxy', () => {
  expect(given).toMatchObject({ isSpelling: false, languages: [], proxyMode: 'direct' });
});

it('lets the page have its own files, and what it makes itself', () => {
  for (const url of [
    'https://countersign.invalid/assets/index.js',
    'blob:https://countersign.invalid/1',
    'data:,x',
  ]) {
    expect(isCanceled(url), url).toBe(false);
  }
});

it.each([
  'https://example.com/',
  'http://countersign.invalid/',
  'https://countersign.invalid:444/',
  'https://countersign.invalid.example.com/',
  'http://127.0.0.1:4010/',
  'ws://127.0.0.1:4010/',
  'wss://countersign.invalid/',
  'file:///etc/passwd',
  'ftp://example.com/',
  'chrome://settings/',
])('cancels what goes to %s', (url) => {
  expect(isCanceled(url)).toBe(true);
});

it('copies to the clipboard and notifies when asked to, and is permitted nothing else', () => {
  const isGranted = (permission: string): boolean[] => {
    const answer = vi.fn();
    given.mayRequest(null, permission, answer);
    return [answer.mock.calls[0]![0] as boolean, given.mayCheck(null, permission)];
  };
  expect(isGranted('clipboard-sanitized-write')).toEqual([true, true]);
  expect(isGranted('notifications')).toEqual([true, true]);
  given.hasNotifications = false;
  expect(isGranted('notifications')).toEqual([false, true]);
  for (const permission of [
    'clipboard-read',
    'media',
    'geolocation',
    'midi',
    'hid',
    'serial',
    'usb',
    'openExternal',
    'fullscreen',
    'pointerLock',
    'display-capture',
    'fileSystem',
    'unknown',
  ]) {
    expect(isGranted(permission), permission).toEqual([false, false]);
  }
});

it('serves the page at its own origin to GET alone, with a strict policy; a refusal has it, too', async () => {
  const page = await ask('https://countersign.invalid/');
  expect([page.status, await page.text()]).toEqual([200, '<title>Countersign</title>']);
  for (const refused of [
    await ask('https://example.com/'),
    await ask('https://countersign.invalid:444/'),
    await ask('https://countersign.invalid/', 'POST'),
    await ask('https://countersign.invalid/none.js'),
  ]) {
    expect([refused.status, await refused.text()]).toEqual([404, 'Not found']);
    expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});
