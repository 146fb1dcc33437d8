import { replaceBody, replaceRequestLine, setAnnotations } from '@shared/http-file/edit-http-file';
import { replaceHeaders } from '@shared/http-file/replace-headers';
import type { HttpRequestBlock } from '@shared/http-file/http-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { askToImport } from '../../../session/asked-import';
import { findTab, useRequestsStore } from '../requests-store';
import type { EditPlace } from '../undo/edit-history';
import { editRequest } from './edit-actions';

/** Characters. A longer one is read by the back end: here it would hold the window up. */
const LONGEST_READ = 200_000;

/**
 * Makes the request of a tab that of a command. One that says more than a request can (several, a body that needs a file)
 * is imported as files instead, once the user says so.
 */
export async function takeCommand(tabId: string, text: string): Promise<void> {
  const source = { kind: 'text', name: 'pasted command', text } as const;
  if (text.length > LONGEST_READ) return askToImport({ source });
  const { importDocument } = await import('@shared/import/import-document');
  const { files, counts, sealed, notes } = importDocument(
    { name: source.name, files: [{ path: '', text }] },
    'curl',
  );
  const content = files[0]?.content;
  const block = typeof content === 'string' ? parseHttpFile(content).requests[0] : undefined;
  const isWhole = counts.requests === 1 && files.length === 1 && block?.fileVariables.length === 0;
  if (block === undefined || !isWhole) return askToImport({ source });
  const before = findTab(tabId)?.text;
  replaceRequest(tabId, block);
  const names = sealed.flatMap(({ secrets }) => secrets.map(({ name }) => `{{${name}}}`));
  const left =
    names.length === 0
      ? []
      : [`Its credentials are left out: give ${names.join(', ')} a value in Environments.`];
  const said = [...left, ...notes.map(({ what }) => what)].join(' ');
  showWhileTaken(tabId, before, `The request is that of the command. ${said}`.trim());
}

/** Puts another request in the place of one, its name and expectations apart: it was made from a command. */
function replaceRequest(id: string, next: HttpRequestBlock): void {
  // One step, whatever it changes.
  const place: EditPlace = { part: 'address', detail: 'command' };
  const headers = next.headers.map(({ name, value }) => [name, value] as const);
  // What it does is read from the new address.
  editRequest(id, place, (file, block) => setAnnotations(file, block, 'operation', []));
  editRequest(id, place, (file, block) => replaceBody(file, block, null));
  editRequest(id, place, (file, block) =>
    replaceRequestLine(file, block, { method: next.method, url: next.url }),
  );
  editRequest(id, place, (file, block) => replaceHeaders(file, block, headers));
  editRequest(id, place, (file, block) => replaceBody(file, block, next.body));
}

/** Says what was taken until somebody dismisses it, takes the command back or closes the tab. */
function showWhileTaken(tabId: string, before: string | undefined, message: string): void {
  const notice = { message, error: null, canUndo: false };
  useRequestsStore.setState({ treeNotice: notice });
  const end = useRequestsStore.subscribe(({ treeNotice }) => {
    const text = findTab(tabId)?.text;
    if (treeNotice === notice && text !== undefined && text !== before) return;
    end();
    if (treeNotice === notice) useRequestsStore.setState({ treeNotice: null });
  });
}
