import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/engine';
import { temporaryDirectory, until } from '@watchword/server-testkit/process';
import { copyDemo } from '@watchword/server-testkit/server';
import { freePort } from '@watchword/testkit/free-port';
import { startLoadedServer } from './loaded-server.ts';
import { panelQueries, readDashboard, readRules, rulesFile } from './monitoring.ts';

const rules = fileURLToPath(new URL(`../../${rulesFile}`, import.meta.url));
const has = (command: string) => spawnSync(command, ['--version']).error === undefined;
const skip = (command: string) => (has(command) ? false : `${command} is not on this machine`);

describe('the rules', () => {
  for (const args of [
    ['check', 'rules', 'watchword.rules.yaml'],
    ['test', 'rules', 'watchword.rules.test.yaml'],
  ]) {
    it(`pass promtool ${args.join(' ')}`, { skip: skip('promtool') }, () => {
      const { status, stdout, stderr } = spawnSync('promtool', args, {
        cwd: dirname(rules),
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout + stderr);
    });
  }
});

/** What is empty while nothing fails and no server starts again. */
const emptyWhenWell = /^(?:Failures by route|annotation|job:watchword_server_errors:.*)$/;

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [seconds: number, value: string];
}

describe('Prometheus, which scrapes two loaded servers', { skip: skip('prometheus') }, () => {
  const resources = new AsyncDisposableStack();
  let ask: (
    path: string,
    parameters: Record<string, string>,
  ) => Promise<{ status: string; data: never; error?: string }>;
  before(async () => {
    const sqlite = resources.use(await startLoadedServer({}, 'sqlite'));
    const directory = resources.use(await temporaryDirectory());
    const file = directory.file('server.db');
    await copyDemo(file, 'postgresql');
    resources.defer(() => dropDatabases(directory.path));
    const database = await databaseFor(file, 'postgresql');
    const postgresql = resources.use(await startLoadedServer({ database }, 'postgresql'));
    const prometheus = resources.use(await startPrometheus([sqlite.server.port, postgresql.server.port]));
    ask = async (path, parameters) => {
      const url = `${prometheus.url}/api/v1/${path}?${new URLSearchParams(parameters)}`;
      return (await fetch(url)).json() as ReturnType<typeof ask>;
    };
    const scrapes = async () => (await query('min(count_over_time(up[5m]) and up == 1)'))[0]?.value[1];
    await until(async () => {
      await Promise.all([sqlite.load(), postgresql.load()]);
      return (
        Number(await scrapes()) >= 5 && (await query('job_route:watchword_http_requests:rate5m')).length > 0
      );
    }, 200);
  });
  after(() => resources.disposeAsync());

  const query = async (expr: string): Promise<readonly Series[]> => {
    const { status, data, error } = await ask('query', { query: expr });
    assert.equal(status, 'success', `${expr}: ${error}`);
    return (data as { result: readonly Series[] }).result;
  };

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
    const { data } = await ask('query_exemplars', {
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

/** Prometheus with the rules, its data in memory of the machine or in a temporary directory, for servers at these ports. */
async function startPrometheus(
  ports: readonly number[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  writeFileSync(
    directory.file('prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [
        { job_name: 'watchword', static_configs: [{ targets: ports.map((each) => `127.0.0.1:${each}`) }] },
      ],
    }),
  );
  const flags = [
    `--config.file=${directory.file('prometheus.yml')}`,
    `--storage.tsdb.path=${directory.file('data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--enable-feature=exemplar-storage',
  ];
  const child = spawn('prometheus', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    assert.equal(child.exitCode, null, log);
    return await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }, 50);
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await directory[Symbol.asyncDispose]();
    },
  };
}
