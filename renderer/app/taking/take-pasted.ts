import { looksImportable } from '@shared/import/looks-importable';
import { askToImport, refuseTooLarge } from '../../session/asked-import';
import { toClientError } from '../../transport/client-error';
import { say } from '../../ui/say';
import { isForImport } from './is-for-import';

const name = 'pasted text';
const NOTHING_TO_IMPORT =
  'What was pasted is no command or export that is known here. Click into a field to paste text there.';

/** Asks to import what is pasted in any view, but into a field; what is nothing to import is said to be that. */
export function takePasted(): void {
  const take = (event: ClipboardEvent): void => {
    const { target } = event;
    const isField =
      target instanceof HTMLElement &&
      target.closest('input, textarea, [contenteditable="true"], .monaco-editor') !== null;
    if (isField || event.defaultPrevented || !isForImport()) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.trim() === '') return;
    event.preventDefault();
    askAbout(text);
  };
  window.addEventListener('paste', take);
}

function askAbout(text: string): void {
  try {
    refuseTooLarge('What was pasted', new Blob([text]).size);
  } catch (error) {
    return askToImport({ refused: { name, error: toClientError(error) } });
  }
  if (looksImportable(text)) askToImport({ source: { kind: 'text', name, text } });
  else say(NOTHING_TO_IMPORT);
}
