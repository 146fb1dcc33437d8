import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { askToImport } from '../../../session/asked-import';
import { toClientError } from '../../../transport/client-error';
import { useRequestsStore } from '../requests-store';
import { replaceRequest } from './edit-actions';

const command = /^\s*(?:\$\s+)?(?:curl(?:\.exe)?\s|Invoke-(?:WebRequest|RestMethod)\s|\$session\s*=)/i;

/** Tells whether a text is a command that sends a request. */
export function isCommand(text: string): boolean {
  return command.test(text);
}

/**
 * Makes the request of a tab that of a command. One that says more than a request can (several, a body that needs a file)
 * is imported as files instead, once the user says so.
 */
export async function takeCommand(tabId: string, text: string): Promise<void> {
  const source = { kind: 'text', name: 'pasted command', text } as const;
  try {
    const { importDocument } = await import('@shared/import/import-document');
    const { files, counts, sealed, notes } = importDocument(
      { name: source.name, files: [{ path: '', text }] },
      'curl',
    );
    const content = files[0]?.content;
    const block = typeof content === 'string' ? parseHttpFile(content).requests[0] : undefined;
    const isWhole = counts.requests === 1 && files.length === 1 && block?.fileVariables.length === 0;
    if (block === undefined || !isWhole) return askToImport({ source });
    replaceRequest(tabId, block);
    const names = sealed.flatMap(({ secrets }) => secrets.map(({ name }) => `{{${name}}}`));
    const left =
      names.length === 0
        ? []
        : [`Its credentials are left out: give ${names.join(', ')} a value in Settings, Environments.`];
    const said = [...left, ...notes.map(({ what }) => what)].join(' ');
    showNotice(`The request is that of the command. ${said}`.trim());
  } catch (error) {
    useRequestsStore.setState({ treeNotice: { message: '', error: toClientError(error), canUndo: false } });
  }
}

function showNotice(message: string): void {
  useRequestsStore.setState({ treeNotice: { message, error: null, canUndo: false } });
}
