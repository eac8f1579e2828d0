import { isWeakSecret, type MachineSecret, shellCommand } from '@watchword/protocol';
import { DatabaseOpenError, openStore, type Store } from '@watchword/store-sql';
import { systemClock } from '../system.ts';
import type { NamedDatabase } from './options.ts';
import type { Row } from './output.ts';

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

const maxNamed = 20;

/** Commands that end them. Nothing is changed. */
export async function weakSecretsOf({ named }: NamedDatabase): Promise<string[]> {
  try {
    const store = await openStore({ ...named, clock: systemClock, isMachineClock: true });
    try {
      const found = await rotations(store);
      const more = found.length - maxNamed;
      return more > 0 ? [...found.slice(0, maxNamed), `and ${more} more`] : found;
    } finally {
      await store.close();
    }
  } catch (error) {
    // A database without tables has no records.
    if (error instanceof DatabaseOpenError) return [];
    throw error;
  }
}

async function rotations({ resourceServers, clients }: Store): Promise<string[]> {
  return [
    ...(await weakOf((page) => resourceServers.list(page))).map(({ key }) =>
      rotation('resource-server', key),
    ),
    ...(await weakOf((page) => clients.list(page))).map(({ clientId }) => rotation('client', clientId)),
  ];
}

const pageSize = 1000;

async function weakOf<Record extends { readonly id: number; readonly secret: MachineSecret | undefined }>(
  list: (page: { readonly after: number; readonly limit: number }) => Promise<readonly Record[]>,
): Promise<Record[]> {
  const weak: Record[] = [];
  for (let after = 0; ; ) {
    const page = await list({ after, limit: pageSize });
    weak.push(...page.filter(({ secret }) => isWeakSecret(secret)));
    if (page.length < pageSize) return weak;
    after = page.at(-1)?.id ?? after;
  }
}

function rotation(group: Group, name: string): string {
  return shellCommand(`watchword ${group} rotate-secret {name}`, { name });
}
