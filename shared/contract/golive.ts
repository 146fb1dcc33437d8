import { z } from 'zod';
import { goliveRules, type RuleName } from '../golive/rules';
import { instant } from './common';
import { methodsOf } from './define';

const ruleNames = Object.keys(goliveRules) as [RuleName, ...RuleName[]];

export const goliveReport = z.object({
  rules: z.array(
    z.object({
      rule: z.enum(ruleNames),
      verdict: z.enum(['held', 'broken', 'not_seen']),
      message: z.string(),
      /** Ids of requests and webhooks, and where they are shown. */
      evidence: z.array(z.object({ id: z.string(), kind: z.enum(['proxy', 'sandbox', 'webhook']) })),
      /** The command that would exercise it, and the same for whoever has the app open. */
      exercise: z.string(),
      action: z.string(),
    }),
  ),
  callCount: z.number(),
  webhookCount: z.number(),
  /** Older requests are forgotten. */
  isCut: z.boolean(),
});
export type GoliveReport = z.infer<typeof goliveReport>;

const { read } = methodsOf();

export const goliveMethods = {
  /** Judges what the user's backend did in the local sandbox and through the proxy; what this app sent itself is left out. */
  'golive.report': read({
    input: z.object({ since: instant.nullable().default(null) }),
    output: goliveReport,
  }),
};
