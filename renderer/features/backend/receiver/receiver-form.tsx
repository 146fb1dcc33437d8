import { Button } from '../../../ui/button';
import { ErrorLine } from '../../../ui/error-line';
import { TextField } from '../../../ui/text-field';
import styles from '../backend.module.css';
import { isOfAddress } from './receiver-selectors';
import { useReceiverStore } from './receiver-store';

/** Addresses and secret of a check, and what begins it. */
export function ReceiverForm() {
  const { url, stateUrl, secret, change, check, cancel, error, status, chosen } = useReceiverStore();
  const isRunning = status?.state === 'running';
  const hasFailed = status?.state === 'failed' && isOfAddress(status, url);
  const failure = error ?? (hasFailed ? { message: status.message ?? 'It failed.' } : null);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) void check();
      }}
    >
      <TextField
        label="Address of your webhook handler"
        value={url}
        onChange={(next) => change({ url: next })}
        placeholder="http://127.0.0.1:8080/webhooks/payments"
        isCode
        help="The payments are made up: use a handler that is not in production."
      />
      <TextField
        label="State address, optional"
        value={stateUrl}
        onChange={(next) => change({ stateUrl: next })}
        placeholder="http://127.0.0.1:8080/test/payments"
        isCode
        help="Any JSON that your handler tells of what it did, such as a count: shows effects that happen twice. Without it answers alone are judged."
      />
      <TextField
        label="Webhook secret, optional"
        value={secret}
        onChange={(next) => change({ secret: next })}
        type="password"
        placeholder="whsec_…"
        help="Signs the webhooks, and judges the three scenarios about signatures. It is not kept."
      />
      <div className={styles.buttons}>
        <Button
          type="submit"
          variant="primary"
          isDisabled={isRunning}
          obstacle={
            url.trim() === '' ? 'Enter the address of the receiver' : chosen.size === 0 && 'Choose scenarios'
          }
        >
          {chosen.size === 1 ? 'Play 1 scenario' : `Play ${chosen.size} scenarios`}
        </Button>
        {isRunning ? <Button onPress={() => void cancel()}>Cancel</Button> : null}
      </div>
      {failure ? <ErrorLine error={failure} /> : null}
    </form>
  );
}
