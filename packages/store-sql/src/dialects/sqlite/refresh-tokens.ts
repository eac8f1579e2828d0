import type { DatabaseSync } from 'node:sqlite';
import type { FoundRefreshToken, Grant, RefreshTokenStore, Rotation } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import type { RefreshTokenTable } from '../../schema.ts';
import { parseScopes } from '../../scope-column.ts';
import { idFromBytes, idToBytes } from '../../token-id.ts';
import { rotateRefreshToken } from './authorization-operations.ts';
import { grantLookup } from './grant-lookup.ts';
import { outcomeOf } from './repetition-outcomes.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

export function sqliteRefreshTokens(
  reader: DatabaseSync,
  read: SnapshotRead,
  writes: GroupCommit<WriteOperation, WriteResult>,
): RefreshTokenStore {
  const byId = reader.prepare('select * from refresh_token where id = ?');
  const grants = grantLookup(reader);
  const unused = reader.prepare('select 1 from refresh_token where id = ? and rotated_at is null');

  const rotationOf = (row: RefreshTokenTable): Rotation | undefined => {
    const { rotated_at, sealed_answer, successor_id } = row;
    if (rotated_at === null || sealed_answer === null || successor_id === null) return undefined;
    // One that the purge has taken is not the living end of the line either.
    const successorIsRotated = unused.get(successor_id) === undefined;
    return { at: rotated_at, sealedAnswer: sealed_answer, successorIsRotated };
  };

  return {
    find: (id) =>
      read(() => {
        const row = byId.get(idToBytes(id)) as unknown as RefreshTokenTable | undefined;
        const grant = row && grants.findActive(row.grant_id);
        return grant && toFound(row, rotationOf(row), grant);
      }),

    async rotate(id, tokens, sealedAnswer, now) {
      return (await writes.add(rotateRefreshToken(id, tokens, sealedAnswer, now))) > 0;
    },

    async repeatRotation(id, { repetitions, streak }) {
      return outcomeOf(await writes.add(['repeatRotation', id, repetitions, streak]));
    },
  };
}

function toFound(row: RefreshTokenTable, rotation: Rotation | undefined, grant: Grant): FoundRefreshToken {
  return {
    token: {
      id: idFromBytes(row.id),
      verifierHash: row.verifier_hash,
      grantId: idFromBytes(row.grant_id),
      clientRecordId: row.client_record_id,
      scopes: parseScopes(row.scopes),
      expires: row.expires,
      absoluteExpires: row.absolute_expires,
      creationDate: row.creation_date,
    },
    rotation,
    grant,
  };
}
