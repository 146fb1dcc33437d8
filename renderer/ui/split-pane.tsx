import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { Group, Panel, Separator, usePanelCallbackRef, type Layout } from 'react-resizable-panels';
import { cx } from './cx';
import { readRemembered, remember } from './remembered';
import { registerPane } from './split-pane-registry';
import styles from './split-pane.module.css';

export interface Pane {
  id: string;
  /** Accessible name: F6 goes from one pane to the next, and this is what is read. */
  label: string;
  content: ReactNode;
  /** Percent ('60%') or pixels (224). */
  defaultSize: number | string;
  minSize: number | string;
  /** Dragged below its least size it goes away; a double click on its edge brings it back. */
  isCollapsible?: boolean;
  /** Keeps its width in pixels when the window is resized. */
  isFixed?: boolean;
  /** `group` leaves the pane out of the landmarks. */
  role?: 'region' | 'group' | 'navigation';
}

function isLayout(value: unknown, panes: readonly Pane[]): value is Layout {
  if (typeof value !== 'object' || value === null) return false;
  return panes.every((pane) => typeof (value as Record<string, unknown>)[pane.id] === 'number');
}

/**
 * Panes side by side (or stacked) with edges that drag, by keyboard too. Sizes are remembered under `id`.
 */
export function SplitPane({
  id,
  panes,
  orientation = 'horizontal',
  className,
}: {
  id: string;
  panes: readonly Pane[];
  orientation?: 'horizontal' | 'vertical';
  className?: string;
}) {
  const storageKey = `split.${id}`;
  const [saved] = useState(() => readRemembered(storageKey));
  return (
    <Group
      id={id}
      className={cx(styles.group, className)}
      orientation={orientation}
      defaultLayout={isLayout(saved, panes) ? saved : undefined}
      onLayoutChanged={(layout, { isUserInteraction, requestedLayout }) => {
        if (isUserInteraction) remember(storageKey, requestedLayout ?? layout);
      }}
    >
      {panes.map((pane, index) => (
        <Fragment key={pane.id}>
          {index > 0 ? (
            <Separator
              className={cx(styles.edge, styles[orientation])}
              aria-label={`Size of ${panes[index - 1]?.label ?? ''}`}
            />
          ) : null}
          <PaneBody pane={pane} />
        </Fragment>
      ))}
    </Group>
  );
}

function PaneBody({ pane }: { pane: Pane }) {
  const [panel, setPanel] = usePanelCallbackRef();
  const [isShut, setShut] = useState(false);
  useEffect(() => {
    registerPane(pane.id, panel);
    return () => registerPane(pane.id, null);
  }, [pane.id, panel]);
  return (
    <Panel
      id={pane.id}
      panelRef={setPanel}
      defaultSize={pane.defaultSize}
      minSize={pane.minSize}
      collapsible={pane.isCollapsible}
      onResize={({ inPixels }) => setShut(inPixels === 0)}
      groupResizeBehavior={pane.isFixed ? 'preserve-pixel-size' : 'preserve-relative-size'}
      className={styles.panel}
    >
      <div
        className={styles.pane}
        role={pane.role ?? 'region'}
        aria-label={pane.label}
        data-pane={pane.id}
        data-ring="frame"
        tabIndex={-1}
        // What nobody sees takes neither Tab nor keys.
        inert={isShut}
      >
        {pane.content}
      </div>
    </Panel>
  );
}
