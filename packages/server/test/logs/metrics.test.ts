import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import performanceHooks from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { engine } from '@watchword/server-testkit/servers/engine';
import {
  demoClient,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import type { PrimaryServer } from '@watchword/store-sql';
import { slowTest, tokenFactory } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { freePort } from '@watchword/testkit/free-port';
import { UserAgent } from '@watchword/testkit/user-agent';
import { metricDescriptions } from '../../src/runtime/metrics/descriptions.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { assertError } from '../support/error-answers.ts';
import { moduleServer } from '../support/module-server.ts';

const authorizePath = '/authorize?response_type=code&client_id=demo-app';
const token = 'a-token-of-the-metrics';

async function metricsOf(server: Pick<TestServer, 'get'>) {
  return parseExposition((await server.get('/metrics')).text);
}

/** The port of the metrics, from the log. */
function metricsUrl(server: TestServer): string {
  const port = /"port":(\d+),"msg":"metrics are at a port of their own"/.exec(server.log())?.[1];
  return `http://127.0.0.1:${port}/metrics`;
}

/** Names, types and labels of the metrics of Watchword. */
function inShort(
  families: readonly { name: string; type: string; samples: readonly { labels: object }[] }[],
) {
  return families
    .filter(({ name }) => name.startsWith('watchword_'))
    .map(({ name, type, samples }) => {
      const labels = Object.keys(samples.at(-1)?.labels ?? unseen[name] ?? {});
      return { name, type, labels: labels.filter((label) => label !== 'le').toSorted() };
    });
}

/** Those of the connections to PostgreSQL. */
async function metricsOfPools() {
  const metrics = new Metrics('1');
  const before = new Set((await metrics.part()).families.map(({ name }) => name));
  const counts = { busy: 0, idle: 0, limit: 1, waiting: 0, timedOut: 0 };
  const primary = { problem: () => undefined } as PrimaryServer;
  metrics.observePools({ connections: () => ({ requests: counts }), primary });
  const added = (await metrics.part()).families.filter(({ name }) => !before.has(name));
  return inShort(added.map(({ name, type, values }) => ({ name, type: String(type), samples: values })));
}

describe('the metrics', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authenticators: 'form,password', 'purge.retention': '60' });
  });
  after(() => server[Symbol.asyncDispose]());

  it('are in the format of Prometheus, and the names of the server follow its rules', async () => {
    await server.issueToken();
    await server.post('/oauth2/token', {}, 'unknown:wrong');
    await server.get('/metrics');
    const own = (await metricsOf(server)).filter(({ name }) => name.startsWith('watchword_'));
    assert.ok(own.length > 10);
    for (const { name, type, help, samples } of own) {
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.match(name, /^[a-z]+(?:_[a-z]+)+$/);
      assert.match(help, /\.$/);
      for (const label of samples.flatMap(({ labels }) => Object.keys(labels))) {
        assert.match(label, /^(?:[a-z]+_)*[a-z]+$/);
      }
    }
  });

  it('are all those that the table describes, with their types and labels', async () => {
    await using server = await startServer({ 'purge.interval': '1' });
    await followFlow(new UserAgent(), server.baseUrl + authorizePath);
    await server.issueToken();
    await server.get('/unknown');
    // Over PostgreSQL these have a name and no value.
    const described = Object.entries(metricDescriptions).map(([name, { type, labels, help }]) => {
      return { name, type: String(type), labels: labels.map(String).toSorted(), help };
    });
    const empty = described.filter(({ help }) => engine !== 'sqlite' && /Only for SQLite/.test(help));
    const hasValue = ({ name }: { name: string }) => !empty.some((each) => each.name === name);
    const documented = described.filter(hasValue).map(({ name, type, labels }) => ({ name, type, labels }));
    const byName = (families: typeof documented) => families.toSorted((a, b) => a.name.localeCompare(b.name));
    const own = inShort(await metricsOf(server));
    const added = (await metricsOfPools()).filter(({ name }) => !own.some((each) => each.name === name));
    assert.deepEqual(byName([...own, ...added].filter(hasValue)), byName(documented));
  });

  slowTest('have over PostgreSQL those of its connections too', async () => {
    await using server = await startServer({}, 'postgresql');
    const own = inShort(await metricsOf(server));
    for (const family of await metricsOfPools()) {
      assert.deepEqual(
        own.find(({ name }) => name === family.name),
        family,
      );
    }
  });

  it('watch the process once, however many servers it has had', async (context) => {
    new Metrics('1');
    const watch = context.mock.method(performanceHooks, 'monitorEventLoopDelay');
    const metrics = new Metrics('2');
    assert.equal(watch.mock.callCount(), 0);
    const { families } = await metrics.part();
    assert.ok(families.some(({ name }) => name === 'nodejs_eventloop_lag_seconds'));
  });

  it('have the version of the server and of Node.js', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const labels = { version, node: process.version };
    assert.equal(seriesValue(await metricsOf(server), 'watchword_build_info', labels), 1);
  });

  it('have the bytes of the database, and those that are free beside it', async () => {
    // Reading the metrics writes to the database.
    const stored = async () => {
      const files = [server.database, `${server.database}-wal`].map((file) => stat(file));
      return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
    };
    const before = engine === 'postgresql' ? 1_000_000 : await stored();
    const families = await metricsOf(server);
    const bytes = Number(seriesValue(families, 'watchword_database_size_bytes'));
    const free = seriesValue(families, 'watchword_database_free_bytes');
    if (engine === 'postgresql') {
      assert.ok(bytes > before);
      return assert.equal(free, undefined);
    }
    assert.ok(bytes >= before && bytes <= (await stored()), String(bytes));
    assert.ok(Number(free) > 0);
  });

  it('show that the database cannot be written, also while it does not answer', async (t) => {
    const writable = async () => seriesValue(await metricsOf(server), 'watchword_database_writable');
    assert.equal(await writable(), 1);
    const { store } = server.service;
    const check = t.mock.method(store, 'check', async () => {
      throw new StoreUnavailableError('gone');
    });
    assert.equal(await writable(), 0);
    const silence = new Promise<never>(() => {});
    check.mock.mockImplementation(() => silence);
    const others = [
      t.mock.method(store, 'size', () => silence),
      t.mock.method(store.leases, 'list', () => silence),
    ];
    const families = await metricsOf(server);
    assert.equal(seriesValue(families, 'watchword_database_writable'), 0);
    assert.equal(seriesValue(families, 'watchword_database_size_bytes'), undefined);
    for (const { mock } of [check, ...others]) mock.restore();
    assert.equal(await writable(), 1);
  });

  it('show which background work is overdue, and when each was done last', async () => {
    using clock = stoppedClock();
    await using server = await startServer({}, 'sqlite');
    const { leases } = server.service.store;
    const started = Date.now();
    await leases.take('purge', 'a node', started, 1000);
    await leases.release('purge', 'a node', started);
    const read = async (name: string) => {
      const families = await metricsOf(server);
      return ['purge', 'signing-keys'].map((work) => seriesValue(families, name, { work }));
    };
    assert.deepEqual(await read('watchword_background_work_last_success_timestamp_seconds'), [
      started / 1000,
      undefined,
    ]);
    assert.deepEqual(await read('watchword_background_work_overdue'), [0, 0]);
    // Twice the interval, and the minute that a purge can take.
    clock.advance(2 * 60 + 60 + 1);
    assert.deepEqual(await read('watchword_background_work_overdue'), [1, 0]);
  });

  it('have for how long the oldest expired row should have been removed', async () => {
    const { store } = server.service;
    const lag = async () => Number(seriesValue(await metricsOf(server), 'watchword_purge_lag_seconds'));
    assert.equal(await lag(), 0);
    const creationDate = store.clock.now() - 3_600_000;
    await store.accessTokens.insert(tokenFactory()({ creationDate, expires: creationDate + 1000 }));
    const seconds = await lag();
    assert.ok(seconds >= 3600 - 61 && seconds < 3600, String(seconds));
  });

  it('have the number of active access tokens', async () => {
    await using server = await startServer();
    for (let issued = 0; issued < 3; issued += 1) await server.issueToken();
    assert.equal(seriesValue(await metricsOf(server), 'watchword_active_access_tokens'), 3);
  });

  it('count logins by authenticator and outcome, also those that did not happen yet', async () => {
    const logins = async (authenticator: string) => {
      const families = await metricsOf(server);
      return ['success', 'failure', 'busy', 'error'].map((outcome) =>
        seriesValue(families, 'watchword_logins_total', { authenticator, outcome }),
      );
    };
    assert.deepEqual(await logins('form'), [0, 0, 0, 0]);
    await followFlow(new UserAgent(), `${server.baseUrl}${authorizePath}&authenticator_hint=form`);
    assert.deepEqual(await logins('form'), [1, 0, 0, 0]);
    const agent = new UserAgent();
    const page = await agent.get(`${server.baseUrl}${authorizePath}&authenticator_hint=password`);
    await agent.submit(page, { username: 'emma', password: 'wrong' });
    assert.deepEqual(await logins('password'), [0, 1, 0, 0]);
  });

  it('count a login whose module failed as an error', async () => {
    const source = `export default () => {
      const begin = async () => { throw new Error('broken'); };
      return { name: 'broken', begin, resume: begin };
    };`;
    await using server = await moduleServer('authenticator', source);
    await server.get(authorizePath);
    const labels = { authenticator: 'broken', outcome: 'error' };
    assert.equal(seriesValue(await metricsOf(server), 'watchword_logins_total', labels), 1);
  });

  it('have one route for all files whose addresses have a hash', async () => {
    const { text } = await server.get('/', { accept: 'text/html' });
    const [asset = ''] = /\/assets\/[\w.-]+/.exec(text) ?? [];
    assert.equal((await server.get(asset)).status, 200);
    const { text: page } = await server.get('/client/client.html');
    const [script = ''] = /assets\/[\w.-]+\.js/.exec(page) ?? [];
    assert.equal((await server.get(`/client/${script}`)).status, 200);
    const families = await metricsOf(server);
    const routes = families.flatMap(({ samples }) => samples.flatMap(({ labels }) => labels.route ?? []));
    assert.ok(routes.includes('/assets/:file') && routes.includes('/client/assets/:file'), String(routes));
    assert.deepEqual(
      routes.filter((route) => route.includes(asset) || route.includes(script)),
      [],
    );
  });
});

