import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { logged, temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';

const examples = new URL('../', import.meta.url);

/** The `watchword` commands of a README, as their words. */
function commandsOf(readme: string): string[][] {
  const text = readFileSync(new URL(readme, examples), 'utf8').replaceAll(/\\\n\s*/g, '');
  return [...text.matchAll(/^npx watchword (.*)$/gm)].map(([, words = '']) =>
    [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  );
}

/** Starts an example as its README does, on a free port. */
async function startExample(main: string, env: Record<string, string> = {}) {
  const args = ['--conditions=source', fileURLToPath(new URL(main, examples))];
  const child = spawn(process.execPath, args, { env: { ...env, PORT: '0' } });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await Promise.race([logged(() => output, /http:\S+\n/), closed]);
  return {
    address: /http:\S+/.exec(output)?.[0] ?? output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

describe('the READMEs of the examples', () => {
  it('have commands that register the records of the demo', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db'), '--json'];
    await watchword(['migrate', ...database]);
    const made = [];
    for (const command of ['resource-server/README.md', 'client-app/README.md'].flatMap(commandsOf)) {
      const { code, stdout, stderr } = await watchword([...command, ...database]);
      assert.equal(code, 0, stderr);
      made.push(JSON.parse(stdout));
    }
    const [api, app, job] = made;
    assert.deepEqual(
      [api.key, app.clientId, job.clientId],
      ['notes-api', 'notes-app', 'notes-statistics-job'],
    );
    assert.equal(app.secret, undefined);
  });

  it('start the API and the application without the demo', async () => {
    await using api = await startExample('resource-server/src/main.ts', {
      WATCHWORD_URL: 'http://127.0.0.1:1',
      WATCHWORD_TOKENINFO_KEY: 'notes-api',
      WATCHWORD_TOKENINFO_SECRET: 'x',
    });
    const { status, headers } = await fetch(`${api.address}/notes`);
    assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer realm="notes", scope="read"']);
    await using app = await startExample('client-app/src/main.ts');
    const page = await fetch(`${app.address}/`);
    assert.match(await page.text(), /<title>Notes<\/title>/);
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /connect-src 'self' http:\/\/localhost:8080 /,
    );
    assert.equal((await fetch(`${app.address}/../package.json`)).status, 404);
  });
});
