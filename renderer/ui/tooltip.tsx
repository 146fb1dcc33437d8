import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { ForeignText } from './foreign-text';
import styles from './tooltip.module.css';

/** Says in words what a control is; shows on hover and on keyboard focus. The child must be focusable; the text stands in `#hints`, inside a landmark. */
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
      <AriaTooltip
        className={styles.tooltip}
        placement={placement}
        offset={6}
        UNSTABLE_portalContainer={document.getElementById('hints') ?? document.body}
      >
        <ForeignText text={text} />
      </AriaTooltip>
    </TooltipTrigger>
  );
}
