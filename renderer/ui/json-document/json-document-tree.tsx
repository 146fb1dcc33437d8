import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { showControls } from '@shared/show-controls';
import { CopyButton } from '../copy-text';
import { cx } from '../cx';
import { cutDrawn } from '../foreign-text';
import type { NodePlace, TreeLine } from './json-document';
import type { JsonDocumentReader } from './json-document-reader';
import styles from './json-document-tree.module.css';
import column from '../column.module.css';

const linePx = 22;
const spareLines = 20;
/** Browsers end an element at some 33 million pixels: lines beyond are reached by a filter. */
const mostPx = 30_000_000;

interface Shown {
  from: number;
  total: number;
  lines: readonly TreeLine[];
}

interface TreeProps {
  reader: JsonDocumentReader;
  label: string;
  /** The node that is brought into view; null: none. */
  hit?: number | null;
}

/** A JSON document as a tree; only the lines in view are read. One tab stop: arrows go from line to line, open and shut. */
export function JsonDocumentTree({ reader, label, hit = null }: TreeProps) {
  const treeId = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>({ from: 0, total: 0, lines: [] });
  const [current, setCurrent] = useState(0);
  const [place, setPlace] = useState<NodePlace | null>(null);
  const line = shown.lines[current - shown.from];

  const load = async (): Promise<void> => {
    const { from, to } = findRange(scrollRef.current);
    const { total, lines } = await reader.ask('lines', from, to);
    setShown({ from, total, lines });
  };
  const go = (index: number): void => {
    const next = Math.max(0, Math.min(shown.total - 1, index));
    setCurrent(next);
    bringIntoView(scrollRef.current, next);
  };
  const setOpen = async (node: number, isOpen: boolean, isDeep: boolean): Promise<void> => {
    await reader.ask('setOpen', node, isOpen, isDeep);
    await load();
  };
  useLoading(scrollRef, reader, load);
  useEffect(() => {
    if (hit === null) return;
    void reader.ask('reveal', hit).then(async (index) => {
      await load();
      setCurrent(index);
      bringIntoView(scrollRef.current, index);
    });
    // The line of a hit is asked for once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hit, reader]);
  const node = line?.node ?? null;
  useEffect(() => {
    let isGone = false;
    if (node !== null) void reader.ask('place', node).then((found) => isGone || setPlace(found));
    return () => void (isGone = true);
  }, [node, reader]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const target = keyTargets[event.key]?.(current, shown.total);
    if (target !== undefined) go(target);
    else if (line && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const wantsOpen = event.key === 'ArrowRight';
      if (line.isOpen === !wantsOpen) void setOpen(line.node, wantsOpen, event.altKey);
      else go(wantsOpen ? current + 1 : findParent(shown, current));
    } else return;
    event.preventDefault();
  };
  return (
    <div className={column.whole}>
      <div
        ref={scrollRef}
        className={styles.tree}
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={line ? `${treeId}-${line.node}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div
          style={{ height: Math.min(mostPx, shown.total * linePx), position: 'relative' }}
          role="presentation"
        >
          {shown.lines.map((one, at) => (
            <Line
              key={one.node}
              id={`${treeId}-${one.node}`}
              line={one}
              top={(shown.from + at) * linePx}
              isCurrent={shown.from + at === current}
              onChoose={() => setCurrent(shown.from + at)}
              onToggle={(isDeep) => void setOpen(one.node, one.isOpen !== true, isDeep)}
            />
          ))}
        </div>
      </div>
      {place ? <PlaceBar place={place} /> : null}
    </div>
  );
}

const keyTargets: Record<string, (current: number, total: number) => number> = {
  ArrowDown: (current) => current + 1,
  ArrowUp: (current) => current - 1,
  PageDown: (current) => current + 20,
  PageUp: (current) => current - 20,
  Home: () => 0,
  End: (_current, total) => total - 1,
};

function findParent({ from, lines }: Shown, current: number): number {
  const depth = lines[current - from]?.depth ?? 0;
  for (let at = current - from - 1; at >= 0; at -= 1) if ((lines[at]?.depth ?? 0) < depth) return from + at;
  return Math.max(0, from - 1);
}

function findRange(element: HTMLDivElement | null): { from: number; to: number } {
  const { scrollTop = 0, clientHeight = 600 } = element ?? {};
  const from = Math.max(0, Math.floor(scrollTop / linePx) - spareLines);
  return { from, to: Math.ceil((scrollTop + clientHeight) / linePx) + spareLines };
}

function bringIntoView(element: HTMLDivElement | null, index: number): void {
  if (!element) return;
  const top = index * linePx;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + linePx > element.scrollTop + element.clientHeight)
    element.scrollTop = top + linePx - element.clientHeight;
}

function useLoading(
  scrollRef: React.RefObject<HTMLDivElement | null>,
  reader: JsonDocumentReader,
  load: () => Promise<void>,
): void {
  const latest = useRef(load);
  useLayoutEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    const element = scrollRef.current;
    if (!element) return undefined;
    const read = (): void => void latest.current();
    read();
    element.addEventListener('scroll', read, { passive: true });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', read);
      observer.disconnect();
    };
  }, [scrollRef, reader]);
}

interface LineProps {
  id: string;
  line: TreeLine;
  top: number;
  isCurrent: boolean;
  onChoose: () => void;
  onToggle: (isDeep: boolean) => void;
}

function Line({ id, line, top, isCurrent, onChoose, onToggle }: LineProps) {
  const { depth, name, kind, text, isOpen } = line;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    // The keys are those of the tree, which has the focus.
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isCurrent}
      {...(isOpen === null ? {} : { 'aria-expanded': isOpen })}
      className={cx(styles.line, isCurrent && styles.current)}
      style={{ top, paddingLeft: 8 + Math.min(depth, 40) * 14 }}
      onClick={(event) => {
        onChoose();
        if (isOpen !== null) onToggle(event.altKey);
      }}
    >
      {isOpen === null ? <span className={styles.leaf} /> : <Chevron size={14} aria-hidden="true" />}
      {name === null ? null : <span className={styles.name}>{showControls(cutDrawn(name))}</span>}
      <span className={cx(styles.value, styles[kind])}>{showControls(cutDrawn(text))}</span>
    </div>
  );
}

/** The way to the chosen value, to copy. */
function PlaceBar({ place }: { place: NodePlace }) {
  return (
    <div className={styles.place}>
      <code className={styles.path} title={place.path}>
        {showControls(cutDrawn(place.path))}
      </code>
      <CopyButton text={place.path} label="Path" name="Copy as JSONPath" />
      <CopyButton text={place.pointer} label="Pointer" name="Copy as JSON Pointer" />
      <CopyButton text={place.source} label="Value" name="Copy the value" />
    </div>
  );
}
