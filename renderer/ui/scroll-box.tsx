import { useEffect, useState, type ReactNode } from 'react';

/** A box that scrolls where it has more than it shows. Then the keyboard stops at it; else that would be a stop for nothing. */
export function ScrollBox({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [doesScroll, setScrolls] = useState(false);
  useEffect(() => {
    if (box === null) return;
    const look = (): void => setScrolls(box.scrollHeight > box.clientHeight + 1);
    const sizes = new ResizeObserver(look);
    const texts = new MutationObserver(look);
    sizes.observe(box);
    texts.observe(box, { childList: true, subtree: true, characterData: true });
    look();
    return () => {
      sizes.disconnect();
      texts.disconnect();
    };
  }, [box]);
  return (
    <div
      ref={setBox}
      className={className}
      {...(doesScroll && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      {children}
    </div>
  );
}
