import type {
  AppliedConfiguration,
  Client,
  ConfigurationReader,
  ManagedRecord,
  ManagedRecords,
  ResourceServer,
} from '@watchword/protocol';
import { digestOfClient } from '../clients/client-record.ts';
import { digestOfResourceServer } from '../resource-servers/resource-server-record.ts';

/** How the database differs from a configuration as it was applied. */
export interface ConfigurationDrift {
  readonly name: string;
  /** Records that differ, or are gone. */
  readonly records: number;
  /** One that differs; `undefined` if only some are gone. */
  readonly example: DriftedRecord | undefined;
  /** Whether the database was restored from a backup since, so that all of it can be of an earlier time. */
  readonly isRestored: boolean;
}

export interface DriftedRecord {
  readonly recordType: 'client' | 'resourceServer';
  /** The clientId, or the key. */
  readonly name: string;
}

interface DriftDependencies {
  readonly clients: ManagedRecords<Client>;
  readonly resourceServers: ManagedRecords<ResourceServer>;
  readonly configurations: ConfigurationReader;
}

/**
 * Compares the records of all configurations with what was applied. This interface changes none, but a node of the release before can, the
 * owner of an API that takes a scope back, or a restored backup.
 *
 * Reads only records that have changed since the last reading, so that it can be asked often.
 */
export function driftReader(deps: DriftDependencies): () => Promise<readonly ConfigurationDrift[]> {
  const servers = watchOf(deps.resourceServers, digestOfResourceServer, ({ key }) => ({
    recordType: 'resourceServer',
    name: key,
  }));
  const clients = watchOf(deps.clients, digestOfClient, ({ clientId }) => ({
    recordType: 'client',
    name: clientId,
  }));
  return async () => {
    const applied = await deps.configurations.list();
    if (applied.length === 0) return [];
    const records = [...(await servers()), ...(await clients())];
    return applied.map((configuration) => driftOf(configuration, records));
  };
}

function driftOf(
  { name, records, isRestored }: AppliedConfiguration,
  all: readonly WatchedRecord[],
): ConfigurationDrift {
  const own = all.filter(({ managedBy }) => managedBy === name);
  const differing = own.filter(({ isSame }) => !isSame);
  const missing = Math.max(0, records - own.length);
  return { name, records: differing.length + missing, example: differing[0]?.named, isRestored };
}

interface WatchedRecord {
  readonly managedBy: string;
  readonly isSame: boolean;
  readonly named: DriftedRecord;
}

function watchOf<Kind extends { readonly id: number; readonly revision: number; readonly managedBy: string }>(
  store: ManagedRecords<Kind>,
  digestOf: (record: Kind) => string,
  named: (record: Kind) => DriftedRecord,
): () => Promise<Iterable<WatchedRecord>> {
  const known = new Map<number, WatchedRecord>();
  let revision = 0;
  const read = async () => {
    const changed: readonly ManagedRecord<Kind>[] = await store.listManaged({ changedAfter: revision });
    for (const { record, appliedDigest } of changed) {
      const isSame = digestOf(record) === appliedDigest;
      known.set(record.id, { managedBy: record.managedBy, isSame, named: named(record) });
      revision = Math.max(revision, record.revision);
    }
  };
  return async () => {
    await read();
    // One is deleted, or managed no more: such a row is in no list.
    if ((await store.countManaged()) !== known.size) {
      known.clear();
      revision = 0;
      await read();
    }
    return known.values();
  };
}

/** For the operator; none if nothing is wrong. */
export function driftInWords(drifts: readonly ConfigurationDrift[]): string[] {
  return drifts.flatMap(({ name, records, example, isRestored }) => {
    const type = example?.recordType === 'client' ? 'client' : 'resource server';
    const such = example === undefined ? '' : `, such as the ${type} ${example.name}`;
    const differs = `${records} records of the configuration ${name} are not as it was applied${such}`;
    const restored = `The database was restored since the configuration ${name} was applied`;
    const advice = 'watchword plan with its file shows what differs, and watchword apply mends it.';
    return [
      ...(records === 0 ? [] : [`${differs}: ${advice}`]),
      ...(isRestored ? [`${restored}: ${advice}`] : []),
    ];
  });
}
