import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandForms } from '../../src/dialects/postgresql/hot/command-form.ts';
import { formText } from '../../src/dialects/postgresql/hot/form-text.ts';
import { roundsOf } from '../../src/dialects/postgresql/hot/rounds.ts';
import { type Command, commandOf } from '../../src/hot/command.ts';
import { statements } from '../../src/hot/statements.ts';
import { newFlow, newToken, tokenId } from '../support/hot-commands.ts';

const forms = new CommandForms();

function textOf(command: Command) {
  const { sql, before } = formText(forms.of(command) ?? assert.fail());
  return { sql: sql.replaceAll(/\s+/g, ' '), before };
}

describe('the form of a command', () => {
  it('is the same for commands with the same statements', () => {
    assert.equal(forms.of(newToken()), forms.of(newToken()));
    assert.notEqual(forms.of(newToken()), forms.of([...newToken(), ...newToken()]));
  });

  it('does not exist if several statements decide', () => {
    const revocation = () => commandOf(statements.revokeGrant, { id: tokenId(), now: 1 });
    assert.equal(forms.of([...revocation(), ...revocation()]), undefined);
  });
});

describe('the SQL of a form', () => {
  it('takes an array for each parameter, and returns the positions of the rows that it has changed', () => {
    const { sql } = textOf(commandOf(statements.revokeGrant, { id: tokenId(), now: 1 }));
    assert.equal(
      sql,
      'with decided as (update authorization_grant set revoked_at = v.p_now from unnest($1::bytea[], $2::int8[]) with ordinality as v (p_id, p_now, ordinal) where id = v.p_id and +revoked_at is null returning v.ordinal, 1 as outcome) select ordinal, outcome from decided',
    );
  });

  it('finds the rows that it has inserted by their key', () => {
    const { sql } = textOf(newFlow().issue);
    assert.match(
      sql,
      /^with inserted as \(insert into .* on conflict \(id\) do nothing returning id\), decided as/,
    );
    assert.match(sql, /join inserted on inserted\.id = v\.p_id\)/);
  });

  it('gives the parts after the decision only the rows that it has decided for', () => {
    const { sql } = textOf(newFlow().redemption());
    const [decision = '', ...parts] = sql.split(/, part_\d as /);
    assert.doesNotMatch(decision, /in \(select ordinal from decided\)/);
    assert.equal(parts.length, 3);
    for (const part of parts) assert.match(part, /given\.ordinal in \(select ordinal from decided\)/);
  });

  it('returns the number of a statement that decides by a number', () => {
    const limits = { id: tokenId(), max_repetitions: 1, max_streak: 2 };
    const { sql } = textOf(commandOf(statements.repeatRotation, limits));
    assert.match(sql, /returning v\.ordinal, case when .* end as outcome\) select ordinal, outcome/);
  });

  it('runs a lock before the statement that needs it', () => {
    const command = commandOf(statements.revokeGrantOfLastToken, { except_id: tokenId(), valid_from: 0 });
    const { before } = textOf(command);
    assert.equal(before.length, 1);
    assert.match(before[0]?.sql ?? '', /for no key update of authorization_grant$/);
  });
});

describe('the rounds of a group', () => {
  const rounds = (commands: readonly Command[]) =>
    roundsOf(
      forms.of(commands[0] ?? assert.fail()) ?? assert.fail(),
      commands.map((command, index) => ({ command, index })),
    ).map((round) => round.map(({ index }) => index));

  it('are one for new rows', () => {
    assert.deepEqual(rounds([newToken(), newToken(), newToken()]), [[0, 1, 2]]);
  });

  it('have commands of the same row one after the other, in their order', () => {
    const [one, two] = [newFlow(), newFlow()].sort((a, b) => (a.grant.id < b.grant.id ? -1 : 1));
    const commands = [two, one, two, two].map((flow) => flow?.redemption() ?? assert.fail());
    assert.deepEqual(rounds(commands), [[1, 0], [2], [3]]);
  });

  it('hold sessions in the order of their ids, in which an end of all sessions of a user finds them', () => {
    const ids = [tokenId(), tokenId(), tokenId()].sort();
    const commands = [2, 0, 1, 0].map((index) => {
      const command = commandOf(statements.holdSession, { session_id: ids[index] ?? assert.fail(), ends: 0 });
      return command.concat(newFlow().issue);
    });
    const [first = [], ...more] = rounds(commands);
    assert.deepEqual(more, []);
    assert.deepEqual(
      first.map((index) => [2, 0, 1, 0][index]),
      [0, 0, 1, 2],
    );
  });
});
