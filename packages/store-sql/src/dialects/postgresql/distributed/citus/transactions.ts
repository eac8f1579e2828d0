import { StoreUnavailableError } from '@watchword/protocol';
import type { CommandResult } from '../../../../hot/command.ts';
import { PostgresqlError } from '../../connection/postgresql-error.ts';
import { commit, rollback, type Session, type SessionResult } from '../../connection/session.ts';
import { isDamage } from '../../connection/sql-state.ts';
import { openTransaction } from '../../hot/transaction.ts';
import { type Batch, batchesOf, decidedOf, queriesOf } from './batches.ts';
import type { Member, Part } from './members.ts';

/** The commands that were decided for, with the outcome. */
export type Outcomes = ReadonlyMap<Member, CommandResult>;

/**
 * Runs commands whose rows are on placements of one worker as one transaction: one round trip, or two if rows follow from decisions.
 */
export async function runTogether(session: Session, members: readonly Member[]): Promise<Outcomes> {
  const deciding = batchesOf(members.flatMap((member) => member.deciding));
  if (deciding.length === 0) {
    await runAll(session, batchesOf(followingOf(members)));
    return new Map();
  }
  if (followingOf(members).length === 0) return outcomesOf(deciding, await runAll(session, deciding));
  const outcomes = outcomesOf(deciding, await openTransaction(session, deciding.flatMap(queriesOf)));
  const complete = members.filter((member) => member.deciding.length === 0 || outcomes.has(member));
  const following = batchesOf(followingOf(complete)).flatMap(queriesOf);
  await acknowledged(session.pipeline([...following, commit]));
  return outcomes;
}

/** Runs the statements of a command one after the other, on any placements. If one decides against the command, nothing is changed. */
export async function runApart(session: Session, { deciding, following }: Member): Promise<CommandResult> {
  const batches = [...deciding, ...following].map((part) => ({ statement: part.statement, parts: [part] }));
  const results = resultsOf(batches, await openTransaction(session, batches.flatMap(queriesOf)));
  const isDecidedFor = batches.every(
    (batch, index) => !batch.statement.decides || decidedOf(batch, results[index]).length > 0,
  );
  await acknowledged(session.pipeline([isDecidedFor ? commit : rollback]));
  return Number(isDecidedFor);
}

function followingOf(members: readonly Member[]): Part[] {
  return members.flatMap(({ following }) => following);
}

/** What is sent without `begin` would not be a transaction: Citus commits each such statement by itself. */
async function runAll(session: Session, batches: readonly Batch[]): Promise<readonly SessionResult[]> {
  const queries = batches.flatMap(queriesOf);
  const begin = session.begin();
  if (queries.length === 1 && begin.length === 1) return acknowledged(session.pipeline(queries));
  const results = await acknowledged(session.pipeline([...begin, ...queries, commit]));
  return results.slice(begin.length, -1);
}

function outcomesOf(batches: readonly Batch[], all: readonly SessionResult[]): Outcomes {
  const results = resultsOf(batches, all);
  return new Map(batches.flatMap((batch, index) => decidedOf(batch, results[index])));
}

/** The result of each batch: that of its last query. */
function resultsOf(batches: readonly Batch[], all: readonly SessionResult[]): (SessionResult | undefined)[] {
  let last = -1;
  return batches.map((batch) => {
    last += queriesOf(batch).length;
    return all[last];
  });
}

/**
 * A worker that ends during the commit is an internal error for the coordinator, which does not know what became of it: nothing may be
 * tried again.
 */
async function acknowledged<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof PostgresqlError) || !error.code?.startsWith('XX') || isDamage(error.code))
      throw error;
    throw new StoreUnavailableError(
      `Citus: ${error.message} (${error.code}); a write that was under way is not acknowledged`,
      { cause: error },
    );
  }
}
