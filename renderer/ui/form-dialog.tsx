import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useAskBeforeLeaving } from './ask-before-leaving';
import { Button, TextButton, type ButtonProps } from './button';
import { Dialog } from './dialog';
import styles from './dialog.module.css';
import { ErrorLine } from './error-line';
import { holdWindow } from './hold-window';
import { tell } from './say';
import { Spinner } from './spinner';
import { watchTypedFields } from './typed-fields';
import { useAttempt } from './use-attempt';
import tones from './tone.module.css';

/**
 * A dialog with fields and one action. `onSubmit` may fail: its error stands above the buttons and the dialog
 * stays open, with everything that was typed. Escape, a click outside, a link and the end of the window throw nothing away that
 * was typed: they ask first, but where that is no more than the word that confirms a danger. While the action is under way they
 * ask, too, and so does Cancel: how it ends stands nowhere else.
 */
export function FormDialog({
  title,
  isOpen,
  onClose,
  onSubmit,
  submitLabel,
  obstacle,
  isDanger,
  isCancelFocused,
  progress,
  isChanged,
  width,
  children,
}: {
  title: string;
  isOpen?: boolean;
  onClose: () => void;
  onSubmit: () => Promise<void> | void;
  submitLabel: string;
  /** Why it cannot be done now: said of the button, as of any, and once Enter was pressed for it. */
  obstacle?: ButtonProps['obstacle'];
  isDanger?: boolean;
  /** Enter then leaves everything as it is. */
  isCancelFocused?: boolean;
  /** How far it has come, while it is under way, and where it failed: closing the dialog then gives it up. */
  progress?: string | undefined;
  /** Something was typed elsewhere than in a text field: in an editor. */
  isChanged?: boolean;
  width?: 'normal' | 'wide';
  children: ReactNode;
}) {
  const { error, isBusy, run, leave } = useSubmit(onSubmit, onClose);
  const isGivingUp = isBusy && progress !== undefined;
  const { watch, ...typed } = useTyped(
    { mayDiscard: isDanger === true || isGivingUp, isChanged, isHeld: isBusy && !isGivingUp },
    leave,
  );
  // What the action itself leads to, it leads to.
  useHoldAddress((isOwn) => (isBusy && isOwn) || isGivingUp || typed.mayLeave());
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={typed.leave}
      onClickOutside={() => typed.mayLeave() && !isBusy}
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
          if (obstacle || isBusy) return;
          typed.goOn();
          void run();
        }}
      >
        <FirstFocus obstacle={obstacle}>{children}</FirstFocus>
        {error ? (
          <InSight key={error.message}>
            <ErrorLine error={error} />
          </InSight>
        ) : null}
        {typed.question ? <LeaveQuestion {...typed.question} onLeave={leave} /> : null}
        <Actions
          label={submitLabel}
          obstacle={obstacle}
          isDanger={isDanger === true}
          isBusy={isBusy}
          onCancel={typed.cancel}
          isCancelFocused={isCancelFocused === true}
        >
          {isBusy || (error && progress) ? (
            <span className={styles.busy}>
              {isBusy ? <Spinner label={`${title}: under way`} /> : null}
              {progress}
            </span>
          ) : null}
        </Actions>
      </form>
    </Dialog>
  );
}

