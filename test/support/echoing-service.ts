import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that repeats, in every place of its answers and in many writings, what it was ever told. */
export interface EchoingService {
  baseUrl: string;
  /** Has it repeat this, too. */
  know(secret: string): void;
  /** All that came: heads and bodies. */
  readReceived(): string;
  close(): void;
}

const perCharacter = (text: string, write: (code: string) => string): string =>
  [...text].map((one) => write(one.charCodeAt(0).toString(16).padStart(2, '0'))).join('');

/** How a secret comes back; none may hold a line break, which a header cannot. */
const writings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(`{"a":"${secret}"}`).toString('base64url'),
  (secret) => Buffer.from(secret).toString('hex'),
  encodeURIComponent,
  (secret) => perCharacter(secret, (code) => `%${code}`),
  (secret) => perCharacter(secret, (code) => `\\u00${code}`),
  (secret) => secret.normalize('NFD'),
  (secret) => secret.normalize('NFC'),
];

const toHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Starts it on a free port of this machine. @param token - the access token that it gives */
export async function startEchoingService(token: string): Promise<EchoingService> {
  const known = new Set<string>([token]);
  let received = '';
  const answer = (request: IncomingMessage, body: string) => {
    const echoes = [...known].flatMap((secret) => writings.map((write) => write(secret)));
    const inLines = [...known].map((secret) => secret.replace(/.{10}(?=.)/gs, '$&\\n'));
    const isToken = (request.url ?? '').includes('/token');
    const said = echoes.map((echo) => JSON.stringify(echo)).join(',');
    const lines = inLines.map((text) => `"${text}"`).join(',');
    const first = JSON.stringify(`no ${echoes.join(' ')}`.slice(0, 2000));
    return {
      status: isToken ? 200 : 401,
      reason: `No ${toHeader(echoes.filter((echo) => !echo.includes('\\')).join(' '))}`.slice(0, 2000),
      headers: Object.fromEntries(
        echoes.slice(0, 60).map((echo, index) => [`X-Echo-${index}`, toHeader(echo)]),
      ),
      text: isToken
        ? JSON.stringify({ access_token: token, expires_in: 3600, token_type: 'Bearer' })
        : `{"status":"REJECTED","code":"400.001.100","description":${first},"echo":[${said}],"lines":[${lines}],` +
          `"data":{"payment_uuid":${first}},"field_errors":[{"field":${first},"message":${first}}],"got":${JSON.stringify(body.slice(0, 4000))}}`,
    };
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      received += `${request.method} ${request.url} ${request.rawHeaders.join('\n')}\n${body}\n`;
      const { status, reason, headers, text } = answer(request, body);
      response.writeHead(status, reason, { ...headers, 'Content-Type': 'application/json' });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    know: (secret) => void known.add(secret),
    readReceived: () => received,
    close: () => void (server.closeAllConnections(), server.close()),
  };
}
