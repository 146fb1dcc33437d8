import { listOwnSecrets } from '../../platform/own-secrets';
import { createSecretMask } from '../../platform/mask-known-secrets';
import { maskWire } from './mask-wire';
import { readReceived } from './read-received';

/** What sending does to long texts: each takes a second of a megabyte or two that were made for it. */
export const sendingWork = {
  readReceived,
  listOwnSecrets,
  maskTexts: ({ texts, secrets }: { texts: readonly string[]; secrets: readonly string[] }): string[] =>
    texts.map(createSecretMask(secrets)),
  maskWire: ({ trace, secrets }: { trace: Parameters<typeof maskWire>[0]; secrets: readonly string[] }) =>
    maskWire(trace, secrets),
};

/** What it is to the thread for long ones. */
export type SendingWork = typeof sendingWork;
