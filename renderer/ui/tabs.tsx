import { ChevronDown } from 'lucide-react';
import { memo, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import {
  Tab as AriaTab,
  TabList as AriaTabList,
  TabPanel as AriaTabPanel,
  Tabs as AriaTabs,
} from 'react-aria-components/Tabs';
import { IconButton } from './button';
import { cx } from './cx';
import { Menu } from './menu';
import styles from './tabs.module.css';
import { useOverfull } from './use-overfull';

export interface TabItem {
  id: string;
  label: string;
  /** Small number after the label; left out when null. */
  count?: number | null;
}

/**
 * A line of sub-tabs over one panel. `render` draws the panel of the selected tab.
 * `trailing` stands at the right end of the line.
 */
export function Tabs({
  label,
  items,
  selected,
  onSelect,
  render,
  trailing,
  className,
}: {
  label: string;
  items: readonly TabItem[];
  selected: string;
  onSelect: (id: string) => void;
  render: (id: string) => ReactNode;
  trailing?: ReactNode;
  className?: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const isOverfull = useOverfull(list, items.length);
  // One that is chosen from elsewhere may stand beyond the edge of the line, also once the button of the list takes room there.
  useEffect(() => {
    const show = (): void => {
      // By its key: `aria-selected` may follow in a later turn, and name the one before.
      const chosen = list.current?.querySelector(`[role="tab"][data-key="${CSS.escape(selected)}"]`);
      if (list.current && chosen) showInLine(list.current, chosen);
    };
    show();
    // The first focus puts the line back to where it was scrolled to before.
    const after = requestAnimationFrame(show);
    return () => cancelAnimationFrame(after);
  }, [selected, isOverfull]);
  return (
    <AriaTabs
      className={cx(styles.tabs, className)}
      selectedKey={selected}
      onSelectionChange={(key) => onSelect(String(key))}
    >
      <div className={styles.line}>
        <TabLine label={label} items={items} list={list} />
        {isOverfull ? (
          <Menu
            label={label}
            trigger={
              <IconButton label={`${label}: all ${items.length}`} className={styles.all}>
                <ChevronDown size={14} />
              </IconButton>
            }
            actions={items.map((item) => ({
              id: item.id,
              label: item.count ? `${item.label} (${item.count})` : item.label,
              onAction: () => onSelect(item.id),
            }))}
          />
        ) : null}
        {trailing ? <div className={styles.trailing}>{trailing}</div> : null}
      </div>
      {items.map((item) => (
        <AriaTabPanel key={item.id} id={item.id} className={styles.panel}>
          {item.id === selected ? render(item.id) : null}
        </AriaTabPanel>
      ))}
    </AriaTabs>
  );
}

/** Brings a tab into view along its line alone: `scrollIntoView` moves the pane around it, too, and what stands above is gone. */
function showInLine(line: Element, tab: Element): void {
  const [frame, box] = [line.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (box.left < frame.left) line.scrollLeft -= frame.left - box.left;
  else if (box.right > frame.right) line.scrollLeft += box.right - frame.right;
}

interface TabLineProps {
  label: string;
  items: readonly TabItem[];
  list: RefObject<HTMLDivElement | null>;
}

/** Drawn anew only where it says something else: over an editor its owner is drawn at each key stroke. */
const TabLine = memo(
  ({ label, items, list }: TabLineProps) => (
    <AriaTabList
      ref={list}
      aria-label={label}
      className={styles.list}
      items={items.map((item) => ({ ...item }))}
    >
      {(item) => (
        <AriaTab id={item.id} className={styles.tab}>
          <TabFace item={item} />
        </AriaTab>
      )}
    </AriaTabList>
  ),
  (before, after) =>
    before.label === after.label && JSON.stringify(before.items) === JSON.stringify(after.items),
);
TabLine.displayName = 'TabLine';

function TabFace({ item }: { item: TabItem }) {
  return (
    <span className={styles.face}>
      {item.label}
      {item.count === null || item.count === undefined ? null : (
        <small className={styles.count}>{item.count}</small>
      )}
    </span>
  );
}
