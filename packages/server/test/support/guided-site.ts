import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { codeOf, fileOf } from '@watchword/server-testkit/processes/guide';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { freePort } from '@watchword/testkit/free-port';

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** A server with the client that a guide registers. */
export interface GuidedClient extends AsyncDisposable {
  readonly server: TestServer;
  readonly clientId: string;
  /** The origin of the website, in place of the one in the guide. */
  readonly origin: string;
  readonly port: number;
  /** Text of the guide, with the addresses and the secret of this test. */
  adapt(text: string): string;
}

/** Runs the commands of the guide at a server. */
export async function guidedClient(guide: string): Promise<GuidedClient> {
  const server = await startServer({ host: 'localhost', authenticator: anyPerson });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const here = (line: string) =>
    line
      .replaceAll('http://localhost:3000', origin)
      .replaceAll('https://login.example', server.service.baseUrl);
  let registered: { clientId: string; secret?: string } | undefined;
  for (const words of commandsOf(guide)) {
    const { code, stdout, stderr } = await watchword([
      ...words.map(here),
      '--json',
      '--database',
      server.database,
    ]);
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
    registered = JSON.parse(stdout);
  }
  const { clientId, secret = '' } = registered ?? assert.fail(`${guide} registers no client`);
  return {
    server,
    clientId,
    origin,
    port,
    adapt: (text) => here(text).replace('PORT=3000', `PORT=${port}`).replace('the-printed-secret', secret),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The website of a guide, as a program of its own beside the server. */
export async function guidedSite(guide: string, program: string): Promise<GuidedClient> {
  await using started = new AsyncDisposableStack();
  const client = started.use(await guidedClient(guide));
  const directory = started.use(await temporaryDirectory());
  await symlink(modules, directory.file('node_modules'));
  for (const { file, code } of codeOf(guide)) {
    if (file !== undefined) await writeFile(directory.file(file), client.adapt(code));
  }
  // As `npm init -y` makes it.
  await writeFile(directory.file('package.json'), '{"type":"commonjs"}');
  assert.ok(fileOf(guide, program));
  const child = spawn(process.execPath, ['--env-file=.env', program], {
    cwd: directory.path,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  started.defer(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const failure = text(child.stderr);
  await Promise.race([
    once(child.stdout, 'data'),
    closed.then(async () => assert.fail(`${program} has ended: ${await failure}`)),
  ]);
  const running = started.move();
  return { ...client, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The arguments of each `npx watchword` command of the guide. */
function commandsOf(guide: string): string[][] {
  const shells = codeOf(guide).filter(({ language }) => language === 'sh');
  const lines = shells.flatMap(({ code }) => code.replaceAll(/\\\n\s*/g, '').split('\n'));
  return lines
    .filter((line) => line.startsWith('npx watchword '))
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''))
    .map((words) => words.slice(2));
}
