import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '@watchword/server-testkit/processes/process';
import { demoDatabase } from './demo-database.ts';
import { startLoadedServer } from './loaded-server.ts';
import { panelQueries, readDashboard, readRules, rulesFile } from './monitoring.ts';
import { missing, type Prometheus, programs, startPrometheus } from './prometheus.ts';

const rules = fileURLToPath(new URL(`../../${rulesFile}`, import.meta.url));

describe('the rules', () => {
  for (const args of [
    ['check', 'rules', 'watchword.rules.yaml'],
    ['test', 'rules', 'watchword.rules.test.yaml'],
  ]) {
    it(`pass promtool ${args.join(' ')}`, { skip: missing('promtool') }, () => {
      const { status, stdout, stderr } = spawnSync(programs.promtool, args, {
        cwd: dirname(rules),
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout + stderr);
    });
  }
});

/** What is empty while nothing fails and no server starts again. */
const emptyWhenWell = /^(?:Failures by route|annotation|job:watchword_server_errors:.*)$/;

describe('Prometheus, which scrapes two loaded servers', { skip: missing('prometheus') }, () => {
  const resources = new AsyncDisposableStack();
  let prometheus: Prometheus;
  before(async () => {
    const sqlite = resources.use(await startLoadedServer({}, 'sqlite'));
    const { url: database } = resources.use(await demoDatabase());
    const postgresql = resources.use(await startLoadedServer({ database }, 'postgresql'));
    prometheus = resources.use(await startPrometheus(rules));
    prometheus.scrape('watchword', sqlite.server.port, postgresql.server.port);
    const scrapes = async () => (await query('min(count_over_time(up[5m]) and up == 1)'))[0]?.value[1];
    await until(async () => {
      await Promise.all([sqlite.load(), postgresql.load()]);
      return (
        Number(await scrapes()) >= 5 && (await query('job_route:watchword_http_requests:rate5m')).length > 0
      );
    }, 200);
  });
  after(() => resources.disposeAsync());

  const query = (expr: string) => prometheus.query(expr);

  it('answers every query of the dashboard with series', async () => {
    const empty: string[] = [];
    for (const { title, expr } of panelQueries(readDashboard())) {
      const series = await query(expr);
      if (series.length === 0 && !emptyWhenWell.test(title)) empty.push(`${title}: ${expr}`);
    }
    assert.deepEqual(empty, []);
  });

  it('has a value for each recording rule', async () => {
    const empty: string[] = [];
    for (const { record } of readRules().records) {
      if ((await query(record)).length === 0 && !emptyWhenWell.test(record)) empty.push(record);
    }
    assert.deepEqual(empty, []);
  });

  it('finds no alert that fires, and can evaluate the expression of each', async () => {
    const firing: string[] = [];
    for (const { alert, expr } of readRules().alerts) {
      if ((await query(expr)).length > 0) firing.push(alert);
    }
    assert.deepEqual(firing, []);
  });

  it('has exemplars that lead to the traces of requests', async () => {
    const now = Date.now() / 1000;
    const data = await prometheus.ask('query_exemplars', {
      query: 'watchword_http_request_duration_seconds_bucket',
      start: String(now - 300),
      end: String(now + 1),
    });
    const found = (data as { exemplars: { labels: { trace_id: string } }[] }[]).flatMap(
      ({ exemplars }) => exemplars,
    );
    assert.ok(found.length > 0);
    for (const { labels } of found) assert.match(labels.trace_id, /^[0-9a-f]{32}$/);
  });
});
