import type { OpenCollection } from '@shared/contract/collections';
import type { KeyboardEvent } from 'react';
import { isKeyPress } from '../../../ui/keys';
import type { TreeItem } from '../requests-selectors';
import { runItem } from '../run/run-wishes';
import { useRequestsStore } from '../requests-store';
import { deleteNode, refOf, runInTree, targetOf, type NodeRef } from './node-actions';
import { askForName } from './node-task';
import { duplicate } from './row-menu';
import { holdNode, pasteInto, useTreeClipboard } from './tree-clipboard';
import { undoLast } from './tree-undo';

/** Does something with a file or folder; of a whole collection, says why that is not done. */
const ofNode =
  (run: (node: NodeRef, item: TreeItem) => void, sayWhyNot: (collection: OpenCollection) => string) =>
  (item: TreeItem): void => {
    const node = refOf(item);
    if (node !== null) return run(node, item);
    const message = sayWhyNot(item.collection);
    useRequestsStore.setState({ treeNotice: { message, error: null, canUndo: false } });
  };

const bringNoWhole = ({ name }: OpenCollection): string =>
  `“${name}” is a whole collection, which is neither copied nor moved here: choose requests or folders in it.`;

/** What a key does with the row that the keyboard stands on; those that need none do it without. */
const keys: readonly [keys: string, run: (item: TreeItem) => void][] = [
  [
    'F2',
    ofNode(
      (node) => askForName({ kind: 'rename', node }),
      ({ name, directory }) =>
        `“${name}” has the name of its folder: rename the folder ${directory} and open it again.`,
    ),
  ],
  [
    'Delete',
    ofNode(
      (node) => void runInTree(() => deleteNode(node)),
      ({ name, directory }) =>
        `A whole collection is not deleted here. “Close ${name}” in its menu lists it no more; its folder ${directory} stays.`,
    ),
  ],
  ['shift+Enter', (item) => void runItem(item)],
  ['mod+d', ofNode((_node, item) => duplicate(item), bringNoWhole)],
  ['mod+x', ofNode((node) => holdNode(node, true), bringNoWhole)],
  ['mod+c', ofNode((node) => holdNode(node, false), bringNoWhole)],
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
