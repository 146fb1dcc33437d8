import { Notification, protocol, session } from 'electron';
import { readStaticFile, securityHeaders } from '../platform/http/static-files';

/**
 * Where the page lives. `.invalid` never resolves (RFC 2606): only this process can answer for it.
 *
 * Not a scheme of its own: that would have to be declared before Electron is ready, which a main process made of
 * ES modules cannot promise (decision 3).
 */
export const appOrigin = 'https://countersign.invalid';

/**
 * Serves the built user interface in place of the network, and refuses everything else.
 *
 * No page of this session can reach the network, whatever it asks for; the permissions that it gets are listed here.
 */
export function serveApp(root: string): void {
  protocol.handle('https', async (request) => {
    const url = new URL(request.url);
    if (url.origin !== appOrigin || request.method !== 'GET') return refuse();
    const file = await readStaticFile(root, url.pathname);
    return file === null ? refuse() : new Response(file.body, { status: 200, headers: file.headers });
  });
  const allowed = new Set(['clipboard-sanitized-write', 'notifications']);
  // Of a system that shows none the page hears nothing when it notifies: it is refused when it asks.
  const isThere = (permission: string): boolean =>
    permission !== 'notifications' || Notification.isSupported();
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(allowed.has(permission) && isThere(permission)),
  );
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => allowed.has(permission));
  session.defaultSession.webRequest.onBeforeRequest((details, answer) =>
    answer({ cancel: !isOwn(details.url) }),
  );
  silence();
}

/**
 * Takes from the session what it would ask others for by itself, beside its pages: dictionaries, which it fetches from a server of
 * Chromium's maker even where no window wants them, and which proxy to use.
 */
function silence(): void {
  session.defaultSession.setSpellCheckerEnabled(false);
  session.defaultSession.setSpellCheckerLanguages([]);
  void session.defaultSession.setProxy({ mode: 'direct' });
}

function isOwn(address: string): boolean {
  const { origin, protocol: scheme } = new URL(address);
  return origin === appOrigin || ['devtools:', 'blob:', 'data:'].includes(scheme);
}

const refuse = (): Response => new Response('Not found', { status: 404, headers: securityHeaders });
