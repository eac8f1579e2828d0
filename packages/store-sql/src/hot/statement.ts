import { commandAppender, commandReader } from './column-functions.ts';
import type { Columns, DatabaseValue, Named, TravellingValue } from './columns.ts';
import type { Hold, Operation } from './operation.ts';

/** One statement of a command, and the meaning of its outcome for the command. */
export interface StatementDefinition<Parameters extends Columns = Columns> {
  readonly operation: Operation;
  readonly parameters: Parameters;
  /** The names of the parameters, in their order. */
  readonly names: readonly string[];
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
  /** Its outcome is the number that it returns, and not the number of changed rows. No row is 0. */
  readonly returnsNumber: boolean;
  /** The parameters that name the row that it changes. Without them, each run inserts a row with a new id. */
  readonly key: readonly string[];
  /**
   * The parameter with the id of a token or grant, if it reads or changes other rows of that grant than its own: it runs after the
   * commands before it that change any.
   */
  readonly grantOf: string | undefined;
  /**
   * A database with simultaneous writers holds this row before, in the same transaction. So the statement sees what the writer has
   * committed for which it waited.
   */
  readonly before: Hold | undefined;
  /**
   * The parameters that route it, in a database that distributes rows: an id, which names the place of its grant, or else a key. Empty if
   * its table is not distributed.
   */
  readonly routedBy: readonly string[];
  /** Its row is stored where that of the first statement of the command is. */
  readonly isRoutedByFirst: boolean;
}

interface StatementOptions<Parameters extends Columns> {
  readonly key?: readonly (keyof Parameters & string)[];
  readonly grantOf?: keyof Parameters & string;
  readonly before?: Hold;
  /** Default: `id`, if that is the id of a row. */
  readonly routedBy?: readonly (keyof Parameters & string)[];
  readonly isRoutedByFirst?: boolean;
}

/** A statement that is sent by its number. */
export interface Statement<Parameters extends Columns = Columns> extends StatementDefinition<Parameters> {
  readonly number: number;
}

/** A statement that runs if the statements before it have decided for the command. */
export function follows<Parameters extends Columns>(
  parameters: Parameters,
  operation: Operation,
  options: StatementOptions<Parameters> = {},
): StatementDefinition<Parameters> {
  const { key = [], grantOf, before, routedBy, isRoutedByFirst = false } = options;
  return {
    operation,
    parameters,
    names: Object.keys(parameters),
    append: commandAppender(parameters),
    parametersAt: commandReader(parameters),
    decides: false,
    holds: operation.kind === 'hold',
    returnsNumber:
      operation.kind === 'hold' || (operation.kind === 'update' && operation.returns !== undefined),
    key,
    grantOf,
    before,
    routedBy: routedBy ?? (parameters.id === 'id' ? ['id'] : []),
    isRoutedByFirst,
  };
}

/** A statement that decides about its command, by the number of changed rows, the number that it returns, or the row that it holds. */
export function decides<Parameters extends Columns>(
  parameters: Parameters,
  operation: Operation,
  options: StatementOptions<Parameters> = {},
): StatementDefinition<Parameters> {
  return { ...follows(parameters, operation, options), decides: true };
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
