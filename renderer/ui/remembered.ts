/** Where sizes and switches of the components are kept from one start to the next. */
export interface Memory {
  read: (key: string) => unknown;
  write: (key: string, value: unknown) => void;
}

let memory: Memory = { read: () => undefined, write: () => undefined };

/** Gives the components their memory, once, before the first of them is drawn. */
export function startRemembering(from: Memory): void {
  memory = from;
}

/** Reads what was kept under a name; the caller checks its shape. */
export function readRemembered(key: string): unknown {
  return memory.read(key);
}

/** Keeps something under a name. */
export function remember(key: string, value: unknown): void {
  memory.write(key, value);
}
