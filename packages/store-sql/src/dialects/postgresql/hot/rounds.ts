import type { Command } from '../../../hot/command.ts';
import { shardOf } from '../../../hot/token-id.ts';
import type { CommandForm } from './command-form.ts';

/** A command of a group, and its place there. */
export interface Member {
  readonly command: Command;
  readonly index: number;
}

interface KeyedMember extends Member {
  readonly keys: readonly string[];
  /** Its place in the order of the rows that a round locks. */
  readonly order: string;
}

/**
 * Divides commands of one form so that no two of a round change the same row: a statement changes a row once, and its rows do not
 * see each other's changes. The members of a round have the order of their rows, so that two groups lock common rows in the same
 * order, and none waits for the other. Rows that are held come first, in the order of their ids: so an end of all sessions of a user, which
 * goes through an index, waits for a group, and not a group for it at the same time.
 */
export function roundsOf(form: CommandForm, members: readonly Member[]): readonly (readonly Member[])[] {
  if (members.length === 1 || !locksRows(form)) return [members];
  const rounds: KeyedMember[][] = [];
  const nextRound = new Map<string, number>();
  for (const member of members) {
    const keys = keysOf(form, member.command);
    const round = Math.max(0, ...keys.map((key) => nextRound.get(key) ?? 0));
    for (const key of keys) nextRound.set(key, round + 1);
    // The last statement of an issue changes the grant: that is the row which commands of several forms share.
    const keyed = { ...member, keys, order: `${heldBy(form, member.command)} ${keys.at(-1) ?? ''}` };
    const others = rounds[round];
    if (others === undefined) rounds[round] = [keyed];
    else others.push(keyed);
  }
  for (const round of rounds) round.sort((one, other) => (one.order < other.order ? -1 : 1));
  return rounds;
}

function locksRows({ statements }: CommandForm): boolean {
  return statements.some(({ key, grantOf, holds }) => holds || key.length > 0 || grantOf !== undefined);
}

/** The ids of the rows that the command holds. Ids as texts have the order of their bytes. */
function heldBy({ statements, positions }: CommandForm, command: Command): string {
  return statements
    .flatMap(({ holds, names, routedBy }, index) =>
      holds ? routedBy.map((name) => command[(positions[index] as number) + names.indexOf(name)]) : [],
    )
    .join(' ');
}

function keysOf({ statements, positions }: CommandForm, command: Command): string[] {
  const keys: string[] = [];
  for (const [index, { key, grantOf, names }] of statements.entries()) {
    const value = (name: string) => command[(positions[index] as number) + names.indexOf(name)];
    if (key.length > 0) keys.push(`${index} ${key.map(value).join('\0')}`);
    // The grant of a token is not known here, but its shard.
    if (grantOf !== undefined) keys.push(`${index} ${shardOf(String(value(grantOf)))}`);
  }
  return keys;
}
