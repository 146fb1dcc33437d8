import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Makes one moving PNG of pictures of one size, as every browser plays it; its first picture is what others show.
 * @param frames - `png` and for how many milliseconds it stays
 * @source PNG specification, third edition, 11.3.6 (acTL, fcTL, fdAT)
 */
export function writeMovingPng(frames) {
  const read = frames.map(({ png, ms }) => ({ ...readChunks(png), ms }));
  const { header } = read[0];
  const odd = read.findIndex((one) => !one.header.equals(header));
  if (odd !== -1) throw new Error(`Picture ${odd + 1} has another size or kind of pixels than the first.`);
  let sequence = 0;
  const next = () => toBytes(sequence++);
  const pieces = read.flatMap(({ data, ms }, index) => {
    const control = Buffer.concat([
      next(),
      header.subarray(0, 8),
      toBytes(0),
      toBytes(0),
      Buffer.from([ms >> 8, ms & 0xff, 1000 >> 8, 1000 & 0xff, 0, 0]),
    ]);
    const body = index === 0 ? writeChunk('IDAT', data) : writeChunk('fdAT', Buffer.concat([next(), data]));
    return [writeChunk('fcTL', control), body];
  });
  return Buffer.concat([
    SIGNATURE,
    writeChunk('IHDR', header),
    writeChunk('acTL', Buffer.concat([toBytes(read.length), toBytes(0)])),
    ...pieces,
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function readChunks(png) {
  const data = [];
  let header;
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') header = body;
    if (name === 'IDAT') data.push(body);
    at += length + 12;
  }
  return { header, data: Buffer.concat(data) };
}

function writeChunk(name, body) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  return Buffer.concat([toBytes(body.length), named, toBytes(crc32(named))]);
}

function toBytes(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number >>> 0);
  return bytes;
}
