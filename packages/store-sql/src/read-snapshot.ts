import type { Clock, ReadSnapshot } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { sqlClients } from './clients.ts';
import type { Schema } from './schema.ts';
import { sqlStatistics } from './statistics.ts';
import type { TokenSegments } from './token-segments.ts';

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
