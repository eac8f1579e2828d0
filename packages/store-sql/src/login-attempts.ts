import { type AttemptCount, type LoginAttemptStore, StoreUnavailableError } from '@watchword/protocol';
import type { Named } from './hot/columns.ts';
import { add, type Command } from './hot/command.ts';
import type { HotAccess } from './hot/hot-access.ts';
import { lookup } from './hot/lookup.ts';
import { statements } from './hot/statements.ts';

const countColumns = { failures: 'number', counted_at: 'number', expires: 'number' } as const;
type CountRow = Named<typeof countColumns>;

const byKey = lookup(
  { attempt_key: 'text' },
  countColumns,
  'login_attempt as t where t.attempt_key = :attempt_key',
);

type CountOrNothing = AttemptCount | undefined;

/** A change that a caller waits for. It decides on the counts that the changes before it leave, committed or not. */
interface Waiting {
  readonly keys: readonly string[];
  readonly decide: (counts: readonly CountOrNothing[]) => readonly CountOrNothing[];
  readonly settle: () => void;
  readonly reject: (reason: unknown) => void;
}

const maxRounds = 20;

/**
 * Counts are read and decided on here, on a snapshot that no writer blocks, and replaced by one conditional
 * command through the group commit: a transaction that crosses the threads for each of its statements would delay
 * every token request. Changes that come while one is being committed go into the next together.
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

/** Replaces the counts that changed, if every one of them is still what was found; empty when none changed. */
function replacement(
  found: ReadonlyMap<string, CountOrNothing>,
  counts: ReadonlyMap<string, CountOrNothing>,
): Command {
  const changed = [...counts].filter(([key, count]) => !isSame(count, found.get(key)));
  const command: Command = [];
  for (const [attempt_key] of changed) {
    const expected = found.get(attempt_key);
    if (expected === undefined) add(command, statements.expectNoAttempts, { attempt_key });
    else add(command, statements.expectAttempts, toRow(attempt_key, expected));
  }
  for (const [attempt_key, count] of changed) {
    if (count === undefined) add(command, statements.deleteAttempts, { attempt_key });
    else add(command, statements.putAttempts, toRow(attempt_key, count));
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
