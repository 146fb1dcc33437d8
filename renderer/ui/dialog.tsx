import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { cx } from './cx';
import { ForeignText } from './foreign-text';
import styles from './dialog.module.css';

/** A modal window; Escape and a click outside close it. */
export function Dialog({
  title,
  isOpen = true,
  onClose,
  children,
  onClickOutside,
  width = 'normal',
  role = 'dialog',
}: {
  title: string;
  isOpen?: boolean;
  onClose: () => void;
  /** Says whether a click outside closes it; left out: it does. */
  onClickOutside?: () => boolean;
  children: ReactNode;
  width?: 'normal' | 'palette' | 'wide';
  role?: 'dialog' | 'alertdialog';
}) {
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={role === 'dialog'}
      shouldCloseOnInteractOutside={onClickOutside}
      data-modal
    >
      <Modal className={cx(styles.modal, width !== 'normal' && styles[width])}>
        <AriaDialog className={styles.dialog} role={role}>
          <Heading slot="title" className={styles.title}>
            <ForeignText text={title} />
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
