import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, it, mock } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { smtpAnswer, startMailServer } from '@watchword/server-testkit/neighbours/mail-server';
import { mailOfEachKind, storeMails } from '@watchword/server-testkit/neighbours/mails';
import { temporaryDirectory, until, watchword } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { missing, type Prometheus } from './prometheus.ts';
import { repeated, startQuickPrometheus } from './quick-prometheus.ts';

const hour = 3_600_000;

// Faults that last for hours: the time of this process, with the servers in it, is set ahead.
describe('with Prometheus and faults of hours', { skip: missing('prometheus') }, () => {
  const resources = new AsyncDisposableStack();
  let prometheus: Prometheus;
  let ahead = 0;
  before(async () => {
    prometheus = resources.use(await startQuickPrometheus());
    const now = Date.now;
    const clock = mock.method(Date, 'now', () => now() + ahead);
    resources.defer(() => clock.mock.restore());
  });
  after(() => resources.disposeAsync());

  const isTrue = (expr: string) => until(async () => (await prometheus.query(expr)).length > 0, 500);

  it('WatchwordNoSigningKey, WatchwordKeysNotMaintained: fire while keys cannot be made', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.file('keys');
    const kms = ['--signing-kms', 'file', '--signing-kms-options', JSON.stringify({ directory: folder })];
    const flags = {
      database: directory.file('x.db'),
      'signing.algorithms': 'ES256,EdDSA',
      'signing.kms': 'file',
      'signing.kmsOptions': JSON.stringify({ directory: folder }),
    };
    {
      await using server = await startServer(flags, 'sqlite');
      // Before the first key is made, three seconds after the start.
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'no folder');
      prometheus.scrape('keyless', server.port);
      await prometheus.fires('WatchwordNoSigningKey', 'keyless');
      ahead += 3 * hour;
      await prometheus.fires('WatchwordKeysNotMaintained', 'keyless');
      rmSync(folder);
      mkdirSync(folder, { mode: 0o700 });
      const rotate = ['keys', 'rotate', '--now', '--database', flags.database, ...kms];
      for (const algorithm of ['ES256', 'EdDSA']) {
        const { code, stderr } = await watchword([...rotate, '--algorithm', algorithm], {
          env: { WATCHWORD_SIGNING_ALGORITHMS: flags['signing.algorithms'] },
        });
        assert.equal(code, 0, stderr);
      }
      await prometheus.ends('WatchwordNoSigningKey', 'keyless');
    }
    // A server maintains keys three seconds after its start.
    await using restarted = await startServer(flags, 'sqlite');
    prometheus.scrape('keyless', restarted.port);
    await prometheus.ends('WatchwordKeysNotMaintained', 'keyless');
  });

  it('WatchwordLogoutTokensFail: fires when an application has not accepted a logout token within a day', async () => {
    await using receiver = await startLogoutReceiver((response) => {
      response.statusCode = 500;
      response.end();
    });
    await using server = await startServer({ 'outbound.privateHosts': receiver.host }, 'sqlite');
    const app = await registerApplication(server, {
      openidScopes: ['profile'],
      backchannelLogoutUri: receiver.url,
    });
    prometheus.scrape('logout', server.port);
    await isTrue('up{job="logout"} == 1');
    const agent = new UserAgent();
    const { parameters } = await app.authorize({ scope: 'openid read', nonce: 'n' }, {}, agent);
    await app.redeem(parameters.get('code') ?? '');
    const page = await agent.get(`${server.baseUrl}/oauth2/logout`);
    await agent.submit(page, {});
    await receiver.next();
    {
      await using _hours = repeated(async () => {
        ahead += hour;
      });
      await prometheus.fires('WatchwordLogoutTokensFail', 'logout');
    }
    await prometheus.ends('WatchwordLogoutTokensFail', 'logout');
  });

  it('WatchwordMailServerFails, WatchwordMailsFail: fire while the mail server takes no mail, and when mails are given up', async () => {
    const later = { refuses: () => smtpAnswer(451, 'later') };
    await using mailServer = await startMailServer(later);
    const flags = { 'mail.url': mailServer.url, 'mail.from': 'no-reply@example.org' };
    await using server = await startServer(flags, 'sqlite');
    prometheus.scrape('mail', server.port);
    await isTrue('up{job="mail"} == 1');
    await storeMails(server.service.store, mailOfEachKind());
    await prometheus.fires('WatchwordMailServerFails', 'mail');
    {
      await using _hours = repeated(async () => {
        ahead += hour;
      });
      await prometheus.fires('WatchwordMailsFail', 'mail');
    }
    await prometheus.ends('WatchwordMailServerFails', 'mail');
    await prometheus.ends('WatchwordMailsFail', 'mail');
  });
});
