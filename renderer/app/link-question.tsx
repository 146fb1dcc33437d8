import { askToImport } from '../session/asked-import';
import { closeLinkQuestion, useAskedLink } from '../session/asked-link';
import { navigate } from '../session/routes';
import { call } from '../transport/client';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { FormDialog } from '../ui/form-dialog';
import { ForeignText } from '../ui/foreign-text';

/** Asks before a file that the desktop handed over is read; nothing of it is sent or changed by the answer. */
export function LinkQuestion() {
  const asked = useAskedLink((state) => state.asked);
  if (asked === null) return null;
  if (asked.kind === 'refused') return <Refusal reason={asked.reason} />;
  const { path } = asked;
  const isImport = asked.kind === 'import';
  return (
    <FormDialog
      title={isImport ? 'Import this file?' : 'Open its folder?'}
      onClose={closeLinkQuestion}
      onSubmit={() => (isImport ? askToImport({ source: { kind: 'path', path } }) : openFileIn(path))}
      submitLabel={isImport ? 'Show what is in it' : 'Open the folder'}
    >
      <p>
        <ForeignText text={path} />
      </p>
      <p>
        {isImport
          ? 'A link, or a start of the app with it, asks for it. You see what it would make before anything is written.'
          : 'The folder of this request file becomes an open collection, and the request is shown. Nothing is sent.'}
      </p>
    </FormDialog>
  );
}

function Refusal({ reason }: { reason: string }) {
  return (
    <Dialog title="Not opened" onClose={closeLinkQuestion} role="alertdialog">
      <p>
        <ForeignText text={reason} />
      </p>
      <Button autoFocus onPress={closeLinkQuestion}>
        Close
      </Button>
    </Dialog>
  );
}

/** @throws {ClientError} where the folder cannot be opened */
async function openFileIn(path: string): Promise<void> {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const { id } = await call('collections.open', { directory: path.slice(0, at) || '/' });
  navigate('requests', `@${id}/${path.slice(at + 1)}`);
}
