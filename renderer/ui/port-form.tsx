import { useState, type ReactNode } from 'react';
import { Button } from './button';
import { TextField } from './text-field';

interface PortFormProps {
  className: string | undefined;
  /** Of the field. */
  portClassName: string | undefined;
  start: string;
  isPrimary?: boolean;
  isBusy: boolean;
  /** @param port - left out: the usual one */
  onStart: (port?: number) => void;
  /** Before the field. */
  children?: ReactNode;
}

/** Starts a server, at the port that is typed or at its usual one. */
export function PortForm(props: PortFormProps) {
  const [typed, setTyped] = useState('');
  const port = typed.trim();
  const isGood = port === '' || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535);
  return (
    <form
      className={props.className}
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) props.onStart(port === '' ? undefined : Number(port));
      }}
    >
      {props.children}
      <TextField
        label="Port"
        isLabelHidden
        className={props.portClassName}
        placeholder="Port"
        value={typed}
        onChange={setTyped}
        fault={isGood ? null : '0 to 65535'}
      />
      <Button
        type="submit"
        variant={props.isPrimary ? 'primary' : undefined}
        isDisabled={props.isBusy || !isGood}
      >
        {props.start}
      </Button>
    </form>
  );
}
