import type { Columns, Named, TravellingValue } from './columns.ts';
import type { Statement } from './statement.ts';
import { statements } from './statements.ts';

/**
 * An atomic write: the numbers of its statements, each followed by the values of its parameters. It is one flat array of
 * primitives, which is sent to another thread much faster than nested records.
 */
export type Command = TravellingValue[];

/** The outcome of the last statement that decided: 0 if the command changed nothing. */
export type CommandResult = number;

/** Adds a statement with its values to the command. */
export function add<Parameters extends Columns>(
  command: Command,
  statement: Statement<Parameters>,
  values: Named<Parameters>,
): void {
  statement.append(command, statement.number, values);
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

/** A statement to run, with the values of its parameters as they travelled. */
export interface Step {
  readonly statement: Statement;
  readonly values: readonly TravellingValue[];
}

const byNumber = Object.values(statements) as unknown as readonly Statement[];

/** A command has changed rows when a later statement decided against it: its transaction must be rolled back. */
export class LateDecisionError extends Error {}

/** Turns a command into its statements, one after the other. The next statement depends on the outcome of the last one. */
export class RunningCommand {
  readonly #command: Command;
  #position = 0;
  #result: CommandResult = 0;
  #hasChanged = false;
  #last: Statement | undefined;

  constructor(command: Command) {
    this.#command = command;
  }

  /** The outcome of the command, if there is no next statement. */
  get result(): CommandResult {
    return this.#result;
  }

  /** The next statement; `undefined` if the command is complete, or a statement has decided against it. */
  next(): Step | undefined {
    const command = this.#command;
    if (this.#position >= command.length) return undefined;
    const statement = byNumber[command[this.#position] as number] as Statement;
    const begin = this.#position + 1;
    this.#position = begin + statement.names.length;
    this.#last = statement;
    return { statement, values: command.slice(begin, this.#position) };
  }

  /**
   * @param outcome of the last statement
   * @throws LateDecisionError if it decides against the command, and one before it decided for it
   */
  take(outcome: number): void {
    if (this.#last?.decides !== true) return;
    if (outcome === 0) {
      if (this.#hasChanged) throw new LateDecisionError();
      this.#position = this.#command.length;
    }
    this.#hasChanged ||= !this.#last.holds;
    this.#result = outcome;
  }
}
