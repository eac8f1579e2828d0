import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { grantFactory, rounds, slowTest } from '@watchword/testkit';
import { idFromBytes } from '../../src/hot/token-id.ts';
import { idsIn, tablesWithOrphans } from '../support/rows.ts';
import { snapshot } from '../support/snapshot.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

describe('a resolved write under a grant', onlyOn('sqlite', 'reads the files'), () => {
  it('is complete in the files: a code, its redemption, a rotation, a revocation', async () => {
    await using database = await testDatabase();
    const { authorizationCodes, grants, refreshTokens } = await database.openServer();
    const make = grantFactory();
    const grant = make.grant();
    const code = make.code(grant);
    const [first, second] = [make.tokens(grant), make.tokens(grant)];
    const state = (name: string) => {
      using db = snapshot(database, name);
      const count = (sql: string) => Number(db.prepare(`select count(*) as found from ${sql}`).get()?.found);
      return {
        codes: count('authorization_code'),
        used: count('authorization_code where redeemed_at is not null'),
        accessTokens: count('access_token'),
        refreshTokens: count('refresh_token'),
        rotated: count('refresh_token where rotated_at is not null'),
        revoked: count('authorization_grant where revoked_at is not null'),
      };
    };
    await authorizationCodes.insert(code, grant);
    const inserted = { codes: 1, used: 0, accessTokens: 0, refreshTokens: 0, rotated: 0, revoked: 0 };
    assert.deepEqual(state('inserted'), inserted);
    await authorizationCodes.redeem(code.id, first, grant.creationDate);
    const redeemed = { ...inserted, used: 1, accessTokens: 1, refreshTokens: 1 };
    assert.deepEqual(state('redeemed'), redeemed);
    await refreshTokens.rotate(first.refreshToken.id, second, 'sealed', grant.creationDate);
    const rotated = { ...redeemed, accessTokens: 2, refreshTokens: 2, rotated: 1 };
    assert.deepEqual(state('rotated'), rotated);
    await grants.revoke(grant.id, grant.creationDate);
    assert.deepEqual(state('revoked'), { ...rotated, revoked: 1 });
  });
});

describe('a write under a grant that fails half-way', () => {
  it('leaves no rows, and its code or refresh token is still valid', async () => {
    await using database = await testDatabase();
    const { authorizationCodes, grants, refreshTokens } = await database.openServer();
    const make = grantFactory();
    const grant = make.grant();
    const code = make.code(grant);
    const [first, second, third] = [make.tokens(grant), make.tokens(grant), make.tokens(grant)];
    // Ids are unique; a used one causes an error in the last statement here.
    const failing = (issued: typeof first, taken: typeof first) => ({
      ...issued,
      refreshToken: { ...issued.refreshToken, id: taken.refreshToken.id },
    });
    const other = make.grant();
    const otherCode = make.code(other);
    await authorizationCodes.insert(otherCode, other);
    const taken = make.tokens(other);
    await authorizationCodes.redeem(otherCode.id, taken, 0);
    const before = await idsIn(database, 'access_token');

    await authorizationCodes.insert(code, grant);
    await assert.rejects(authorizationCodes.redeem(code.id, failing(first, taken), 0));
    assert.equal((await authorizationCodes.find(code.id))?.isRedeemed, false);
    assert.deepEqual(await idsIn(database, 'access_token'), before);
    assert.ok(await authorizationCodes.redeem(code.id, first, 0));

    await assert.rejects(refreshTokens.rotate(first.refreshToken.id, failing(second, taken), 'x', 0));
    assert.equal((await refreshTokens.find(first.refreshToken.id))?.rotation, undefined);
    assert.deepEqual(await idsIn(database, 'access_token'), [...before, first.accessToken.id].toSorted());
    assert.ok(await refreshTokens.rotate(first.refreshToken.id, second, 'x', 0));

    const twice = make.grant({ id: grant.id });
    await assert.rejects(grants.insert(twice, third.accessToken));
    assert.ok(!(await idsIn(database, 'access_token')).includes(third.accessToken.id));
  });
});

/** Runs the load in another process and kills it after this number of resolved writes. Resolves with those. */
async function killedAfter(
  acknowledgements: number,
  database: TestDatabase,
  seed: string,
): Promise<string[][]> {
  const program = fileURLToPath(new URL('../support/redemption-load.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', program, await database.location(), seed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === acknowledgements) child.kill('SIGKILL');
  }
  const [, signal] = await closed;
  assert.equal(signal, 'SIGKILL');
  // The last line can be incomplete.
  return lines.slice(0, -1).map((line) => line.split(' '));
}

/** The ids in these columns, with a space between them. */
async function idsWhere(database: TestDatabase, columns: string, rows: string): Promise<Set<string>> {
  const found = await database.sql(`select ${columns} from ${rows}`);
  return new Set(
    found.map((row) =>
      Object.values(row)
        .map((id) => idFromBytes(id as Uint8Array))
        .join(' '),
    ),
  );
}

/** Grants whose redeemed codes or rotated refresh tokens do not match their tokens. */
const unbalanced = `
  with counted as (
    select g.id,
      (select count(*) from authorization_code c where c.grant_id = g.id and redeemed_at is not null) +
        (select count(*) from refresh_token r where r.grant_id = g.id and rotated_at is not null) as consumed,
      (select count(*) from access_token t where t.grant_id = g.id) as access_tokens,
      (select count(*) from refresh_token r where r.grant_id = g.id) as refresh_tokens
    from authorization_grant g
  )
  select count(*) as found from counted
    where consumed <> access_tokens or consumed <> refresh_tokens`;

const brokenLines = `
  select count(*) as found from refresh_token r
    where rotated_at is not null
      and not exists (select 1 from refresh_token s where s.id = r.successor_id and s.grant_id = r.grant_id)`;

describe('a kill -9 under redemptions, rotations and revocations', () => {
  // The two tests above: each is in the files when it resolves, and all of it or nothing.
  slowTest('loses no resolved write, and never separates a redeemed code from its tokens', async () => {
    await using database = await testDatabase();
    const acknowledged: string[][] = [];
    for (let round = 0; round < rounds(1, 5); round += 1) {
      acknowledged.push(...(await killedAfter(randomInt(50, rounds(250, 800)), database, `round ${round}`)));
      assert.equal((await database.sql(unbalanced))[0]?.found, 0);
      assert.equal((await database.sql(brokenLines))[0]?.found, 0);
      assert.deepEqual(await tablesWithOrphans(database), []);
    }
    const accessTokens = new Set(await idsIn(database, 'access_token'));
    const refreshTokens = new Set(await idsIn(database, 'refresh_token'));
    const used = await idsWhere(database, 'id', 'authorization_code where redeemed_at is not null');
    const rotated = await idsWhere(
      database,
      'id, successor_id',
      'refresh_token where successor_id is not null',
    );
    const revoked = await idsWhere(database, 'id', 'authorization_grant where revoked_at is not null');
    for (const [what, consumed = '', accessToken = '', refreshToken = ''] of acknowledged) {
      if (what === 'revoked') {
        assert.ok(revoked.has(consumed), 'a revocation is lost');
        continue;
      }
      const found = what === 'redeemed' ? used.has(consumed) : rotated.has(`${consumed} ${refreshToken}`);
      assert.ok(found, `what was ${what} may be used again`);
      assert.ok(accessTokens.has(accessToken) && refreshTokens.has(refreshToken), 'tokens are lost');
    }
    for (const what of ['redeemed', 'rotated', 'revoked']) {
      assert.ok(
        acknowledged.some(([each]) => each === what),
        what,
      );
    }
  });
});
