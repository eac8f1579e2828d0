import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenFactory } from '@watchword/testkit';
import { accessTokenRow } from '../../src/grants/token-rows.ts';
import { noSegments } from '../../src/grants/token-segments.ts';
import {
  add,
  type Command,
  commandOf,
  LateDecisionError,
  RunningCommand,
  type Step,
} from '../../src/hot/command.ts';
import { statements } from '../../src/hot/statements.ts';
import { idToBytes } from '../../src/hot/token-id.ts';

/** Runs the command with these results, one for each statement. */
function runWith(command: Command, outcomes: readonly number[]) {
  const running = new RunningCommand(command);
  const steps: Step[] = [];
  for (let step = running.next(); step !== undefined; step = running.next()) {
    running.take(outcomes[steps.length] ?? assert.fail('a statement too many'));
    steps.push(step);
  }
  return { result: running.result, ran: steps.map(({ statement }) => statement.number), steps };
}

const id = '019b76da-a800-7000-8000-000000000001';
const grantId = '019b76da-a800-7000-8000-000000000002';
const { redeemCode, insertAccessToken, useGrant, deleteLoginSession, insertLoginSession } = statements;

function redemption(): Command {
  const command = commandOf(redeemCode, { id, grant_id: grantId, now: 5, max_failures: 3 });
  add(command, insertAccessToken, accessTokenRow(tokenFactory()({ grantId }), noSegments));
  add(command, useGrant, { id: grantId, now: 5, expires: 9 });
  return command;
}

describe('a command', () => {
  it('has the values of each statement by their names, in the form of the database', () => {
    const token = tokenFactory()({ grantId, scopes: ['a', 'b'] });
    const command = commandOf(insertAccessToken, accessTokenRow(token, { next: () => 7 }));
    const parameters = insertAccessToken.parametersAt(command, 1);
    const values = Object.fromEntries(
      insertAccessToken.names.map((name, index) => [name, parameters[index]]),
    );
    assert.deepEqual(values, {
      id: idToBytes(token.id),
      verifier_hash: Buffer.from(token.verifierHash),
      client_record_id: token.clientRecordId,
      scopes: 'a b',
      expires: token.expires,
      creation_date: token.creationDate,
      grant_id: idToBytes(grantId),
      confirmation: null,
      segment: 7,
    });
  });

  it('gives each statement its values as they travelled', () => {
    const command = redemption();
    const [redeem, insert, use] = runWith(command, [1, 1, 1]).steps;
    assert.deepEqual(redeem?.values, [id, grantId, 5, 3]);
    assert.deepEqual(insert?.values, command.slice(6, 15));
    assert.deepEqual(use?.values, [grantId, 5, 9]);
  });

  it('contains primitives only, so that it is cheap to send to another thread', () => {
    for (const value of redemption()) assert.ok(value === null || typeof value !== 'object', String(value));
  });

  it('runs all its statements when its deciding statement has changed a row', () => {
    const { result, ran } = runWith(redemption(), [1, 1, 1]);
    assert.equal(result, 1);
    assert.deepEqual(ran, [redeemCode.number, insertAccessToken.number, useGrant.number]);
  });

  it('ends with 0 at a deciding statement that has changed no row', () => {
    const { result, ran } = runWith(redemption(), [0]);
    assert.equal(result, 0);
    assert.deepEqual(ran, [redeemCode.number]);
  });

  it('continues after a following statement that has changed no row', () => {
    const command = commandOf(statements.revokeGrantOfLastToken, { except_id: id, valid_from: 0 });
    add(command, statements.deleteAccessToken, { id });
    assert.equal(runWith(command, [0, 1]).result, 1);
  });

  it('has the result of its last deciding statement', () => {
    const command = commandOf(statements.revokeGrant, { id: grantId, now: 5 });
    add(command, deleteLoginSession, { id });
    assert.equal(runWith(command, [1, 7]).result, 7);
    assert.notEqual(deleteLoginSession.number, insertLoginSession.number);
  });

  it('fails when a later statement decides against it, so that its transaction is rolled back', () => {
    const command = commandOf(statements.revokeGrant, { id: grantId, now: 5 });
    add(command, deleteLoginSession, { id });
    assert.throws(() => runWith(command, [1, 0]), LateDecisionError);
  });
});
