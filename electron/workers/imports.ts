import { serveWorker } from '../platform/workers/worker-rpc';
// eslint-disable-next-line import-x/no-restricted-paths -- the job is a part of its service, which runs here alone
import { createImportJob, type ImportJob } from '../services/imports/import-job';

serveWorker<ImportJob, Record<never, never>>(() => createImportJob());
