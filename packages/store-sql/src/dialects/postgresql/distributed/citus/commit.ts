import { StoreUnavailableError } from '@watchword/protocol';
import type { CommandResult } from '../../../../hot/command.ts';
import type { HotWork } from '../../../../hot/hot-work.ts';
import type { Session, SessionPool } from '../../connection/session.ts';
import { impatient, isConflict, isLockTimeout, isRefused, repeated } from '../../hot/transaction.ts';
import { divided, type Member, roundsOf } from './members.ts';
import type { Placements } from './placements.ts';
import { runApart, runTogether } from './transactions.ts';

export interface PlacedCommitOptions {
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
export function placedCommits({
  pool,
  placements,
  unplaced,
  onCommit,
}: PlacedCommitOptions): HotWork['commit'] {
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
