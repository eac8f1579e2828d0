import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { lastMail } from '@watchword/server-testkit/neighbours/mailbox';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';

const registration = { registration: 'invitation' };

describe('the command invitation', () => {
  it('makes, lists and withdraws invitations on a database, whose links a server accepts', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyDemo(database);
    const env = { WATCHWORD_REGISTRATION: 'invitation' };
    const run = (...args: string[]) => watchword(['invitation', ...args, '--database', database], { env });
    const refused = await watchword(['invitation', 'create', '--database', database]);
    assert.deepEqual([refused.code, /registration is off/.test(refused.stderr)], [1, true]);
    const made = JSON.parse((await run('create', '--group', 'staff', '--days', '2', '--json')).stdout);
    assert.deepEqual([made.groups, made.expires - made.creationDate], [['staff'], 2 * 86_400_000]);
    const other = JSON.parse((await run('create', '--note', 'Finn Smith', '--passkey', '--json')).stdout);
    assert.deepEqual([made.passkey, other.passkey], [false, true]);
    const withdrawn = await run('revoke', other.id);
    assert.deepEqual([withdrawn.code, withdrawn.stdout.startsWith(`Withdrew ${other.id}, `)], [0, true]);
    assert.equal((await run('revoke', other.id)).code, 1);
    const listed = JSON.parse((await run('list', '--json')).stdout);
    assert.deepEqual(
      listed.map(({ id, link }: Record<string, string>) => [id, link]),
      [[made.id, undefined]],
    );
    await using server = await startServer({ database, authenticator: 'password', ...registration });
    const agent = new UserAgent();
    const page = await agent.get(`${server.baseUrl}/account/invitation${new URL(made.link).search}`);
    const password = 'a long text for a door';
    const typed = { username: 'iris', new_password: password, new_password_again: password };
    await agent.submit(page, typed);
    assert.deepEqual((await server.service.store.accounts.find('iris'))?.groups, ['staff']);
  });

  it('stores a mail instead of printing the link, for the servers on the database to send', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyDemo(database);
    const mail = ['--config', directory.file('watchword.yaml')];
    await writeFile(
      directory.file('watchword.yaml'),
      'registration: invitation\nmail: { url: "smtp://127.0.0.1:1", from: "no-reply@id.example" }\n',
    );
    const command = [
      'invitation',
      'create',
      '--email',
      'nora@example.org',
      '--locale',
      'de',
      '--database',
      database,
      ...mail,
    ];
    const { stdout, stderr } = await watchword(command);
    assert.match(stdout, /mailed +true/, stderr);
    assert.doesNotMatch(stdout, /wwi_/);
    await using server = await startServer({ database, authenticator: 'password', ...registration });
    const { language, values } = await lastMail(server, 'invitation', 'nora@example.org');
    const page = await new UserAgent().get(`${server.baseUrl}${values.path}`);
    assert.deepEqual([language, page.status], ['de', 200]);
  });

  it('exits 2 for days that are no number from 1 to 90', async () => {
    for (const days of ['0', '91', '1.5', 'x']) {
      const { code, stderr } = await watchword([
        'invitation',
        'create',
        '--days',
        days,
        '--database',
        'x.db',
      ]);
      assert.deepEqual([code, /--days: expected a whole number from 1 to 90/.test(stderr)], [2, true], days);
    }
  });
});
