import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider';
import styles from './tooltip.module.css';

/** Tooltips stand inside a landmark of the page, where the window offers one. */
const findHints = (): HTMLElement => document.getElementById('hints') ?? document.body;

/** Says in words what a control is; shows on hover and on keyboard focus. The child must be focusable. */
export function Tooltip({
  text,
  children,
  placement = 'bottom',
}: {
  text: string;
  children: ReactElement;
  placement?: 'bottom' | 'right' | 'top' | 'left';
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={50}>
      {children}
      <UNSAFE_PortalProvider getContainer={findHints}>
        <AriaTooltip className={styles.tooltip} placement={placement} offset={6}>
          {text}
        </AriaTooltip>
      </UNSAFE_PortalProvider>
    </TooltipTrigger>
  );
}
