import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UserAgent } from '@watchword/testkit/user-agent';
import { guidedClient } from '../support/guided-site.ts';
import { persona } from '../support/openid-client.ts';
import { visit } from '../support/visit.ts';

const program = fileURLToPath(new URL('../../../../examples/native-app/login.mjs', import.meta.url));

describe('the native application of the guide, with openid-client', () => {
  it('logs a user in at a free loopback port, and refuses an answer to another request', async () => {
    await using client = await guidedClient('log-users-in/native-app.md');
    const child = spawn(process.execPath, [program], {
      env: { ISSUER: client.server.service.baseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await using running = new AsyncDisposableStack();
    const closed = once(child, 'close');
    running.defer(async () => {
      child.kill('SIGKILL');
      await closed;
    });
    const failure = text(child.stderr);
    const printed = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { value = '' } = await printed.next();
    const [, address = ''] = /^Open (\S+)$/.exec(value) ?? assert.fail(`${value}${await failure}`);
    const redirectUri = new URL(address).searchParams.get('redirect_uri');
    const agent = new UserAgent();
    const stranger = await agent.get(`${redirectUri}?code=x&state=x`);
    assert.equal(stranger.status, 404);
    const page = await visit(agent, address, { password: persona });
    assert.equal(page.text, 'Go back to the terminal.');
    assert.equal((await printed.next()).value, 'Hello, Emma de Vries');
    assert.deepEqual(await closed, [0, null]);
  });
});
