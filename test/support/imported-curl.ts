import { parseHttpFile } from '../../shared/http-file/parse-http-file';
import { resolveRequest } from '../../shared/http-file/resolve-request';
import { importDocument } from '../../shared/import/import-document';

/** What leaves of one request of a file. */
export interface Leaving {
  method: string;
  url: string;
  headers: [string, string][];
  /** Null: none. */
  body: string | null;
}

const noValues = { get: () => null, renew: () => undefined, renewTimes: () => undefined };

/** What leaves of curl commands as we import them, their credentials put back. */
export function importCurl(commands: string, given: Readonly<Record<string, string>> = {}): Leaving[] {
  const { files, sealed } = importDocument(
    { name: 'given', files: [{ path: 'given', text: commands }] },
    'curl',
  );
  const secrets = sealed.flatMap((one) => one.secrets.map(({ name, value }) => [name, value]));
  const variables = { ...(Object.fromEntries(secrets) as Record<string, string>), ...given };
  return files
    .filter(({ path }) => path.endsWith('.http'))
    .flatMap(({ content }) => parseHttpFile(String(content)).requests)
    .map((block) => {
      const {
        method,
        url,
        headers,
        body,
        files: named,
      } = resolveRequest(block, {
        variables,
        dynamic: noValues,
      });
      const inFile = named.length > 0 ? files.find(({ path }) => !path.endsWith('.http')) : undefined;
      const sent = headers.map(([name, value]): [string, string] => [name, value]);
      return { method, url, headers: sent, body: inFile === undefined ? body : String(inFile.content) };
    });
}
