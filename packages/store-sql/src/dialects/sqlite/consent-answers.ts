import type { DatabaseSync } from 'node:sqlite';
import type { ConsentAnswerStore } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import { idToBytes } from '../../token-id.ts';
import { answerKey } from './answer-key.ts';
import { noteAnswer } from './authorization-operations.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

export function sqliteConsentAnswers(
  reader: DatabaseSync,
  read: SnapshotRead,
  writes: GroupCommit<WriteOperation, WriteResult>,
): ConsentAnswerStore {
  const given = reader.prepare(
    'select 1 from authorization_code where id = ? union all select 1 from one_time where one_time_key = ?',
  );
  given.setReturnArrays(true);

  return {
    isGiven: (id) => read(() => given.get(idToBytes(id), answerKey(id)) !== undefined),

    async note(answer) {
      return (await writes.add(noteAnswer(answer))) > 0;
    },
  };
}
