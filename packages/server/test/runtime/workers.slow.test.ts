import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { logged, temporaryDirectory, until, watchword } from '@watchword/server-testkit/processes/process';
import { anApi, anApp } from '@watchword/server-testkit/servers/administration';
import { postForm } from '@watchword/server-testkit/servers/server';
import { type PostgresqlDatabase, postgresqlServer } from '@watchword/testkit/postgresql';
import { rawRequest } from '../support/raw-http.ts';
import { close, isRunning, startWorkers, workerPids } from '../support/worker-server.ts';

let database: PostgresqlDatabase;
before(async () => {
  database = await (await postgresqlServer()).createDatabase();
});
after(() => database.drop());

describe('a server with workers', () => {
  it('ends in order when its main process is killed', async () => {
    await using server = await startWorkers(database.url, 2);
    const pids = [...workerPids(server).values()];
    assert.equal(pids.length, 2);
    await server.end('SIGKILL');
    await assert.rejects(fetch(`${server.baseUrl}/healthz`));
    await until(() => !pids.some(isRunning));
  });

  it('replaces a worker that hangs within half a minute, and is not ready meanwhile', async () => {
    await using server = await startWorkers(database.url, 2);
    const hanging = workerPids(server).get(2) ?? 0;
    process.kill(hanging, 'SIGSTOP');
    await logged(server.log, /"worker":2,"workerPid":\d+,"msg":"a worker has not answered for 10 s/);
    // One of them can be at the worker that hangs, and is answered by the other after its end.
    const ready = () => fetch(`${server.baseUrl}/readyz`, { headers: close });
    const asked = Array.from({ length: 3 }, ready);
    assert.equal((await Promise.any(asked)).status, 503);
    await logged(
      server.log,
      /"workerPid":\d+,"signal":"SIGKILL","reason":"it did not answer for 30 seconds"/,
    );
    await until(async () => (await ready()).status === 200);
    for (const answer of await Promise.all(asked)) await answer.body?.cancel();
    assert.ok(!isRunning(hanging));
  });

  it('explains in each worker a request that another one refused', async () => {
    await using server = await startWorkers(database.url, 2);
    const grant = { grant_type: 'client_credentials' };
    const register = [
      'client',
      'create',
      '--resource-server',
      'authorization-server-admin',
      '--name',
      'Asking',
    ];
    const rights = ['--scope', 'read', '--scope', 'write', '--allow-client-credentials'];
    const made = await watchword([...register, ...rights, '--database', database.url, '--json']);
    const { clientId, secret } = JSON.parse(made.stdout);
    const answered = await postForm(server.baseUrl, '/oauth2/token', grant, `${clientId}:${secret}`);
    const { access_token } = (await answered.json()) as { access_token: string };
    const admin = async (path: string, body?: object) => {
      const answer = await fetch(`${server.baseUrl}/admin${path}`, {
        headers: {
          ...close,
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        json: (await answer.json()) as { id: number; clientId: string; rule: string },
      };
    };
    const api = await admin('/resourceServer', anApi);
    const app = await admin(`/resourceServer/${api.json.id}/client`, anApp);
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=${app.json.clientId}`;
    for (let request = 0; request < 2; request += 1) {
      const requestId = (await fetch(url, { headers: close })).headers.get('x-request-id');
      const explained = await admin(`/requestError/${requestId}`);
      assert.deepEqual([explained.status, explained.json.rule], [200, 'named_redirect_uri']);
    }
  });

  it('can write its log as text, and ends at once, with exit code 1, at a second signal', async () => {
    await using server = await startWorkers(
      database.url,
      2,
      '--shutdown-deadline',
      '60',
      '--log-format',
      'text',
    );
    const { port } = new URL(server.baseUrl);
    const open = rawRequest(
      Number(port),
      'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n',
    );
    // The system chooses the worker of a connection.
    await until(async () => {
      await fetch(`${server.baseUrl}/healthz`, { headers: close });
      return /INFO {2}answered worker=1 .*route=\/healthz/.test(server.log());
    });
    const ended = server.end('SIGTERM');
    await logged(server.log, /shutting down/);
    await until(() => server.child.exitCode !== null || !server.child.kill('SIGTERM'));
    assert.equal(await ended, 1);
    assert.match(server.log(), /a second request to end: SIGTERM/);
    for (const line of server.log().trim().split('\n')) assert.match(line, /^[\d:]{8} [A-Z]{4,5} /);
    await open;
  });

  it('answers 503 while no worker is left, and ends with exit code 1 and one message if none can start', async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('module.mjs');
    const broken = directory.file('broken');
    await writeFile(
      module,
      `import { existsSync } from 'node:fs';
      export default () => {
        if (existsSync(${JSON.stringify(broken)})) throw new Error('the key of the module is missing');
        const begin = async () => ({ kind: 'failed' });
        return { name: 'breakable', begin, resume: begin };
      };`,
    );
    await using server = await startWorkers(database.url, 2, '--authenticator', module);
    await writeFile(broken, '');
    for (const pid of workerPids(server).values()) process.kill(pid, 'SIGKILL');
    await until(async () => {
      const { status, headers } = await fetch(`${server.baseUrl}/readyz`, { headers: close });
      if (status !== 503) return false;
      assert.equal(headers.get('retry-after'), '1');
      return true;
    });
    assert.equal((await fetch(`${server.baseUrl}/healthz`, { headers: close })).status, 200);
    await until(() => server.child.exitCode !== null);
    assert.equal(server.child.exitCode, 2);
    assert.equal(server.stderr().match(/the key of the module is missing/g)?.length, 1, server.stderr());
  });

  it('reports once that its database does not exist, with the exit code of a server without workers', async () => {
    const url = (await postgresqlServer()).url('no_such_database');
    const args = ['serve', '--host', '127.0.0.1', '--port', '0', '--database', url];
    const alone = await watchword(args);
    const several = await watchword([...args, '--workers', '2']);
    assert.deepEqual([alone.code, several.code], [1, 1]);
    assert.equal(several.stderr, alone.stderr);
  });

  it('reports once why the first worker cannot start, with the exit code of a server without workers', async () => {
    const where = ['--host', '127.0.0.1', '--port', '0', '--database', database.url];
    const args = ['serve', ...where, '--authenticator', './missing.js'];
    const alone = await watchword([...args, '--workers', '1']);
    const several = await watchword([...args, '--workers', '2']);
    assert.deepEqual([alone.code, several.code], [2, 2]);
    assert.equal(several.stderr, alone.stderr);
  });
});
