import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type AttemptCount, type LoginAttemptStore, StoreUnavailableError } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import type { CountReplacement } from './attempt-operations.ts';
import { inSnapshot } from './snapshot.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

type CountOrNothing = AttemptCount | undefined;

/** A change that somebody waits for. It is tried on counts that others have not committed yet. */
interface Waiting {
  readonly keys: readonly string[];
  readonly decide: (counts: readonly CountOrNothing[]) => readonly CountOrNothing[];
  readonly settle: () => void;
  readonly reject: (reason: unknown) => void;
}

const maxRounds = 20;

/**
 * Counts are read and decided on here, on a snapshot that no writer blocks, and replaced by one conditional
 * write through the group commit: a transaction that crosses the threads for each of its statements would hold
 * up every token request. Changes that come while one is being committed go into the next together.
 */
export function sqliteLoginAttempts(
  reader: DatabaseSync,
  writes: GroupCommit<WriteOperation, WriteResult>,
): LoginAttemptStore {
  const byKey = reader.prepare(
    'select failures, counted_at, expires from login_attempt where attempt_key = ?',
  );
  let waiting: Waiting[] = [];
  let isRunning = false;

  const find = (keys: Iterable<string>) =>
    inSnapshot(reader, () => new Map([...keys].map((key) => [key, toCount(byKey.get(key))])));

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    for (let round = 0; round < maxRounds; round += 1) {
      const found = find(new Set(batch.flatMap(({ keys }) => keys)));
      const { counts, decided } = decideAll(batch, found);
      const replacements = replacementsOf(found, counts);
      if (replacements.length === 0 || (await writes.add(['replaceAttemptCounts', replacements])) > 0) {
        for (const { settle } of decided) settle();
        return;
      }
    }
    throw new StoreUnavailableError('the counts of failed logins change too fast');
  };

  const run = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await commit(batch).catch((error) => {
        for (const { reject } of batch) reject(error);
      });
    }
    isRunning = false;
  };

  return {
    change: (keys, decide) =>
      new Promise((resolve, reject) => {
        let settle = () => {};
        waiting.push({
          keys,
          decide(found) {
            const { answer, counts } = decide(found);
            settle = () => resolve(answer);
            return counts;
          },
          settle: () => settle(),
          reject,
        });
        if (!isRunning) void run();
      }),
  };
}

/** Lets each decide on what those before it left; one that throws is out and leaves nothing. */
function decideAll(batch: readonly Waiting[], found: ReadonlyMap<string, CountOrNothing>) {
  const counts = new Map(found);
  const decided: Waiting[] = [];
  for (const change of batch) {
    try {
      const left = change.decide(change.keys.map((key) => counts.get(key)));
      for (const [index, key] of change.keys.entries()) counts.set(key, left[index]);
      decided.push(change);
    } catch (error) {
      change.reject(error);
    }
  }
  return { counts, decided };
}

function replacementsOf(
  found: ReadonlyMap<string, CountOrNothing>,
  counts: ReadonlyMap<string, CountOrNothing>,
): CountReplacement[] {
  const changed = [...counts].filter(([key, count]) => !isSame(count, found.get(key)));
  return changed.map(([key, count]) => [key, ...columns(found.get(key)), ...columns(count)]);
}

function isSame(a: CountOrNothing, b: CountOrNothing): boolean {
  return a?.failures === b?.failures && a?.at === b?.at && a?.expires === b?.expires;
}

function columns(count: CountOrNothing): [number | null, number | null, number | null] {
  return [count?.failures ?? null, count?.at ?? null, count?.expires ?? null];
}

function toCount(row: Record<string, SQLOutputValue> | undefined): CountOrNothing {
  return row && { failures: Number(row.failures), at: Number(row.counted_at), expires: Number(row.expires) };
}
