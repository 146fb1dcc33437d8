import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReleaseNotice } from '@shared/updates/release-notice';

/** A publisher's place: what lies there by name, and what was asked for. */
export interface ReleaseServer {
  readonly address: string;
  readonly publicKeyPem: string;
  readonly files: Map<string, string | Buffer>;
  readonly asked: string[];
  /** Puts a notice there, signed. */
  publish(notice: unknown): void;
  close(): Promise<void>;
}

export const releaseFile = { name: 'countersign_9.0.0.deb', content: 'a release, of a kind' };

export const makeNotice = (change: Partial<ReleaseNotice> = {}): ReleaseNotice => ({
  app: 'countersign',
  version: '9.0.0',
  released: '2027-01-01',
  notes: 'Faster, and says so.',
  files: [
    {
      name: releaseFile.name,
      system: process.platform as 'linux',
      arch: process.arch as 'x64',
      size: releaseFile.content.length,
      sha512: createHash('sha512').update(releaseFile.content).digest('hex'),
    },
  ],
  ...change,
});

/** Starts a place with release 9.0.0 of one file on a free port of this machine. */
export async function startReleaseServer(): Promise<ReleaseServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const files = new Map<string, string | Buffer>([[releaseFile.name, releaseFile.content]]);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = request.url!.slice(1);
    asked.push(name);
    const file = files.get(name);
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publish = (notice: unknown): void => {
    const bytes = Buffer.from(JSON.stringify(notice));
    files.set('latest.json', bytes);
    files.set('latest.json.sig', sign(null, bytes, privateKey).toString('base64'));
  };
  publish(makeNotice());
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest.json`,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    files,
    asked,
    publish,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
