import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { UserAgent } from '@watchword/testkit/user-agent';

const chosen = 'a new and long one';

describe('watchword user over --url', () => {
  let server: AccountServer;
  let token: string;

  before(async () => {
    server = await startAccountServer();
    token = (await server.logIn('root')).token;
  });
  after(() => server[Symbol.asyncDispose]());

  const run = (args: readonly string[], stdin = '') =>
    watchword(['user', ...args, '--url', server.service.baseUrl], {
      env: { WATCHWORD_ADMIN_TOKEN: token },
      stdin,
    });
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  async function json(args: readonly string[]): Promise<any> {
    const { code, stdout, stderr } = await run([...args, '--json']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }
  const set = async (link: string) => {
    const agent = new UserAgent();
    return agent.submit(await agent.get(link), { new_password: chosen, new_password_again: chosen });
  };

  it('creates an account without a password, and prints a reset link', async () => {
    const created = await json(['create', 'nina', '--group', 'staff', '--role', 'editor']);
    assert.deepEqual([created.groups, created.roles, created.hasPassword], [['staff'], ['editor'], false]);
    assert.match((await set(created.resetLink)).text, /Your password is saved/);
    assert.ok(await isLoggedIn(await server.browserOf('nina', chosen), server));
    const taken = await run(['create', 'nina']);
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /already/);
    const shown = await run(['create', 'otto']);
    assert.match(shown.stdout, /^resetLinkExpires +\d{4}-\d\d-\d\dT/m);
  });

  it('lists accounts page by page after a username', async () => {
    // One page of the server has 1000.
    await server.addManyAccounts(1005);
    const names = async (...args: readonly string[]) =>
      (await json(['list', ...args])).map(({ username }: { username: string }) => username);
    assert.deepEqual(await names('--after', 'many-2003', '--limit', '1'), ['many-2004']);
    assert.deepEqual((await names('--after', 'many-', '--limit', '1003')).at(-1), 'many-2002');
  });

  it('lists, changes, disables, enables, resets and deletes, and reports what ended', async () => {
    await server.addAccount('emma');
    await server.browserOf('emma');
    const listed = await json(['list', '--after', 'a', '--limit', '1']);
    assert.deepEqual(
      listed.map(({ username }: { username: string }) => username),
      ['emma'],
    );
    const groups = await json(['set-groups', 'emma', 'ops']);
    assert.deepEqual(groups, { username: 'emma', groups: ['ops'], sessions: 1, grants: 0 });
    assert.equal((await json(['set-admin', 'emma', 'on'])).adminPrincipal, true);
    assert.equal((await json(['disable', 'emma'])).disabled, true);
    assert.equal((await json(['enable', 'emma'])).disabled, false);
    const { resetLink } = await json(['reset-password', 'emma']);
    assert.ok(!(await isLoggedIn(await server.browserOf('emma'), server)));
    assert.equal((await set(resetLink)).status, 200);
    assert.equal((await json(['delete', 'emma', '--yes'])).deleted, 'emma');
    const gone = await run(['disable', 'emma']);
    assert.deepEqual([gone.code, /no account with the username emma/.test(gone.stderr)], [1, true]);
  });

  for (const place of ['over --url', 'at the database']) {
    it(`sets and shows the claims of an account ${place}, and changes those alone that are named`, async () => {
      const command = async (...args: readonly string[]) => {
        if (place === 'over --url') return run([...args, '--json']);
        return watchword(['user', ...args, '--json', '--database', server.database], { stdin: chosen });
      };
      const row = async (...args: readonly string[]) => {
        const { code, stdout, stderr } = await command(...args);
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout);
      };
      const username = place === 'over --url' ? 'rosa' : 'wim';
      const password = place === 'over --url' ? [] : ['--password-stdin'];
      const address = ['--address', 'country=NL', '--address', 'locality=Breda'];
      const email = ['--email', 'x@example.org', '--email-verified', 'true'];
      const created = await row('create', username, ...password, ...email, '--zoneinfo', 'UTC', ...address);
      assert.deepEqual(created.address, { country: 'NL', locality: 'Breda' });
      const shown = async () => {
        const { displayName, email, emailVerified, zoneinfo, address } = await row('show', username);
        return [displayName, email, emailVerified, zoneinfo, address];
      };
      assert.deepEqual(await shown(), [username, 'x@example.org', true, 'UTC', created.address]);
      const changed = ['--display-name', 'R', '--email', 'y@example.org', '--address', 'region=Brabant'];
      const { sessions: _, grants: __, ...report } = await row('update', username, ...changed);
      const address2 = { region: 'Brabant' };
      assert.deepEqual(report, { username, displayName: 'R', email: 'y@example.org', address: address2 });
      assert.deepEqual(await shown(), ['R', 'y@example.org', false, 'UTC', address2]);
      await row('update', username, '--email-verified', 'true', '--address', '');
      assert.deepEqual(await shown(), ['R', 'y@example.org', true, 'UTC', {}]);
      const refused = await command('update', username, '--locale', 'nl_NL');
      assert.deepEqual([refused.code, /locale: expected a language tag/.test(refused.stderr)], [1, true]);
      const empty = await command('update', username);
      assert.deepEqual(
        [empty.code, /expected an option that names what to change/.test(empty.stderr)],
        [2, true],
      );
      const gone = await command('show', 'no-one');
      assert.deepEqual([gone.code, /no account with the username no-one/.test(gone.stderr)], [1, true]);
    });
  }

  it('reads true, false, or the flag alone, which is true, when it creates and when it changes an account', async () => {
    const values: readonly (readonly [readonly string[], boolean])[] = [
      [['true'], true],
      [['false'], false],
      [[], true],
    ];
    for (const [index, [value, expected]] of values.entries()) {
      const name = `vera-${index}`;
      const verified = ['--email', `${name}@example.org`, '--email-verified', ...value];
      assert.equal((await json(['create', name, ...verified])).emailVerified, expected);
      await json(['update', name, ...verified]);
      assert.equal((await json(['show', name])).emailVerified, expected);
    }
    const wrong = await run(['create', '--email-verified', 'vera']);
    assert.deepEqual(
      [wrong.code, /--email-verified: expected true or false, got "vera"/.test(wrong.stderr)],
      [2, true],
    );
  });

  it('changes no account when the username is empty, as an unset variable of a script is', async () => {
    await server.addAccount('adam');
    for (const args of [
      ['disable', ''],
      ['reset-password', ''],
      ['set-admin', '', 'on'],
      ['delete', '', '--yes'],
    ]) {
      const { code, stdout } = await run(args);
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
    }
    assert.ok(await isLoggedIn(await server.browserOf('adam'), server));
  });

  it('prints a link that asks for a passkey and for no password, over --url and at the database', async () => {
    const local = async (args: readonly string[]) =>
      JSON.parse((await watchword(['user', ...args, '--json', '--database', server.database])).stdout);
    const links = [
      await json(['create', 'pia', '--passkey']),
      await json(['reset-password', 'pia', '--passkey']),
      await local(['create', 'pim', '--passkey']),
      await local(['reset-password', 'pim', '--passkey']),
    ];
    for (const [index, { resetLink }] of links.entries()) {
      const { search } = new URL(resetLink);
      const page = await new UserAgent().get(`${server.baseUrl}/account/set-password${search}`);
      const isLast = index % 2 === 1;
      assert.deepEqual([page.status, /data-options/.test(page.html)], [isLast ? 200 : 400, isLast]);
      assert.doesNotMatch(page.html, /type="password"/);
    }
  });

  it('keeps the last administrator, whom the command line of the server can disable', async () => {
    const refused = await run(['disable', 'root']);
    assert.deepEqual([refused.code, /last local account/.test(refused.stderr)], [1, true]);
    const local = (args: readonly string[]) => watchword(['user', ...args, '--database', server.database]);
    const reset = await local(['reset-password', 'root', '--json']);
    assert.equal(reset.code, 0, reset.stderr);
    const { resetLink } = JSON.parse(reset.stdout);
    const { search } = new URL(resetLink);
    const page = await set(`${server.service.baseUrl}/account/set-password${search}`);
    assert.match(page.text, /Your password is saved/);
    token = (await server.logIn('root', chosen)).token;
    assert.equal((await local(['disable', 'root'])).code, 0);
    assert.equal((await run(['list'])).code, 1);
  });

  it('sends no password', async () => {
    const refused = await run(['set-password', 'root', '--password-stdin'], chosen);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /not set over the network/);
  });
});
