import { StoreUnavailableError } from '@watchword/protocol';
import type { CommandResult } from '../../../../hot/command.ts';
import type { HotWork } from '../../../../hot/hot-work.ts';
import type { LookupCall } from '../../../../hot/lookup.ts';
import type { Session, SessionPool } from '../../connection/session.ts';
import { groupedCommits } from '../../hot/commit.ts';
import { gathered } from '../../hot/gathered.ts';
import { type HotOptions, readsUnderWay, writingPool } from '../../hot/hot-work.ts';
import { groupedReads, lookupTexts, textsOnce } from '../../hot/read.ts';
import { impatient, isConflict, isLockTimeout, isRefused, repeated } from '../../hot/transaction.ts';
import { shardedKey, shardedLookup } from '../sharded.ts';
import { divided, type Member, roundsOf } from './members.ts';
import { type Placement, Placements } from './placements.ts';
import { bound } from './statement-text.ts';
import { runApart, runTogether } from './transactions.ts';

interface PlacedCommitOptions {
  readonly pool: SessionPool;
  readonly placements: Placements;
  /** Commits commands on tables without shards. */
  readonly unplaced: HotWork['commit'];
  /** Called with the number of commands of each transaction. */
  onCommit(batchSize: number): void;
}

type Result = CommandResult | Error;

/**
 * Commits commands in groups: one transaction for each worker of Citus, in it one query for each statement and placement. A
 * transaction with rows on several workers would be committed in two phases, which costs twice as much (docs/adr/0071).
 */
function placedCommits({ pool, placements, unplaced, onCommit }: PlacedCommitOptions): HotWork['commit'] {
  const runAlone = (run: (session: Session) => Promise<CommandResult>): Promise<Result> =>
    caught(async () => {
      const result = await pool.use((session) => repeated(() => run(session)));
      onCommit(1);
      return result;
    });

  /**
   * If a statement is refused, each command runs in a transaction of its own, so that only the one that fails gets the error. After a
   * wait for a lock in vain, none of them waits again for as long.
   */
  const runGroup = async (members: readonly Member[]): Promise<readonly Result[]> => {
    const outcomes = await caught(() =>
      pool.use(async (session) => {
        try {
          return await runTogether(session, members);
        } catch (error) {
          if (isLockTimeout(error)) return impatient;
          if (isConflict(error) || isRefused(error)) return asItIs;
          throw error;
        }
      }),
    );
    if (outcomes instanceof Error) return members.map(() => outcomes);
    if (typeof outcomes === 'function') {
      return oneByOne(members, (member) =>
        runAlone(async (session) => (await runTogether(outcomes(session), [member])).get(member) ?? 0),
      );
    }
    onCommit(members.length);
    return members.map((member) => outcomes.get(member) ?? 0);
  };

  return async (commands) => {
    const results: Result[] = commands.map(() => 0);
    const note = (members: readonly Member[], found: readonly Result[]) => {
      for (const [place, { index }] of members.entries()) results[index] = found[place] as Result;
    };
    const { groups, apart, local } = divided(commands, await placements.map());
    await Promise.all([
      ...[...groups.values()].map(async (group) => {
        for (const round of roundsOf(group)) note(round, await runGroup(round));
      }),
      ...apart.map(async (member) =>
        note([member], [await runAlone((session) => runApart(session, member))]),
      ),
      runLocal(local).then((found) => note(local, found)),
    ]);
    requireOne(results);
    return results;
  };

  async function runLocal(members: readonly Member[]): Promise<readonly Result[]> {
    if (members.length === 0) return [];
    const found = await caught(() => unplaced(members.map(({ command }) => command)));
    return found instanceof Error ? members.map(() => found) : found;
  }
}

const asItIs = (session: Session): Session => session;

async function oneByOne(
  members: readonly Member[],
  run: (member: Member) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const member of members) results.push(await run(member));
  return results;
}

async function caught<Value>(work: () => Promise<Value>): Promise<Value | Error> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A worker that is down fails its own commands. If all commands fail so, no write is possible now. */
function requireOne(results: readonly Result[]): void {
  const [first] = results;
  const isUnavailable = (result: Result) => result instanceof StoreUnavailableError;
  if (first !== undefined && isUnavailable(first) && results.every(isUnavailable)) throw first;
}

/** Finds rows by one query for each kind of lookup and placement. A worker that is down fails the lookups of its own rows. */
function placedReads(pool: SessionPool, placements: Placements): HotWork['read'] {
  return async (calls) => {
    const map = await placements.map();
    const placeOf = (key: readonly unknown[]) => map[key.at(-1) as number] as Placement;
    const read = groupedReads(pool, {
      textsOf: placedTexts,
      keyOf: shardedKey,
      placeOf: (key) => placeOf(key).placement,
    });
    const found: Awaited<ReturnType<HotWork['read']>>[number][] = new Array(calls.length);
    const byWorker = Map.groupBy(calls.entries(), ([, call]) => placeOf(shardedKey(call)).worker);
    const ofWorkers = [...byWorker.values()].map(async (entries) => {
      const lookups = entries.map(([, call]) => call);
      const rows = await readOrErrors(lookups, read);
      for (const [index, [place]] of entries.entries()) found[place] = rows[index];
    });
    await Promise.all(ofWorkers);
    return found;
  };
}

/** Bound to the placement of the rows. */
export const placedTexts = textsOnce((lookup, name) => {
  const sharded = shardedLookup(lookup);
  return lookupTexts(sharded, `placed_${name}`, { many: bound(sharded.names) });
});

async function readOrErrors(
  calls: readonly LookupCall[],
  read: HotWork['read'],
): ReturnType<HotWork['read']> {
  try {
    return await read(calls);
  } catch (error) {
    return calls.map(() => (error instanceof Error ? error : new Error(String(error))));
  }
}

/** Hot work on Citus: each statement touches one placement. */
export function citusHotWork(
  pool: SessionPool,
  { connections, changesSince, onCommit }: HotOptions,
): HotWork {
  const placements = new Placements(pool);
  const writing = writingPool(pool, connections);
  const unplaced = groupedCommits(writing, onCommit);
  return {
    hasShards: true,
    commit: placedCommits({ pool: writing, placements, unplaced, onCommit }),
    read: gathered(placedReads(pool, placements), readsUnderWay),
    changesSince,
  };
}
