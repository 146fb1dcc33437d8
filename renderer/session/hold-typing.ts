import { callOffTask, isTaskPending } from './tasks';

/** What is typed for a field that is still to come. */
interface HeldTyping {
  text: string;
  /** Enter came after it: what follows would be for what that leads to. */
  isEntered: boolean;
  release: ReturnType<typeof setTimeout>;
  readonly giveUpAt: number;
  readonly callOff: () => void;
}

/** A dialog that was asked for stands there within this, once its view does. */
const patienceMs = 600;
/** However long a view or the script of a dialog takes to load: keys that do nothing for longer would look like a fault. */
const longestMs = 8000;

let held: HeldTyping | null = null;
let isDialogUnderWay = isTaskPending;

/** Has typing be kept for as long as `isUnderWay` says, too: a dialog whose script is still to come is no task. */
export function keepTypingWhile(isUnderWay: () => boolean): void {
  isDialogUnderWay = () => isTaskPending() || isUnderWay();
}

/**
 * Keeps what is typed from now on for the first field of the dialog that is being opened.
 *
 * On a busy machine, or where the view has to be loaded first, the field comes later than the first letters: they would be
 * lost, or go to what has the focus still.
 * @param callOff - what Escape does meanwhile, so that the dialog does not come over what is done next
 */
export function holdTyping(callOff: () => void = callOffTask): void {
  const giveUpAt = performance.now() + longestMs;
  if (held !== null) clearTimeout(held.release);
  else document.addEventListener('focusin', handOver);
  const { text = '', isEntered = false } = held ?? {};
  held = { text, isEntered, release: setTimeout(lookAgain, patienceMs), giveUpAt, callOff };
}

/** Takes a key press where typing is kept; false: it goes its usual way. */
export function takeForHeld(event: KeyboardEvent): boolean {
  if (held === null || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === 'Escape') {
    held.callOff();
    end();
    return false;
  }
  if (held.isEntered) return true;
  if (event.key === 'Enter') held.isEntered = true;
  else if (event.key === 'Backspace') held.text = held.text.slice(0, -1);
  else if (event.key.length === 1) held.text += event.key;
  return true;
}

function lookAgain(): void {
  if (held === null) return;
  if (isDialogUnderWay() && performance.now() < held.giveUpAt)
    held.release = setTimeout(lookAgain, patienceMs);
  // Whoever draws slowly gets its frames first.
  else requestAnimationFrame(() => requestAnimationFrame(end));
}

function end(): void {
  if (held === null) return;
  clearTimeout(held.release);
  held = null;
  document.removeEventListener('focusin', handOver);
}

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** The first thing in a dialog that has the focus ends it; a field gets what was typed. */
function handOver({ target }: FocusEvent): void {
  const dialog = target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]');
  // The dialog itself may have it first, for as long as its field is not there.
  if (!dialog || dialog === target) return;
  const { text = '', isEntered = false } = held ?? {};
  end();
  if (text === '' || !isField(target)) return;
  // After what the field itself does when it gets the focus: it may select what stands in it.
  queueMicrotask(() => insert(target, text));
  // Once what was typed has been looked for. A form is not sent by it: nobody has seen that yet.
  if (isEntered) setTimeout(() => pressEnter(target));
}

function pressEnter(field: HTMLElement): void {
  for (const type of ['keydown', 'keyup'])
    field.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true, cancelable: true }));
}

function insert(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const { selectionStart, selectionEnd, value } = field;
  const typed = { bubbles: true, data: text, inputType: 'insertText' };
  field.dispatchEvent(new InputEvent('beforeinput', typed));
  field.setRangeText(text, selectionStart ?? value.length, selectionEnd ?? value.length, 'end');
  field.dispatchEvent(new InputEvent('input', typed));
}
