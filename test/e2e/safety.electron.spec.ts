import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../../shared/contract/contract';
import { countMalformedCalls } from '../support/effort';
import { callBackend, postWebhook } from './backend';
import { electronCommand, expect, projectRoot, startApp, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

/** Starts the app once more over a data directory, and waits for its end. */
function startAgain(
  dataDirectory: string,
  ...given: string[]
): Promise<{ code: number | null; output: string }> {
  const { executablePath, args } = electronCommand(dataDirectory);
  return new Promise((resolve) => {
    const child = spawn(executablePath, [...args, ...given], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** What would end what the other tests stand on, or open windows of the system, is not called with whatever comes. */
const harmlessMethods = Object.keys(contract).filter(
  (method) =>
    !/choose|reveal|vault|keys.generate|sandbox.(stop|reset)|listener|tunnel|close|openExternal/.test(method),
);

/** What the page must not be able to do, whatever runs in it. */
test.describe('the window is confined', () => {
  test('it is sandboxed, isolated and without Node', async ({ app }) => {
    const preferences = await app.electron!.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const given = contents.getLastWebPreferences();
      const asked = ['sandbox', 'contextIsolation', 'nodeIntegration', 'webSecurity', 'webviewTag'];
      const risky = [
        'allowRunningInsecureContent',
        'experimentalFeatures',
        'nodeIntegrationInWorker',
        'nodeIntegrationInSubFrames',
        'enableBlinkFeatures',
      ];
      return {
        ...Object.fromEntries(asked.map((name) => [name, given[name]])),
        risky: risky.filter((name) => given[name]),
      };
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      risky: [],
    });
  });

  test('no <webview> comes to life, not even where a window allows the tag', async ({ app }) => {
    const made = await app.electron!.evaluate(async ({ BrowserWindow, webContents }) => {
      const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true, sandbox: true } });
      await window.loadURL('data:text/html,<webview src="data:text/html,x" allowpopups></webview>');
      await new Promise((resolve) => setTimeout(resolve, 500));
      const kinds = webContents.getAllWebContents().map((contents) => contents.getType());
      window.destroy();
      return kinds.includes('webview');
    });
    expect(made).toBe(false);
    expect(await app.page.evaluate(() => 'executeJavaScript' in document.createElement('webview'))).toBe(
      false,
    );
  });

  test('no address from elsewhere is handed to the system, and no file is fetched', async ({ app }) => {
    await app.electron!.evaluate(({ shell }) => {
      const seen = ((globalThis as unknown as { opened: string[] }).opened = []) as string[];
      shell.openExternal = (url) => (seen.push(url), Promise.resolve());
    });
    const codes = await app.page.evaluate(async () => {
      type Answer = { error?: { code: string } };
      const { countersign } = window as unknown as {
        countersign: { call(method: string, input: unknown): Promise<Answer> };
      };
      const addresses = [
        'file:///etc/passwd',
        'javascript:alert(1)',
        'smb://host/x',
        'ms-msdt:/id',
        'https://example.com/',
        'http://user:x@127.0.0.1/',
        '',
      ];
      const replies = await Promise.all(
        addresses.map((url) => countersign.call('app.openExternal', { url })),
      );
      const file = await fetch('file:///etc/passwd').then(
        () => 'read',
        () => 'refused',
      );
      return [...new Set(replies.map(({ error }) => error?.code)), file];
    });
    expect(codes).toEqual(['app.refused_address', 'refused']);
    expect(
      await app.electron!.evaluate(() => (globalThis as unknown as { opened: string[] }).opened),
    ).toEqual([]);
  });

  test('what the page hears of an event is its name and its payload, not the event of Electron', async ({
    app,
  }) => {
    const heard = await app.page.evaluate(async () => {
      type Listen = (listener: (...given: unknown[]) => void) => () => void;
      const { subscribe, call } = (
        window as unknown as {
          countersign: { subscribe: Listen; call(m: string, i: unknown): Promise<unknown> };
        }
      ).countersign;
      return new Promise<string[]>((resolve) => {
        const stop = subscribe((...given) => (stop(), resolve(given.map((one) => typeof one))));
        void call('settings.update', { theme: 'system' });
      });
    });
    expect(heard).toEqual(['string', 'object']);
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
      bridge: ['call', 'host', 'pathOf', 'subscribe'],
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
    const replies = await app.electron!.evaluate(async ({ BrowserWindow, session }, script) => {
      // A window as careless as can be: the bridge in every frame, a network that answers with pages of ours.
      const careless = session.fromPartition('careless');
      careless.protocol.handle('https', async ({ url }) => {
        const html = url.includes('stranger') ? '<iframe src="https://countersign.invalid/"></iframe>' : 'x';
        return new Response(html, { headers: { 'content-type': 'text/html' } });
      });
      const window = new BrowserWindow({
        show: false,
        webPreferences: {
          session: careless,
          preload: script,
          sandbox: true,
          contextIsolation: true,
          nodeIntegrationInSubFrames: true,
        },
      });
      const contents = window.webContents;
      contents.removeAllListeners('will-frame-navigate');
      const ask = (frame: Electron.WebFrameMain): Promise<unknown> =>
        frame.executeJavaScript("window.countersign.call('app.status', {})");
      const answers: Record<string, unknown> = {};
      await window.loadURL('data:text/html,<title>stranger</title>');
      answers['a page of data'] = await ask(contents.mainFrame);
      await window.loadURL('https://countersign.invalid.example.com/');
      answers[contents.mainFrame.url] = await ask(contents.mainFrame);
      await window.loadURL('https://stranger.example.com/');
      answers[contents.mainFrame.url] = await ask(contents.mainFrame);
      const inner = contents.mainFrame.frames[0]!;
      answers[`inside, ${inner.url}`] = await ask(inner);
      window.destroy();
      careless.protocol.unhandle('https');
      return answers;
    }, preload);
    expect(Object.keys(replies)).toEqual([
      'a page of data',
      'https://countersign.invalid.example.com/',
      'https://stranger.example.com/',
      'inside, https://countersign.invalid/',
    ]);
    for (const [from, reply] of Object.entries(replies)) {
      expect(reply, from).toMatchObject({ ok: false, error: { code: 'ipc.refused_sender' } });
    }
  });

  test('the network is out of reach, even of a page that is not held to the policy', async ({ app }) => {
    const asked: string[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url!);
      response.end('reached');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const outcome = await app.electron!.evaluate(async ({ BrowserWindow }, target) => {
      const window = new BrowserWindow({ show: false });
      const loaded = await window.loadURL(`${target}window`).then(
        () => 'loaded',
        (error: unknown) => String(error),
      );
      await window.loadURL('data:text/html,<title>no policy</title>');
      const fetched: unknown = await window.webContents.executeJavaScript(
        `fetch('${target}fetch', { mode: 'no-cors' }).then(() => 'fetched', () => 'refused')`,
      );
      window.destroy();
      return { loaded, fetched };
    }, `http://127.0.0.1:${port}/`);
    await new Promise((resolve) => server.close(resolve));
    expect(outcome.loaded).toContain('ERR_BLOCKED_BY_CLIENT');
    expect(outcome.fetched).toBe('refused');
    expect(asked).toEqual([]);
  });

  test('the page is permitted to write to the clipboard and to notify, and nothing else', async ({ app }) => {
    const states = await app.page.evaluate(async () => {
      const stateOf = async (name: string): Promise<string> =>
        (await navigator.permissions.query({ name: name as PermissionName })).state;
      const names = ['geolocation', 'camera', 'microphone', 'clipboard-read', 'midi'];
      const location = await new Promise<string>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('told'),
          ({ code }) => resolve(`refused ${code}`),
        ),
      );
      return {
        granted: (await Promise.all(names.map(stateOf))).filter((state) => state === 'granted'),
        location,
        notification: await Notification.requestPermission(),
      };
    });
    const isShown = await app.electron!.evaluate(({ Notification: Notice }) => Notice.isSupported());
    expect(states).toEqual({
      granted: [],
      location: 'refused 1',
      notification: isShown ? 'granted' : 'denied',
    });
  });

  test('a second start with the same data shows the window of the first, and ends', async ({ freshApp }) => {
    const areVisible = (): Promise<boolean[]> =>
      freshApp.electron!.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => window.isVisible()),
      );
    // The bridge to the app's process now and then loses an answer.
    const expectVisible = (visible: boolean[]): Promise<void> =>
      expect(async () => expect(await areVisible()).toEqual(visible)).toPass({ timeout: 10_000 });
    await expectVisible([true]);
    await freshApp.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide());
    await expectVisible([false]);
    const { code, output } = await startAgain(freshApp.dataDirectory);
    expect([code, output.trim()]).toEqual([0, '{"event":"running","host":"electron"}']);
    await expectVisible([true]);
  });

  test('a damaged inbox is looked at by a process of its own, though Electron never runs as Node', async ({
    freshApp,
  }) => {
    const { dataDirectory } = freshApp;
    for (let count = 0; count < 30; count += 1) {
      await postWebhook(freshApp.page, { client_reference: `kept-${count}`, pad: 'x'.repeat(3000) });
    }
    await freshApp.stop();
    const file = join(dataDirectory, 'inbox.db');
    const bytes = readFileSync(file);
    // Turned over in the middle: the start of the file, and most rows, can be read.
    for (let at = bytes.length - 6 * 4096; at < bytes.length - 4 * 4096; at += 1) bytes[at]! ^= 0xff;
    writeFileSync(file, bytes);
    const again = await startApp('electron', dataDirectory);
    try {
      await expect
        .poll(() => readdirSync(dataDirectory).filter((name) => name.startsWith('inbox.db.damaged')).length)
        .toBeGreaterThan(0);
      await new Shell(again.page).open('Inbox');
      await expect(
        again.page.getByText(/inbox\.db was damaged\. [1-9]\d* webhooks were saved/),
      ).toBeVisible();
    } finally {
      await again.stop();
    }
    expect(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8')).toContain('runAsNode: false');
  });

  test('unknown methods and malformed input are answered with an error, not a crash', async ({ app }) => {
    test.setTimeout(600_000);
    const failures = await app.page.evaluate(
      async ({ count, methods }) => {
        type Answer = { ok: boolean; error?: { code: string; message: string } };
        const { call } = (
          window as unknown as { countersign: { call(m: unknown, i: unknown): Promise<Answer> } }
        ).countersign;
        const odd: unknown[] = [
          null, undefined, 0, -1, NaN, Infinity, 2n ** 80n, '', '\0', '\ud800', '__proto__', 'x'.repeat(100_000), [],
          new Array(1000), {}, { __proto__: null }, new Date(NaN), /x/, new Map([[1, 2]]), new Uint8Array(9), new Error('x'),
          { id: {} }, { id: '../..' }, { path: '/etc/passwd' }, { limit: -1 }, { url: 'file:///' }, { name: '\u202e' },
        ]; // prettier-ignore
        const cyclic: Record<string, unknown> = {};
        cyclic['self'] = cyclic;
        odd.push(cyclic, { input: cyclic });
        const names: unknown[] = [...methods, '__proto__', 'toString', '', 'a.b', {}, null, 1, 'app.status '];
        let seed = 7;
        const pick = <T>(from: readonly T[]): T =>
          from[(seed = (seed * 48_271) % 2_147_483_647) % from.length]!;
        const failed: string[] = [];
        for (let done = 0; done < count; done += 50) {
          const calls = Array.from({ length: 50 }, () => [pick(names), pick(odd)] as const);
          const answers = await Promise.allSettled(calls.map(([method, input]) => call(method, input)));
          answers.forEach((answer, index) => {
            // What cannot be cloned never leaves the page: the bridge itself says so.
            const { error } = answer.status === 'fulfilled' ? answer.value : {};
            if (error?.code === 'app.internal' || /\n\s+at /.test(error?.message ?? ''))
              failed.push(`${String(calls[index]![0])}: ${error!.message}`);
          });
        }
        return failed;
      },
      { count: countMalformedCalls(1500), methods: harmlessMethods },
    );
    expect(failures).toEqual([]);
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

test('right-click and Shift+F10 offer cut, copy and paste in inputs, copy where text is marked, and a row its own menu alone', async ({
  app,
}) => {
  const { page } = app;
  await app.electron!.evaluate(({ Menu }) => {
    const shown: string[] = [];
    (globalThis as unknown as { shownMenus: string[] }).shownMenus = shown;
    // A menu of the system would stay open, and nothing here could close it.
    Menu.prototype.popup = function (this: Electron.Menu) {
      shown.push(this.items.map(({ role, type }) => String(role ?? type).toLowerCase()).join());
    };
  });
  const takeShown = () =>
    app.electron!.evaluate(() =>
      (globalThis as unknown as { shownMenus: string[] }).shownMenus.splice(0).join(),
    );
  const ofInputs = 'cut,copy,paste,separator,selectall';
  await new Shell(page).open('Settings');
  const field = page.getByRole('searchbox', { name: 'Search the settings' });
  await field.click({ button: 'right' });
  await expect.poll(takeShown).toBe(ofInputs);
  await field.press('Shift+F10');
  await expect.poll(takeShown).toBe(ofInputs);
  const heading = page.getByRole('heading', { name: 'Look', exact: true });
  await heading.selectText();
  await heading.click({ button: 'right' });
  await expect.poll(takeShown).toBe('copy');

  await new Shell(page).open('Environments');
  await page.getByRole('option').first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Copy the address' })).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await takeShown()).toBe('');
});

test('the menu bar shows the keys as they are and does what the page can; links and files ask, and never act', async ({
  app,
}) => {
  const { page, dataDirectory } = app;
  const hash = (): string => new URL(page.url()).hash;
  const readItem = (id: string) =>
    app.electron!.evaluate(({ Menu }, name) => {
      const item = Menu.getApplicationMenu()!.getMenuItemById(name)!;
      return { accelerator: String(item.accelerator), isEnabled: item.enabled };
    }, id);
  const choose = (id: string) =>
    app.electron!.evaluate(({ Menu }, name) => Menu.getApplicationMenu()!.getMenuItemById(name)!.click(), id);

  await new Shell(page).open('Balances');
  await expect.poll(() => readItem('send')).toEqual({ accelerator: 'CmdOrCtrl+Enter', isEnabled: false });
  await callBackend(page, 'settings.update', { keys: { 'go-inbox': 'mod+shift+i' } });
  await expect.poll(async () => (await readItem('go-inbox')).accelerator).toBe('CmdOrCtrl+Shift+I');
  await choose('go-inbox');
  await expect.poll(hash).toBe('#/inbox');
  await callBackend(page, 'settings.update', { keys: {} });

  expect((await startAgain(dataDirectory, 'countersign://view/lab')).output).toContain('"running"');
  await expect.poll(hash).toBe('#/lab');
  const refusal = page.getByRole('alertdialog', { name: 'Not opened' });
  await startAgain(dataDirectory, 'countersign://send/Payouts/Salary%20payout.http');
  await expect(refusal).toContainText('leads to nothing that the app has');
  await refusal.getByRole('button', { name: 'Close' }).click();
  expect(hash()).toBe('#/lab');

  const folder = join(dataDirectory, 'handed over');
  mkdirSync(folder);
  writeFileSync(join(folder, 'Ping.http'), '# @name Ping\nGET http://127.0.0.1:9/ HTTP/1.1\n');
  await startAgain(dataDirectory, join(folder, 'Ping.http'));
  const question = page.getByRole('dialog', { name: 'Open its folder?' });
  await expect(question).toContainText('Ping.http');
  expect(JSON.stringify(await callBackend(page, 'collections.list', {}))).not.toContain('handed over');
  await question.getByRole('button', { name: 'Open the folder' }).click();
  await expect(new RequestsPage(page).tab('Ping')).toHaveAttribute('aria-current', 'true');
  const { exchanges } = await callBackend(page, 'history.list', {});
  expect(exchanges.filter(({ url }) => url.includes(':9/'))).toEqual([]);
});
