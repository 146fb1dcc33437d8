import { createInterface } from 'node:readline';

/**
 * Asks whoever sits at the terminal, on stderr: stdout is data.
 *
 * @returns what was typed; null where nobody can answer, or nobody did (end of input, Ctrl+C, a terminal that goes)
 */
export function askPerson(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return Promise.resolve(null);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.on('close', () => resolve(null));
    lines.on('SIGINT', () => lines.close());
    // Closed, it would set the terminal back, which fails alike.
    lines.on('error', () => resolve(null));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
