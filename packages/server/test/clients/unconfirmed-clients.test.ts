import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { anApi, startAdministration } from '@watchword/server-testkit/servers/administration';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';

const message = /"level":40,.*every user who can log in may register applications/g;

describe('a start of the server', () => {
  it('says once that every user may register, if users are authenticated and the setting is left as it is', async () => {
    for (const [flags, expected] of [
      [{ authenticators: 'password,form' }, 1],
      [{ authenticator: 'form' }, 0],
      [{ authenticator: 'password', 'administration.registration': 'group:developers' }, 0],
    ] as const) {
      await using server = await startServer(flags);
      assert.equal(server.log().match(message)?.length ?? 0, expected, JSON.stringify(flags));
    }
  });
});

describe('the command line and clients that no administrator confirmed', () => {
  it('lists what they do not get, and says it when it registers or changes one', async () => {
    await using server = await startAdministration();
    const job = await server.actingClient('Deployer');
    const run = (...args: string[]) =>
      watchword([...args, '--url', server.service.baseUrl], { env: { WATCHWORD_ADMIN_TOKEN: job.token } });
    await job.create('/admin/resourceServer', { ...anApi, name: 'Far API' });
    const created = await run(
      ...['client', 'create', '--name', 'Portal', '--resource-server', 'far-api', '--contact-name', 'Ann'],
      ...[
        '--redirect-uri',
        'https://portal.example/cb',
        '--openid-scope',
        'profile',
        '--openid-scope',
        'email',
      ],
    );
    assert.equal(created.code, 0, created.stderr);
    assert.match(created.stdout, /^withheldScopes +email$/m);
    assert.match(created.stdout, /until an administrator confirms this client, it does not get/);
    const updated = await run('client', 'update', 'portal', '--openid-scope', 'phone');
    assert.match(updated.stdout, /^withheldScopes +phone$/m);
    assert.match(updated.stdout, /until an administrator confirms/);
    for (const place of [
      ['--url', server.service.baseUrl],
      ['--database', server.database],
    ]) {
      const env = { WATCHWORD_ADMIN_TOKEN: place[0] === '--url' ? job.token : '' };
      const { stdout } = await watchword(['client', 'list', ...place], { env });
      assert.match(stdout, /TRUSTED +WITHHELDSCOPES\n/);
      assert.match(stdout, /portal .* false +phone\n/);
    }
    const confirmed = await watchword(['client', 'confirm', 'portal', '--database', server.database]);
    assert.match(confirmed.stdout, /^trusted +true$/m);
    assert.doesNotMatch(confirmed.stdout, /withheldScopes/);
  });

  it('names in a check those that keep what they had, until they are confirmed', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyDemo(database);
    const on = ['--database', database];
    for (const name of ['older', 'other', 'later']) {
      const options = ['--resource-server', 'demo-resource-server', '--redirect-uri', 'https://a.example/cb'];
      const scopes = name === 'other' ? [] : ['--openid-scope', 'email', '--openid-scope', 'profile'];
      const { code, stderr } = await watchword([
        'client',
        'create',
        '--name',
        name,
        ...options,
        ...scopes,
        ...on,
      ]);
      assert.equal(code, 0, stderr);
    }
    // As the migration leaves those that were registered before it.
    await sql(database, "update client set is_trusted = 0 where client_id in ('older', 'other', 'later')");
    await sql(database, "update client set keeps_user_data = 1 where client_id in ('older', 'other')");
    const named =
      'the client older gets email without a confirmation, because it was registered before one was needed';
    const check = await watchword(['check', ...on]);
    assert.equal(check.code, 0, check.stderr);
    assert.ok(check.stdout.includes(`Clients that no administrator confirmed:\n  ${named}\n`), check.stdout);
    assert.deepEqual(JSON.parse((await watchword(['check', '--json', ...on])).stdout).warnings.slice(-1), [
      named,
    ]);
    assert.doesNotMatch(check.stdout, /the client (?:other|later)/);
    await watchword(['client', 'confirm', 'older', ...on]);
    assert.doesNotMatch((await watchword(['check', ...on])).stdout, /no administrator confirmed/);
  });
});
