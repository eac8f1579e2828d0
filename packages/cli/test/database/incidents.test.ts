import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory, until, watchword } from '@watchword/server-testkit/processes/process';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { slowTest } from '@watchword/testkit';
import { placeDatabase } from '@watchword/testkit/place-database';

describe('after an incident, the command line', () => {
  let server: AccountServer;
  let token: string;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    const file = directory.file('places.mmdb');
    const [town, country] = [{ en: 'Utrecht' }, { en: 'Netherlands', de: 'Niederlande' }];
    await writeFile(file, placeDatabase('127.0.0.0', 8, town, country));
    server = await startAccountServer({ 'pages.placeDatabase': file });
    token = (await server.logIn('root')).token;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  const local = (...args: readonly string[]) =>
    watchword([...args, '--database', server.database], {
      env: { WATCHWORD_PAGES_PLACE_DATABASE: directory.file('places.mmdb') },
    });
  const remote = (...args: readonly string[]) =>
    watchword([...args, '--url', server.service.baseUrl], { env: { WATCHWORD_ADMIN_TOKEN: token } });
  /** The JSON that a command prints, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  async function json(run: typeof local, ...args: readonly string[]): Promise<any> {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout);
  }
  // Both have the same client of the same routes (administration.ts): what is slow on a database fails on a server for the same reason.
  const places = { 'on a database': local, 'on a server': remote };

  for (const [place, run] of Object.entries(places)) {
    const test = run === local ? slowTest : it;
    it(`lists the login sessions of a person and ends one, ${place}`, async () => {
      const username = place.replaceAll(' ', '-');
      await server.addAccount(username);
      const [kept, ended] = [await server.browserOf(username), await server.browserOf(username)];
      const sessions = await json(run, 'session', 'list', '--person', username);
      assert.deepEqual(
        sessions.map(({ resourceOwnerId, identityProvider }: Record<string, string>) => [
          resourceOwnerId,
          identityProvider,
        ]),
        Array(2).fill([username, 'password']),
      );
      assert.deepEqual(await json(run, 'session', 'end', sessions[0].id), { ended: sessions[0].id });
      assert.equal((await json(run, 'session', 'list', '--person', username)).length, 1);
      assert.ok(!(await isLoggedIn(ended, server)));
      assert.ok(await isLoggedIn(kept, server));
      const again = await run('session', 'end', sessions[0].id);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /There is no such login session/);
      const cut = await run('session', 'list', '--limit', '1');
      assert.match(cut.stderr, /^1 records are listed, and there are more\./);
    });

    it(`shows device, address and place of each login session, ${place}`, async () => {
      const username = `placed-${place.replaceAll(' ', '-')}`;
      await server.addAccount(username);
      await server.browserOf(username);
      const [session] = await json(run, 'session', 'list', '--person', username);
      assert.deepEqual(session.places, [{ en: 'Utrecht' }, { en: 'Netherlands', de: 'Niederlande' }]);
      const { stdout } = await run('session', 'list', '--person', username);
      assert.match(stdout, /AUTHENTICATOR +DEVICE +SOURCE +PLACE +CREATIONDATE/);
      assert.match(stdout, / 127\.0\.0\.1 +Utrecht, Netherlands +20/);
    });

    test(`finds events by client, person, kind and time, ${place}`, async () => {
      const username = `found-${place.replaceAll(' ', '-')}`;
      await server.addAccount(username);
      await server.browserOf(username);
      const start = new Date(Date.now() - 60_000).toISOString();
      const { clientId } = await json(
        ...([local, 'client', 'create', '--name', username] as const),
        ...['--resource-server', 'demo-resource-server', '--allow-client-credentials'],
      );
      const list = (...args: readonly string[]) => json(run, 'audit', 'list', ...args);
      const named = (events: readonly Record<string, string>[]) =>
        events.map(({ action, recordName }) => `${action} ${recordName}`);
      assert.deepEqual(named(await list('--client', clientId)), [`create ${clientId}`]);
      assert.deepEqual(named(await list('--client', clientId, '--until', start)), []);
      assert.deepEqual(named(await list('--client', clientId, '--kind', 'logins')), []);
      assert.deepEqual(named(await list('--person', username, '--kind', 'logins', '--since', start)), [
        `login ${username}`,
      ]);
      assert.deepEqual(await list('--person', username, '--identity-provider', 'other'), []);
      assert.deepEqual(await list('--since', '2100-01-01T00:00Z'), []);
      const lines = await run('audit', 'list', '--client', clientId, '--lines');
      assert.equal(lines.stdout.split('\n').length, 2);
      assert.equal(JSON.parse(lines.stdout).recordName, clientId);
      const csv = await run('audit', 'list', '--client', clientId, '--csv', '--limit', '1000');
      assert.match(csv.stdout, /^"time","action",[^\n]*\r\n"\d{4}-\d\d-\d\dT[\d:.]{12}Z",/);
      const [{ action, actor }] = await list('--client', clientId);
      const same = await list('--action', action, '--actor', actor.toUpperCase());
      assert.ok(same.every((event: typeof same) => event.action === action && event.actor === actor));
      assert.match((await run('audit', 'list', '--limit', '1')).stderr, /^1 records are listed, and there/);
    });
  }

  for (const [place, run] of Object.entries(places)) {
    const test = run === local ? slowTest : it;
    it(`revokes what was issued since a time, and nothing else, ${place}`, async () => {
      const username = `issued-${place.replaceAll(' ', '-')}`;
      await server.addAccount(username);
      const old = await server.grantTo(username);
      const credentials = 'demo-app:demo-app-client-secret';
      const refreshed = async (refresh_token: string) =>
        (await server.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token }, credentials))
          .status;
      const [{ subject }] = await json(run, 'grant', 'list', '--resource-owner', username);
      const revoke = (since: number, ...args: readonly string[]) =>
        json(run, 'token', 'revoke', '--since', new Date(since).toISOString(), '--yes', ...args);
      const none = { grants: 0, accessTokens: 0, clients: [], remaining: [] };
      assert.deepEqual(await revoke(Date.now() + 60_000, '--subject', subject), none);
      assert.equal(await server.tokenStatus(old.access_token), 200);
      const ended = await revoke(Date.now() - 60_000, '--subject', subject, '--client', 'demo-app');
      assert.deepEqual(ended, { ...none, grants: 1 });
      assert.equal(await server.tokenStatus(old.access_token), 404);
      assert.equal(await refreshed(old.refresh_token), 400);
      const own = await server.issueToken();
      const ofApi = await revoke(Date.now() - 60_000, '--resource-server', 'demo-resource-server');
      assert.ok(ofApi.accessTokens > 0);
      assert.equal(await server.tokenStatus(own), 404);
    });

    test(`takes a name for no subject: the end of nothing is no success, ${place}`, async () => {
      const username = `named-${place.replaceAll(' ', '-')}`;
      await server.addAccount(username);
      const { access_token } = await server.grantTo(username);
      const since = ['--since', '2026-01-01T00:00Z'];
      for (const command of [
        ['grant', 'end'],
        ['grant', 'end', ...since],
        ['token', 'revoke', ...since],
      ]) {
        for (const subject of [username, '']) {
          const { code, stdout, stderr } = await run(...command, '--subject', subject, '--yes');
          assert.deepEqual([code, stdout], [1, ''], command.join(' '));
          assert.match(
            stderr,
            /^watchword: There is no grant .* "watchword grant show <id>" the subject\.\n$/,
          );
        }
      }
      assert.equal(await server.tokenStatus(access_token), 200);
      const [{ subject }] = await json(run, 'grant', 'list', '--resource-owner', username);
      const ended = await json(run, 'grant', 'end', '--subject', subject, '--yes');
      assert.deepEqual(ended, { grants: 1, consents: 1 });
    });

    test(`leaves the login sessions when it revokes what was issued, ${place}`, async () => {
      const username = `kept-${place.replaceAll(' ', '-')}`;
      await server.addAccount(username);
      const agent = await server.browserOf(username);
      await server.grantTo(username, agent);
      const [{ subject }] = await json(run, 'grant', 'list', '--resource-owner', username);
      const revoke = ['token', 'revoke', '--subject', subject, '--since', '2026-01-01T00:00Z', '--yes'];
      assert.equal((await json(run, ...revoke)).grants, 1);
      assert.ok(await isLoggedIn(agent, server));
      const { stdout } = await run('token', 'revoke', '--help');
      assert.match(stdout, /a browser with a login session gets them without a password or a question/);
    });

    test(`names the client whose JWTs stay valid, ${place}`, async () => {
      const name = `jwts-${place.replaceAll(' ', '-')}`;
      const at = ['--resource-server', name];
      await json(run, 'resource-server', 'create', '--name', name, '--access-token-format', 'jwt');
      const callback = ['--redirect-uri', 'http://127.0.0.1:9/cb'];
      await json(
        run,
        'client',
        'create',
        '--name',
        `${name}-app`,
        ...at,
        '--allow-client-credentials',
        ...callback,
      );
      await json(run, 'client', 'create', '--name', `${name}-job`, ...at, '--allow-client-credentials');
      const revoke = ['token', 'revoke', ...at, '--since', '2026-01-01T00:00Z'];
      const { code, stdout, stderr } = await run(...revoke, '--yes', '--json');
      const { clients, remaining } = JSON.parse(stdout);
      assert.deepEqual([code, clients, remaining], [1, [`${name}-job`], [`${name}-app`]]);
      assert.match(stderr, new RegExp(`watchword token revoke --client ${name}-app`));
      assert.equal((await run(...revoke)).code, 2);
    });

    test(`lists the sessions in which a client was granted access, since a time, ${place}`, async () => {
      const username = `session-${place.replaceAll(' ', '-')}`;
      await server.addAccount(username);
      await server.browserOf(username);
      const agent = await server.browserOf(username);
      await server.grantTo(username, agent);
      const list = (...args: readonly string[]) =>
        json(run, 'session', 'list', '--person', username, ...args);
      assert.equal((await list()).length, 2);
      assert.equal((await list('--client', 'demo-app', '--since', '2026-01-01T00:00Z')).length, 1);
      assert.deepEqual(await list('--since', '2100-01-01T00:00Z'), []);
      assert.match((await run('session', 'list', '--client', 'none')).stderr, /There is no client/);
    });

    test(`gives a resource server another secret and revokes the tokens of its clients, ${place}`, async () => {
      const name = `stolen-${place.replaceAll(' ', '-')}`;
      const { key } = await json(run, 'resource-server', 'create', '--name', name);
      const made = ['client', 'create', '--resource-server', key, '--allow-client-credentials', '--name'];
      const { clientId, secret } = await json(run, ...made, name);
      const form = { grant_type: 'client_credentials' };
      const { access_token } = (await server.post('/oauth2/token', form, `${clientId}:${secret}`)).json;
      const rotated = await json(run, 'resource-server', 'rotate-secret', key, '--revoke');
      assert.equal(rotated.tokensRevoked, true);
      // A running server hears of a command on its database within a second.
      await until(async () => {
        const info = await server.post('/v1/tokeninfo', { access_token }, `${key}:${rotated.secret}`);
        return info.status === 404;
      });
      assert.equal(
        (await run('resource-server', 'rotate-secret', key, '--revoke', '--overlap', '9')).code,
        2,
      );
    });
  }

  it('gives a client another secret and revokes its tokens, so that a stolen secret is of no use', async () => {
    const { clientId, secret } = await json(
      ...([remote, 'client', 'create', '--name', 'Stolen', '--resource-server'] as const),
      ...['demo-resource-server', '--allow-client-credentials'],
    );
    const form = { grant_type: 'client_credentials' };
    const issue = (with_: string) => server.post('/oauth2/token', form, `${clientId}:${with_}`);
    const stolen = (await issue(secret)).json.access_token;
    assert.equal(await server.tokenStatus(stolen), 200);
    const rotated = await json(remote, 'client', 'rotate-secret', clientId, '--revoke');
    assert.equal(rotated.tokensRevoked, true);
    assert.equal(await server.tokenStatus(stolen), 404);
    assert.deepEqual([(await issue(secret)).status, (await issue(rotated.secret)).status], [401, 200]);
    const both = await remote('client', 'rotate-secret', clientId, '--revoke', '--overlap', '60');
    assert.deepEqual([both.code, both.stdout], [2, '']);
  });

  it('refuses options that name no person or no time, with exit code 2', async () => {
    for (const [args, reason] of [
      [['session', 'list', '--identity-provider', 'x'], /expected --person <name> too/],
      [['audit', 'list', '--since', 'yesterday'], /--since: expected a time .* such as 2026-11-22T20:00Z/],
      [['audit', 'list', '--kind', 'all'], /changes, logins/],
      [['session', 'end', 'x'], /expected the id of a session/],
      [['token', 'revoke'], /expected either the id of a token, or --client/],
      [['token', 'revoke', '--subject', 'x'], /expected --since <time> with --subject/],
      [['token', 'revoke', '--client', 'x', '--resource-server', 'y'], /expected --since <time>/],
    ] as const) {
      const { code, stderr } = await local(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, reason);
    }
  });
});
