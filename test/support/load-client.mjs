/**
 * Sends requests over raw keep-alive sockets, as fast as the answers come, one in flight a connection.
 *
 * A process of its own, so that measuring takes nothing from the server's thread. Reads its orders as JSON
 * from the file named as argument (requests in the binary file beside it), prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const orders = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const bytes = readFileSync(orders.requestsFile);
const requests = [];
for (let at = 0; at < bytes.length;) {
  const length = bytes.readUInt32LE(at);
  requests.push(bytes.subarray(at + 4, at + 4 + length));
  at += 4 + length;
}

let next = 0;
let statuses = {};
let errors = 0;

/** Runs until `total` answers have come, or until `durationMs` has passed. */
function runPhase({ total, durationMs }) {
  return new Promise((resolve) => {
    let started = 0;
    let done = 0;
    const latencies = new Float64Array(total ?? 2_000_000);
    const begin = performance.now();
    const deadline = durationMs === undefined ? Infinity : begin + durationMs;
    let open = orders.connections;
    const finish = () => {
      open -= 1;
      if (open > 0) return;
      const elapsedMs = performance.now() - begin;
      const sorted = latencies.subarray(0, done).sort();
      const at = (share) => sorted[Math.min(done - 1, Math.floor(done * share))] ?? 0;
      resolve({
        answers: done,
        elapsedMs,
        perSecond: (done / elapsedMs) * 1000,
        p50Ms: at(0.5),
        p99Ms: at(0.99),
      });
    };
    for (let index = 0; index < orders.connections; index++) {
      const socket = connect(orders.port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let rest = null;
      let isOver = false;
      const over = () => {
        if (isOver) return;
        isOver = true;
        socket.destroy();
        finish();
      };
      const send = () => {
        if ((total !== undefined && started >= total) || performance.now() >= deadline) return over();
        started += 1;
        sentAt = performance.now();
        socket.write(requests[next++ % requests.length]);
      };
      socket.on('connect', send);
      socket.on('error', () => {
        errors += 1;
        over();
      });
      socket.on('close', over);
      socket.on('data', (chunk) => {
        const data = rest === null ? chunk : Buffer.concat([rest, chunk]);
        const headEnd = data.indexOf('\r\n\r\n');
        if (headEnd === -1) return void (rest = data);
        const head = data.latin1Slice(0, headEnd);
        const length = /\r\ncontent-length: *(\d+)/i.exec(head);
        const end =
          length !== null
            ? headEnd + 4 + Number(length[1])
            : /\r\ntransfer-encoding: *chunked/i.test(head)
              ? data.indexOf('0\r\n\r\n', headEnd) === -1
                ? Infinity
                : data.length
              : headEnd + 4;
        if (data.length < end) return void (rest = data);
        rest = null;
        const status = head.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        latencies[done++] = performance.now() - sentAt;
        send();
      });
    }
  });
}

if (orders.warmUpMs > 0) await runPhase({ durationMs: orders.warmUpMs });
if (orders.warmUpTotal > 0) await runPhase({ total: orders.warmUpTotal });
statuses = {};
const result = await runPhase(
  orders.total === undefined ? { durationMs: orders.durationMs } : { total: orders.total },
);
console.log(JSON.stringify({ ...result, statuses, errors }));
