import { useEffect, useState, type RefObject } from 'react';

/** Tells whether a row holds more than it can show. */
export function useOverfull(row: RefObject<HTMLElement | null>, count: number): boolean {
  const [isOverfull, setOverfull] = useState(false);
  useEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setOverfull(element.scrollWidth > element.clientWidth + 1));
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [row, count]);
  return isOverfull;
}
