import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { identityOf } from '@watchword/protocol';
import { grantFactory } from '@watchword/testkit';
import { hotAuthorizationCodes } from '../src/grants/authorization-codes.ts';
import { countedSegments } from '../src/grants/token-segments.ts';
import type { Command, CommandResult } from '../src/hot/command.ts';
import { statements } from '../src/hot/statements.ts';

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

/** Stores a code with a consent, and lists the first statement of each commit. */
async function firstStatements(hasShards: boolean, result: CommandResult): Promise<unknown[]> {
  const commits: Command[] = [];
  const hot = {
    hasShards,
    write: async (command: Command) => {
      commits.push(command);
      return result;
    },
    read: async () => undefined,
  };
  const isStored = await hotAuthorizationCodes(hot, countedSegments()).insert(make.code(grant), grant, {
    consent,
  });
  assert.equal(isStored, result > 0);
  return commits.map(([first]) => first);
}

describe('a consent that is given with a code', () => {
  const code = statements.insertCode.number;

  it('is stored in the commit of the code', async () => {
    assert.deepEqual(await firstStatements(false, 1), [code]);
  });

  it('is stored after the code where it can be on another shard', async () => {
    assert.deepEqual(await firstStatements(true, 1), [code, statements.holdGrant.number]);
  });

  it('is not stored there if the code is not', async () => {
    assert.deepEqual(await firstStatements(true, 0), [code]);
  });
});
