import type { Clock, ReadSnapshot } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { sqlClients } from './clients.ts';
import type { Schema } from './schema.ts';
import { sqlStatistics } from './statistics.ts';

export function sqlReadSnapshot(db: Kysely<Schema>, clock: Clock): ReadSnapshot {
  return (read) =>
    db
      .transaction()
      .setAccessMode('read only')
      .execute((snapshot) =>
        read({
          clients: sqlClients(snapshot, noChange, clock),
          statistics: sqlStatistics(snapshot, snapshot),
        }),
      );
}

function noChange(): Promise<never> {
  return Promise.reject(new Error('a snapshot is read and not changed'));
}
