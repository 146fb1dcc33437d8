import type { TunnelStatus } from '@shared/contract/forwarding';
import { useState } from 'react';
import { Button } from '../../../ui/button';
import { FormDialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/text-field';
import styles from '../inbox.module.css';
import { useWaysStore } from './ways-store';

const ways = [
  { program: 'cloudflared', way: 'cloudflared' },
  { program: 'ngrok', way: 'ngrok' },
  { program: 'ssh', way: 'ssh:' },
] as const;

/** Opens a way from outside to the listener, and to nothing else. */
export function TunnelDialog({ tunnel, onClose }: { tunnel: TunnelStatus; onClose: () => void }) {
  const openTunnel = useWaysStore((state) => state.openTunnel);
  const [way, setWay] = useState(tunnel.way);
  const missing = ways
    .filter(({ program }) => !tunnel.programs.includes(program))
    .map(({ program }) => program);
  return (
    <FormDialog
      title="Make the listener reachable from outside"
      isOpen
      onClose={onClose}
      onSubmit={() => openTunnel(way)}
      submitLabel="Open"
      isSubmitDisabled={way.trim() === ''}
    >
      <div className={styles.presets}>
        {ways.map((one) => (
          <Button key={one.way} isDisabled={missing.includes(one.program)} onPress={() => setWay(one.way)}>
            {one.program}
          </Button>
        ))}
        <Button onPress={() => setWay('cmd:')}>Own command</Button>
      </div>
      <TextField
        label="Way"
        value={way}
        onChange={setWay}
        autoFocus
        isCode
        placeholder="ssh:HOST, cloudflared, ngrok or cmd:COMMAND"
        help={
          'Only the listener is led out. Its public address becomes {{callback_url}}.' +
          (missing.length === 0 ? '' : ` Not found on this machine: ${missing.join(', ')}.`)
        }
      />
    </FormDialog>
  );
}