/** Labels of metrics without a series in the test: nothing was done by a node, issued or old enough to be purged. */
const unseen: Readonly<Record<string, object>> = {
  watchword_configuration_drifted_records: { configuration: '' },
  watchword_background_work_last_success_timestamp_seconds: { work: '' },
  watchword_id_tokens_issued_total: { algorithm: '', grant_type: '' },
  watchword_purged_rows_total: { kind: '' },
};

describe('metrics with a token', () => {
  it('answer 401 to a request without the token, which can be in a file, and the metrics to one with it', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('token');
    await writeFile(file, `${token}\n`);
    await using server = await startServer({ 'metrics.tokenFile': file });
    const none = await server.get('/metrics');
    assert.equal(none.status, 401);
    assert.equal(none.headers.get('www-authenticate'), 'Bearer realm="watchword"');
    assert.doesNotMatch(none.text, /watchword_/);
    for (const given of [`${token}x`, token.slice(1), 'x', '%']) {
      const { status, json } = await server.get('/metrics', { authorization: `Bearer ${given}` });
      assert.deepEqual([status, json.error], [401, 'invalid_token']);
    }
    const { status, text } = await server.get('/metrics', { authorization: `Bearer ${token}` });
    assert.equal(status, 200);
    parseExposition(text);
    assert.equal((await server.get('/healthz')).status, 200);
    assert.ok(!server.log().includes(token));
  });

  it('do not start with a file that has no token, cannot be read, or stands beside a token', async () => {
    await using directory = await temporaryDirectory();
    const [good, bad, missing] = ['good', 'bad', 'missing'].map(directory.file);
    assert.ok(good && bad && missing);
    await writeFile(good, token);
    await writeFile(bad, 'short');
    const serve = (...args: string[]) =>
      watchword([
        'serve',
        '--port',
        '0',
        '--database',
        directory.file('new.db'),
        '--metrics-token-file',
        ...args,
      ]);
    for (const [args, problem] of [
      [[bad], /metrics\.tokenFile \(.*bad\): expected 16 to 1000 letters.*, got another text/],
      [[missing], /metrics\.tokenFile \(.*missing\): cannot be read: ENOENT/],
      [[good, '--metrics-token', token], /cannot be set together with metrics\.token; remove one of them/],
    ] as const) {
      const { code, stderr } = await serve(...args);
      assert.equal(code, 2);
      assert.match(stderr, problem);
      assert.doesNotMatch(stderr, /a-token-of/);
    }
  });

  it('are shown masked by the command config', async () => {
    const { stdout } = await watchword(['config', '--metrics-token', token]);
    assert.match(stdout, /metrics\.token +\*\*\*/);
    assert.ok(!stdout.includes(token));
  });
});

