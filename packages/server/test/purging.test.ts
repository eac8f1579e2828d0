import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxRefreshGrace } from '@watchword/protocol';
import { registerApplication } from '@watchword/server-testkit/application';
import { startServer } from '@watchword/server-testkit/server';
import { sql } from '@watchword/server-testkit/sql';
import { purgeOnce } from '../src/runtime/purging.ts';

const keepAll = { retention: 315_360_000, authStateLifetime: 600, auditRetention: 0, loginRetention: 0 };

describe('a purge', () => {
  it('clears the answer to a refresh after the longest grace that a setting allows, and a late use still ends the grant', async () => {
    await using server = await startServer({ 'refresh.graceSeconds': String(maxRefreshGrace) });
    const application = await registerApplication(server);
    const { refresh_token } = await application.obtainTokens();
    const { json: next } = await application.refresh(refresh_token);
    const purgeAfter = async (seconds: number) => {
      const clock = { now: () => server.service.store.clock.now() + seconds * 1000 };
      return (await purgeOnce(server.service.store, clock, keepAll)).sealedAnswers;
    };
    assert.equal(await purgeAfter(maxRefreshGrace), 0);
    assert.deepEqual((await application.refresh(refresh_token)).json, next);
    assert.equal(await purgeAfter(maxRefreshGrace + 10), 1);
    const [row] = await sql(
      server.database,
      'select length(sealed_answer) as bytes from refresh_token where rotated_at is not null',
    );
    assert.equal(Number(row?.bytes), 0);
    assert.equal((await application.refresh(refresh_token)).status, 400);
    assert.equal((await application.refresh(String(next.refresh_token))).status, 400);
  });
});
