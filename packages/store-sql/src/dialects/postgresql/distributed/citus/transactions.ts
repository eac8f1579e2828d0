import { StoreUnavailableError } from '@watchword/protocol';
import type { DatabaseValue } from '../../../../hot/columns.ts';
import type { CommandResult } from '../../../../hot/command.ts';
import { madeOnce } from '../../../../hot/made-once.ts';
import type { Statement } from '../../../../hot/statement.ts';
import { PostgresqlError } from '../../connection/postgresql-error.ts';
import {
  commit,
  rollback,
  type Session,
  type SessionQuery,
  type SessionResult,
} from '../../connection/session.ts';
import { isDamage } from '../../connection/sql-state.ts';
import { openTransaction } from '../../hot/transaction.ts';
import { keyText, type Member, type Part } from './members.ts';
import { statementText } from './statement-text.ts';

/** Rows of one statement and one placement, which one query changes. */
interface Batch {
  readonly statement: Statement;
  readonly parts: readonly Part[];
}

// A row has up to twelve values, and a message of the protocol up to 65,535. A text is prepared for each number of rows.
const maxRows = 64;

/**
 * Gathers the parts of commands: one query for a statement and a placement. Parts that must come before a decision come first, and
 * rows and placements have one order, so that two transactions lock common rows in the same order.
 */
function batchesOf(parts: readonly Part[]): Batch[] {
  const gathered = Map.groupBy(parts, ({ statement, placement }) =>
    [Number(statement.decides), pad(placement), pad(statement.number)].join(' '),
  );
  return [...gathered.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]) => inOrder(group));
}

function pad(number: number): string {
  return String(number).padStart(12, '0');
}

function inOrder(group: readonly Part[]): Batch[] {
  const { statement } = group[0] as Part;
  const keyed = group.map((part) => ({ part, key: keyOf(part) }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
  const parts = keyed.map(({ part }) => part);
  return Array.from({ length: Math.ceil(parts.length / maxRows) }, (_, index) => ({
    statement,
    parts: parts.slice(index * maxRows, (index + 1) * maxRows),
  }));
}

function keyOf({ statement: { key, names }, parameters }: Part): string {
  return keyText(key.map((name) => parameters[names.indexOf(name)] as DatabaseValue));
}

const textOf = madeOnce(statementText);

/** The queries of a batch. The result of the last one tells what it has decided. */
function queriesOf({ statement, parts }: Batch): SessionQuery[] {
  const text = textOf(statement);
  const name = `placed_${statement.number}`;
  const rows = parts.map(({ parameters }) => parameters);
  if (text.kind === 'values') {
    return [{ name: `${name}_${rows.length}`, text: text.sql(rows.length), values: rows.flat() }];
  }
  const values = statement.names.map((_, index) => rows.map((row) => row[index]));
  const query = { name, text: text.sql, values };
  return text.before === undefined ? [query] : [{ name: `${name}_before`, text: text.before, values }, query];
}

/** The commands that a batch has decided for, with the outcome. */
function decidedOf(
  batch: Batch,
  result: SessionResult | undefined,
): (readonly [member: Member, outcome: CommandResult])[] {
  if (!batch.statement.decides) return [];
  const rows = (result?.rows ?? []) as readonly (readonly DatabaseValue[])[];
  if (textOf(batch.statement).kind === 'values') {
    const inserted = new Set(rows.map(keyText));
    return batch.parts.filter((part) => inserted.has(keyOf(part))).map(({ member }) => [member, 1] as const);
  }
  return rows.map(([ordinal, outcome]) => {
    const { member } = batch.parts[Number(ordinal) - 1] as Part;
    return [member, Number(outcome)] as const;
  });
}

/** The commands that were decided for, with the outcome. */
type Outcomes = ReadonlyMap<Member, CommandResult>;

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
