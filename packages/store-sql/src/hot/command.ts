import type { ColumnKind, Columns, DatabaseValue, Named, TravellingValue } from './columns.ts';
import { fromTravel, toTravel } from './columns.ts';
import type { Statement } from './statement.ts';
import { statements } from './statements.ts';

/**
 * A write that is done whole or not at all: the numbers of its statements, each followed by the values of its parameters.
 * One flat array of primitives, which crosses to another thread far faster than nested records.
 */
export type Command = TravellingValue[];

/** The outcome of the last statement that decided: 0 when the command changed nothing. */
export type CommandResult = number;

/** Adds a statement with its values to the command. */
export function add<Parameters extends Columns>(
  command: Command,
  { number, names, kinds }: Statement<Parameters>,
  values: Named<Parameters>,
): void {
  command.push(number);
  for (let index = 0; index < names.length; index += 1) {
    const value = values[names[index] as keyof Parameters] as DatabaseValue;
    command.push(toTravel(kinds[index] as ColumnKind, value));
  }
}

/** A command of one statement. */
export function commandOf<Parameters extends Columns>(
  statement: Statement<Parameters>,
  values: Named<Parameters>,
): Command {
  const command: Command = [];
  add(command, statement, values);
  return command;
}

/** A statement to run, with the values that the database takes. */
export interface Step {
  readonly statement: Statement;
  readonly parameters: DatabaseValue[];
}

const byNumber = Object.values(statements) as unknown as readonly Statement[];

/** Yields the statements of a command one by one and takes the outcome of each; returns the outcome of the command. */
export function* run(command: Command): Generator<Step, CommandResult, number> {
  let result = 0;
  for (let position = 0; position < command.length; ) {
    const statement = byNumber[command[position] as number] as Statement;
    const first = position + 1;
    const parameters = statement.kinds.map((kind, index) =>
      fromTravel(kind, command[first + index] as TravellingValue),
    );
    const outcome = yield { statement, parameters };
    if (statement.decides) {
      result = outcome;
      if (outcome === 0) break;
    }
    position = first + parameters.length;
  }
  return result;
}
