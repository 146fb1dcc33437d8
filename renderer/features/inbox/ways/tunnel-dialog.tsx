import type { TunnelStatus } from '@shared/contract/forwarding';
import { useState } from 'react';
import { Button } from '../../../ui/button';
import { FormDialog } from '../../../ui/form-dialog';
import { TextField } from '../../../ui/text-field';
import styles from '../inbox.module.css';
import { useWaysStore } from './ways-store';

const ways = [
  { program: 'cloudflared', way: 'cloudflared' },
  { program: 'ngrok', way: 'ngrok' },
  { program: 'ssh', way: 'ssh:' },
] as const;

/** Begins a command of the user's own, which is shown without it. */
const OWN = 'cmd:';

/** Opens a way from outside to the listener, and to nothing else. */
export function TunnelDialog({ tunnel, onClose }: { tunnel: TunnelStatus; onClose: () => void }) {
  const openTunnel = useWaysStore((state) => state.openTunnel);
  const [way, setWay] = useState(tunnel.way);
  // The last one used may be one: shown as it was typed.
  const isOwn = way.startsWith(OWN);
  const missing = ways
    .filter(({ program }) => !tunnel.programs.includes(program))
    .map(({ program }) => program);
  return (
    <FormDialog
      title="Make the listener reachable from outside"
      onClose={onClose}
      onSubmit={() => openTunnel(way)}
      submitLabel="Open"
      obstacle={
        way.slice(isOwn ? OWN.length : 0).trim() === '' && (isOwn ? 'Enter a command' : 'Choose a way')
      }
    >
      <div className={styles.presets}>
        {ways.map((one) => (
          <Button key={one.way} isDisabled={missing.includes(one.program)} onPress={() => setWay(one.way)}>
            {one.program}
          </Button>
        ))}
        <Button onPress={() => setWay(OWN)}>Own command</Button>
      </div>
      <TextField
        key={isOwn ? 'own' : 'way'}
        label={isOwn ? 'Command' : 'Way'}
        value={isOwn ? way.slice(OWN.length) : way}
        onChange={(next) => setWay(isOwn ? OWN + next.replace(/^cmd:/, '') : next)}
        autoFocus
        isCode
        placeholder={
          isOwn ? 'my-tunnel --port $COUNTERSIGN_PORT' : 'ssh:HOST, cloudflared, ngrok or cmd:COMMAND'
        }
        help={
          (isOwn ? 'It finds the port in COUNTERSIGN_PORT and prints its public address. ' : '') +
          'Only the listener is led out. Its public address becomes {{callback_url}}.' +
          (missing.length === 0 ? '' : ` Not found on this machine: ${missing.join(', ')}.`)
        }
      />
    </FormDialog>
  );
}
