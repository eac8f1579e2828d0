import { everyRecord } from '@watchword/administration';
import { isWeakSecret, shellCommand } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { NamedDatabase } from '../../command/options.ts';
import type { Row } from '../../command/output.ts';
import { foundInRecords } from '../found-in-records.ts';

/** Secrets of fewer than 16 characters, which an import was allowed to bring. */

type Group = 'client' | 'resource-server';

/** The column of a list that marks them, if there is one to mark. */
export function weakSecretColumn(records: readonly Row[]): string[] {
  return records.some(({ weakSecret }) => weakSecret === true) ? ['weakSecret'] : [];
}

/** What to do about the secret of a record that is shown. */
export function weakSecretNote(record: object, group: Group, name: string): string | undefined {
  if (!('weakSecret' in record)) return undefined;
  return `Note: its secret has fewer than 16 characters, so it can be guessed. Give it another one: ${rotation(group, name)}`;
}

/** Commands that end them. Nothing is changed. */
export function weakSecretsOf(target: NamedDatabase): Promise<string[]> {
  return foundInRecords(target, rotations);
}

async function* rotations({ resourceServers, clients }: Store): AsyncGenerator<string, void> {
  for await (const { key, secret } of everyRecord((page) => resourceServers.list(page)))
    if (isWeakSecret(secret)) yield rotation('resource-server', key);
  for await (const { clientId, secret } of everyRecord((page) => clients.list(page)))
    if (isWeakSecret(secret)) yield rotation('client', clientId);
}

function rotation(group: Group, name: string): string {
  return shellCommand(`watchword ${group} rotate-secret {name}`, { name });
}
