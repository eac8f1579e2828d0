import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startTraceReceiver } from '@watchword/server-testkit/neighbours/trace-receiver';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { temporaryDirectory, until } from '@watchword/server-testkit/processes/process';
import { accountUsers } from '@watchword/server-testkit/servers/account-server';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { missing, type Prometheus } from './prometheus.ts';
import { repeated, startQuickPrometheus } from './quick-prometheus.ts';

describe('with Prometheus and faults of logins and traces', { skip: missing('prometheus') }, () => {
  const resources = new AsyncDisposableStack();
  let prometheus: Prometheus;
  before(async () => {
    prometheus = resources.use(await startQuickPrometheus());
  });
  after(() => resources.disposeAsync());

  /** Opens a login page in a new browser and submits it. */
  async function logIn({ baseUrl }: TestServer, username: string, password: string) {
    const agent = new UserAgent();
    const page = await agent.get(`${baseUrl}/authorize?response_type=code&client_id=demo-app`);
    await agent.submit(page, { username, password });
  }

  it('WatchwordLoginErrors, WatchwordModuleFails: fire while an identity provider does not answer', async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('module.mjs');
    writeFileSync(
      module,
      `export default () => ({
        name: 'remote',
        begin: async () => ({ type: 'form' }),
        async resume(_context, submission) {
          if (submission.get('username')[0] === 'nobody') throw new Error('no answer');
          return { type: 'form', message: 'later' };
        },
      });`,
    );
    await using server = await startServer({ authenticator: module, consent: 'noop' }, 'sqlite');
    prometheus.scrape('remote', server.port);
    {
      await using _load = repeated(() => logIn(server, 'nobody', 'x'));
      await prometheus.fires('WatchwordLoginErrors', 'remote');
      await prometheus.fires('WatchwordModuleFails', 'remote');
    }
    await using _load = repeated(() => logIn(server, 'emma', 'x'));
    await prometheus.ends('WatchwordLoginErrors', 'remote');
    await prometheus.ends('WatchwordModuleFails', 'remote');
  });

  it('WatchwordLoginFailuresSurge: fires while passwords are guessed', async () => {
    await using server = await startServer({ authenticator: 'password' }, 'sqlite');
    prometheus.scrape('guessed', server.port);
    // There is something to compare with.
    await until(async () => {
      const usual = 'sum(rate(watchword_logins_total{job="guessed",outcome="failure"}[30s] offset 20s))';
      return (await prometheus.query(usual)).length > 0;
    }, 500);
    let guess = 0;
    {
      await using _guesser = repeated(() => {
        guess += 1;
        return logIn(server, `user${guess}`, 'wrong horse');
      }, 2);
      await prometheus.fires('WatchwordLoginFailuresSurge', 'guessed');
    }
    await prometheus.ends('WatchwordLoginFailuresSurge', 'guessed');
  });

  it('WatchwordSecondFactorsGuessed: fires while second factors are guessed', async () => {
    await using server = await startServer({ authenticator: 'password' }, 'sqlite');
    const users = await accountUsers(server);
    await users.addAccount('emma');
    const owner = await users.browserOf('emma');
    const app = await owner.get(`${server.baseUrl}/account/totp`);
    await owner.submit(app, { code: AuthenticatorApp.of(app).code() });
    const guesser = new UserAgent();
    const login = await guesser.get(`${server.baseUrl}/account`);
    let page = await guesser.submit(login, { username: 'emma', password: 'correct horse battery' });
    prometheus.scrape('factors', server.port);
    const usual =
      'sum(rate(watchword_factors_presented_total{job="factors",outcome="failure"}[30s] offset 20s))';
    await until(async () => (await prometheus.query(usual)).length > 0, 500);
    {
      await using _guesser = repeated(async () => {
        page = await guesser.submit(page, { choice: 'totp', code: '000000' });
      });
      await prometheus.fires('WatchwordSecondFactorsGuessed', 'factors');
    }
    await prometheus.ends('WatchwordSecondFactorsGuessed', 'factors');
  });

  it('WatchwordPasswordsBusy: fires while more people log in than passwords can be hashed, and the surge of failures does not', async () => {
    const hashing = { 'passwordHashing.concurrency': '1', 'passwordHashing.maxWaiting': '0' };
    await using server = await startServer({ authenticator: 'password', ...hashing }, 'sqlite');
    await (await accountUsers(server)).addAccount('emma');
    prometheus.scrape('busy', server.port);
    {
      await using _people = repeated(() => logIn(server, 'emma', 'correct horse battery'), 4);
      await prometheus.fires('WatchwordPasswordsBusy', 'busy');
    }
    await prometheus.ends('WatchwordPasswordsBusy', 'busy');
    const surge = 'max_over_time(ALERTS{alertname="WatchwordLoginFailuresSurge",job="busy"}[10m])';
    assert.deepEqual(await prometheus.query(surge), []);
  });

  it('WatchwordSpansLost: fires while the receiver of traces fails', async () => {
    let status = 500;
    await using receiver = await startTraceReceiver((response) => {
      response.statusCode = status;
      response.end('{}');
    });
    const traced = { 'tracing.endpoint': receiver.endpoint, 'tracing.ratio': '1' };
    await using server = await startServer(traced, 'sqlite');
    prometheus.scrape('traced', server.port);
    await using _load = repeated(() => server.issueToken());
    await prometheus.fires('WatchwordSpansLost', 'traced');
    status = 200;
    await prometheus.ends('WatchwordSpansLost', 'traced');
  });
});
