import type { ColumnKind, Columns } from '../../../hot/columns.ts';
import { asItIs, insertSql, type Operation, parameterPattern } from '../../../hot/operation.ts';
import type { Statement } from '../../../hot/statement.ts';
import type { CommandForm } from './command-form.ts';

/** The SQL that runs any number of commands of one form. Each parameter is an array with a value of each command. */
export interface FormText {
  /**
   * Runs all statements. Its parameters are those of all statements, in order. If a statement decides, it returns for each command
   * that the statement has decided for its position, counted from 1, and the outcome.
   */
  readonly sql: string;
  /** Statements to run before, with the parameters of the statement that needs them. */
  readonly before: readonly { readonly sql: string; readonly statement: number }[];
}

/**
 * All statements become one: those after a deciding one get only the rows that it has decided for. So the decision and what follows
 * from it need one round trip. All of them see the same snapshot, and none sees the rows that another one changes, except what an
 * update leaves for a derived column.
 */
export function formText({ statements, deciding }: CommandForm): FormText {
  const parts: string[] = [];
  const last = statements.findLastIndex((statement) => statement.decides);
  let first = 1;
  let decided: string | undefined;
  for (const [index, statement] of statements.entries()) {
    const rows = decided === undefined ? rowsOf(statement, first) : decidedRows(statement, first, decided);
    if (statement.decides) {
      decided = index === last ? 'decided' : `held_${index}`;
      parts.push(...decision(statement, rows, first, decided));
    } else {
      parts.push(`part_${index} as (${inRows(statement.operation, rows)})`);
    }
    first += statement.names.length;
  }
  return {
    sql: `with ${parts.join(', ')} select ${deciding === undefined ? '1 limit 0' : 'ordinal, outcome from decided'}`,
    before: statements.flatMap(({ before }, statement) => {
      if (before === undefined) return [];
      return { sql: inRows(before, rowsOf(statements[statement] as Statement, 1)), statement };
    }),
  };
}

/** A statement that decides, and the table expression of that name with the row of each command that it has decided for. */
function decision(
  { operation, key, ...statement }: Statement,
  rows: string,
  first: number,
  name: string,
): string[] {
  if (operation.kind !== 'insert')
    return [`${name} as (${inRows(operation, rows, 'ordinal, outcome, leaves')})`];
  // An insert cannot return which of the given rows it has inserted, except by their key.
  return [
    `inserted as (${inRows(operation, rows)} returning ${key.join(', ')})`,
    `${name} as (select v.ordinal, 1 as outcome from ${rowsOf(statement, first)}
      join inserted on ${key.map((column) => `inserted.${column} = v.p_${column}`).join(' and ')})`,
  ];
}

/**
 * The operation for all rows of `v`, whose columns are its parameters.
 *
 * @param result what is returned for each row that was found: its position, counted from 1, the outcome, and what it leaves for later
 *   statements
 */
export function inRows(
  operation: Operation,
  rows: string,
  result?: 'ordinal, outcome' | 'ordinal, outcome, leaves',
  byKey = asItIs,
): string {
  const { kind, table } = operation;
  switch (kind) {
    case 'insert':
      return asColumns(
        insertSql(
          operation,
          (values) => `select ${values} from ${rows}`,
          `decided as ${operation.derived?.table}`,
        ),
      );
    case 'update': {
      const { set, returns = '1', leaves = [] } = operation;
      const left = result === 'ordinal, outcome, leaves' ? leaves : [];
      const returning = result && ` returning ${['v.ordinal', `${returns} as outcome`, ...left].join(', ')}`;
      return asColumns(
        `update ${table} set ${set} from ${rows} where ${operation.where(byKey)}${returning ?? ''}`,
      );
    }
    case 'delete': {
      const returning = result && ' returning v.ordinal, 1 as outcome';
      return asColumns(
        `delete from ${table} using ${rows} where ${operation.where(byKey)}${returning ?? ''}`,
      );
    }
    case 'hold': {
      const found = result === undefined ? '1' : 'v.ordinal, 1 as outcome';
      return asColumns(
        `select ${found} from ${table} cross join ${rows} where ${operation.where(byKey)} ${operation.lock}`,
      );
    }
  }
}

export function rowsOf({ parameters }: Pick<Statement, 'parameters'>, first: number): string {
  return `${arrays(parameters, first)} as v (${columnsOf(parameters)})`;
}

/** Only the rows of commands that are decided for. With `is true` they are found in a hash table, and not by a join of loops. */
function decidedRows({ parameters }: Statement, first: number, decided: string): string {
  return `(select given.* from ${arrays(parameters, first)} as given (${columnsOf(parameters)})
    where (given.ordinal in (select ordinal from ${decided})) is true) as v`;
}

/** Rows with a value of each array, and their positions, counted from 1. */
export function arrays(parameters: Columns, first: number): string {
  const list = Object.values(parameters).map((kind, index) => `$${first + index}::${typeOf(kind)}[]`);
  return `unnest(${list.join(', ')}) with ordinality`;
}

/** Parameters as the columns of `v`. Their names begin with a letter of their own, so that none is the name of a column of a table. */
export function asColumns(sql: string): string {
  return sql.replaceAll(parameterPattern, 'v.p_$1');
}

export function columnsOf(parameters: Columns): string {
  return [...Object.keys(parameters).map((name) => `p_${name}`), 'ordinal'].join(', ');
}

export function typeOf(kind: ColumnKind): string {
  switch (kind) {
    case 'id':
    case 'id?':
    case 'bytes':
      return 'bytea';
    case 'number':
    case 'number?':
      return 'int8';
    case 'real':
      return 'float8';
    case 'small':
      return 'int2';
    default:
      return 'text';
  }
}
