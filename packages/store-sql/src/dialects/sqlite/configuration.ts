import type { DatabaseSync } from 'node:sqlite';
import type { ConfigurationSnapshot, ReadConfiguration } from '../../registry-feed.ts';
import { inSnapshot } from './snapshot.ts';

type Rows<Table extends 'resourceServers' | 'clients'> = ReturnType<ConfigurationSnapshot[Table]>;

/** Reads the configuration on the connection of this thread, so that a busy writer delays no change. */
export function sqliteConfiguration(reader: DatabaseSync): ReadConfiguration {
  const numbers = reader.prepare('select revision, purged_revision from registry_revision where id = 1');
  const resourceServers = reader.prepare('select * from resource_server where revision > ?');
  const clients = reader.prepare('select * from client where revision > ?');
  return (use) =>
    inSnapshot(reader, () => {
      const row = numbers.get();
      use({
        revision: Number(row?.revision),
        purgedRevision: Number(row?.purged_revision),
        resourceServers: (since) =>
          resourceServers.iterate(since) as Iterable<unknown> as Rows<'resourceServers'>,
        clients: (since) => clients.iterate(since) as Iterable<unknown> as Rows<'clients'>,
      });
    });
}
