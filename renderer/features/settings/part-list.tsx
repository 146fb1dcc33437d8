import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { PaneHeader } from '../../ui/pane-header';
import shared from '../../ui/side-list.module.css';
import styles from './settings.module.css';

/** Beside the page: its parts, each one press away; the one that is read is marked. */
export function PartList({
  titles,
  current,
  onPress,
}: {
  titles: readonly string[];
  current: string | undefined;
  onPress: (title: string) => void;
}) {
  return (
    <nav className={styles.parts} aria-label="Parts of the settings">
      <PaneHeader title="Settings" />
      {titles.map((title) => (
        <button
          key={title}
          type="button"
          className={shared.part}
          aria-current={title === current}
          onClick={() => onPress(title)}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}

/**
 * The part that is read, of those that what is `sought` has left: the one that was gone to while it is in view, else the last that
 * begins in the upper sixth. To go to another part is to seek no more (`onLeave`).
 */
export function useCurrentPart(titles: readonly string[], sought: string, onLeave: () => void) {
  const page = useRef<HTMLDivElement>(null);
  const pressed = useRef<string | null>(null);
  const [current, setCurrent] = useState(titles[0]);
  const follow = useCallback(() => {
    const box = page.current?.getBoundingClientRect();
    if (box === undefined) return;
    const topOf = (title: string): number => findPart(page, title)?.getBoundingClientRect().top ?? 0;
    const left = titles.filter((title) => findPart(page, title) !== null);
    const kept = left.find((title) => title === pressed.current);
    if (kept !== undefined && topOf(kept) >= box.top && topOf(kept) < box.bottom) return setCurrent(kept);
    pressed.current = null;
    setCurrent(left.findLast((title) => topOf(title) <= box.top + box.height / 6) ?? left[0]);
  }, [titles]);
  useLayoutEffect(follow, [follow, sought]);
  const goTo = (title: string): void => {
    if (findPart(page, title) === null) flushSync(onLeave);
    pressed.current = title;
    setCurrent(title);
    findPart(page, title)?.scrollIntoView({ block: 'start' });
  };
  return { page, current, follow, goTo };
}

/** Null where none of its lines is among what is looked for: a style hides it then. */
function findPart(page: RefObject<HTMLElement | null>, title: string): HTMLElement | null {
  const part = page.current?.querySelector<HTMLElement>(`section[aria-label="${title}"]`) ?? null;
  return part?.offsetParent ? part : null;
}
