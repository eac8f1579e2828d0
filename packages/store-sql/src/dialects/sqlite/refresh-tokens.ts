import type { DatabaseSync } from 'node:sqlite';
import type { FoundRefreshToken, RefreshTokenStore, Rotation } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import type { GrantTable, RefreshTokenTable } from '../../schema.ts';
import { parseScopes } from '../../scope-column.ts';
import { idFromBytes, idToBytes } from '../../token-id.ts';
import { rotateRefreshToken } from './authorization-operations.ts';
import { outcomeOf } from './repetition-outcomes.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

type RefreshTokenRow = RefreshTokenTable & Pick<GrantTable, 'identity_provider' | 'principal_name'>;

export function sqliteRefreshTokens(
  reader: DatabaseSync,
  read: SnapshotRead,
  writes: GroupCommit<WriteOperation, WriteResult>,
): RefreshTokenStore {
  const byId = reader.prepare(
    `select r.*, g.identity_provider, g.principal_name from refresh_token as r
       join authorization_grant as g on g.id = r.grant_id and g.revoked_at is null
     where r.id = ?`,
  );
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
        const row = byId.get(idToBytes(id)) as RefreshTokenRow | undefined;
        return row && toFound(row, rotationOf(row));
      }),

    async rotate(id, tokens, sealedAnswer, now) {
      return (await writes.add(rotateRefreshToken(id, tokens, sealedAnswer, now))) > 0;
    },

    async repeatRotation(id, { repetitions, streak }) {
      return outcomeOf(await writes.add(['repeatRotation', id, repetitions, streak]));
    },
  };
}

function toFound(row: RefreshTokenRow, rotation: Rotation | undefined): FoundRefreshToken {
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
    owner: { authority: row.identity_provider, name: row.principal_name },
  };
}