function Actions({
  label,
  obstacle,
  isDanger,
  isBusy,
  onCancel,
  isCancelFocused,
  children,
}: {
  label: string;
  obstacle: ButtonProps['obstacle'];
  isDanger: boolean;
  isBusy: boolean;
  onCancel: () => void;
  isCancelFocused: boolean;
  children: ReactNode;
}) {
  return (
    <div className={styles.actions}>
      <span role="status" className={tones.told} aria-busy={isBusy}>
        {children}
      </span>
      <Button onPress={onCancel} autoFocus={isCancelFocused}>
        Cancel
      </Button>
      <Button type="submit" variant={isDanger ? 'danger' : 'primary'} obstacle={obstacle} isPending={isBusy}>
        {label}
      </Button>
    </div>
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

const discardsTyped = { message: 'Escape once more discards what you typed.', label: 'Discard' };
const closesUnseen = {
  message:
    'This is still under way. Escape once more closes the dialog alone: it goes on, and how it ends is not shown.',
  label: 'Close',
};

function LeaveQuestion({ message, label, onLeave }: { message: string; label: string; onLeave: () => void }) {
  return (
    <InSight>
      <ErrorLine error={{ message }}>
        <TextButton onPress={onLeave}>{label}</TextButton>
      </ErrorLine>
    </InSight>
  );
}

/**
 * Gives the first field the focus where nothing of the dialog asked for it: nobody sees it on the dialog itself. Enter in a field
 * tells what a greyed button waits for.
 */
function FirstFocus({ obstacle, children }: { obstacle: ButtonProps['obstacle']; children: ReactNode }) {
  const [isTold, setTold] = useState(false);
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
    <div
      ref={ref}
      className={styles.fields}
      onKeyDown={({ key, target }) => {
        if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
        setTold(true);
        if (obstacle) tell(obstacle);
      }}
    >
      {children}
      {isTold && obstacle ? <ErrorLine error={{ message: obstacle }} tone="warn" /> : null}
    </div>
  );
}

/** Asks before something that cannot be taken back; Enter alone does not do it. */
export function ConfirmDialog({
  onConfirm,
  confirmLabel,
  children,
  ...dialog
}: {
  title: string;
  isOpen?: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void> | void;
  confirmLabel: string;
  children: ReactNode;
}) {
  return (
    <FormDialog {...dialog} onSubmit={onConfirm} submitLabel={confirmLabel} isDanger isCancelFocused>
      <div className={styles.text}>{children}</div>
    </FormDialog>
  );
}

/** Asks before what was typed is thrown away, or `isHeld`: the first Escape or click outside; the second Escape leaves. */
function useTyped(
  {
    mayDiscard,
    isChanged = false,
    isHeld,
  }: { mayDiscard: boolean; isChanged?: boolean | undefined; isHeld: boolean },
  onLeave: () => void,
) {
  const [fields] = useState(watchTypedFields);
  const [asked, setAsked] = useState<'typed' | 'held' | null>(null);
  const isAsking = asked === (isHeld ? 'held' : 'typed');
  const isTyped = (): boolean => !mayDiscard && (isChanged || fields.isChanged());
  useAskBeforeLeaving(isTyped);
  const mayLeave = (): boolean => {
    const isFree = !isHeld && !isTyped();
    if (!isFree) setAsked(isHeld ? 'held' : 'typed');
    return isFree;
  };
  const leave = (): void => {
    if (isAsking || mayLeave()) onLeave();
  };
  return {
    question: isAsking ? (isHeld ? closesUnseen : discardsTyped) : null,
    watch: fields.watch,
    goOn: () => setAsked(null),
    mayLeave,
    leave,
    cancel: isHeld ? leave : onLeave,
  };
}

/**
 * Stays where a link, a notice or Back leads elsewhere, and what was typed would go with the view.
 *
 * @param mayLeave - told whether the app itself leads there, and not a link or Back
 */
function useHoldAddress(mayLeave: (isOwn: boolean) => boolean): void {
  useEffect(() => {
    // Not every browser has it; the window of the app does.
    const { navigation } = window as { navigation?: Navigation };
    const hold = (event: NavigateEvent): void => {
      if (event.hashChange && event.cancelable && !mayLeave(!event.userInitiated)) event.preventDefault();
    };
    navigation?.addEventListener('navigate', hold);
    return () => navigation?.removeEventListener('navigate', hold);
  });
}

function useSubmit(onSubmit: () => Promise<void> | void, onClose: () => void) {
  const { error, isBusy, run } = useAttempt();
  const hasLeft = useRef(false);
  const submit = async (): Promise<void> => {
    hasLeft.current = false;
    await holdWindow(Promise.resolve(onSubmit()));
    // Another dialog may stand there by then.
    if (!hasLeft.current) onClose();
  };
  const leave = (): void => {
    hasLeft.current = true;
    onClose();
  };
  return { error, isBusy, run: () => run(submit), leave };
}
