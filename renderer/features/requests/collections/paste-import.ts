import { askToImport } from '../../../session/asked-import';
import { isCommand } from '../editor/take-command';

/** Marks of what other tools export: enough to ask, the import itself looks closer. */
const exported =
  /"_postman_id"|schema\.getpostman\.com|"_postman_variable_scope"|"__export_format"|insomnia\.rest\/5|^\s*(?:openapi|opencollection)\s*:|"openapi"\s*:\s*"3|"entries"\s*:\s*\[|"brunoConfig"|^\s*meta\s*\{/m;
const headChars = 20_000;

/** Asks to import what is pasted anywhere but into a field. */
export function followPasted(): () => void {
  const take = (event: ClipboardEvent): void => {
    const { target } = event;
    const isField =
      target instanceof HTMLElement &&
      target.closest('input, textarea, [contenteditable="true"], .monaco-editor') !== null;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (isField || event.defaultPrevented) return;
    if (!isCommand(text) && !exported.test(text.slice(0, headChars))) return;
    event.preventDefault();
    askToImport({ source: { kind: 'text', name: 'pasted text', text } });
  };
  window.addEventListener('paste', take);
  return () => window.removeEventListener('paste', take);
}
