import type { DatabaseValue } from '../../../../hot/columns.ts';
import type { CommandResult } from '../../../../hot/command.ts';
import { madeOnce } from '../../../../hot/made-once.ts';
import type { Statement } from '../../../../hot/statement.ts';
import type { SessionQuery, SessionResult } from '../../connection/session.ts';
import { keyText, type Member, type Part } from './members.ts';
import { statementText } from './statement-text.ts';

/** Rows of one statement and one placement, which one query changes. */
export interface Batch {
  readonly statement: Statement;
  readonly parts: readonly Part[];
}

// A row has up to twelve values, and a message of the protocol up to 65,535. A text is prepared for each number of rows.
const maxRows = 64;

/**
 * Gathers the parts of commands: one query for a statement and a placement. Parts that must come before a decision come first, and
 * rows and placements have one order, so that two transactions lock common rows in the same order.
 */
export function batchesOf(parts: readonly Part[]): Batch[] {
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
export function queriesOf({ statement, parts }: Batch): SessionQuery[] {
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
export function decidedOf(
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
