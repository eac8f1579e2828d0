import type { Clock, ReadSnapshot } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { TokenSegments } from '../grants/token-segments.ts';
import { sqlStatistics } from '../history/statistics.ts';
import { sqlClients } from '../records/clients.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlReadSnapshot(db: Kysely<Schema>, clock: Clock, segments: TokenSegments): ReadSnapshot {
  return (read) =>
    db
      .transaction()
      .setAccessMode('read only')
      .execute((snapshot) =>
        read({
          clients: sqlClients(snapshot, noChange, clock),
          statistics: sqlStatistics(snapshot, snapshot, segments),
        }),
      );
}

function noChange(): Promise<never> {
  return Promise.reject(new Error('a snapshot is read and not changed'));
}
