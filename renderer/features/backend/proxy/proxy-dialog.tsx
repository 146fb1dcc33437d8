import type { ProxyStatus } from '@shared/contract/proxy';
import { useState } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { TextButton } from '../../../ui/button';
import { FormDialog } from '../../../ui/form-dialog';
import { TextField } from '../../../ui/text-field';
import { useProxyStore } from './proxy-store';

/** Where the proxy runs to, on which port, and what signatures are verified with. */
export function ProxyDialog({ status, onClose }: { status: ProxyStatus; onClose: () => void }) {
  const startProxy = useProxyStore((store) => store.startProxy);
  const sandboxUrl = useAppStatus((state) => state.status?.sandbox.baseUrl ?? null);
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const [target, setTarget] = useState(status.target);
  const [port, setPort] = useState(status.port === null ? '4030' : String(status.port));
  const [publicKey, setPublicKey] = useState(status.publicKey);
  const isPort = /^\d{1,5}$/.test(port.trim()) && Number(port) <= 65_535;
  const isRunning = status.state === 'running';
  const targets = [
    ...(sandboxUrl === null ? [] : [{ name: 'The local sandbox', url: sandboxUrl }]),
    ...(environment === null || environment.baseUrl === '' || environment.baseUrl === sandboxUrl
      ? []
      : [{ name: environment.name, url: environment.baseUrl }]),
  ].filter(({ url }) => url !== target);
  return (
    <FormDialog
      title="Set up the proxy"
      onClose={onClose}
      submitLabel={isRunning ? 'Start it anew' : 'Start the proxy'}
      obstacle={target.trim() === '' ? 'Enter the target' : !isPort && 'The port is a number from 0 to 65535'}
      width="wide"
      onSubmit={() => startProxy({ target: target.trim(), port: Number(port), publicKey })}
    >
      <TextField
        label="Target"
        value={target}
        onChange={setTarget}
        autoFocus
        isCode
        help="Base address of the service. Nothing but this is ever reached; its certificate is checked, by the issuers of an environment of that address, too."
      />
      {targets.length === 0 ? null : (
        <p>
          {targets.map(({ name, url }) => (
            <TextButton key={url} onPress={() => setTarget(url)}>
              {`${name}: ${url}`}
            </TextButton>
          ))}
        </p>
      )}
      <TextField
        label="Port on this machine"
        value={port}
        onChange={setPort}
        help="0: any free one. Your backend takes http://127.0.0.1 with this port as base address."
        fault={isPort ? null : '0 to 65535'}
      />
      <TextField
        label="Public key of your backend (PEM), if it is not known here"
        value={publicKey}
        onChange={setPublicKey}
        rows={4}
        isCode
        placeholder="-----BEGIN PUBLIC KEY-----"
        help="Left empty: the keys that the local sandbox has registered, or those of the vault."
      />
    </FormDialog>
  );
}
