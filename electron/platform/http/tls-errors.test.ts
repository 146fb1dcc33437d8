import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createHttpClient } from './http-client';
import { describeNetworkError } from './http-errors';

const target = { hostname: 'pay.example', port: 443, isTls: true };
const describe = (fields: object, message = ''): string =>
  describeNetworkError(Object.assign(new Error(message), fields), target, false).message;

it.each([
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /no version of TLS that is safe/],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', /no version of TLS that is safe/],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /serves no host of that name\. Check the host/],
  ['ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME', /serves no host of that name\. Check the host/],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /may want a client certificate/],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', /may want a client certificate/],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', /ended the TLS handshake \(internal error\)/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /without a client certificate that it knows/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /leaves out a certificate of its chain/],
  ['INVALID_PURPOSE', /not issued for a server/],
  ['UNSPECIFIED', /certificate is not accepted \(CA signature digest algorithm too weak\)/],
  ['PATH_LENGTH_EXCEEDED', /certificate is not accepted \(/],
])('names the cause of %s, and neither that nobody is there nor http:// for a way out', (code, said) => {
  const message = describe({ code }, 'CA signature digest algorithm too weak');
  expect(message).toMatch(said);
  expect(message).not.toMatch(/Cannot reach|http:/);
});

it.each([
  ['ssl3_read_bytes:tlsv1 alert protocol version:../deps/x.c:1601:SSL alert number 70', /no version of TLS/],
  ['ssl3_get_record:wrong version number:../deps/x.c:350:\n', /answers is no TLS/],
  ['ssl3_read_bytes:ssl/tls alert handshake failure:../deps/x.c:1:', /may want a client certificate/],
])('reads the cause out of the words of OpenSSL where a write met it: %s', (words, said) => {
  const message = `write EPROTO 800C4225CF7F0000:error:0A00042E:SSL routines:${words}`;
  expect(describe({ code: 'EPROTO', syscall: 'write' }, message)).toMatch(said);
});

it('says of a port that speaks no TLS that it does not', () => {
  expect(describe({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' })).toMatch(/answers is no TLS.*or use http:\/\//);
});

it('names the hosts that a certificate is for, the first of many', () => {
  const altNames = (count: number): string =>
    Array.from({ length: count }, (_, index) => `DNS:h${index}.example`).join(', ');
  const of = (subjectaltname: string): string =>
    describe({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', cert: { subjectaltname } });
  expect(of('IP Address:10.0.0.1')).toMatch(/another host name \(it has 10\.0\.0\.1\)\./);
  expect(of(altNames(90))).toMatch(/\(it has h0\.example, (?:h\d\.example,? ){4}…\)\./);
  expect(of('')).toMatch(/for another host name\. /);
});

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH'])('leaves to the network what is of it: %s', (code) => {
  expect(describe({ code, syscall: 'connect' })).not.toMatch(/secure connection/);
});

let close = (): void => undefined;
afterEach(() => close());

it.each<[string, (socket: Socket) => void, RegExp]>([
  ['ends', (socket) => socket.end(), /took the connection and dropped it during the TLS handshake/],
  ['resets', (socket) => socket.resetAndDestroy(), /took the connection and dropped it during the TLS/],
  [
    'alerts',
    (socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 70])),
    /no version of TLS that is safe/,
  ],
])('says so of a server that %s in the handshake', async (_what, answer, said) => {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => answer(socket)),
  );
  close = () => server.close();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sent = createHttpClient()({
    method: 'GET',
    url: `https://127.0.0.1:${port}/`,
    headers: [],
    body: null,
    timeoutMs: 5000,
  });
  await expect(sent).rejects.toThrow(said);
});

it('tells nobody who speaks TLS already that the port needs it', () => {
  const unread = (isTls: boolean) =>
    describeNetworkError(
      Object.assign(new Error('x'), { code: 'HPE_INVALID_CONSTANT' }),
      { hostname: 'h', port: 1, isTls },
      true,
    ).message;
  expect(unread(false)).toContain(' (an HTTPS port needs https://).');
  expect(unread(true)).toMatch(/ the service’s own\.$/);
});
