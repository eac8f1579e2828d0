import assert from 'node:assert/strict';
import { setGlobalProxyFromEnv } from 'node:http';
import { describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { startServer } from '@watchword/server-testkit/servers/server';
import { provenWriteLock } from '@watchword/server-testkit/servers/write-lock';
import { freePort } from '@watchword/testkit/free-port';
import { startSite } from '@watchword/testkit/site';

describe('watchword healthcheck', () => {
  it('exits 0 while the server of the same settings answers, also below a path and at every address', async () => {
    const port = String(await freePort());
    const settings = {
      host: '0.0.0.0',
      port,
      baseUrl: `http://localhost:${port}/sso`,
      authenticator: 'password',
    };
    await using _server = await startServer(settings);
    const env = { WATCHWORD_HOST: '0.0.0.0', WATCHWORD_PORT: port, WATCHWORD_BASE_URL: settings.baseUrl };
    const { code, stdout } = await watchword(['healthcheck', '--json'], { env });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), { url: `http://127.0.0.1:${port}/sso/readyz`, healthy: true });
    const live = await watchword(['healthcheck', '--live'], { env });
    assert.deepEqual([live.code, live.stdout], [0, `http://127.0.0.1:${port}/sso/healthz answers 200.\n`]);
  });

  it(
    'exits 1 with the status and where the reason is while the server cannot write, and is alive all the same',
    onlyOn('sqlite', 'locks the file'),
    async () => {
      await using server = await startServer();
      await using _lock = await provenWriteLock(server);
      const port = ['--host', 'localhost', '--port', String(server.port)];
      const ready = await watchword(['healthcheck', ...port]);
      assert.deepEqual([ready.code, ready.stderr], [1, '']);
      assert.match(
        ready.stdout,
        /readyz answers 503, expected 200\. The server .* its log has the reason\.\n$/,
      );
      assert.equal((await watchword(['healthcheck', '--live', ...port])).code, 0);
    },
  );

  it('exits 1 and names the settings to check when nothing, or another server, is at the port', async () => {
    const nothing = await watchword(['healthcheck', '--port', String(await freePort())]);
    assert.equal(nothing.code, 1);
    assert.match(
      nothing.stdout,
      /cannot be reached: ECONNREFUSED\. Start the server, or name its --host and --port\.\n$/,
    );
    await using other = await startSite((_, response) =>
      response.writeHead(302, { location: '/readyz' }).end(),
    );
    const { code, stdout } = await watchword([
      'healthcheck',
      '--host',
      '127.0.0.1',
      '--port',
      new URL(other.url).port,
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /answers 302, expected 200\. Check that --host, --port and --base-url are those/);
  });

  it('asks this machine and no proxy, as does a command for a server of this machine', async () => {
    await using server = await startServer();
    await using proxy = await startSite((_, response) => response.writeHead(502).end());
    // What Node.js does at its start if NODE_USE_ENV_PROXY is set.
    const restore = setGlobalProxyFromEnv({ HTTP_PROXY: proxy.url });
    try {
      assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 502, 'asks the proxy');
      const env = { WATCHWORD_ADMIN_TOKEN: 'unknown' };
      const health = await watchword(['healthcheck', '--host', '127.0.0.1', '--port', String(server.port)]);
      const list = await watchword(['--url', `http://127.0.0.1:${server.port}`, 'client', 'list'], { env });
      assert.deepEqual([health.code, health.stderr], [0, '']);
      assert.deepEqual([list.code, list.stdout], [1, '']);
      assert.match(list.stderr, /^watchword: The server does not accept the access token/);
      assert.equal(proxy.requests.length, 1);
    } finally {
      restore();
    }
  });

  it('exits 2 for a port that only the server knows', async () => {
    const { code, stderr } = await watchword(['healthcheck', '--port', '0']);
    assert.equal(code, 2);
    assert.match(stderr, /--port: expected the port on which the server listens, got 0/);
  });
});
