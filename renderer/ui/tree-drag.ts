import { useRef, useState, type DragEvent, type HTMLAttributes } from 'react';

/** What happens when a row is drawn onto another. */
export interface TreeDrag<T> {
  canDrag: (value: T) => boolean;
  canDrop: (dragged: T, onto: T) => boolean;
  /** `isCopy`: with Ctrl, or Alt on a Mac, held down. */
  onDrop: (dragged: T, onto: T, isCopy: boolean) => void;
}

export interface RowDrag {
  isTarget: boolean;
  handlers: HTMLAttributes<HTMLElement>;
}

const none: RowDrag = { isTarget: false, handlers: {} };
const isCopy = ({ ctrlKey, altKey }: DragEvent): boolean => ctrlKey || altKey;

/** Lets rows of a tree be drawn onto others; gives what each row needs for it. */
export function useTreeDrag<T>(drag: TreeDrag<T> | undefined): (id: string, value: T) => RowDrag {
  const dragged = useRef<T | null>(null);
  const [targetId, setTargetId] = useState<string | null>(null);
  if (drag === undefined) return () => none;
  const takes = (value: T): boolean => dragged.current !== null && drag.canDrop(dragged.current, value);
  const end = (): void => {
    dragged.current = null;
    setTargetId(null);
  };
  return (id, value) => ({
    isTarget: targetId === id,
    handlers: {
      draggable: drag.canDrag(value),
      onDragStart: ({ dataTransfer }) => {
        dragged.current = value;
        dataTransfer.effectAllowed = 'copyMove';
        // Firefox draws nothing without data; what is in it goes nowhere.
        dataTransfer.setData('text/plain', '');
      },
      onDragOver: (event) => {
        if (!takes(value)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = isCopy(event) ? 'copy' : 'move';
        setTargetId(id);
      },
      onDragLeave: () => setTargetId((current) => (current === id ? null : current)),
      onDragEnd: end,
      onDrop: (event) => {
        const from = dragged.current;
        end();
        if (from === null || !drag.canDrop(from, value)) return;
        event.preventDefault();
        event.stopPropagation();
        drag.onDrop(from, value, isCopy(event));
      },
    },
  });
}
