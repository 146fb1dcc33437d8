import { useAppStatus } from '../../../session/app-status';
import { TextButton } from '../../../ui/button';
import type { OpenTab } from '../requests-store';
import { sendRequest, startSandbox } from '../sending/sending-actions';

/** The way out where the embedded sandbox was not reached: it is started, and once it runs, asked again. */
export function StartSandbox({ tab }: { tab: OpenTab }) {
  const isStopped = useAppStatus((state) => state.status?.sandbox.state !== 'running');
  return isStopped ? (
    <TextButton onPress={() => void startSandbox(tab.id)}>Start the sandbox</TextButton>
  ) : (
    <TextButton onPress={() => void sendRequest(tab.id)}>Send again</TextButton>
  );
}