describe('metrics at a port of their own', () => {
  it('answer there and not at the port of the server, until the server ends', async () => {
    await using server = await startServer({ 'metrics.port': '0', 'metrics.host': '127.0.0.1' });
    await server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
    assertError(await server.get('/metrics'), 404, 'unknown_address');
    const { status, text } = await readAnswer(await fetch(metricsUrl(server)));
    assert.equal(status, 200);
    const issued = { grant_type: 'client_credentials' };
    assert.equal(seriesValue(parseExposition(text), 'watchword_tokens_issued_total', issued), 1);
    const other = await readAnswer(await fetch(new URL('/healthz', metricsUrl(server))));
    assertError(other, 404, 'unknown_address');
    await server.service.close();
    await assert.rejects(fetch(metricsUrl(server)));
  });

  it('need the token there too, if there is one', async () => {
    await using server = await startServer({
      'metrics.port': '0',
      'metrics.host': '127.0.0.1',
      'metrics.token': token,
    });
    assert.equal((await fetch(metricsUrl(server))).status, 401);
    const headers = { authorization: `bearer ${token}` };
    assert.equal((await fetch(metricsUrl(server), { headers })).status, 200);
  });

  it('do not start when the port is in use, and name the flag', async () => {
    await using directory = await temporaryDirectory();
    const port = String(await freePort());
    const place = [
      '--host',
      '127.0.0.1',
      '--port',
      port,
      '--metrics-host',
      '127.0.0.1',
      '--metrics-port',
      port,
    ];
    const { code, stderr } = await watchword(['serve', '--database', directory.file('new.db'), ...place]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^watchword: Cannot listen on 127\.0\.0\.1 port \d+: another process uses the port\./m,
    );
    assert.match(stderr, /choose another port with --metrics-port\./);
  });
});
