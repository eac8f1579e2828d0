import type { DatabaseValue } from '../../../hot/columns.ts';
import type { CommandResult } from '../../../hot/command.ts';
import { madeOnce } from '../../../hot/made-once.ts';
import type { Statement } from '../../../hot/statement.ts';
import type { SessionQuery, SessionResult } from '../connection/session.ts';
import type { CommandForm } from './command-form.ts';
import { formText } from './form-text.ts';
import type { Member } from './rounds.ts';

const textOf = madeOnce(formText);

/** The statements that run commands of one form. The result of the last one has their outcomes. */
export function queriesOf(form: CommandForm, members: readonly Member[]): SessionQuery[] {
  const { sql, before } = textOf(form);
  const arrays = form.statements.map((statement, index) =>
    arraysOf(statement, form.positions[index] as number, members),
  );
  return [
    ...before.map(({ sql: text, statement }, index) => ({
      name: `${form.name}_before_${index}`,
      text,
      values: arrays[statement] as DatabaseValue[][],
    })),
    { name: form.name, text: sql, values: arrays.flat() },
  ];
}

/** An array for each parameter of the statement, with a value of each command. */
function arraysOf(statement: Statement, position: number, members: readonly Member[]): DatabaseValue[][] {
  const arrays: DatabaseValue[][] = statement.names.map(() => []);
  for (const { command } of members) {
    const values = statement.parametersAt(command, position);
    for (const [index, value] of values.entries()) arrays[index]?.push(value);
  }
  return arrays;
}

/** The outcomes that a statement has returned for commands, by the places of these in the group. */
export function outcomesOf(
  result: SessionResult | undefined,
  members: readonly Member[],
): (readonly [index: number, outcome: CommandResult])[] {
  return (result?.rows ?? []).flatMap(([ordinal, outcome]) => {
    const member = members[Number(ordinal) - 1];
    return member === undefined ? [] : [[member.index, Number(outcome)] as const];
  });
}
