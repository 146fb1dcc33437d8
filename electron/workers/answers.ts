import { systemClock, systemRandom } from '../platform/node-ports';
import { serveWorker } from '../platform/workers/worker-rpc';
// eslint-disable-next-line import-x/no-restricted-paths -- a part of collections
import { createFolderExport, type FolderExport } from '../services/collections/export-collection';
// eslint-disable-next-line import-x/no-restricted-paths -- a part of the inbox
import { explainSignature, type ExplainWork } from '../services/inbox/explain-signature';
// eslint-disable-next-line import-x/no-restricted-paths -- a part of exporting
import { writeExport, type ExportWork } from '../services/inbox/export-webhooks';
// eslint-disable-next-line import-x/no-restricted-paths -- a part of replaying
import { describeReplay, type ReplayWork } from '../services/inbox/replay-webhook';
// eslint-disable-next-line import-x/no-restricted-paths -- a part of answering webhooks
import { tryRulesOn, type RulesWork } from '../services/inbox/try-rules';
// eslint-disable-next-line import-x/no-restricted-paths -- a part of sending
import { sendingWork, type SendingWork } from '../services/sending/sending-work';

serveWorker<
  SendingWork & ReplayWork & RulesWork & ExportWork & ExplainWork & FolderExport,
  Record<never, never>
>(() => ({
  ...sendingWork,
  ...createFolderExport({ clock: systemClock, random: systemRandom }),
  describeReplay,
  tryRules: tryRulesOn,
  writeExport,
  explainSignature,
}));
