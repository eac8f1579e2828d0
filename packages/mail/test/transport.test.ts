import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type MailServerOptions,
  smtpAnswer,
  startMailServer,
} from '@watchword/server-testkit/neighbours/mail-server';
import { trustCertificates } from '@watchword/server-testkit/neighbours/trusted-certificates';
import { testKey } from '@watchword/testkit/certificate';
import { freePort } from '@watchword/testkit/free-port';
import { createMailTransport, isMailAddress, isMailUrl, isSender, MailError } from '../src/index.ts';

const message = {
  id: '019aa000-0000-7000-8000-000000000001',
  to: 'emma@example.org',
  language: 'de',
  subject: 'Grüße',
  text: 'Grüße, Emma',
  html: '<p>Grüße, Emma</p>',
};
const from = 'Wörter <no-reply@example.org>';

async function sent(overrides: Partial<typeof message> = {}, options: MailServerOptions = {}) {
  await using server = await startMailServer(options);
  const transport = createMailTransport({ url: server.url, from, replyTo: 'help@example.org' });
  try {
    await transport.send({ ...message, ...overrides });
  } finally {
    await transport.close();
  }
  const [first, ...others] = server.received;
  assert.ok(first !== undefined && others.length === 0);
  return first;
}

async function refusal(answer: Error, options: MailServerOptions = {}) {
  const error = await sent({}, { refuses: () => answer, ...options }).catch((error: unknown) => error);
  assert.ok(error instanceof MailError);
  return error;
}

describe('a mail', () => {
  it('has both texts, its sender, its language and a Message-ID that its id decides', async () => {
    const { to, from: envelopeFrom, mail } = await sent();
    assert.deepEqual([to, envelopeFrom], ['emma@example.org', 'no-reply@example.org']);
    assert.deepEqual(mail.from, { name: 'Wörter', address: 'no-reply@example.org' });
    assert.equal(mail.messageId, `<${message.id}@example.org>`);
    assert.deepEqual(
      [mail.subject, mail.text?.trim(), mail.html?.trim()],
      [message.subject, message.text, message.html],
    );
    const header = (key: string) => mail.headers.find((each) => each.key === key)?.value;
    assert.deepEqual(['auto-submitted', 'content-language'].map(header), ['auto-generated', 'de']);
    assert.equal(mail.replyTo?.[0]?.address, 'help@example.org');
  });

  it('gets no header and no recipient from its subject', async () => {
    const { to, mail } = await sent({ subject: 'a\r\nBcc: finn@example.org\r\n\r\nb\u2028c' });
    assert.equal(to, 'emma@example.org');
    assert.equal(mail.subject, 'a Bcc: finn@example.org b c');
    assert.equal(mail.bcc, undefined);
  });

  for (const to of [
    'emma@example.org,finn@example.org',
    'emma@example.org\r\nBcc: finn@example.org',
    'Emma <emma@example.org>',
    '"a b"@example.org',
    'emma@[127.0.0.1]',
    'emma@example.org ',
    'a@b@c',
    '@example.org',
    'emma@',
    `${'a'.repeat(65)}@example.org`,
  ]) {
    it(`is not sent to ${JSON.stringify(to).slice(0, 50)}, which is not one address`, async () => {
      assert.ok(!isMailAddress(to));
      await assert.rejects(sent({ to }), { name: 'MailError', kind: 'refused' });
    });
  }
});

describe('an address', () => {
  it('can have letters of all scripts, signs and a plus', () => {
    for (const address of [
      "o'neill+tag@mail.example.org",
      'émma@exämple.org',
      'a@localhost',
      '用户@例子.广告',
    ])
      assert.ok(isMailAddress(address), address);
  });

  it('of a sender can have a name', () => {
    for (const sender of ['a@b.org', 'A B <a@b.org>', '<a@b.org>']) assert.ok(isSender(sender), sender);
    for (const other of ['A', 'A <a>', 'A\r\nB <a@b.org>', 'A <a@b.org> B', '"A" <a@b.org>'])
      assert.ok(!isSender(other), other);
  });
});

describe('the URL of a mail server', () => {
  it('requires TLS, except on this machine, and has no password', () => {
    for (const url of [
      'smtps://mail.example.org',
      'smtp+starttls://me%40example.org@mail:587',
      'smtp://[::1]:25',
      'smtp://localhost',
    ])
      assert.ok(isMailUrl(url), url);
    for (const url of [
      'smtp://mail.example.org',
      'smtp://127.0.0.1.example.org',
      'smtps://me:password@mail.example.org',
      'smtps://',
      'smtps://mail.example.org/path',
      'smtps://mail.example.org?tls=no',
      'https://mail.example.org',
      'mail.example.org',
    ])
      assert.ok(!isMailUrl(url), url);
  });
});

