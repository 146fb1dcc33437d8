import { protocol, session } from 'electron';
import { readStaticFile, securityHeaders } from '../platform/static-files';

/** Where the page lives: a scheme of its own, so that no file and no remote address is its origin. */
export const appOrigin = 'app://countersign';

/** Declares the scheme; must run before Electron is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/** Serves the built user interface, refuses every permission, and lets no request leave for the network. */
export function serveAppScheme(root: string): void {
  protocol.handle('app', async (request) => {
    const url = new URL(request.url);
    if (url.host !== 'countersign' || request.method !== 'GET')
      return new Response('Not found', { status: 404 });
    const file = await readStaticFile(root, url.pathname);
    if (file === null) return new Response('Not found', { status: 404, headers: securityHeaders });
    return new Response(file.body, { status: 200, headers: file.headers });
  });
  const allowed = new Set(['clipboard-sanitized-write']);
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(allowed.has(permission)),
  );
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => allowed.has(permission));
  session.defaultSession.webRequest.onBeforeRequest((details, answer) => {
    const { protocol: scheme } = new URL(details.url);
    answer({ cancel: !['app:', 'devtools:', 'blob:', 'data:'].includes(scheme) });
  });
}
