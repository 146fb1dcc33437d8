import type { z } from 'zod';
import type { Agent, ToolCall } from './agent';

/** One tool as a client sees it, and what it does. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether it makes payments: refused unless the server may send. */
  readonly sends: boolean;
  run(agent: Agent, input: never, call: ToolCall): Promise<Record<string, unknown>>;
}

/** Declares a tool; exists so that `run` gets what its input schema says. */
export function defineTool<T extends z.ZodObject>(tool: {
  name: string;
  description: string;
  input: T;
  sends?: boolean;
  run(agent: Agent, input: z.output<T>, call: ToolCall): Promise<Record<string, unknown>>;
}): Tool {
  return { sends: false, ...tool };
}
