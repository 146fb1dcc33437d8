/** Says a fault of ours, or of the disk, where the operator looks: on standard error. */
export function reportFailure(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.emitWarning(`Sandbox: ${text}`, { code: 'SANDBOX_FAILURE' });
}
