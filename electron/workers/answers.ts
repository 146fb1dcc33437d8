import { serveWorker } from '../platform/workers/worker-rpc';
// eslint-disable-next-line import-x/no-restricted-paths -- reading is a part of sending
import type { AnswerHelperMethods } from '../services/sending/answer-reader';
// eslint-disable-next-line import-x/no-restricted-paths -- reading is a part of sending
import { readReceived } from '../services/sending/read-received';

serveWorker<AnswerHelperMethods, Record<never, never>>(() => ({ read: readReceived }));
