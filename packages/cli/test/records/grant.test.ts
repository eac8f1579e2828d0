import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { UserAgent } from '@watchword/testkit/user-agent';

describe('the commands for grants and tokens', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const run = (...args: string[]) => watchword([...args, '--database', server.database]);

  /** Runs a command that must succeed, and returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  async function grant(app: Application, username: string) {
    const { parameters } = await app.authorize({}, { username }, new UserAgent());
    return (await app.redeem(parameters.get('code') ?? '')).json;
  }

  it('list grants by client, resource owner, subject and resource server, and show one', async () => {
    const [app, other] = [
      await registerApplication(server, { clientName: 'Listed' }),
      await registerApplication(server, { clientName: 'Other' }),
    ];
    await grant(app, 'emma');
    await grant(app, 'finn');
    await grant(other, 'emma');
    const names = async (...args: string[]) =>
      (await json('grant', 'list', ...args)).map(
        (row: Record<string, string>) => `${row.resourceOwnerId} ${row.clientId}`,
      );
    assert.deepEqual(await names('--client', 'listed'), ['finn listed', 'emma listed']);
    assert.deepEqual(await names('--resource-owner', 'emma'), ['emma other', 'emma listed']);
    assert.deepEqual(await names('--limit', '1'), ['emma other']);
    assert.deepEqual(await names('--resource-server', 'demo-resource-server', '--client', 'other'), [
      'emma other',
    ]);
    const { stderr } = await run('grant', 'list', '--limit', '1');
    assert.match(stderr, /^1 records are listed, and there are more\. A greater --limit lists more/);
    const [{ id, subject }] = await json('grant', 'list', '--client', 'other');
    assert.deepEqual(await names('--subject', subject), ['emma other', 'emma listed']);
    const shown = await json('grant', 'show', id);
    assert.deepEqual([shown.resourceOwnerId, shown.refreshToken, shown.accessTokens], ['emma', true, 1]);
    const table = await run('grant', 'list', '--client', 'other');
    assert.match(
      table.stdout,
      /^ID +RESOURCEOWNERID +.*LASTUSED +REFRESHTOKEN +ACCESSTOKENS\n.* emma +form +other /,
    );
  });

  it('end one grant, or all of a client, and report how many', async () => {
    const app = await registerApplication(server, { clientName: 'Ended' });
    const first = await grant(app, 'emma');
    const [{ id }] = await json('grant', 'list', '--client', 'ended');
    assert.match(
      (await run('grant', 'end', id)).stdout,
      /^Ended .*, in a running server within a second\.\n$/,
    );
    assert.equal((await app.refresh(first.refresh_token)).json.error, 'invalid_grant');
    for (const name of ['ann', 'bob']) await grant(app, name);
    const ended = await run('grant', 'end', '--client', 'ended', '--yes');
    assert.equal(
      ended.stdout,
      'Ended 2 grants with their tokens and 2 remembered consents, in a running server within a second.\n',
    );
    assert.deepEqual(await json('grant', 'end', '--client', 'ended', '--yes'), { grants: 0, consents: 0 });
    const newest = 'select actor_identity_provider as actor from audit_event order by id desc limit 1';
    assert.equal((await sql(server.database, newest))[0]?.actor, 'cli');
  });

  it('end only what was granted since a time', async () => {
    const app = await registerApplication(server, { clientName: 'Since' });
    for (const name of ['ann', 'bob']) await grant(app, name);
    const [second] = await json('grant', 'list', '--client', 'since');
    const later = new Date(second.creationDate + 1).toISOString();
    const end = (since: string) => json('grant', 'end', '--client', 'since', '--since', since, '--yes');
    assert.deepEqual(await json('grant', 'list', '--client', 'since', '--since', later), []);
    assert.deepEqual(await end(later), { grants: 0, consents: 0 });
    assert.deepEqual(await end('2020-01-01T00:00Z'), { grants: 2, consents: 2 });
    assert.equal((await run('grant', 'end', '--since', later, '--yes')).code, 2);
  });

  it('ask at a terminal with the number before they end several grants', async () => {
    const app = await registerApplication(server, { clientName: 'Asked' });
    for (const name of ['ann', 'bob']) await grant(app, name);
    const end = (stdin: string) =>
      watchword(['grant', 'end', '--client', 'asked', '--database', server.database], {
        stdin,
        isTyped: true,
      });
    const kept = await end('n\n');
    assert.equal(kept.code, 1);
    assert.match(kept.stderr, /^End 2 grants with their tokens and 2 remembered consents\? \[y\/N\] /);
    assert.equal((await json('grant', 'list', '--client', 'asked')).length, 2);
    assert.match((await end('y\n')).stdout, /Ended 2 grants with their tokens/);
    assert.deepEqual(await json('grant', 'list', '--client', 'asked'), []);
  });

  it('exit 2 on wrong usage, and 1 when there is no such grant', async () => {
    const unknown = '019b76da-a800-7a57-899d-6e21a5a8121f';
    for (const args of [
      ['end'],
      ['end', unknown, '--client', 'x'],
      ['end', 'x'],
      ['show', 'emma'],
      ['show'],
    ]) {
      assert.equal((await run('grant', ...args)).code, 2, args.join(' '));
    }
    for (const args of [
      ['end', unknown],
      ['show', unknown],
      ['end', '--client', 'unknown', '--yes'],
      ['list', '--resource-server', 'x'],
    ]) {
      const { code, stderr } = await run('grant', ...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, /^watchword: There is no /);
    }
  });

  it('show a token that is piped in, and the resource owner of each token', async () => {
    const app = await registerApplication(server, { clientName: 'Piped' });
    const { access_token } = await app.obtainTokens();
    const own = ['--database', server.database];
    const shown = await watchword(['token', 'show', '-', '--json', ...own], { stdin: `${access_token}\n` });
    assert.equal(shown.code, 0, shown.stderr);
    const { id, resourceOwnerId } = JSON.parse(shown.stdout);
    assert.equal(resourceOwnerId, 'emma');
    assert.ok(!shown.stdout.includes(access_token), shown.stdout);
    const list = await watchword(['token', 'list', '--client', 'piped', ...own]);
    assert.match(list.stdout, new RegExp(`^ID +CLIENTID +RESOURCEOWNERID +.*\\n${id} +piped +emma +form +`));
    for (const [stdin, code] of [
      ['', 2],
      ['x', 2],
      [access_token.slice(0, -1), 2],
    ] as const) {
      assert.equal((await watchword(['token', 'show', '-', ...own], { stdin })).code, code, stdin);
    }
    assert.equal((await watchword(['token', 'show', access_token, ...own])).code, 2);
    await watchword(['token', 'revoke', id, ...own]);
    const gone = await watchword(['token', 'show', '-', ...own], { stdin: access_token });
    assert.deepEqual([gone.code, gone.stderr], [1, 'watchword: There is no such token.\n']);
  });
});
