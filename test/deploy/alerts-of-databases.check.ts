import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { applyConfiguration, driftFromConfiguration } from '@watchword/server-testkit/clients/managed-client';
import { temporaryDirectory, until, watchword } from '@watchword/server-testkit/processes/process';
import {
  copyDemo,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { migrate } from '@watchword/store-sql';
import { damagePage, leafPages } from '@watchword/testkit';
import { freePort } from '@watchword/testkit/free-port';
import { openTransaction, startPostgresql, startStandby } from '@watchword/testkit/postgresql';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import { demoDatabase } from './demo-database.ts';
import { missing, type Prometheus } from './prometheus.ts';
import { repeated, startQuickPrometheus } from './quick-prometheus.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

describe('with Prometheus and faults of the database', { skip: missing('prometheus') }, () => {
  const resources = new AsyncDisposableStack();
  let prometheus: Prometheus;
  before(async () => {
    prometheus = resources.use(await startQuickPrometheus());
  });
  after(() => resources.disposeAsync());

  /** A server over a database of PostgreSQL, which a proxy disturbs. */
  async function disturbed(flags: Parameters<typeof startServer>[0] = {}) {
    const opened = new AsyncDisposableStack();
    const { url } = opened.use(await demoDatabase());
    const proxy = opened.use(await tcpProxy({ port: Number(new URL(url).port) }));
    const server = opened.use(await startServer({ ...flags, database: proxy.url(url) }));
    return { proxy, server, url, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  }

  const tokens = (server: TestServer) => repeated(() => server.issueToken());

  it('WatchwordDatabaseUnwritable, WatchwordServerErrors: fire while the database does not answer', async () => {
    await using deps = await disturbed();
    const job = 'unreachable';
    prometheus.scrape(job, deps.server.port);
    await using _load = tokens(deps.server);
    await until(
      async () => (await prometheus.query(`job:watchword_http_requests:rate5m{job="${job}"}`)).length > 0,
      500,
    );
    deps.proxy.refuse();
    await prometheus.fires('WatchwordDatabaseUnwritable', job);
    await prometheus.fires('WatchwordServerErrors', job);
    deps.proxy.accept();
    await prometheus.ends('WatchwordDatabaseUnwritable', job);
    await prometheus.ends('WatchwordServerErrors', job);
  });

  it('WatchwordSlow: fires while each commit takes longer than a second', async () => {
    await using deps = await disturbed();
    prometheus.scrape('slow', deps.server.port);
    await using _load = tokens(deps.server);
    deps.proxy.delay(600);
    await prometheus.fires('WatchwordSlow', 'slow');
    deps.proxy.delay(0);
    await prometheus.ends('WatchwordSlow', 'slow');
  });

  it('WatchwordConnectionTimeouts, WatchwordConnectionsBusy: fire while statements wait for a lock', async () => {
    await using deps = await disturbed({
      'postgresql.connections': '1',
    });
    const { server } = deps;
    prometheus.scrape('locked', server.port);
    const access_token = await server.issueToken();
    const ask = () => server.post('/v1/tokeninfo', { access_token }, demoResourceServer);
    await using _load = repeated(ask, 16);
    await until(async () => (await prometheus.query('up{job="locked"} == 1')).length > 0, 500);
    {
      await using _lock = await openTransaction(deps.url, 'lock table access_token in access exclusive mode');
      await using _tokens = repeated(() => server.issueToken(), 8);
      await prometheus.fires('WatchwordConnectionTimeouts', 'locked');
      await prometheus.fires('WatchwordConnectionsBusy', 'locked');
    }
    await prometheus.ends('WatchwordConnectionTimeouts', 'locked');
    await prometheus.ends('WatchwordConnectionsBusy', 'locked');
  });

  it('WatchwordBackgroundWorkOverdue: fires while the purge cannot remove rows', async () => {
    await using deps = await disturbed({ 'purge.interval': '1', 'postgresql.statementTimeout': '1' });
    prometheus.scrape('unpurged', deps.server.port);
    {
      await using _lock = await openTransaction(deps.url, 'lock table access_token in access exclusive mode');
      await until(async () => {
        return (
          (await prometheus.query('watchword_background_work_overdue{job="unpurged",work="purge"} == 1'))
            .length > 0
        );
      }, 500);
      await prometheus.fires('WatchwordBackgroundWorkOverdue', 'unpurged');
    }
    await prometheus.ends('WatchwordBackgroundWorkOverdue', 'unpurged');
  });

  it('WatchwordPurgeFallsBehind: fires while rows that expired hours ago stay', async () => {
    await using deps = await disturbed({ 'purge.interval': '1', 'purge.retention': '0' });
    await (await registerApplication(deps.server)).obtainCode();
    prometheus.scrape('behind', deps.server.port);
    {
      await using _lock = await openTransaction(
        deps.url,
        `update authorization_code set expires = expires - 18000000; commit;
         begin; lock table authorization_code in share row exclusive mode`,
      );
      await prometheus.fires('WatchwordPurgeFallsBehind', 'behind');
    }
    await prometheus.ends('WatchwordPurgeFallsBehind', 'behind');
  });

  it('WatchwordSplitBrain: fires while two PostgreSQL servers accept writes', async () => {
    await using primary = await startPostgresql();
    await migrate({ database: primary.url(), extent: 'all' });
    await using standby = await startStandby(primary);
    const own = `127.0.0.1:${primary.port}`;
    const database = primary.url().replace(own, `${own},127.0.0.1:${standby.port}`);
    await using server = await startServer({ database });
    prometheus.scrape('split', server.port);
    await standby.promote();
    await using _looks = repeated(async () => server.service.store.primary?.look());
    await prometheus.fires('WatchwordSplitBrain', 'split');
    await primary.stop('fast');
    await prometheus.ends('WatchwordSplitBrain', 'split');
  });

  it('WatchwordDatabaseDamaged: fires for a damaged file, until a whole one is there', async () => {
    await using directory = await temporaryDirectory();
    const [whole, damaged] = [directory.file('whole.db'), directory.file('damaged.db')];
    await copyDemo(whole, 'sqlite');
    copyFileSync(whole, damaged);
    damagePage(damaged, leafPages(damaged, 'access_token')[0] ?? 0);
    const port = await freePort();
    prometheus.scrape('damaged', port);
    {
      await using server = await startServer({ database: damaged, port: String(port) }, 'sqlite');
      server.service.examine();
      await prometheus.fires('WatchwordDatabaseDamaged', 'damaged');
    }
    await using server = await startServer({ database: whole, port: String(port) }, 'sqlite');
    server.service.examine();
    await prometheus.ends('WatchwordDatabaseDamaged', 'damaged');
  });

  const needsRoot = { skip: isRoot ? false : 'mounting a small disk needs Linux and the rights of root' };
  it(
    'WatchwordDiskNearlyFull, WatchwordDiskFillsUp: fire for a disk that is too small, until it is enlarged',
    needsRoot,
    async () => {
      await using directory = await temporaryDirectory();
      const disk = directory.file('disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', disk]);
      try {
        await copyDemo(`${disk}/x.db`, 'sqlite');
        await using server = await startServer({ database: `${disk}/x.db` }, 'sqlite');
        prometheus.scrape('disk', server.port);
        await prometheus.fires('WatchwordDiskNearlyFull', 'disk');
        execFileSync('mount', ['-o', 'remount,size=4g', disk]);
        await prometheus.ends('WatchwordDiskNearlyFull', 'disk');
        {
          const block = Buffer.alloc(20_000);
          await using _writer = repeated(async () => appendFileSync(`${disk}/other`, block));
          await prometheus.fires('WatchwordDiskFillsUp', 'disk');
        }
        await prometheus.ends('WatchwordDiskFillsUp', 'disk');
      } finally {
        execFileSync('umount', [disk]);
      }
    },
  );

  it('WatchwordClientSecretsExpire: fires until the client has a secret that stays', async () => {
    await using server = await startServer({}, 'sqlite');
    const run = async (...command: string[]) => {
      const { code, stderr } = await watchword(['client', ...command, '--database', server.database]);
      assert.equal(code, 0, stderr);
    };
    await run('add-secret', 'demo-service', '--days', '20');
    prometheus.scrape('secrets', server.port);
    await run('remove-secret', 'demo-service', '1', '--yes');
    await prometheus.fires('WatchwordClientSecretsExpire', 'secrets');
    await run('add-secret', 'demo-service');
    await prometheus.ends('WatchwordClientSecretsExpire', 'secrets');
  });

  it('WatchwordConfigurationDrifted: fires until what a configuration manages is applied again', async () => {
    await using server = await startServer({}, 'sqlite');
    await applyConfiguration(server);
    prometheus.scrape('drifted', server.port);
    await driftFromConfiguration(server);
    await prometheus.fires('WatchwordConfigurationDrifted', 'drifted');
    await applyConfiguration(server);
    await prometheus.ends('WatchwordConfigurationDrifted', 'drifted');
  });
});
