import type { Command, CommandResult } from '../../../hot/command.ts';
import type { HotWork } from '../../../hot/hot-work.ts';
import { commit, rollback, type Session, type SessionPool } from '../connection/session.ts';
import { type CommandForm, CommandForms, statementsOf } from './command-form.ts';
import { outcomesOf, queriesOf } from './group-query.ts';
import { type Member, roundsOf } from './rounds.ts';
import {
  impatient,
  inTransaction,
  isConflict,
  isLockTimeout,
  isRefused,
  openTransaction,
  repeated,
} from './transaction.ts';

/** Statements of one form that follow each other, each a command of its own. */
interface Run {
  readonly form: CommandForm;
  readonly members: Member[];
}

/** Runs a command of which several statements decide: all of them, or none, in a transaction that is rolled back. */
async function runApart(session: Session, command: Command, forms: CommandForms): Promise<CommandResult> {
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

type Group = ReadonlyMap<CommandForm, readonly Member[]>;

/**
 * Commits commands in groups. A group is one transaction in one round trip: its commands of one form are one statement. If a
 * statement fails, each command runs in a transaction of its own, so that only the one that fails gets the error. If the group has
 * waited for a lock in vain, none of them waits again for as long: one locked row must not stop all writes. After a loss of the
 * connection nothing is tried again, because the group can have been committed.
 *
 * @param onCommit called with the number of commands of each transaction
 * @param forms of the statements that the database runs
 */
export function groupedCommits(
  pool: SessionPool,
  onCommit: (batchSize: number) => void,
  forms = new CommandForms(),
): HotWork['commit'] {
  const run = async (command: Command, has = asItIs): Promise<CommandResult | Error> => {
    const form = forms.of(command);
    try {
      const result = await pool.use((session) =>
        repeated(() =>
          form === undefined ? runApart(session, command, forms) : runAlone(has(session), form, command),
        ),
      );
      onCommit(1);
      return result;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };

  return async (commands) => {
    const results: (CommandResult | Error)[] = commands.map(() => 0);
    const runEach = async (members: readonly Member[], has?: typeof asItIs) => {
      for (const { command, index } of members) results[index] = await run(command, has);
    };
    const { group, apart } = divided(commands, forms);
    const alone = apart.map((member) => runEach([member]));
    const members = [...group.values()].flat();
    try {
      if (members.length === 0) return results;
      const outcomes = await pool.use((session) => runGroup(session, group));
      if (typeof outcomes === 'function') {
        await runEach(members, outcomes);
        return results;
      }
      for (const [index, outcome] of outcomes) results[index] = outcome;
      onCommit(members.length);
      return results;
    } finally {
      await Promise.all(alone);
    }
  };
}

/** Commands by their form. Apart: those of which several statements decide, because their transaction can be rolled back. */
function divided(
  commands: readonly Command[],
  forms: CommandForms,
): { readonly group: Group; readonly apart: readonly Member[] } {
  const group = new Map<CommandForm, Member[]>();
  const apart: Member[] = [];
  for (const [index, command] of commands.entries()) {
    const form = forms.of(command);
    const members = form === undefined ? apart : group.get(form);
    if (members !== undefined) members.push({ command, index });
    else if (form !== undefined) group.set(form, [{ command, index }]);
  }
  return { group, apart };
}

const asItIs = (session: Session): Session => session;

type Outcomes = readonly (readonly [index: number, outcome: CommandResult])[];

/** The outcomes of the commands that were decided for, by their places; or the sessions on which they must run one by one. */
async function runGroup(session: Session, group: Group): Promise<Outcomes | typeof asItIs> {
  const rounds = [...group].flatMap(([form, members]) =>
    roundsOf(form, members).map((round) => ({ round, queries: queriesOf(form, round) })),
  );
  try {
    const results = await inTransaction(
      session,
      rounds.flatMap(({ queries }) => queries),
    );
    let last = -1;
    return rounds.flatMap(({ round, queries }) => {
      last += queries.length;
      return outcomesOf(results[last], round);
    });
  } catch (error) {
    const isOne = rounds.length === 1 && rounds[0]?.round.length === 1;
    if (isLockTimeout(error) && !isOne) return impatient;
    if (isConflict(error) || (isRefused(error) && !isOne)) return asItIs;
    throw error;
  }
}

async function runAlone(session: Session, form: CommandForm, command: Command): Promise<CommandResult> {
  const members = [{ command, index: 0 }];
  const results = await inTransaction(session, queriesOf(form, members));
  return outcomesOf(results.at(-1), members)[0]?.[1] ?? 0;
}
