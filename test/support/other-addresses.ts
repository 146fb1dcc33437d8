import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses of this machine besides 127.0.0.1: of its networks, and one more of loopback where there is one. */
function listOtherAddresses(): string[] {
  const outside = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one !== undefined && one.family === 'IPv4' && !one.internal)
    .map((one) => one!.address);
  return [...outside, ...(process.platform === 'linux' ? ['127.0.0.2'] : [])];
}

/** Tells whether a port of ours answers on any address of this machine but 127.0.0.1. */
export async function isReachedElsewhere(port: number): Promise<boolean> {
  const answers = listOtherAddresses().map(
    (host) =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host, port, timeout: 2000 });
        const end = (isReached: boolean) => (): void => {
          socket.destroy();
          resolve(isReached);
        };
        socket.once('connect', end(true));
        socket.once('error', end(false));
        socket.once('timeout', end(false));
      }),
  );
  return (await Promise.all(answers)).includes(true);
}
