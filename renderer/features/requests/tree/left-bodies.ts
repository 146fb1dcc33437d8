import { requestExtension } from '@shared/http-file/example-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { listSome } from '@shared/list-some';
import { call } from '../../../transport/client';
import { wholePath } from './load-tree';

/**
 * Says of a request that came from another collection which files of its body stayed there: nothing is sent from outside.
 *
 * @returns empty: none did
 */
export async function describeLeftBodies(collectionId: string, path: string): Promise<string> {
  if (!requestExtension.test(path)) return '';
  const file = await call('collections.read', { collectionId, path }).catch(() => null);
  const depth = path.split('/').length - 1;
  const leads = parseHttpFile(file?.text ?? '').requests.flatMap(({ bodyCuts }) =>
    bodyCuts.flatMap(({ put }) => (typeof put === 'string' ? [] : [put.path])),
  );
  const root = wholePath({ collectionId, path: '' }).replaceAll('\\', '/');
  const left = leads.filter((one) =>
    // From one disk of Windows to another a whole path leads there.
    /^(?:[A-Za-z]:|[\\/])/.test(one)
      ? !one.replaceAll('\\', '/').startsWith(root)
      : /^(?:\.\.\/)*/.exec(one)![0].length / '../'.length > depth,
  );
  if (left.length === 0) return '';
  const names = listSome([...new Set(left)]);
  return ` The file of its body stays where it was, and is not sent from here: copy it into this collection, and name it instead of ${names}.`;
}
