import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Command, type CommandResult, RunningCommand, type Step } from '../../../hot/command.ts';
import { commandText } from './sqlite-text.ts';

/** Runs commands on the connection, within a transaction of the caller. */
export function commandRunner(db: DatabaseSync): (command: Command) => CommandResult {
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
