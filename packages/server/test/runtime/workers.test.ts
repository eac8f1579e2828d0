import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ask } from '@watchword/server-testkit/clients/ask';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import {
  logged,
  type RunningServer,
  startProcess,
  temporaryDirectory,
  until,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { basic, demoClient, demoResourceServer, postForm } from '@watchword/server-testkit/servers/server';
import { rounds, slowTest } from '@watchword/testkit';
import { type PostgresqlDatabase, postgresqlServer, query } from '@watchword/testkit/postgresql';
import { rawRequest } from '../support/raw-http.ts';
import { close, isRunning, linesOf, workerPids } from '../support/worker-server.ts';

const grant = { grant_type: 'client_credentials' };

let postgresql: Awaited<ReturnType<typeof postgresqlServer>>;

// Its tables belong to the role, with which the server connects.
const role = `role_${randomUUID().replaceAll('-', '')}`;
let database: PostgresqlDatabase;
before(async () => {
  postgresql = await postgresqlServer();
  await query(postgresql.url(), `create role ${role} superuser login password 'former-geheim'`);
  database = await postgresql.createDatabase();
});
after(async () => {
  await database.drop();
  await query(postgresql.url(), `drop role ${role}`);
});

function firstWorker(server: RunningServer): number {
  const pid = workerPids(server).get(1);
  assert.ok(pid !== undefined);
  return pid;
}

/** Waits for another worker in place of one that has ended; a start takes a part of a second. */
function untilTwo(metricsUrl: string): Promise<void> {
  return until(async () => seriesValue(await metricsOf(metricsUrl), 'watchword_workers') === 2, 50);
}

async function metricsOf(url: string) {
  return parseExposition(await (await fetch(`${url}/metrics`, { headers: close })).text());
}

/** A token of the demo client, over a connection of its own. */
async function issue(baseUrl: string): Promise<string> {
  const { status, json } = await ask(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: {
      ...close,
      authorization: basic(demoClient),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(grant).toString(),
  });
  assert.equal(status, 200);
  return json.access_token;
}

async function assertValid(baseUrl: string, token: string): Promise<void> {
  const info = await postForm(baseUrl, '/v1/tokeninfo', { access_token: token }, demoResourceServer);
  assert.equal(info.status, 200);
}

describe('the workers of a server', () => {
  let server: RunningServer;
  let metricsUrl: string;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let url: URL;
  before(async () => {
    directory = await temporaryDirectory();
    url = new URL(database.url);
    [url.username, url.password] = [role, 'former-geheim'];
    await writeFile(directory.file('url'), url.href);
    await writeFile(directory.file('key'), Buffer.alloc(32, 'test').toString('base64'));
    const where = ['--database-url-file', directory.file('url'), '--signing-key-file', directory.file('key')];
    const limits = ['--failed-attempts-per-identifier', '5', '--http-request-timeout', '1'];
    const metrics = ['--metrics-host', '127.0.0.1', '--metrics-port', '0'];
    const serve = ['--demo', 'small', '--host', '127.0.0.1', '--port', '0', '--workers', '2'];
    server = await startProcess([...serve, ...where, ...limits, ...metrics, '--shutdown-linger', '1']);
    const ports = linesOf(server).filter(({ msg }) => msg === 'metrics are at a port of their own');
    assert.equal(ports.length, 1);
    metricsUrl = `http://127.0.0.1:${ports[0]?.port}`;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  it('start together, with one line that the server listens, one migration and one set of demo records', () => {
    const lines = linesOf(server);
    const listening = lines.filter(({ msg }) => msg === 'listening');
    assert.equal(listening.length, 1);
    assert.equal(listening[0]?.workers, 2);
    assert.ok(Array.isArray(listening[0]?.migrated) && listening[0].migrated.length > 0);
    assert.equal(server.stderr().match(/Watchword serves/g)?.length, 1);
  });

  it('log once what concerns all of them: modules for development, and advice on the database server', async () => {
    const count = (pattern: RegExp) => linesOf(server).filter(({ msg }) => pattern.test(msg)).length;
    await logged(server.log, /fsync is off/);
    assert.deepEqual([count(/^INSECURE: the authenticator/), count(/^fsync is off/)], [1, 1]);
  });

  it('answer all at one port, and each line of the log is whole and names its worker', async () => {
    for (let request = 0; request < 6; request += 1) await issue(server.baseUrl);
    const answeredBy = () => linesOf(server).filter(({ route }) => route === '/oauth2/token');
    await until(() => answeredBy().length === 6);
    const count = (number: number) => answeredBy().filter(({ worker }) => worker === number).length;
    assert.ok(Math.min(count(1), count(2)) > 0, `${count(1)}, ${count(2)}`);
    assert.equal(new Set(answeredBy().map(({ pid }) => pid)).size, 2);
  });

  it('accept each the tokens that the others have issued', async () => {
    const token = await issue(server.baseUrl);
    for (let request = 0; request < 2; request += 1) await assertValid(server.baseUrl, token);
  });

  it('have one set of metrics with the sums of all, only at the port of the metrics if it is set', async () => {
    assert.equal((await fetch(`${server.baseUrl}/metrics`)).status, 404);
    assert.equal((await fetch(`${metricsUrl}/oauth2/token`)).status, 404);
    for (let read = 0; read < 2; read += 1) {
      const metrics = await metricsOf(metricsUrl);
      const labels = { grant_type: 'client_credentials' };
      assert.equal(seriesValue(metrics, 'watchword_tokens_issued_total', labels), 7);
      assert.equal(seriesValue(metrics, 'watchword_workers'), 2);
      assert.equal(seriesValue(metrics, 'watchword_worker_restarts_total'), 0);
      assert.equal(seriesValue(metrics, 'watchword_registered_records', { kind: 'resource_server' }), 2);
      const started = seriesValue(metrics, 'process_start_time_seconds') ?? 0;
      assert.ok(Math.abs(started - Date.now() / 1000) < 3600, String(started));
    }
  });

  slowTest('hold the limit of failed authentications together', async () => {
    const wrong = 'another-client:wrong';
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await postForm(server.baseUrl, '/oauth2/token', grant, wrong);
    }
    let refused = 0;
    await until(async () => {
      const { status } = await postForm(server.baseUrl, '/oauth2/token', grant, wrong);
      refused = status === 429 ? refused + 1 : 0;
      return refused === 4;
    });
  });

  it('end a request that does not arrive in time, and answer a client that has ended its side', async () => {
    const { port } = new URL(server.baseUrl);
    const slow = await rawRequest(Number(port), 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
    assert.match(slow, /^HTTP\/1\.1 408 /);
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = createConnection({ port: Number(port), host: '127.0.0.1' });
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('close', () => resolve(answer));
    socket.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.match(await promise, /^HTTP\/1\.1 200 /);
  });

  it('go on when one is killed, and get another in its place', async () => {
    const killed = firstWorker(server);
    const tokens: string[] = [];
    const lost: unknown[] = [];
    let sent = 0;
    const requests = rounds(30, 60);
    const load = async () => {
      while (sent < requests) {
        sent += 1;
        if (sent === 15) process.kill(killed, 'SIGKILL');
        await issue(server.baseUrl).then(
          (token) => tokens.push(token),
          (error) => lost.push(error),
        );
      }
    };
    await Promise.all(Array.from({ length: 8 }, load));
    // Only requests that the killed worker had begun to read.
    assert.ok(lost.length <= 8, `${lost.length} of ${requests} requests failed: ${lost[0]}`);
    for (const error of lost) assert.match(String(error), /ECONNRESET|ECONNREFUSED|socket hang up|aborted/);
    await logged(server.log, /"worker":1,"workerPid":\d+,"signal":"SIGKILL","msg":"a worker failed/);
    await logged(server.log, /(?:"msg":"a worker is ready"[\s\S]*){3}/);
    await untilTwo(metricsUrl);
    assert.equal(seriesValue(await metricsOf(metricsUrl), 'watchword_worker_restarts_total'), 1);
    for (const token of tokens.slice(-6)) await assertValid(server.baseUrl, token);
  });

  slowTest('lose no request when one is asked to end', async () => {
    const asked = firstWorker(server);
    let sent = 0;
    const load = async () => {
      while (sent < 60) {
        sent += 1;
        if (sent === 15) process.kill(asked, 'SIGTERM');
        await issue(server.baseUrl);
      }
    };
    await Promise.all(Array.from({ length: 8 }, load));
    await logged(server.log, /"exitCode":0,"msg":"a worker has ended; another one starts/);
    await untilTwo(metricsUrl);
  });

  it('read the role and password of databaseUrlFile again on SIGHUP, without a word of it in the log', async () => {
    await query(postgresql.url(), `alter role ${role} password 'other-geheim'`);

    await writeFile(directory.file('url'), url.href.slice(0, -url.pathname.length - 9));
    server.child.kill('SIGHUP');
    await logged(server.log, /(?:databaseUrlFile has no URL of PostgreSQL[\s\S]*){2}/);

    url.password = 'other-geheim';
    await writeFile(directory.file('url'), url.href);
    server.child.kill('SIGHUP');
    await logged(server.log, /(?:has accepted the new role and password[\s\S]*){2}/);
    const workers = linesOf(server).filter(({ msg }) => /has accepted the new role and password/.test(msg));
    assert.deepEqual(workers.map(({ worker }) => worker).sort(), [1, 2]);
    assert.doesNotMatch(server.log() + server.stderr(), /geheim/);
  });

  it('complete their open requests when the server is asked to end, which ends with exit code 0', async () => {
    const pids = [...workerPids(server).values()];
    const { port } = new URL(server.baseUrl);
    const body = 'grant_type=client_credentials';
    const head = `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${btoa(demoClient)}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = createConnection({ port: Number(port), host: '127.0.0.1' });
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(head);
    await once(socket, 'connect');
    // Answered by each worker: the one with the open request has read its head.
    for (let request = 0; request < 4; request += 1)
      await fetch(`${server.baseUrl}/healthz`, { headers: close });
    const ended = server.end('SIGTERM');
    await logged(server.log, /"reason":"SIGTERM","msg":"shutting down/);
    // The port closes soon after this line is written.
    const isAnswered = () =>
      fetch(`${server.baseUrl}/healthz`, { headers: close }).then(
        () => true,
        () => false,
      );
    while (await isAnswered());
    socket.write(body);
    assert.equal(await ended, 0);
    assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*access_token/);
    assert.deepEqual(pids.filter(isRunning), []);
    assert.match(linesOf(server).at(-1)?.msg ?? '', /^shut down$/);
    assert.doesNotMatch(server.log(), /uncaught|unexpected error/);
  });
});

describe('serve --workers', () => {
  it('needs PostgreSQL: exit code 2, with what to do', async () => {
    const { code, stderr } = await watchword(['serve', '--port', '0', '--workers', '2']);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /workers \(--workers\): several processes need PostgreSQL.*name a PostgreSQL database/,
    );
  });

  it('reports a port that is in use as without workers, and leaves the database as it is', async () => {
    await using empty = await postgresql.createDatabase();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = String(typeof address === 'object' && address?.port);
    const serve = ['serve', '--host', '127.0.0.1', '--port', port, '--workers', '2'];
    const { code, stderr } = await watchword([...serve, '--database', empty.url]);
    taken.close();
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^watchword: Cannot listen on 127\.0\.0\.1 port \d+: another process uses the port\./,
    );
    const tables = await query(empty.url, "select tablename from pg_tables where schemaname = 'public'");
    assert.deepEqual(tables, []);
  });
});
