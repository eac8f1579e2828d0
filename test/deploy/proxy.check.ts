import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  temporaryDirectory,
  until,
  watchword,
  watchwordProcess,
} from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { testKey } from '@watchword/testkit/certificate';
import { freePort } from '@watchword/testkit/free-port';
import { longestWait } from '../../packages/server/src/features/revocations.ts';
import {
  authorizationUriLimit,
  maxCookieBytes,
  maxOtherHeaderBytes,
} from '../../packages/server/src/http/connections/header-limits.ts';
import { nginxWithIngressLimits, readProxyFile, replaced, withPath } from './proxies.ts';

const { key, certificate } = testKey('localhost');

/** Where a proxy runs in a test. */
interface Place {
  /** Path of a file in the folder of the proxy. */
  readonly file: (name: string) => string;
  readonly http: number;
  readonly https: number;
  /** Ports of the servers. */
  readonly servers: readonly number[];
}

interface Proxy {
  readonly command: string;
  readonly version: string;
  readonly text: string;
  /** Writes its files. Returns the arguments of the command. */
  prepare(text: string, place: Place): string[];
}

const nginx: Omit<Proxy, 'text'> = {
  command: 'nginx',
  version: '-v',
  prepare(text, { file, http, https, servers }) {
    const site = replaced(text, {
      'server 127.0.0.1:8080;': servers.map((port) => `server 127.0.0.1:${port};`).join(' '),
      'listen 80;': `listen 127.0.0.1:${http};`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
      'listen [::]:443 ssl http2;': '',
      'server_name id.example.com;': 'server_name localhost;',
      '/etc/nginx/id.example.com.crt': file('crt'),
      '/etc/nginx/id.example.com.key': file('key'),
      '/var/log/nginx/watchword.log': file('access.log'),
    });
    writeFileSync(file('watchword.conf'), site);
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${file(name)};`,
    );
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    writeFileSync(
      file('nginx.conf'),
      `daemon off; ${user} pid ${file('pid')}; error_log stderr; events {} http { access_log off; ${folders.join(' ')} include ${file('watchword.conf')}; }`,
    );
    return ['-e', 'stderr', '-c', file('nginx.conf')];
  },
};

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: { ...nginx, text: readProxyFile('nginx') },
  // Not the controller itself, which needs a cluster: its nginx, with the limits that it is given.
  'nginx with the limits of ingress-nginx': { ...nginx, text: nginxWithIngressLimits() },
  haproxy: {
    command: 'haproxy',
    version: '-v',
    text: readProxyFile('haproxy'),
    prepare(text, { file, http, https, servers }) {
      const adapted = replaced(text, {
        'bind :::80 v4v6': `bind 127.0.0.1:${http}`,
        'bind :::443 v4v6 ssl': `bind 127.0.0.1:${https} ssl`,
        '/etc/haproxy/id.example.com.pem': file('pem'),
        'inter 5s': 'inter 1s',
        'server one 127.0.0.1:8080': servers
          .map((port, index) => `server s${index} 127.0.0.1:${port}`)
          .join('\n    '),
      });
      writeFileSync(file('haproxy.cfg'), adapted);
      return ['-db', '-f', file('haproxy.cfg')];
    },
  },
  caddy: {
    command: 'caddy',
    version: 'version',
    text: readProxyFile('caddy'),
    prepare(text, { file, http, https, servers }) {
      const adapted = replaced(text, {
        '{$WATCHWORD_DOMAIN:id.example.com} {': `localhost {\n\ttls ${file('crt')} ${file('key')}`,
        '{$WATCHWORD_UPSTREAM:127.0.0.1:8080}': servers.map((port) => `127.0.0.1:${port}`).join(' '),
        'health_interval 5s': 'health_interval 100ms',
        '\tservers {': `\thttp_port ${http}\n\thttps_port ${https}\n\tadmin off\n\tservers {`,
      });
      writeFileSync(file('Caddyfile'), adapted);
      return ['run', '--config', file('Caddyfile'), '--adapter', 'caddyfile'];
    },
  },
};

/** A proxy with its file as it is, but for the names of this machine. */
async function startProxy({ command, prepare }: Proxy, text: string, ports: Omit<Place, 'file'>) {
  const directory = await temporaryDirectory();
  writeFileSync(directory.file('crt'), certificate);
  writeFileSync(directory.file('key'), key);
  writeFileSync(directory.file('pem'), certificate + key);
  mkdirSync(directory.file('home'));
  const args = prepare(text, { ...ports, file: directory.file });
  const child = spawn(command, args, {
    env: { ...process.env, HOME: directory.file('home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  const ended = once(child, 'close');
  return {
    log: () => log,
    async listening() {
      await until(async () => {
        assert.equal(child.exitCode, null, log);
        return (await ask(ports.https, '/').catch(() => undefined)) !== undefined;
      }, 100);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      await directory[Symbol.asyncDispose]();
    },
  };
}

interface Asked {
  readonly headers?: Record<string, string>;
  readonly auth?: string;
  /** Address of the client. */
  readonly localAddress?: string;
}

/** Sends a request by HTTP/1.1. */
async function ask(port: number, path: string, { headers = {}, auth, localAddress }: Asked = {}) {
  const agent = false;
  const sent = request({
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    path,
    headers: { host: `localhost:${port}`, ...headers },
    auth,
    localAddress,
    ca: certificate,
    agent,
  }); // prettier-ignore
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode as number, headers: response.headers };
}

/** Sends a request by HTTP/2. */
async function askNewer(port: number, path: string, headers: Record<string, string>) {
  const session = connect(`https://localhost:${port}`, {
    ca: certificate,
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  }); // prettier-ignore
  try {
    const stream = session.request({ ':path': path, ...headers });
    const [answered] = await once(stream, 'response');
    stream.resume();
    await once(stream, 'end');
    return { status: Number(answered[':status']), headers: answered };
  } finally {
    session.destroy();
  }
}

for (const [name, proxy] of Object.entries(proxies)) {
  const isMissing = spawnSync(proxy.command, [proxy.version]).error !== undefined;
  const skip = isMissing && `${proxy.command} is not on this machine`;
  for (const prefix of ['', '/auth']) {
    describe(`${name}, before a server at https://localhost${prefix}`, { skip, timeout: 300_000 }, () => {
      const resources = new AsyncDisposableStack();
      let server: TestServer;
      let https = 0;
      let http = 0;
      let running: Awaited<ReturnType<typeof startProxy>>;
      before(async () => {
        [http, https] = [await freePort(), await freePort()];
        const settings = { baseUrl: `https://localhost:${https}${prefix}`, trustedProxies: '127.0.0.1' };
        server = resources.use(await startServer({ ...settings, 'log.level': 'info' }));
        const text = prefix === '' ? proxy.text : withPath(proxy.text);
        running = resources.use(await startProxy(proxy, text, { http, https, servers: [server.port] }));
        await running.listening();
      });
      after(() => resources.disposeAsync());

      it('watchword doctor finds nothing to mend', async () => {
        await using directory = await temporaryDirectory();
        writeFileSync(directory.file('ca'), certificate);
        const place = [
          '--base-url',
          server.service.baseUrl,
          '--host',
          '127.0.0.1',
          '--port',
          String(server.port),
        ];
        const rest = ['--trusted-proxies', '127.0.0.1', '--database', server.database];
        const env = { NODE_EXTRA_CA_CERTS: directory.file('ca') };
        const { code, stdout, stderr } = await watchwordProcess(['doctor', ...place, ...rest], { env });
        assert.equal(code, 0, stdout + stderr + running.log());
        assert.doesNotMatch(stdout, /^[!✗]/m);
        assert.match(stdout, /^✓ limits: the largest requests and answers pass$/m);
      });

      it('passes on the largest request that the server takes, by HTTP/1.1 and HTTP/2', async () => {
        const path = `${prefix}/oauth2/authorize?`;
        const target = path + 'x'.repeat(authorizationUriLimit - path.length);
        const cookie = 'c='.padEnd(maxCookieBytes - 6, 'x');
        const headers = { cookie, 'x-other': 'x'.repeat(maxOtherHeaderBytes - 1000) };
        for (const answer of [
          await ask(https, target, { headers }),
          // The client of Node.js sends no head of more than 64 KiB.
          await askNewer(https, target, { cookie }),
        ]) {
          assert.equal(answer.status, 400);
          assert.ok(answer.headers['x-request-id'], running.log());
        }
      });

      it('gives each request an id of its own and the address of the client, whatever the client sends', async () => {
        const headers = { 'x-request-id': 'chosen', 'x-forwarded-for': '198.51.100.7' };
        const client = '127.0.0.2';
        const answer = await ask(https, `${prefix}/oauth2/jwks`, { headers, localAddress: client });
        const id = String(answer.headers['x-request-id']);
        assert.match(id, /^[0-9a-f-]{32,36}$/);
        await until(() => server.log().includes(`"requestId":"${id}"`));
        const line = server
          .log()
          .split('\n')
          .find((text) => text.includes(id));
        assert.equal(JSON.parse(line ?? '{}').address, client);
      });

      it('keeps health and metrics to itself', async () => {
        for (const path of ['/healthz', '/readyz', '/metrics', '/%6detrics']) {
          const { status, headers } = await ask(https, `${prefix}${path}`);
          assert.deepEqual([status, headers['x-request-id']], [404, undefined], path);
        }
      });

      it('redirects http to https with 308', async () => {
        const url = `http://127.0.0.1:${http}${prefix}/oauth2/token`;
        const { status, headers } = await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          headers: { host: 'localhost' },
        });
        assert.equal(status, 308);
        assert.match(headers.get('location') ?? '', /^https:\/\/.+\/oauth2\/token$/);
      });

      // Takes its time: once for each proxy.
      const skipWait = prefix !== '' && 'is the same with a path';
      it(`lets an API wait ${longestWait} s for the revocation feed`, { skip: skipWait }, async () => {
        const api = ['--name', 'Feed', '--access-token-format', 'jwt', '--json'];
        const made = await watchword(['resource-server', 'create', ...api, '--database', server.database]);
        assert.equal(made.code, 0, made.stderr);
        const auth = `feed:${JSON.parse(made.stdout).secret}`;
        const feed = `${prefix}/oauth2/revocations`;
        await until(async () => (await ask(https, feed, { auth })).status === 200, 100);
        const { headers } = await ask(https, feed, { auth });
        const since = { 'if-none-match': String(headers.etag), prefer: `wait=${longestWait}` };
        const { status } = await ask(https, feed, { auth, headers: since });
        assert.equal(status, 304);
      });
    });

    describe(`${name}, before two servers at ${prefix || '/'}`, { skip, timeout: 60_000 }, () => {
      it('sends no requests to the one that is not ready, or does not answer', async () => {
        await using stack = new AsyncDisposableStack();
        const [http, https] = [await freePort(), await freePort()];
        const server = stack.use(await startServer({ baseUrl: `https://localhost:${https}${prefix}` }));
        const other = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
        await once(other, 'listening');
        const second = (other.address() as AddressInfo).port;
        // The free edition of nginx asks no server for its health.
        const isAsking = proxy.command !== 'nginx';
        if (isAsking) stack.defer(() => void other.close());
        else other.close();
        const text = prefix === '' ? proxy.text : withPath(proxy.text);
        const running = stack.use(
          await startProxy(proxy, text, { http, https, servers: [second, server.port] }),
        );
        await running.listening();
        const ten = async () =>
          Promise.all(
            Array.from({ length: 10 }, async () => (await ask(https, `${prefix}/oauth2/jwks`)).status),
          );
        await until(async () => (await ten()).every((status) => status === 200), 100);
        for (let round = 0; round < 5; round += 1) assert.deepEqual(new Set(await ten()), new Set([200]));
      });
    });
  }
}
