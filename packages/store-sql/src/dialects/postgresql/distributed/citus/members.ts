import type { DatabaseValue } from '../../../../hot/columns.ts';
import type { Command } from '../../../../hot/command.ts';
import type { Statement } from '../../../../hot/statement.ts';
import { type CommandForm, CommandForms, statementsOf } from '../../hot/command-form.ts';
import { shardedStatements } from '../sharded.ts';
import type { Placement, PlacementMap } from './placements.ts';

/** A statement of a command with its values, and where its row is. */
export interface Part extends Placement {
  readonly member: Member;
  readonly statement: Statement;
  readonly parameters: readonly DatabaseValue[];
}

/** A command, and its place in the group. */
export interface Member {
  readonly command: Command;
  readonly index: number;
  /** Up to the statement that decides; empty if none does. */
  readonly deciding: readonly Part[];
  /** Run when it is decided for the command. */
  readonly following: readonly Part[];
}

export interface Divided {
  /** Commands whose rows are on one placement, by its worker. */
  readonly groups: ReadonlyMap<number, readonly Member[]>;
  /** Commands with rows on several placements, or of which several statements decide. Each needs a transaction of its own. */
  readonly apart: readonly Member[];
  /** Commands on tables without shards. */
  readonly local: readonly Member[];
}

const forms = new CommandForms(shardedStatements);

export function divided(commands: readonly Command[], placements: PlacementMap): Divided {
  const groups = new Map<number, Member[]>();
  const apart: Member[] = [];
  const local: Member[] = [];
  for (const [index, command] of commands.entries()) {
    const member = memberOf(command, index, placements);
    const [first, ...others] = [...member.deciding, ...member.following];
    const deciding = member.deciding.filter(({ statement }) => statement.decides);
    if (first === undefined) local.push(member);
    else if (deciding.length > 1 || others.some(({ placement }) => placement !== first.placement)) {
      apart.push(member);
    } else {
      const group = groups.get(first.worker);
      if (group === undefined) groups.set(first.worker, [member]);
      else group.push(member);
    }
  }
  return { groups, apart, local };
}

function memberOf(command: Command, index: number, placements: PlacementMap): Member {
  const deciding: Part[] = [];
  const following: Part[] = [];
  const member = { command, index, deciding, following };
  const parts = partsOf(command, member, placements);
  const last = parts.findLastIndex(({ statement }) => statement.decides);
  deciding.push(...parts.slice(0, last + 1));
  following.push(...parts.slice(last + 1));
  return member;
}

/** Empty if a statement has no shard. */
function partsOf(command: Command, member: Member, placements: PlacementMap): Part[] {
  const parts = formsOf(command).flatMap(({ form, values }) =>
    form.statements.map((statement, index) => ({
      statement,
      parameters: statement.parametersAt(values, form.positions[index] as number),
    })),
  );
  if (parts.some(({ statement }) => statement.routedBy.length === 0)) return [];
  return parts.map((part) => ({
    ...part,
    member,
    ...(placements[part.parameters.at(-1) as number] as Placement),
  }));
}

function formsOf(command: Command): { readonly form: CommandForm; readonly values: Command }[] {
  const form = forms.of(command);
  if (form !== undefined) return [{ form, values: command }];
  return statementsOf(command).map((values) => ({ form: forms.of(values) as CommandForm, values }));
}

/**
 * Divides commands so that no two of a round change the same row: a statement changes a row once, and its rows do not see each
 * other's changes.
 */
export function roundsOf(group: readonly Member[]): Member[][] {
  const rounds: Member[][] = [];
  const nextRound = new Map<string, number>();
  for (const member of group) {
    const { waitsFor, keepsFrom } = keysOf(member);
    const round = Math.max(0, ...waitsFor.map((key) => nextRound.get(key) ?? 0));
    for (const key of keepsFrom) nextRound.set(key, round + 1);
    const members = rounds[round];
    if (members === undefined) rounds[round] = [member];
    else members.push(member);
  }
  return rounds;
}

/** The rows that a command changes, as keys: it runs after commands that keep its keys from others. */
function keysOf({ deciding, following }: Member): {
  readonly waitsFor: readonly string[];
  readonly keepsFrom: readonly string[];
} {
  const parts = [...deciding, ...following];
  const keys = parts.flatMap(({ statement: { number, key, names }, parameters }) =>
    key.length === 0
      ? []
      : [`${number} ${keyText(key.map((name) => parameters[names.indexOf(name)] as DatabaseValue))}`],
  );
  // Which grant or token such a command changes is not known here, but its shard. Nothing else may change there in its round.
  const shard = parts[0]?.parameters.at(-1);
  const changesUnknown = parts.some(({ statement }) => statement.grantOf !== undefined);
  return changesUnknown
    ? {
        waitsFor: [...keys, `any ${shard}`, `unknown ${shard}`],
        keepsFrom: [...keys, `any ${shard}`, `unknown ${shard}`],
      }
    : { waitsFor: [...keys, `unknown ${shard}`], keepsFrom: [...keys, `any ${shard}`] };
}

/** Orders rows, and tells them apart. */
export function keyText(values: readonly DatabaseValue[]): string {
  return values
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)))
    .join('\0');
}
