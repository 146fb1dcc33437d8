import { useCallback, useRef, useState, type RefObject } from 'react';
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

/** The part that is read: the one that was gone to while it is in view, else the last that begins in the upper sixth. */
export function useCurrentPart(titles: readonly string[]) {
  const page = useRef<HTMLDivElement>(null);
  const pressed = useRef<string | null>(null);
  const [current, setCurrent] = useState(titles[0]);
  const follow = useCallback(() => {
    const box = page.current?.getBoundingClientRect();
    if (box === undefined) return;
    const topOf = (title: string): number => findPart(page, title)?.getBoundingClientRect().top ?? 0;
    const kept = titles.find((title) => title === pressed.current);
    if (kept !== undefined && topOf(kept) >= box.top && topOf(kept) < box.bottom) return setCurrent(kept);
    pressed.current = null;
    setCurrent(titles.findLast((title) => topOf(title) <= box.top + box.height / 6));
  }, [titles]);
  const goTo = (title: string): void => {
    pressed.current = title;
    setCurrent(title);
    findPart(page, title)?.scrollIntoView({ block: 'start' });
  };
  return { page, current, follow, goTo };
}

const findPart = (page: RefObject<HTMLElement | null>, title: string): HTMLElement | null =>
  page.current?.querySelector<HTMLElement>(`section[aria-label="${title}"]`) ?? null;
