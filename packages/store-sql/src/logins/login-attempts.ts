import { type AttemptCount, type LoginAttemptStore, StoreUnavailableError } from '@watchword/protocol';
import type { Named } from '../hot/columns.ts';
import { add, type Command } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';

const countColumns = { failures: 'real', counted_at: 'number', expires: 'number' } as const;
type CountRow = Named<typeof countColumns>;

const byKey = lookup(
  { attempt_key: 'text' },
  countColumns,
  (byKey) => `login_attempt as t where ${byKey('t.attempt_key = :attempt_key', 't')}`,
  { routedBy: ['attempt_key'] },
);

type CountOrNothing = AttemptCount | undefined;

/** A change for which a caller waits. It decides on the counts after all earlier changes, committed or not. */
interface Waiting {
  readonly keys: readonly string[];
  readonly decide: (counts: readonly CountOrNothing[]) => readonly CountOrNothing[];
  readonly settle: () => void;
  readonly reject: (reason: unknown) => void;
}

const maxRounds = 20;

/**
 * Counts are read from a snapshot, which no write blocks. The decision is made in this thread. One conditional command of the
 * group commit replaces the counts, because a transaction with a message between threads for each statement would delay all
 * token requests. Changes that arrive during a commit are part of the next one.
 */
export function hotLoginAttempts(hot: HotAccess): LoginAttemptStore {
  let waiting: Waiting[] = [];
  let isRunning = false;

  const find = async (keys: ReadonlySet<string>): Promise<ReadonlyMap<string, CountOrNothing>> =>
    new Map(
      await Promise.all(
        Array.from(keys, async (attempt_key) => {
          const count = await hot.read(byKey, { attempt_key }, toCount);
          return [attempt_key, count] as const;
        }),
      ),
    );

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    for (let round = 0; round < maxRounds; round += 1) {
      const found = await find(new Set(batch.flatMap(({ keys }) => keys)));
      const { counts, decided } = decideAll(batch, found);
      const command = replacement(found, counts);
      if (command.length === 0 || (await hot.write(command)) > 0) {
        for (const { settle } of decided) settle();
        return;
      }
    }
    throw new StoreUnavailableError('the counts of failed logins changed too often');
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

/**
 * Runs the decisions one after the other, each on the counts after the previous one. A decision that throws changes nothing.
 */
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

/**
 * Replaces the changed counts, if each of them still has the value that was read. Empty if none changed. In the order of the keys,
 * so that two nodes never wait for each other.
 */
function replacement(
  found: ReadonlyMap<string, CountOrNothing>,
  counts: ReadonlyMap<string, CountOrNothing>,
): Command {
  const changed = [...counts]
    .filter(([key, count]) => !isSame(count, found.get(key)))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const command: Command = [];
  for (const [attempt_key, count] of changed) {
    const before = found.get(attempt_key);
    if (before === undefined && count !== undefined) {
      add(command, statements.insertAttempts, toRow(attempt_key, count));
    } else if (before !== undefined && count !== undefined) {
      const row = { ...toRow(attempt_key, count), ...foundRow(attempt_key, before) };
      add(command, statements.replaceAttempts, row);
    } else if (before !== undefined) {
      add(command, statements.deleteAttempts, foundRow(attempt_key, before));
    }
  }
  return command;
}

function isSame(a: CountOrNothing, b: CountOrNothing): boolean {
  return a?.failures === b?.failures && a?.at === b?.at && a?.expires === b?.expires;
}

function toCount({ failures, counted_at, expires }: CountRow): AttemptCount {
  return { failures, at: counted_at, expires };
}

function toRow(attempt_key: string, { failures, at, expires }: AttemptCount) {
  return { attempt_key, failures, counted_at: at, expires };
}

function foundRow(attempt_key: string, { failures, at, expires }: AttemptCount) {
  return { attempt_key, found_failures: failures, found_at: at, found_expires: expires };
}
