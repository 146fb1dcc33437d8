import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useAskBeforeLeaving } from './ask-before-leaving';
import { Button, TextButton } from './button';
import { Dialog } from './dialog';
import styles from './dialog.module.css';
import { ErrorLine } from './error-line';
import { Spinner } from './spinner';
import { watchTypedFields } from './typed-fields';
import { useAttempt } from './use-attempt';

/**
 * A dialog with fields and one action. `onSubmit` may fail: its error stands above the buttons and the dialog
 * stays open, with everything that was typed. Escape, a click outside, a link and the end of the window throw nothing away that
 * was typed: they ask first, but where that is no more than the word that confirms a danger.
 */
export function FormDialog({
  title,
  isOpen,
  onClose,
  onSubmit,
  submitLabel,
  isSubmitDisabled,
  isDanger,
  isCancelFocused,
  progress,
  isChanged,
  width,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onSubmit: () => Promise<void> | void;
  submitLabel: string;
  isSubmitDisabled?: boolean;
  isDanger?: boolean;
  /** Enter then leaves everything as it is. */
  isCancelFocused?: boolean;
  /** How far it has come, while it is under way, and where it failed. */
  progress?: string | undefined;
  /** Something was typed elsewhere than in a text field: in an editor. */
  isChanged?: boolean;
  width?: 'normal' | 'wide';
  children: ReactNode;
}) {
  const { error, isBusy, run } = useSubmit(onSubmit, onClose);
  const isGivingUp = isBusy && progress !== undefined;
  const { watch, ...typed } = useTyped({ mayDiscard: isDanger === true || isGivingUp, isChanged }, onClose);
  useHoldAddress(() => isBusy || typed.mayLeave());
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={typed.leave}
      onClickOutside={typed.mayLeave}
      width={width}
      role={isDanger ? 'alertdialog' : 'dialog'}
    >
      <form
        className={styles.form}
        ref={watch}
        onInput={typed.goOn}
        onSubmit={(event) => {
          event.preventDefault();
          // Only pending, not disabled: a button that is disabled while it works drops the focus to the page.
          if (!isSubmitDisabled && !isBusy) void run();
        }}
      >
        <FirstFocus>{children}</FirstFocus>
        {error ? (
          <InSight key={error.message}>
            <ErrorLine error={error} />
          </InSight>
        ) : null}
        {typed.isAsking ? <DiscardQuestion onDiscard={onClose} /> : null}
        <div className={styles.actions}>
          {isBusy || (error && progress) ? (
            <span className={styles.busy} role="status">
              {isBusy ? <Spinner label={`${title}: under way`} /> : null}
              {progress}
            </span>
          ) : null}
          <Button onPress={onClose} autoFocus={isCancelFocused}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            isDisabled={isSubmitDisabled}
            isPending={isBusy}
          >
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Scrolls to what has just come: the end of a long dialog is out of sight. */
function InSight({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Some browsers give a promise, which is no clean-up.
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return <div ref={ref}>{children}</div>;
}

function DiscardQuestion({ onDiscard }: { onDiscard: () => void }) {
  return (
    <InSight>
      <ErrorLine error={{ message: 'Escape once more discards what you typed.' }}>
        <TextButton onPress={onDiscard}>Discard</TextButton>
      </ErrorLine>
    </InSight>
  );
}

/** Gives the first field the focus where nothing of the dialog asked for it: nobody sees it on the dialog itself. */
function FirstFocus({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = ref.current?.closest('form');
    if (form?.contains(document.activeElement) === true) return;
    const field = ref.current?.querySelector<HTMLElement>(
      'input:not([type="hidden"]), textarea, select, button',
    );
    const cancel = form?.querySelector<HTMLElement>('button:not([type="submit"])');
    (field ?? cancel)?.focus();
  }, []);
  return (
    <div ref={ref} className={styles.fields}>
      {children}
    </div>
  );
}

/** Asks before something that cannot be taken back; Enter alone does not do it. */
export function ConfirmDialog({
  title,
  isOpen,
  onClose,
  onConfirm,
  confirmLabel,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void> | void;
  confirmLabel: string;
  children: ReactNode;
}) {
  return (
    <FormDialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={onConfirm}
      submitLabel={confirmLabel}
      isDanger
      isCancelFocused
    >
      <div className={styles.text}>{children}</div>
    </FormDialog>
  );
}

/** Asks before what was typed is thrown away: the first Escape or click outside, the second Escape does it. */
function useTyped(
  { mayDiscard, isChanged = false }: { mayDiscard: boolean; isChanged?: boolean | undefined },
  onClose: () => void,
) {
  const [fields] = useState(watchTypedFields);
  const [isAsking, setAsking] = useState(false);
  const isHeld = (): boolean => !mayDiscard && (isChanged || fields.isChanged());
  useAskBeforeLeaving(isHeld);
  const mayLeave = (): boolean => {
    const isFree = !isHeld();
    if (!isFree) setAsking(true);
    return isFree;
  };
  return {
    isAsking,
    watch: fields.watch,
    goOn: () => setAsking(false),
    mayLeave,
    leave: () => {
      if (isAsking || mayLeave()) onClose();
    },
  };
}

/** Stays where a link, a notice or Back leads elsewhere, and what was typed would go with the view. */
function useHoldAddress(mayLeave: () => boolean): void {
  useEffect(() => {
    // Not every browser has it; the window of the app does.
    const { navigation } = window as { navigation?: Navigation };
    const hold = (event: NavigateEvent): void => {
      if (event.hashChange && event.cancelable && !mayLeave()) event.preventDefault();
    };
    navigation?.addEventListener('navigate', hold);
    return () => navigation?.removeEventListener('navigate', hold);
  });
}

function useSubmit(onSubmit: () => Promise<void> | void, onClose: () => void) {
  const { error, isBusy, run } = useAttempt();
  const submit = async (): Promise<void> => {
    await onSubmit();
    onClose();
  };
  return { error, isBusy, run: () => run(submit) };
}
