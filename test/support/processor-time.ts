/**
 * Starts to count this process's own processor time, and gives a reader of it in milliseconds.
 *
 * For limits on work: a clock on the wall also counts what the machine did for others.
 */
export function countProcessorMs(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
