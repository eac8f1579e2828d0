import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { startAdministration } from '@watchword/server-testkit/servers/administration';
import { demoClient } from '@watchword/server-testkit/servers/server';

const scope = { grant_type: 'client_credentials', scope: 'evil' };

describe('watchword client errors', () => {
  it('prints why requests were refused: of a server all of the last day, of a database the stored ones', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    {
      await using server = await startAdministration({ database });
      await server.post('/oauth2/token', scope, demoClient);
      await server.post('/oauth2/token', scope, 'demo-service:wrong');
      const { token } = await server.administrator();
      const env = { WATCHWORD_ADMIN_TOKEN: token };
      const remote = ['client', 'errors', 'demo-service', '--url', server.baseUrl];
      const listed = await watchword([...remote, '--json'], { env });
      assert.deepEqual([listed.code, listed.stderr], [0, '']);
      const errors: { error: string; client?: object }[] = JSON.parse(listed.stdout);
      assert.deepEqual(errors.map(({ error }) => error).toSorted(), ['invalid_client', 'invalid_scope']);
      assert.equal(errors[0]?.client, undefined);
      assert.equal(
        JSON.parse((await watchword([...remote, '--limit', '1', '--json'], { env })).stdout).length,
        1,
      );
      const unknown = await watchword(['client', 'errors', 'nobody', '--url', server.baseUrl], { env });
      assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
      // The end of the server stores it. The first one can be lost, because the process was busy with the commands.
      await server.post('/oauth2/token', scope, demoClient);
    }
    const stored = await watchword([
      'client',
      'errors',
      'demo-service',
      '--limit',
      '1',
      '--database',
      database,
    ]);
    const { code, stdout, stderr } = stored;
    assert.equal(code, 0);
    assert.match(stderr, /^Note: only stored errors are shown/m);
    assert.match(
      stdout,
      /^TIME +ENDPOINT +ERROR +AUTHENTICATED +REQUESTID +REASON\n\d{4}-\S+Z +token +invalid_scope +true +\w+-\w+ +The request asks for the scope "evil"\. It can be granted: read\.\n$/,
    );
    const unknown = await watchword(['client', 'errors', 'nobody', '--database', database]);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  });
});
