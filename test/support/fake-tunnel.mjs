/**
 * Stands for a tunnel's program: leads a public port to COUNTERSIGN_PORT, and misbehaves as its first argument says.
 *
 *   serve        prints its address and stays          die MS     ends after so long
 *   hang MS      goes on, and lets nothing through     move MS    changes its address after so long
 *   flood        prints without end                    leave      starts a child that stays
 */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

const [mode = 'serve', after = '0'] = process.argv.slice(2);
const target = Number(process.env.COUNTERSIGN_PORT);
let isHanging = false;

function open() {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (isHanging) return;
    const upstream = connect(target, '127.0.0.1');
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(
      `\u001b[32mForwarding\u001b[0m http://localhost:${server.address().port} -> http://127.0.0.1:${target}.`,
    );
  });
  return server;
}

if (mode === 'leave') spawn(process.execPath, [import.meta.filename, 'serve'], { stdio: 'inherit' });
else {
  const first = open();
  if (mode === 'die') setTimeout(() => process.exit(7), Number(after));
  if (mode === 'hang') setTimeout(() => (isHanging = true), Number(after));
  if (mode === 'move') {
    setTimeout(() => {
      first.close();
      open();
    }, Number(after));
  }
  if (mode === 'flood') {
    const noise = 'x'.repeat(60_000);
    const write = () => {
      while (process.stdout.write(noise));
      process.stdout.once('drain', write);
    };
    setTimeout(write, 300);
  }
}
