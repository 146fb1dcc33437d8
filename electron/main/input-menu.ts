import { Menu, type ContextMenuParams, type MenuItemConstructorOptions, type WebContents } from 'electron';

/** Offers cut, copy, paste and select all where text is typed, and copy where some is selected. */
export function offerInputMenu(contents: WebContents): void {
  contents.on('context-menu', (_event, params) => {
    const entries = listEntries(params);
    if (entries.length > 0) Menu.buildFromTemplate(entries).popup();
  });
}

function listEntries({
  isEditable,
  editFlags,
  selectionText,
}: ContextMenuParams): MenuItemConstructorOptions[] {
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy' }];
  return [
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
