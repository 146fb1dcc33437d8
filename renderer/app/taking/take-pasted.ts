import { looksImportable } from '@shared/import/looks-importable';
import { askToImport } from '../../session/asked-import';
import { isForImport } from './is-for-import';

/** Asks to import what is pasted in any view, but into a field. */
export function takePasted(): void {
  const take = (event: ClipboardEvent): void => {
    const { target } = event;
    const isField =
      target instanceof HTMLElement &&
      target.closest('input, textarea, [contenteditable="true"], .monaco-editor') !== null;
    if (isField || event.defaultPrevented || !isForImport()) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!looksImportable(text)) return;
    event.preventDefault();
    askToImport({ source: { kind: 'text', name: 'pasted text', text } });
  };
  window.addEventListener('paste', take);
}
