import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { smtpAnswer, startMailServer } from '@watchword/server-testkit/neighbours/mail-server';
import { trustCertificates } from '@watchword/server-testkit/neighbours/trusted-certificates';
import { watchword } from '@watchword/server-testkit/processes/process';
import { testKey } from '@watchword/testkit/certificate';

const from = ['--mail-from', 'no-reply@example.org'];

describe('doctor --mail', () => {
  it('sends one mail, and exits with 0', async () => {
    await using mailServer = await startMailServer();
    const { code, stdout } = await watchword([
      ...['doctor', '--mail', 'emma@example.org', '--mail-url', mailServer.url],
      ...from,
    ]);
    assert.match(
      stdout,
      /✓ mail: the mail server of smtp:\/\/127\.0\.0\.1:\d+ has accepted a mail to emma@example\.org/,
    );
    assert.equal(code, 0);
    assert.equal(mailServer.received[0]?.mail.subject, 'Test mail');
  });

  it('trusts the authority of the operator, and no other, with a password', async () => {
    const { key, certificate } = testKey('localhost');
    await using mailServer = await startMailServer({
      secure: true,
      key,
      cert: certificate,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        done(password === 'of emma' ? null : smtpAnswer(535, 'no'), { user: username }),
    });
    await using folder = await mkdtempDisposable(join(tmpdir(), 'watchword-'));
    const password = join(folder.path, 'password');
    await writeFile(password, 'of emma', { mode: 0o600 });
    const url = `smtps://emma@localhost:${mailServer.port}`;
    const command = ['doctor', '--mail', 'emma@example.org', '--mail-url', url, ...from];
    const login = ['--mail-password-file', password];
    {
      using _trusted = trustCertificates(certificate);
      const trusting = await watchword([...command, ...login]);
      assert.equal(trusting.code, 0, trusting.stdout + trusting.stderr);
    }
    const { code, stdout } = await watchword([...command, ...login]);
    assert.match(stdout, /the certificate of the mail server is not .*NODE_EXTRA_CA_CERTS/);
    assert.deepEqual([code, mailServer.received.length], [1, 1]);
  });

  it('says why none was sent, and exits with 1', async () => {
    await using mailServer = await startMailServer({ refuses: () => smtpAnswer(550, '5.1.1 no') });
    const command = ['doctor', '--mail', 'emma@example.org'];
    for (const [options, reason] of [
      [['--mail-url', mailServer.url, ...from], 'the mail server answered 550 5.1.1 to the recipient'],
      [[], 'no mail server is set'],
    ] as const) {
      const { code, stdout } = await watchword([...command, ...options]);
      assert.ok(stdout.includes(reason), stdout);
      assert.equal(code, 1);
    }
  });

  it('examines nothing else, so that it takes no client and no URL', async () => {
    const { code, stderr } = await watchword(['doctor', 'demo-app', '--mail', 'emma@example.org']);
    assert.match(stderr, /--mail: expected no clientId/);
    assert.equal(code, 2);
  });
});
