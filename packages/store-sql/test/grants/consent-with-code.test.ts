import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { identityOf } from '@watchword/protocol';
import { grantFactory } from '@watchword/testkit';
import { statementsOf } from '../../src/dialects/postgresql/hot/command-form.ts';
import { hotAuthorizationCodes } from '../../src/grants/authorization-codes.ts';
import { countedSegments } from '../../src/grants/token-segments.ts';
import type { Command, CommandResult } from '../../src/hot/command.ts';
import { statements } from '../../src/hot/statements.ts';

const make = grantFactory();
const grant = make.grant();
const { owner, clientRecordId } = grant;
const key = {
  owner: identityOf(owner),
  subject: owner.subject,
  clientRecordId,
  redirectUri: 'https://app.example/cb',
};
const consent = { key, scopes: ['read'], savedAt: 0 };

/** Stores a code with a consent, and lists the statements of each commit. @param results of the commits */
async function commitsOf(hasShards: boolean, results: readonly CommandResult[]): Promise<number[][]> {
  const commits: Command[] = [];
  const hot = {
    hasShards,
    write: async (command: Command) => results[commits.push(command) - 1] ?? 1,
    read: async () => undefined,
  };
  const isStored = await hotAuthorizationCodes(hot, countedSegments()).insert(make.code(grant), grant, {
    consent,
  });
  assert.equal(
    isStored,
    results.every((result) => result > 0),
  );
  return commits.map((command) => statementsOf(command).map(([number]) => Number(number)));
}

describe('a consent that is given with a code', () => {
  const code = [statements.insertCode.number, statements.insertGrant.number];
  const saved = [statements.insertConsent.number];
  const held = [statements.holdGrant.number, ...saved];

  it('is stored in the commit of the code', async () => {
    assert.deepEqual(await commitsOf(false, [1]), [[...code, ...saved]]);
  });

  it('is stored after the code where it can be on another shard', async () => {
    assert.deepEqual(await commitsOf(true, [1, 1]), [code, held]);
  });

  it('is not stored there if the code is not', async () => {
    assert.deepEqual(await commitsOf(true, [0]), [code]);
  });

  it('removes the code there if it is refused, so that the page can be answered again', async () => {
    const removal = [statements.revokeGrant.number, statements.deleteCode.number];
    assert.deepEqual(await commitsOf(true, [1, 0]), [code, held, removal]);
  });
});
