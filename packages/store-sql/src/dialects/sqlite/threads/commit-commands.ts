import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type Command,
  type CommandResult,
  LateDecisionError,
  RunningCommand,
  type Step,
} from '../../../hot/command.ts';
import { isUnavailability, type SqliteError, toSqliteError } from '../files/sqlite-errors.ts';
import { commandText } from './sqlite-text.ts';

/** The result of each command, or its own error. */
export type CommandResults = readonly (CommandResult | SqliteError)[];

export interface CommittedCommands {
  readonly results: CommandResults;
  /** Whether one transaction had all of them. */
  readonly isTogether: boolean;
}

/**
 * Returns a function that runs commands in one transaction. If a command fails, each gets its own, so an error in the results belongs to one
 * command. It throws the error of a database that cannot be written now.
 *
 * @param committed called after each commit, before its results are known: it can throw
 */
export function commandCommitter(
  db: DatabaseSync,
  committed: () => void,
): (commands: readonly Command[]) => CommittedCommands {
  const run = commandRunner(db);

  const inTransaction = <Value>(work: () => Value): Value => {
    db.exec('begin immediate');
    try {
      const value = work();
      db.exec('commit');
      committed();
      return value;
    } catch (error) {
      // After a full disk or an I/O error, SQLite can have rolled back already.
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  };

  const alone = (command: Command): CommandResult | SqliteError => {
    try {
      return inTransaction(() => run(command));
    } catch (error) {
      return error instanceof LateDecisionError ? 0 : toSqliteError(error);
    }
  };

  return (commands) => {
    try {
      return { results: inTransaction(() => commands.map(run)), isTogether: true };
    } catch (error) {
      if (isUnavailability(toSqliteError(error))) throw error;
      return { results: commands.map(alone), isTogether: false };
    }
  };
}

/** Runs commands on the connection, within a transaction of the caller. */
function commandRunner(db: DatabaseSync): (command: Command) => CommandResult {
  // Prepared at first use, because the tables exist only after the migrations.
  const prepared: StatementSync[] = [];

  const execute = ({ statement, values }: Step): number => {
    let known = prepared[statement.number];
    if (known === undefined) {
      known = db.prepare(commandText(statement));
      prepared[statement.number] = known;
    }
    if (!statement.returnsNumber) return Number(known.run(...values).changes);
    const row = known.get(...values);
    return row === undefined ? 0 : Number(Object.values(row)[0]);
  };

  return (command) => {
    const running = new RunningCommand(command);
    for (let step = running.next(); step !== undefined; step = running.next()) running.take(execute(step));
    return running.result;
  };
}
