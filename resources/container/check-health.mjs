// Asks the program in this container whether it is ready: exit 0 where it is. The port is that of --status-port.
const port = process.env.COUNTERSIGN_STATUS_PORT ?? '9464';
const isReady = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(2500) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isReady ? 0 : 1);
