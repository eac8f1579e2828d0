import type { Command, CommandResult } from '../../../hot/command.ts';
import { commit, rollback, type Session } from '../connection/session.ts';
import { type CommandForm, type CommandForms, statementsOf } from './command-form.ts';
import { outcomesOf, queriesOf } from './group-query.ts';
import type { Member } from './rounds.ts';
import { openTransaction } from './transaction.ts';

/** Statements of one form that follow each other, each a command of its own. */
interface Run {
  readonly form: CommandForm;
  readonly members: Member[];
}

/** Runs a command of which several statements decide: all of them, or none, in a transaction that is rolled back. */
export async function runApart(
  session: Session,
  command: Command,
  forms: CommandForms,
): Promise<CommandResult> {
  const runs = runsOf(command, forms);
  const queries = runs.map(({ form, members }) => queriesOf(form, members));
  const results = await openTransaction(session, queries.flat());
  let last = -1;
  const isDecidedFor = runs.every(({ form, members }, index) => {
    last += queries[index]?.length ?? 0;
    if (form.deciding === undefined) return true;
    const outcomes = outcomesOf(results[last], members);
    return outcomes.length === members.length && outcomes.every(([, outcome]) => outcome > 0);
  });
  await session.pipeline([isDecidedFor ? commit : rollback]);
  return Number(isDecidedFor);
}

function runsOf(command: Command, forms: CommandForms): Run[] {
  const runs: Run[] = [];
  for (const [index, statement] of statementsOf(command).entries()) {
    const form = forms.of(statement) as CommandForm;
    const last = runs.at(-1);
    if (last?.form === form) last.members.push({ command: statement, index });
    else runs.push({ form, members: [{ command: statement, index }] });
  }
  return runs;
}