describe('an answer of the mail server', () => {
  it('that refuses a recipient for good ends the attempts, and shows no address', async () => {
    const error = await refusal(smtpAnswer(550, '5.1.1 <emma@example.org> unknown, and has no certificate'));
    assert.deepEqual(
      [error.kind, error.message],
      ['refused', 'the mail server answered 550 5.1.1 to the recipient'],
    );
  });

  it('that refuses for now, or by a policy that an operator can change, is followed by another attempt', async () => {
    for (const [code, text] of [
      [451, '4.7.1 later'],
      [554, '5.7.1 relay access denied'],
    ] as const)
      assert.equal((await refusal(smtpAnswer(code, text))).kind, 'postponed');
  });

  it('that refuses the sender concerns all mails', async () => {
    const onMailFrom: MailServerOptions['onMailFrom'] = (_address, _session, done) =>
      done(smtpAnswer(550, 'no'));
    const error = await sent({}, { onMailFrom }).catch((error: unknown) => error);
    assert.ok(error instanceof MailError);
    assert.deepEqual(
      [error.kind, error.message],
      ['unavailable', 'the mail server answered 550 to the sender of mail.from'],
    );
  });

  it('that does not come concerns all mails', async () => {
    const transport = createMailTransport({ url: `smtp://127.0.0.1:${await freePort()}`, from });
    await assert.rejects(transport.send(message), {
      kind: 'unavailable',
      message: /^no connection to the mail server/,
    });
    await transport.close();
  });
});

describe('a connection that requires TLS', () => {
  const secret = 'a password of the mail server';
  const ofHost = testKey('localhost');

  /** A mail server that takes mails of one user. `logins`: what it was told before it took them. */
  async function startLoginServer(options: MailServerOptions) {
    const logins: string[] = [];
    const server = await startMailServer({
      authOptional: false,
      onAuth({ username = '', password = '' }, { secure }, done) {
        logins.push(`${username} ${password}${secure ? '' : ' without TLS'}`);
        if (password === secret) done(null, { user: username });
        else done(smtpAnswer(535, '5.7.8 no'));
      },
      ...options,
    });
    return Object.assign(server, { logins });
  }

  async function send(url: string, password = secret) {
    const transport = createMailTransport({ url, password, from });
    try {
      await transport.send(message);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof MailError);
      assert.ok(!`${error.stack}`.includes(password));
      return `${error.kind}: ${error.message}`;
    } finally {
      await transport.close();
    }
  }

  for (const [scheme, secure] of [
    ['smtps', true],
    ['smtp+starttls', false],
  ] as const) {
    const start = ({ key, certificate }: { readonly key: string; readonly certificate: string }) =>
      startLoginServer({ secure, key, cert: certificate });

    it(`takes mails of a user with a password at ${scheme}`, async () => {
      using _trusted = trustCertificates(ofHost.certificate);
      await using server = await start(ofHost);
      const url = `${scheme}://me%40example.org@localhost:${server.port}`;
      assert.equal(await send(url), undefined);
      assert.deepEqual(server.logins, [`me@example.org ${secret}`]);
      assert.equal(server.received[0]?.to, message.to);
      assert.equal(
        await send(url, 'a wrong one'),
        'unavailable: the mail server refused the login; check the user in mail.url, and mail.password (it answered 535 5.7.8)',
      );
    });

    it(`tells no password to a server at ${scheme} whose certificate is of an unknown authority, or for another host`, async () => {
      const other = testKey('mail.example.org');
      const late = testKey('localhost', { notAfter: new Date('2021-01-01') });
      using _trusted = trustCertificates(other.certificate, late.certificate);
      for (const key of [ofHost, other, late]) {
        await using server = await start(key);
        assert.match(
          `${await send(`${scheme}://me@localhost:${server.port}`)}`,
          /^unavailable: the certificate of the mail server is not .* NODE_EXTRA_CA_CERTS$/,
        );
        assert.deepEqual([server.logins, server.received], [[], []]);
      }
    });
  }

  it('tells no password to a server that offers no TLS', async () => {
    await using server = await startLoginServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    for (const scheme of ['smtp+starttls', 'smtps'])
      assert.match(
        `${await send(`${scheme}://me@localhost:${server.port}`)}`,
        /^unavailable: the mail server offers no TLS here; check the scheme and the port of mail\.url/,
      );
    assert.deepEqual([server.logins, server.received], [[], []]);
  });
});
