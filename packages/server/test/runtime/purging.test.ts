import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxRefreshGrace } from '@watchword/protocol';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { until } from '@watchword/server-testkit/processes/process';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { startServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { PurgeClock, purgeOnce } from '../../src/runtime/work/purging.ts';

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

describe('the clock of the purge', () => {
  const interval = 60_000;
  const hour = 3_600_000;

  function clocks() {
    const jumps: number[] = [];
    let [time, elapsed] = [1_000_000_000, 0];
    const clock = new PurgeClock(
      { now: () => time },
      () => elapsed,
      interval,
      (jump) => jumps.push(jump),
    );
    return {
      clock,
      jumps,
      start: time,
      pass(milliseconds: number, jump = 0) {
        elapsed += milliseconds;
        time += milliseconds + jump;
      },
    };
  }

  it('follows the clock of the machine, also when it is set by up to an interval', () => {
    const { clock, jumps, start, pass } = clocks();
    pass(hour);
    assert.equal(clock.now() - start, hour);
    pass(hour, interval);
    assert.equal(clock.now() - start, 2 * hour + interval);
    pass(0, -hour);
    assert.equal(clock.now() - start, hour + interval);
    assert.deepEqual(jumps, []);
  });

  it('does not follow a jump ahead, reports it once, and follows again when the clock is set back', () => {
    const { clock, jumps, start, pass } = clocks();
    pass(hour, 48 * hour);
    assert.equal(clock.now() - start, hour);
    pass(hour);
    assert.equal(clock.now() - start, 2 * hour);
    assert.deepEqual(jumps, [48 * hour]);
    pass(0, -48 * hour);
    pass(hour);
    assert.equal(clock.now() - start, 3 * hour);
    pass(0, -hour);
    assert.equal(clock.now() - start, 2 * hour);
  });

  it(
    'keeps rows that are valid when the clock of the machine jumps ahead',
    onlyOn('sqlite', 'has that clock'),
    async () => {
      using time = stoppedClock();
      await using server = await startServer({ 'purge.interval': '1', 'purge.retention': '0' });
      await server.issueToken();
      const { store } = server.service;
      const lastPurge = async () =>
        (await store.leases.list()).find(({ name }) => name === 'purge')?.lastSuccess;
      time.advance(10 * 86_400);
      const jumped = store.clock.now();
      await until(async () => (await lastPurge()) === jumped);
      assert.equal((await sql(server.database, 'select id from access_token')).length, 1);
      assert.match(server.log(), /the clock jumped ahead: the purge keeps its own time/);
    },
  );
});
