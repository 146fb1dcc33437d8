import type { HttpFile } from '../../http-file/http-file';
import { findProving } from './secret-variables';

/** Finds the variables that the requests of a file prove themselves with; its own, too. */
export function findProvingIn({ requests }: Pick<HttpFile, 'requests'>): Set<string> {
  const variables = new Set(requests.flatMap(({ fileVariables }) => fileVariables));
  return findProving(
    requests.map(({ url, headers, body }) => ({
      url,
      headers: headers.map(({ name, value }) => [name, value]),
      offHeaders: [],
      offParameters: [],
      body: body === null ? null : { parts: [body] },
      variables: [],
      description: '',
    })),
    [...variables].map(({ name, value }) => [name, value]),
  );
}
