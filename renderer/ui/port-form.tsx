import { useState, type ReactNode } from 'react';
import { Button } from './button';
import { readWhole } from './read-whole';
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
  const port = typed.trim() === '' ? undefined : readWhole(typed, 0, 65_535);
  return (
    <form
      className={props.className}
      onSubmit={(event) => {
        event.preventDefault();
        if (port !== null) props.onStart(port);
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
        fault={port === null ? '0 to 65535' : null}
      />
      <Button
        type="submit"
        variant={props.isPrimary ? 'primary' : undefined}
        isDisabled={props.isBusy || port === null}
      >
        {props.start}
      </Button>
    </form>
  );
}
