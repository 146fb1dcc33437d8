import type { KeyboardEvent } from 'react';
import { isKeyPress } from '../../../ui/keys';
import type { TreeItem } from '../requests-selectors';
import { runItem } from '../run/run-wishes';
import { deleteNode, refOf, runInTree, targetOf } from './node-actions';
import { askForName } from './node-task';
import { duplicate } from './row-menu';
import { holdNode, pasteInto, useTreeClipboard } from './tree-clipboard';
import { undoLast } from './tree-undo';

/** What a key does with the row that the keyboard stands on; those that need none do it without. */
const keys: readonly [keys: string, run: (item: TreeItem) => void][] = [
  [
    'F2',
    (item) => {
      const node = refOf(item);
      if (node !== null) askForName({ kind: 'rename', node });
    },
  ],
  [
    'Delete',
    (item) => {
      const node = refOf(item);
      if (node !== null) void runInTree(() => deleteNode(node));
    },
  ],
  ['shift+Enter', (item) => void runItem(item)],
  ['mod+d', duplicate],
  ['mod+x', (item) => holdNode(refOf(item), true)],
  ['mod+c', (item) => holdNode(refOf(item), false)],
  ['mod+v', (item) => void pasteInto(targetOf(item))],
];

/** Does what a key of the tree asks for; false: it is none of these. */
export function handleTreeKey(event: KeyboardEvent, item: TreeItem | null): boolean {
  if (isKeyPress(event, 'mod+z')) {
    void undoLast();
    return true;
  }
  const found = keys.find(([one]) => isKeyPress(event, one));
  if (found === undefined || item === null) return false;
  // Nothing was cut or copied here: what is pasted then is text, such as a request of another tool.
  if (found[0] === 'mod+v' && useTreeClipboard.getState().held === null) return false;
  found[1](item);
  return true;
}
