import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { startUnheard } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  demoClient,
  demoResourceServer,
  postForm,
  readAnswer,
} from '@watchword/server-testkit/servers/server';
import { smallDisk } from '../support/small-disk.ts';

async function issue(baseUrl: string) {
  return readAnswer(
    await postForm(baseUrl, '/oauth2/token', { grant_type: 'client_credentials' }, demoClient),
  );
}

async function info(baseUrl: string, access_token: string) {
  return readAnswer(await postForm(baseUrl, '/v1/tokeninfo', { access_token }, demoResourceServer));
}

async function readiness(baseUrl: string): Promise<number> {
  return (await readAnswer(await fetch(`${baseUrl}/readyz`))).status;
}

/** Issues many tokens at once until one is rejected. Resolves with the tokens that were issued. */
async function issueUntilRefused(baseUrl: string): Promise<string[]> {
  const tokens: string[] = [];
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 32 }, () => issue(baseUrl)));
    tokens.push(...answers.filter(({ status }) => status === 200).map(({ json }) => json.access_token));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused !== undefined) {
      assert.equal(refused.status, 503);
      return tokens;
    }
    assert.ok(tokens.length < 50_000, 'the disk never became full');
  }
}

it(
  'GET /readyz is 503 while the disk is full, and 200 again afterwards',
  onlyOn('sqlite', 'fills the disk of a file'),
  async (test) => {
    await using disk = await smallDisk(8192);
    if (disk === undefined) return test.skip('no right to mount a disk');
    const ballast = join(disk.outside, 'ballast');
    await writeFile(ballast, Buffer.alloc(6 * 1024 * 1024));
    const args = ['--demo', 'small', '--database', join(disk.path, 'x.db')];
    await using server = await startUnheard(args, disk.wrap);
    assert.equal(await readiness(server.baseUrl), 200);
    const tokens = await issueUntilRefused(server.baseUrl);
    // The rest of the disk can have space for the one row of the readiness check, and then for a token.
    while ((await readiness(server.baseUrl)) === 200) {
      const { status, json } = await issue(server.baseUrl);
      if (status === 200) tokens.push(json.access_token);
    }
    for (let attempt = 0; attempt < 20; attempt += 1) {
      assert.equal(await readiness(server.baseUrl), 503);
    }
    assert.equal((await fetch(`${server.baseUrl}/healthz`)).status, 200);
    await rm(ballast);
    assert.equal(await readiness(server.baseUrl), 200);
    assert.equal((await issue(server.baseUrl)).status, 200);
    for (const token of tokens) assert.equal((await info(server.baseUrl, token)).status, 200);
  },
);
