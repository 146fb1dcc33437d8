import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { webhookTable } from '@shared/contract/webhook-columns';
import { AppError } from '@shared/errors';
import type { StoredWebhook } from '../listener/inbox-log';
import { InboxReader } from '../listener/inbox-reader';
import { inboxMigrations } from '../listener/inbox-schema';
import { openDatabase } from '../platform/database';
import { findUsualDataDirectory } from '../platform/data-directory';
import { formatSortableId } from '../platform/sortable-id';

export const dataOption = {
  type: 'text',
  placeholder: 'DIR',
  help: "Folder of the inbox; the app's own where left out",
} as const;

/** Opens the inbox of a data directory for reading; null where nothing was received yet. */
export function openInboxReader(data: string | undefined): InboxReader | null {
  const directory = resolve(data ?? findUsualDataDirectory());
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AppError(
      'cli.no_data',
      `There is no folder ${directory}. Name the data directory with --data DIR.`,
    );
  }
  const file = join(directory, 'inbox.db');
  return existsSync(file) ? new InboxReader(openDatabase({ file, migrations: inboxMigrations })) : null;
}

/** One webhook with its bytes, as `listen`, `inbox show` and `inbox export` write it. */
export function describeWebhook({ row, headers, body }: StoredWebhook): Record<string, unknown> {
  return {
    id: formatSortableId(row.id),
    ...webhookTable.json(row),
    headers,
    body_base64: Buffer.from(body).toString('base64'),
  };
}
