import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { demoClient, postForm } from '@watchword/server-testkit/servers/server';
import { AuthorizationServerUnavailable } from '../../src/index.ts';
import { assertDemoInfo, grant, verifierFor } from '../support/demo-verifier.ts';

describe('against the process of the real server', () => {
  it('the same verifier accepts tokens again after the server was killed and started', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--demo', 'small', '--database', directory.file('x.db')];
    const first = await startProcess([...database, '--port', '0']);
    const { port } = new URL(first.baseUrl);
    const request = () => postForm(first.baseUrl, '/oauth2/token', grant, demoClient);
    const tokens = [];
    for (let time = 0; time < 2; time += 1) {
      const { access_token } = (await (await request()).json()) as { access_token: string };
      tokens.push(access_token);
    }
    const [known = '', unasked = ''] = tokens;
    const { verify } = verifierFor(first.baseUrl);
    await verify(known);

    await first.end('SIGKILL');
    assertDemoInfo(await verify(known));
    await assert.rejects(verify(unasked), { status: 503, reason: 'unreachable' });

    await using _second = await startProcess([...database, '--port', port]);
    assertDemoInfo(await verify(unasked));
  });

  it('no request is accepted and none waits without end while the server is stopped', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startProcess([
      '--demo',
      'small',
      '--database',
      directory.file('x.db'),
      '--port',
      '0',
    ]);
    const { verify } = verifierFor(server.baseUrl, { timeout: 200 });
    server.child.kill('SIGSTOP');
    const all = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => verify(`token-${index}`)));
    server.child.kill('SIGCONT');
    for (const outcome of all) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof AuthorizationServerUnavailable);
    }
  });
});
