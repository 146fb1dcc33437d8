import { z } from 'zod';
import { nothing } from './common';
import { methodsOf } from './define';
import { updateLimits } from './setting-limits';

const fileOfRelease = z.object({
  name: z.string(),
  sizeBytes: z.number(),
  /** For the system and the processor that this runs on. */
  isForThisSystem: z.boolean(),
});

export const updateCheck = z.object({
  current: z.string(),
  latest: z.string(),
  isNewer: z.boolean(),
  released: z.string(),
  /** The publisher's own words. */
  notes: z.string(),
  files: z.array(fileOfRelease),
});
export type UpdateCheck = z.infer<typeof updateCheck>;

const updateSource = z.object({
  address: z.string().max(updateLimits.address),
  publicKeyPem: z.string().max(updateLimits.key),
});

const { read, write } = methodsOf('updates.*');

export const updateMethods = {
  /** Sets where a release is told of, and whose signature counts; an empty address forgets both. Nobody is asked. */
  'updates.setSource': write({ input: updateSource, output: updateSource }),
  /** Asks the address of the settings for the latest release, and checks who signed what it says. Nothing else ever asks. */
  'updates.check': read({ input: nothing, output: updateCheck }),
  /** Fetches a file of the latest release into `updates` of the data folder and checks it. It is never opened or run. */
  'updates.download': write({
    input: z.object({ name: z.string().max(120) }),
    output: z.object({ file: z.string(), sha512: z.string() }),
  }),
};
