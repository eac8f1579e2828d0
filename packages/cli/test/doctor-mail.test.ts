import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { smtpAnswer, startMailServer } from '@watchword/server-testkit/mail-server';
import { watchword } from '@watchword/server-testkit/process';

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
