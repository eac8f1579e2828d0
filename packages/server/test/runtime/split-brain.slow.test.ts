import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import { until, watchword } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { migrate } from '@watchword/store-sql';
import { startPostgresql, startStandby } from '@watchword/testkit/postgresql';

describe('a server whose URL names two PostgreSQL servers that accept writes', () => {
  it('is not ready, and says so in its log, its metrics, check and doctor, until one of them is stopped', async () => {
    await using primary = await startPostgresql();
    await migrate({ database: primary.url(), extent: 'all' });
    await using standby = await startStandby(primary);
    const own = `127.0.0.1:${primary.port}`;
    const database = primary.url().replace(own, `${own},127.0.0.1:${standby.port}`);
    await using server = await startServer({ database });
    const splitBrain = async () =>
      seriesValue(parseExposition((await server.get('/metrics')).text), 'watchword_database_split_brain');
    assert.deepEqual([(await server.get('/readyz')).status, await splitBrain()], [200, 0]);

    await standby.promote();
    // Each look finds both only if they answer in time.
    await until(async () => {
      await server.service.store.primary?.look();
      return (await server.get('/readyz')).status === 503;
    });
    assert.equal((await server.get('/healthz')).status, 200);
    assert.equal(await splitBrain(), 1);
    const two =
      /127\.0\.0\.1:\d+ \(timeline 1\) and 127\.0\.0\.1:\d+ \(timeline 2\) are two servers of one database/;
    const line = linesOf(server.log()).find(({ msg }) => msg === 'no PostgreSQL server is used');
    assert.equal(line?.level, 50);
    assert.match(String(line?.problem), two);
    for (const command of ['check', 'doctor']) {
      await until(async () => {
        const { code, stdout, stderr } = await watchword([command, '--database', database]);
        return code === 1 && two.test(stdout + stderr);
      });
    }

    await primary.stop('fast');
    await until(async () => (await server.get('/readyz')).status === 200);
    assert.equal(await splitBrain(), 0);
    const change = linesOf(server.log()).find(({ msg }) =>
      /another PostgreSQL server is the primary/.test(String(msg)),
    );
    assert.deepEqual([change?.level, change?.from, change?.to], [40, own, `127.0.0.1:${standby.port}`]);
  });
});

function linesOf(log: string): Record<string, unknown>[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
