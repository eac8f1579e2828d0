import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type MailServer, startMailServer } from '@watchword/server-testkit/neighbours/mail-server';
import { mailOfEachKind, storeMails } from '@watchword/server-testkit/neighbours/mails';
import { startServer } from '@watchword/server-testkit/servers/server';
import { freePort } from '@watchword/testkit/free-port';

const from = 'Watchword <no-reply@id.example>';

const mails = [
  ...mailOfEachKind('emma@example.org', 'en').slice(0, 1),
  ...mailOfEachKind('nora@example.org', 'nl'),
];
const baseUrl = 'https://id.example/auth';

describe('a server with a mail server', () => {
  let received: Awaited<ReturnType<MailServer['until']>>;
  before(async () => {
    await using mailServer = await startMailServer();
    await using server = await startServer({
      'mail.url': mailServer.url,
      'mail.from': from,
      baseUrl,
      authenticator: 'password',
    });
    await server.get('/account', { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
    await storeMails(server.service.store, mails);
    received = await mailServer.until(mails.length);
  });

  it('sends a mail of every kind, in the language of the person', () => {
    const subjects = (to: string) =>
      received.flatMap((each) => (each.to === to ? [each.mail.subject] : [])).sort();
    assert.deepEqual(subjects('emma@example.org'), ['Confirm your e-mail address']);
    assert.deepEqual(subjects('nora@example.org'), [
      'Bevestig je e-mailadres',
      'Een factor van je aanmelding is verwijderd',
      'Een herstelcode is gebruikt',
      'Je aanmelding heeft een nieuwe factor',
      'Je account heeft geen wachtwoord',
      'Je e-mailadres is gewijzigd',
      'Je hebt al een account',
      'Je wachtwoord is gewijzigd',
      'Kies een nieuw wachtwoord',
      'Nieuwe aanmelding bij je account',
      'Uitnodiging voor Watchword',
    ]);
    const ids = new Set(received.map(({ mail }) => mail.messageId));
    assert.equal(ids.size, mails.length);
    for (const { mail, from: sender } of received) {
      assert.equal(sender, 'no-reply@id.example');
      assert.ok(mail.text?.includes(baseUrl) && mail.html?.includes(baseUrl));
    }
  });

  it('has links of its base URL alone, whatever host a request names', () => {
    for (const { raw, mail } of received) {
      assert.doesNotMatch(raw, /evil/);
      const links = [...(mail.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
      assert.ok(links.length > 0 && links.every((link) => link.startsWith(`${baseUrl}/`)), links.join());
    }
  });

  it('keeps a mail that the mail server does not take yet, and gives up one that it refuses for good', async () => {
    const refused = Object.assign(new Error('5.1.1 <gone@example.org> unknown'), { responseCode: 550 });
    await using mailServer = await startMailServer({
      refuses: (to) => (to === 'gone@example.org' ? refused : undefined),
    });
    await using server = await startServer({ 'mail.url': mailServer.url, 'mail.from': from });
    const [, , , , , changed] = mailOfEachKind('gone@example.org');
    assert.ok(changed !== undefined);
    await storeMails(server.service.store, [changed, { ...changed, to: 'emma@example.org' }]);
    await mailServer.until(1);
    while ((await server.service.store.outgoingMail.waiting()).count > 0) await turn();
    assert.deepEqual(
      mailServer.received.map(({ to }) => to),
      ['emma@example.org'],
    );
    assert.match(server.log(), /the mail server answered 550 5\.1\.1 to the recipient.*gives it up/);
    assert.doesNotMatch(server.log(), /gone@|emma@|secret/);
    const { text } = await server.get('/metrics');
    assert.match(text, /^watchword_mails_total\{outcome="failed"\} 1$/m);
    assert.match(text, /^watchword_mails_total\{outcome="sent"\} 1$/m);
  });

  it('answers its pages while the mail server is down, and keeps the mails', async () => {
    const url = `smtp://127.0.0.1:${await freePort()}`;
    await using server = await startServer({ 'mail.url': url, 'mail.from': from });
    const mails = mailOfEachKind();
    await storeMails(server.service.store, mails);
    assert.equal((await server.get('/readyz')).status, 200);
    while (!server.log().includes('a mail was not sent; the server tries again')) await turn();
    assert.equal((await server.service.store.outgoingMail.waiting()).count, mails.length);
    assert.match(server.log(), /no connection to the mail server/);
  });

  it('does not start without a sender, or with two passwords', async () => {
    const url = 'smtp://127.0.0.1:1';
    await assert.rejects(startServer({ 'mail.url': url }), /mail\.from .*expected an address/);
    const both = { 'mail.password': 'a', 'mail.passwordFile': '/nowhere' };
    await assert.rejects(startServer({ 'mail.url': url, 'mail.from': from, ...both }), /remove one of them/);
  });
});

/** Lets other work go on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
