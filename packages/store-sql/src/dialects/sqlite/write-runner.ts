import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { idToBytes } from '../../token-id.ts';
import { attemptRunner } from './attempt-runner.ts';
import { authorizationRunner } from './authorization-runner.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

/** Prepares the statements once and runs operations on them, inside a transaction of the caller's. */
export function writeOperationRunner(db: DatabaseSync): (operation: WriteOperation) => WriteResult {
  // Prepared at first use: the table is there only after the migrations.
  const statements: { insert?: StatementSync; revoke?: StatementSync; prove?: StatementSync } = {};
  const runAttempt = attemptRunner(db);
  const { run: runAuthorization, endEmptyGrant } = authorizationRunner(db);
  const changes = (result: { changes: SQLOutputValue }) => Number(result.changes);

  return (operation) => {
    switch (operation[0]) {
      case 'insertAccessToken': {
        const [, id, hash, clientRecordId, scopes, expires, creationDate] = operation;
        statements.insert ??= db.prepare(`insert into access_token
              (id, verifier_hash, client_record_id, scopes, expires, creation_date)
            values (?, ?, ?, ?, ?, ?)`);
        const hashBytes = Buffer.from(hash, 'latin1');
        return changes(
          statements.insert.run(idToBytes(id), hashBytes, clientRecordId, scopes, expires, creationDate),
        );
      }
      case 'revokeAccessToken': {
        statements.revoke ??= db.prepare('delete from access_token where id = ? returning grant_id');
        const revoked = statements.revoke.get(idToBytes(operation[1]));
        if (revoked?.grant_id instanceof Uint8Array) endEmptyGrant(revoked.grant_id);
        return revoked === undefined ? 0 : 1;
      }
      case 'proveWritable':
        // Bytes that are there already would not be written.
        statements.prove ??= db.prepare(`insert into write_proof (id, filler) values (1, randomblob(?))
          on conflict (id) do update set filler = excluded.filler`);
        return changes(statements.prove.run(operation[1]));
      case 'replaceAttemptCounts':
        return runAttempt(operation);
      default:
        return runAuthorization(operation);
    }
  };
}
