import { showControls } from '@shared/show-controls';
import { ConfirmDialog } from '../../ui/form-dialog';
import { resend, useResend } from './resend';
import { ForeignText } from '../../ui/foreign-text';

/** Asks before a request of the history goes to production once more. */
export function ResendDialog() {
  const asked = useResend((state) => state.asked);
  if (asked === null) return null;
  const { exchange, production, environment, host, payment } = asked;
  const amount = payment ? showControls([payment.currency, payment.amount].filter(Boolean).join(' ')) : '';
  return (
    <ConfirmDialog
      title={payment ? `Pay ${amount || 'what the body says'} once more?` : `Send to ${host}?`}
      onClose={() => useResend.setState({ asked: null })}
      onConfirm={() => void resend(exchange, production)}
      confirmLabel="Send to production"
    >
      <p>
        “{exchange.title}” goes to <b>{host}</b> in “{environment}”, which is production: what it asks for
        really happens.{' '}
        {payment ? (
          <>
            Recipient: <ForeignText text={payment.party ?? 'the body does not say'} />. Its reference is the
            same as before: a service that has it refuses it as a duplicate.
          </>
        ) : null}
      </p>
    </ConfirmDialog>
  );
}
