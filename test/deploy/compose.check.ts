import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory, until } from '@watchword/server-testkit/processes/process';
import { freePort } from '@watchword/testkit/free-port';
import { startPostgresql } from '@watchword/testkit/postgresql';
import { layout } from '../../deploy/image/layout.ts';
import { type Container, listening, startContainer, whyNoContainer } from './container.ts';
import { readProxyFile, replaced } from './proxies.ts';

const folder = fileURLToPath(new URL('../../deploy/compose/', import.meta.url));
const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined;
const skip = whyNoContainer() ?? (has('psql') ? false : 'psql is not on this machine');

describe('the services of compose.yaml, each started as compose would', { skip, timeout: 300_000 }, () => {
  it('make the roles, migrate as the owner, and serve as a role that cannot', async (test) => {
    await using directory = await temporaryDirectory();
    copyFileSync(`${folder}make-secrets.sh`, directory.file('make-secrets.sh'));
    execFileSync('sh', [directory.file('make-secrets.sh')]);
    await using postgresql = await startPostgresql();
    const address = new URL(postgresql.url());
    const secrets = secretsIn(directory.file('secrets'), address.host);

    const sql = readFileSync(`${folder}roles.sql`, 'utf8').replaceAll(
      '/run/secrets',
      directory.file('secrets'),
    );
    execFileSync('psql', ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--quiet', postgresql.url()], {
      input: sql,
    });

    const port = String(await freePort());
    const files = { WATCHWORD_DATABASE: '', WATCHWORD_PORT: port };
    const owner = { ...files, WATCHWORD_DATABASE_URL_FILE: '/run/secrets/owner-url' };
    const command = [layout.command, 'migrate', '--json'];
    await using migrate = await startContainer({ command, env: owner, secrets });
    await until(() => migrate.log().endsWith('}\n'));
    assert.match(migrate.log(), /"applied": \[\s+"0001-schema"/);

    const server = {
      ...files,
      WATCHWORD_DATABASE_URL_FILE: '/run/secrets/server-url',
      WATCHWORD_SIGNING_KEY_FILE: '/run/secrets/signing-key',
      WATCHWORD_AUTHENTICATOR: 'password',
      WATCHWORD_BASE_URL: 'https://localhost',
      WATCHWORD_TRUSTED_PROXIES: '127.0.0.0/8,::1',
    };
    await using serving = await startContainer({ command: [layout.command, 'serve'], env: server, secrets });
    await listening(serving);
    const checked = await serving.run(layout.command, 'check');
    // The PostgreSQL of tests does not wait for the disk.
    assert.match(checked.output, /\nWrong:\n {2}fsync is off[^\n]*\n$/);
    if (has('caddy')) await answersBehindCaddy(test, serving, `localhost:${port}`);
    else test.diagnostic('caddy is not on this machine: the Caddyfile was not run');
    assert.equal(await serving.end('SIGTERM'), 0, serving.log());
  });
});

/** The secrets, with the address of the database here in place of the name of its service. */
function secretsIn(path: string, database: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(path).map((name) => [
      name,
      readFileSync(`${path}/${name}`, 'utf8').replace('@database/', `@${database}/`),
    ]),
  );
}

/** A client gets a token by TLS, and does not reach what is for supervisors. */
async function answersBehindCaddy(test: TestContext, server: Container, upstream: string): Promise<void> {
  const credentials = await clientOf(server);
  await using home = await temporaryDirectory();
  const [port, httpPort] = [await freePort(), await freePort()];
  const options = `\thttp_port ${httpPort}\n\thttps_port ${port}\n\tadmin off\n\tskip_install_trust\n\tservers {`;
  writeFileSync(home.file('Caddyfile'), replaced(readProxyFile('caddy'), { '\tservers {': options }));
  const caddy = spawn('caddy', ['run', '--config', home.file('Caddyfile'), '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env.PATH,
      HOME: home.path,
      WATCHWORD_DOMAIN: 'localhost',
      WATCHWORD_UPSTREAM: upstream,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  caddy.stderr.on('data', (chunk) => (log += chunk));
  const ended = once(caddy, 'close');
  try {
    await until(async () => {
      assert.equal(caddy.exitCode, null, log);
      return (await ask(port, '/').catch(() => undefined)) !== undefined;
    }, 100);
    const { status, body } = await ask(port, '/oauth2/token', credentials, 'grant_type=client_credentials');
    assert.equal(status, 200, body);
    for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal((await ask(port, path)).status, 404);
    test.diagnostic('a token came through Caddy');
  } finally {
    caddy.kill();
    await ended;
  }
}

async function clientOf({ run }: Container): Promise<string> {
  await run(layout.command, 'resource-server', 'create', '--name', 'API', '--scope', 'read');
  const client = [
    '--name',
    'Job',
    '--resource-server',
    'api',
    '--scope',
    'read',
    '--allow-client-credentials',
  ];
  const { output } = await run(layout.command, 'client', 'create', ...client, '--json');
  return `job:${JSON.parse(output).secret}`;
}

/** Sends a request to Caddy, whose certificate nobody here knows. Posts when there is a body. */
async function ask(port: number, path: string, auth?: string, body?: string) {
  const headers = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ host: 'localhost', port, path, method, headers, auth, rejectUnauthorized: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode as number, body: await text(response) };
}
