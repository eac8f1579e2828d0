import type { ColumnKind, Columns } from '../../../hot/columns.ts';
import { parameterPattern, withMarks } from '../../../hot/sql-text.ts';
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
 * from it need one round trip. All of them see the same snapshot, and none sees the rows that another one changes, except by `{decided}`.
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
      parts.push(`part_${index} as (${inRows(statement.sql, rows).sql})`);
    }
    first += statement.names.length;
  }
  return {
    sql: `with ${parts.join(', ')} select ${deciding === undefined ? '1 limit 0' : 'ordinal, outcome from decided'}`,
    before: statements.flatMap(({ before }, statement) => {
      if (before === undefined) return [];
      return { sql: inRows(before.sql, rowsOf(statements[statement] as Statement, 1)).sql, statement };
    }),
  };
}

/** A statement that decides, and the table expression of that name with the row of each command that it has decided for. */
function decision(statement: Statement, rows: string, first: number, name: string): string[] {
  const { sql, returning } = inRows(statement.sql, rows);
  if (sql.startsWith('select 1 ')) {
    return [`${name} as (${sql.replace(/^select 1/, 'select v.ordinal, 1 as outcome')})`];
  }
  if (!sql.startsWith('insert')) {
    const number = statement.returnsNumber
      ? sql.replace(/\breturning\b/, 'returning v.ordinal,').concat(' as outcome')
      : `${sql} returning ${['v.ordinal', '1 as outcome', ...returning].join(', ')}`;
    return [`${name} as (${number})`];
  }
  // An insert cannot return which of the given rows it has inserted, except by their key.
  const { key } = statement;
  return [
    `inserted as (${sql} returning ${key.join(', ')})`,
    `${name} as (select v.ordinal, 1 as outcome from ${rowsOf(statement, first)}
      join inserted on ${key.map((column) => `inserted.${column} = v.p_${column}`).join(' and ')})`,
  ];
}

/** How the rows join the tables of a statement, by its first word. */
const joining: Readonly<Record<string, string>> = {
  insert: 'from',
  update: 'from',
  delete: 'using',
  select: 'cross join',
};

/** The statement for all rows of `v`, whose columns are its parameters. */
export function inRows(
  sql: string,
  rows: string,
): { readonly sql: string; readonly returning: readonly string[] } {
  const returning: string[] = [];
  const [verb = ''] = sql.match(/^\w+/) ?? [];
  const marked = withMarks(asColumns(sql), {
    values: (list) => `select ${list} from ${rows}`,
    rows: () => `${joining[verb]} ${rows}`,
    returning(columns) {
      returning.push(columns);
      return '';
    },
    decided: (table) => `decided as ${table}`,
    lock: () => 'for share',
  });
  return { sql: marked, returning };
}

export function rowsOf({ parameters }: Statement, first: number): string {
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
    case 'shard':
      return 'int2';
    default:
      return 'text';
  }
}
