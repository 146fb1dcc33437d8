/** What one message, one connection and one server may take: the same for every server of ours. */
export const limits = {
  headBytes: 64 * 1024,
  targetBytes: 16 * 1024,
  /** Longest line of a chunk's size; and all extensions of a body together, which nobody reads. */
  chunkLineBytes: 1024,
  chunkExtensionBytes: 16 * 1024,
  trailerBytes: 16 * 1024,
  /** Unfinished bodies of all connections together; above it new pieces are answered 503. */
  pendingBodyBytes: 512 * 1024 * 1024,
  connections: 4096,
  /** From the first byte of a head to its end. */
  headMs: 15_000,
  /** Between two pieces of a body, and from the first byte of the message to the last of its body. */
  bodyPauseMs: 30_000,
  bodyMs: 600_000,
  /** Without a message, or with an answer that the client does not take. */
  idleMs: 65_000,
  /** How long a server that stops waits for the rest of a request. */
  stopMs: 5000,
  /** How long a client that was sent away may pause, and go on sending in all, before it is cut off. */
  lingerPauseMs: 2000,
  lingerMs: 30_000,
} as const;
