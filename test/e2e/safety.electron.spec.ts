import { join } from 'node:path';
import { expect, projectRoot, test } from './fixtures';

/** What the page must not be able to do, whatever runs in it. */
test.describe('the window is confined', () => {
  test('it is sandboxed, isolated and without Node', async ({ app }) => {
    const preferences = await app.electron!.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } =
        contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag };
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
  });

  test('the page sees the bridge and nothing else of Electron or Node', async ({ app }) => {
    const seen = await app.page.evaluate(() => {
      const globals = globalThis as unknown as Record<string, unknown>;
      return {
        bridge: Object.keys(globals['countersign'] as object).sort(),
        require: typeof globals['require'],
        process: typeof globals['process'],
        buffer: typeof globals['Buffer'],
      };
    });
    expect(seen).toEqual({
      bridge: ['call', 'host', 'subscribe'],
      require: 'undefined',
      process: 'undefined',
      buffer: 'undefined',
    });
  });

  test('new windows and navigation are refused', async ({ app }) => {
    const before = app.page.url();
    const opened = await app.page.evaluate(() => window.open('https://example.com/') === null);
    expect(opened).toBe(true);
    await app.page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await app.page.evaluate(() => {
      location.href = 'file:///etc/passwd';
    });
    expect(app.page.url()).toBe(before);
    expect(await app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    // Playwright waits for the refused navigations, which never end, before each click; a real one ends them.
    await app.page.reload();
  });

  test('scripts from strings and requests to other origins are refused by the policy', async ({ app }) => {
    const outcome = await app.page.evaluate(async () => {
      // A string as code, from a task of the page itself: what a debugger evaluates is not held to the policy.
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.blockedURI));
      setTimeout('window.__evaluated = true' as unknown as () => void, 0);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const evaluated =
        '__evaluated' in window ? 'ran' : violations.includes('eval') ? 'refused' : 'nothing happened';
      const inline = await new Promise<string>((resolve) => {
        const script = document.createElement('script');
        script.textContent = 'window.__injected = true';
        document.head.append(script);
        resolve('__injected' in window ? 'ran' : 'refused');
      });
      const fetched = await fetch('https://example.com/').then(
        () => 'answered',
        () => 'refused',
      );
      return { evaluated, inline, fetched };
    });
    expect(outcome).toEqual({ evaluated: 'refused', inline: 'refused', fetched: 'refused' });
  });

  test('an empty page is left again at once', async ({ app }) => {
    const before = app.page.url();
    await app.page.evaluate(() => {
      location.href = 'about:blank';
    });
    await expect.poll(() => app.page.url()).toBe(before);
    await expect(app.page.getByRole('main').first()).toBeVisible();
  });

  test('no peer-to-peer connection tells an address of this machine', async ({ app }) => {
    const found = await app.page.evaluate(async () => {
      const candidates: string[] = [];
      try {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:1' }] });
        peer.onicecandidate = ({ candidate }) => candidate && candidates.push(candidate.candidate);
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
        await new Promise((resolve) => setTimeout(resolve, 1500));
      } catch (error) {
        return String(error);
      }
      return candidates.join('|');
    });
    expect(found).not.toContain('candidate');
  });

  test('there are no developer tools, unless they were asked for', async ({ app }) => {
    const isOpen = await app.electron!.evaluate(async ({ BrowserWindow, Menu }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      webContents.openDevTools();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const labels = JSON.stringify(
        Menu.getApplicationMenu()?.items.map(({ submenu }) => submenu?.items.map(({ role }) => role)),
      );
      return webContents.isDevToolsOpened() || labels.toLowerCase().includes('devtools');
    });
    expect(isOpen).toBe(false);
  });

  test('a call from any frame but the main one of our window is refused, loudly', async ({ app }) => {
    const preload = join(projectRoot, 'out', 'preload', 'index.cjs');
    const reply = await app.electron!.evaluate(async ({ BrowserWindow }, script) => {
      const stranger = new BrowserWindow({
        show: false,
        webPreferences: { preload: script, sandbox: true, contextIsolation: true },
      });
      await stranger.loadURL('data:text/html,<title>stranger</title>');
      const answer: unknown = await stranger.webContents.executeJavaScript(
        "window.countersign.call('app.status', {})",
      );
      stranger.destroy();
      return answer;
    }, preload);
    expect(reply).toMatchObject({ ok: false, error: { code: 'ipc.refused_sender' } });
  });

  test('unknown methods and malformed input are answered with an error, not a crash', async ({ app }) => {
    const replies = await app.page.evaluate(async () => {
      const bridge = (
        window as unknown as { countersign: { call(m: unknown, i: unknown): Promise<unknown> } }
      ).countersign;
      return Promise.all([
        bridge.call('__proto__', {}),
        bridge.call('constructor', {}),
        bridge.call('inbox.list', { limit: 'many' }),
        bridge.call('inbox.get', null),
      ]);
    });
    expect(replies.map((reply) => (reply as { error: { code: string } }).error.code)).toEqual([
      'app.unknown_method',
      'app.unknown_method',
      'app.bad_input',
      'app.bad_input',
    ]);
  });
});
