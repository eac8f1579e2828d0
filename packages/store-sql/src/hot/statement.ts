import { commandAppender, commandReader } from './column-functions.ts';
import type { Columns, DatabaseValue, Named, TravellingValue } from './columns.ts';
import { type SqlText, sqlText } from './sql-text.ts';

/** One statement of a command, and the meaning of its outcome for the command. */
export interface StatementDefinition<Parameters extends Columns = Columns> extends SqlText {
  readonly parameters: Parameters;
  /** Appends the number of the statement to a command, and the values of its parameters. */
  append(command: TravellingValue[], number: number, values: Named<Parameters>): void;
  /** Lists the values of its parameters from a position of a command on, as a database takes them. */
  parametersAt(command: readonly TravellingValue[], position: number): DatabaseValue[];
  /**
   * If it changes or returns no row, the command ends and has changed nothing. Otherwise its outcome is that of the command.
   */
  readonly decides: boolean;
  /** It decides, but changes nothing: it keeps a row as it is until the commit. Another statement can decide after it. */
  readonly holds: boolean;
  /** Its outcome is the number that it returns, and not the number of changed rows. */
  readonly returnsNumber: boolean;
  /** The parameters that name the row that it changes. Without them, each run inserts a row with a new id. */
  readonly key: readonly string[];
  /**
   * The parameter with the id of a token or grant, if it reads or changes other rows of that grant than its own: it runs after the
   * commands before it that change any.
   */
  readonly grantOf: string | undefined;
  /**
   * SQL that a database with simultaneous writers runs before, in the same transaction. So the statement sees what the writer has
   * committed for which it waited.
   */
  readonly before: SqlText | undefined;
  /** The parameters that name the shard of its row: an id, or else a key. Empty if its table has no shards. */
  readonly shardBy: readonly string[];
  /** Its row is stored on the shard of the statement before it, if there is one. */
  readonly followsShard: boolean;
}

interface StatementOptions<Parameters extends Columns> {
  readonly key?: readonly (keyof Parameters & string)[];
  readonly grantOf?: keyof Parameters & string;
  readonly before?: string;
  /** Default: `id`, if that is the id of a row. */
  readonly shardBy?: readonly (keyof Parameters & string)[];
  readonly followsShard?: boolean;
}

/** A statement that is sent by its number. */
export interface Statement<Parameters extends Columns = Columns> extends StatementDefinition<Parameters> {
  readonly number: number;
}

/** A statement that runs if the statements before it have decided for the command. */
export function follows<Parameters extends Columns>(
  parameters: Parameters,
  sql: string,
  options: StatementOptions<Parameters> = {},
): StatementDefinition<Parameters> {
  const { key = [], grantOf, before, shardBy, followsShard = false } = options;
  return {
    ...sqlText(parameters, sql),
    parameters,
    append: commandAppender(parameters),
    parametersAt: commandReader(parameters),
    decides: false,
    holds: false,
    returnsNumber: false,
    key,
    grantOf,
    before: before === undefined ? undefined : sqlText(parameters, before),
    shardBy: shardBy ?? (parameters.id === 'id' ? ['id'] : []),
    followsShard,
  };
}

/** A statement that decides about its command by the number of changed rows. */
export function decides<Parameters extends Columns>(
  parameters: Parameters,
  sql: string,
  options: StatementOptions<Parameters> = {},
): StatementDefinition<Parameters> {
  return { ...follows(parameters, sql, options), decides: true };
}

/** A statement that decides by the number that it returns; no row is 0. It ends with `returning` and the number. */
export function decidesByNumber<Parameters extends Columns>(
  parameters: Parameters,
  sql: string,
  options: StatementOptions<Parameters> = {},
): StatementDefinition<Parameters> {
  return { ...decides(parameters, sql, options), returnsNumber: true };
}

/** A statement that decides for its command if it finds the row, which stays as it is until the commit. It begins with `select 1`. */
export function holds<Parameters extends Columns>(
  parameters: Parameters,
  sql: string,
  options: StatementOptions<Parameters> = {},
): StatementDefinition<Parameters> {
  return { ...decidesByNumber(parameters, sql, options), holds: true };
}

type Numbered<Definitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends StatementDefinition<infer Parameters>
    ? Statement<Parameters>
    : never;
};

/** Numbers the statements in their order, which is the same in every thread. */
export function numbered<Definitions extends Readonly<Record<string, StatementDefinition>>>(
  definitions: Definitions,
): Numbered<Definitions> {
  const entries = Object.entries(definitions).map(([name, statement], number) => [
    name,
    { ...statement, number },
  ]);
  return Object.fromEntries(entries);
}
