import { toClientError } from '../../../transport/client-error';
import { useRequestsStore } from '../requests-store';

interface Step {
  /** What was done, as a sentence. */
  message: string;
  undo: () => Promise<void>;
}

const mostSteps = 50;
/** The latest last. */
const steps: Step[] = [];
let isUndoing = false;

/** Notes what takes back what was just done in the tree, and says what was done. Taking back is no step of its own. */
export function rememberUndo(message: string, undo: () => Promise<void>): void {
  if (isUndoing) return;
  steps.push({ message, undo });
  if (steps.length > mostSteps) steps.shift();
  useRequestsStore.setState({ treeNotice: { message, error: null, canUndo: true } });
}

/** Takes back the latest step. Where that fails the tree says why, and it can be tried again. */
export async function undoLast(): Promise<void> {
  const step = isUndoing ? undefined : steps.pop();
  if (step === undefined) return;
  isUndoing = true;
  try {
    await step.undo();
    useRequestsStore.setState({
      treeNotice: { message: `Taken back: ${step.message}`, error: null, canUndo: false },
    });
  } catch (caught) {
    steps.push(step);
    const error = toClientError(caught);
    useRequestsStore.setState({ treeNotice: { message: error.message, error, canUndo: false } });
  } finally {
    isUndoing = false;
  }
}
