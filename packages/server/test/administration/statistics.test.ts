import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { engine } from '@watchword/server-testkit/servers/engine';
import { demoClient } from '@watchword/server-testkit/servers/server';
import { provenWriteLock } from '@watchword/server-testkit/servers/write-lock';
import { slowTest } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

const stats = '/admin/resourceServer/stats';

interface Counted {
  readonly clientId: string;
  readonly tokens: number;
  readonly resourceOwners: number;
}

interface Issued {
  readonly time: number;
  readonly grantType: string;
  readonly tokens: number;
}

interface Used {
  readonly clientId: string;
  readonly clientName: string;
  readonly issued: number;
  readonly lastIssued: number;
}

interface Work {
  readonly name: string;
  readonly interval: number;
  readonly overdue: boolean;
}

describe('the statistics', () => {
  let server: AdministrationServer;
  let root: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
  });
  after(() => server[Symbol.asyncDispose]());

  it('count the active records of each client: tokens, and the users who granted them', async () => {
    const app = async (username: string) => {
      const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
      const { parameters } = await followFlow(new UserAgent(), url, { username, password: '{}' });
      const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
      return (await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret')).json.access_token;
    };
    await app('emma');
    await app('emma');
    const given = await app('finn');
    await server.post('/oauth2/revoke', { token: given }, 'demo-app:demo-app-client-secret');
    for (let count = 0; count < 3; count += 1) await server.issueToken();
    const { json } = await root.get(stats);
    const counted = (clientId: string) => {
      const found = json.clients.find((client: Counted) => client.clientId === clientId);
      return [found.tokens, found.resourceOwners];
    };
    assert.deepEqual(counted('demo-service'), [3, 0]);
    assert.deepEqual(counted('demo-app'), [2, 2]);
    assert.deepEqual(counted('authorization-server-admin-js-client'), [1, 1]);
  });

  it('return the same numbers for one client, to its owner and to administrators alone', async () => {
    const [owner, other] = [await server.person('owner'), await server.person('other')];
    const { id } = await owner.create('/admin/resourceServer', anApi);
    const clients = `/admin/resourceServer/${id}/client`;
    const app = await owner.create(clients, { ...anApp, allowedClientCredentials: true });
    const form = { grant_type: 'client_credentials' };
    for (let count = 0; count < 2; count += 1) {
      await server.post('/oauth2/token', form, `${app.clientId}:${app.secret}`);
    }
    const { status, json } = await owner.get(`${clients}/${app.id}/stats?hours=1`);
    assert.equal(status, 200);
    assert.deepEqual([json.clientId, json.tokens, json.resourceOwners, json.issued], ['night-job', 2, 0, 2]);
    assert.equal(json.lastIssued % 3_600_000, 0);
    const listed = (await root.get(stats)).json.clients;
    assert.deepEqual(
      listed.find((client: Counted) => client.clientId === 'night-job'),
      json,
    );
    assert.deepEqual((await root.get(`${clients}/${app.id}/stats`)).json, json);
    assert.equal((await other.get(`${clients}/${app.id}/stats`)).status, 404);
    assert.equal((await owner.get(`${clients}/999/stats`)).status, 404);
    assert.equal((await owner.get(`${clients}/${app.id}/stats?hours=0`)).status, 400);
  });

  it('omit tokens that have expired or were revoked with their client', async () => {
    using clock = stoppedClock();
    const anna = await server.person('anna');
    const api = await anna.create('/admin/resourceServer', anApi);
    const clients = `/admin/resourceServer/${api.id}/client`;
    const short = await anna.create(clients, { ...anApp, clientName: 'Short', expireDuration: 60 });
    const long = await anna.create(clients, { ...anApp, clientName: 'Long' });
    for (const { clientId } of [short, short, long]) await anna.create('/admin/accessToken', { clientId });
    const counts = async () => {
      clock.advance(31);
      const { json } = await anna.get(stats);
      return json.clients.map(({ tokens, resourceOwners }: Counted) => [tokens, resourceOwners]);
    };
    assert.deepEqual(await counts(), [
      [2, 1],
      [1, 1],
    ]);
    clock.advance(60);
    assert.deepEqual(await counts(), [
      [0, 0],
      [1, 1],
    ]);
    await anna.call('POST', `${clients}/${long.id}/revocation`);
    assert.deepEqual(await counts(), [
      [0, 0],
      [0, 0],
    ]);
  });

  it('show how many tokens were issued in each hour by each grant type, also after a restart', async () => {
    await using server = await startAdministration();
    using clock = stoppedClock();
    const hour = 3_600_000;
    const start = Math.floor(Date.now() / hour) * hour;
    await server.issueToken();
    await server.issueToken();
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    const { parameters } = await followFlow(new UserAgent(), url, { username: 'emma', password: '{}' });
    const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
    const { refresh_token } = (await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret'))
      .json;
    await server.post(
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token },
      'demo-app:demo-app-client-secret',
    );
    clock.advance(3600);
    await server.issueToken();
    const root = await server.administrator();
    const issued = async (hours: number): Promise<[number, string, number][]> =>
      (await root.get(`${stats}?hours=${hours}`)).json.issued.map(({ time, grantType, tokens }: Issued) => [
        (time - start) / hour,
        grantType,
        tokens,
      ]);
    const later = [
      [1, 'client_credentials', 1],
      [1, 'implicit', 1],
    ];
    assert.deepEqual(await issued(1), later);
    const both = [
      [0, 'authorization_code', 1],
      [0, 'client_credentials', 2],
      [0, 'refresh_token', 1],
      ...later,
    ];
    assert.deepEqual(await issued(2), both);
    assert.deepEqual(await issued(744), both);
    await server.issueToken();
    assert.deepEqual((await issued(1))[0], [1, 'client_credentials', 2]);
    assert.equal((await root.get(`${stats}?hours=745`)).status, 400);
    assert.equal((await root.get(`${stats}?hours=0`)).status, 400);
  });

  it('show an owner their own clients only, and no numbers of errors', async () => {
    await server.issueToken();
    await server.post('/oauth2/token', { grant_type: 'password' }, demoClient);
    const emma = await server.person('emma');
    assert.deepEqual((await emma.get(stats)).json, {
      clients: [],
      busiest: [],
      countLimit: 10_000,
      issued: [],
      errors: [],
    });
    const api = await emma.create('/admin/resourceServer', anApi);
    const app = await emma.create(`/admin/resourceServer/${api.id}/client`, {
      ...anApp,
      clientName: 'Day job',
    });
    await emma.create('/admin/accessToken', { clientId: app.clientId });
    const { clients, issued, errors } = (await emma.get(stats)).json;
    assert.deepEqual(clients, [
      {
        id: app.id,
        clientId: 'day-job',
        clientName: 'Day job',
        resourceserver_id: api.id,
        issued: 1,
        lastIssued: Math.floor(Date.now() / 3_600_000) * 3_600_000,
        tokens: 1,
        resourceOwners: 1,
      },
    ]);
    assert.deepEqual(
      [issued.length, issued[0].grantType, issued[0].tokens, errors],
      [1, 'administration', 1, []],
    );
    const seen = (await root.get(stats)).json;
    assert.deepEqual(
      seen.errors.find(({ error }: { error: string }) => error === 'unsupported_grant_type'),
      { error: 'unsupported_grant_type', requests: 1 },
    );
    assert.ok(seen.clients.length > 3);
  });

  slowTest(
    'show administrators the busiest clients of the asked hours, and when each client was last used',
    async () => {
      await using server = await startAdministration();
      using clock = stoppedClock();
      const hour = 3_600_000;
      const start = Math.floor(Date.now() / hour) * hour;
      const root = await server.administrator();
      const api = await root.create('/admin/resourceServer', anApi);
      const clients = `/admin/resourceServer/${api.id}/client`;
      const names = ['Quiet', 'Busy', 'Unused'];
      for (const clientName of names) await root.create(clients, { ...anApp, clientName });
      const issue = (clientId: string) => root.create('/admin/accessToken', { clientId });
      for (const clientId of ['quiet', 'quiet', 'quiet', 'busy']) await issue(clientId);
      clock.advance(2 * 3600);
      const later = await server.administrator();
      for (const _ of '12') await later.create('/admin/accessToken', { clientId: 'busy' });
      const busiest = async (hours: number) =>
        (await later.get(`${stats}?hours=${hours}`)).json.busiest
          .filter(({ clientName }: Used) => names.includes(clientName))
          .map(({ clientId, issued, lastIssued }: Used) => [clientId, issued, (lastIssued - start) / hour]);
      assert.deepEqual(await busiest(1), [['busy', 2, 2]]);
      assert.deepEqual(await busiest(3), [
        ['quiet', 3, 0],
        ['busy', 3, 2],
      ]);
      const { json } = await later.get(`${stats}?hours=1`);
      const unused = json.clients.find(({ clientId }: Used) => clientId === 'unused');
      assert.deepEqual([unused.issued, unused.lastIssued], [0, null]);
      for (const list of ['/admin/client', clients]) {
        const found: Record<string, number | null | undefined> = {};
        let address: string | undefined = `${list}?lastIssued=true&limit=2`;
        while (address !== undefined) {
          const { json, headers } = await later.get(address);
          for (const { clientId, lastIssued } of json) found[clientId] = lastIssued;
          address = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
        }
        assert.deepEqual(
          { busy: (found.busy ?? 0) - start, unused: found.unused },
          { busy: 2 * hour, unused: null },
          list,
        );
        for (const { lastIssued } of (await later.get(list)).json) assert.equal(lastIssued, undefined);
      }
      const next = await later.get(`${stats}?limit=1`);
      const second = /^<([^>]+)>/.exec(next.headers.get('link') ?? '')?.[1] ?? '';
      const page = (await later.get(second)).json;
      assert.deepEqual([page.busiest, page.health], [[], undefined]);
    },
  );

  it('show administrators the health of the server', async () => {
    await using server = await startAdministration({ 'purge.interval': '1' });
    const root = await server.administrator();
    const owner = await server.person('owner');
    const api = await owner.create('/admin/resourceServer', anApi);
    const path = `/admin/resourceServer/${api.id}/client`;
    await owner.create(path, { ...anApp, allowedClientCredentials: true });
    const app = { ...anApp, clientName: 'App', redirectUris: ['https://app.example/'] };
    const { id } = await owner.create(path, app);
    const { startDate, database, work, failedLogins, authenticators, ...health } = (await root.get(stats))
      .json.health;
    const first = { id, clientName: 'App', resourceserver_id: api.id };
    assert.deepEqual(health, {
      signingProblems: [],
      drifted: [],
      expiringSecrets: { count: 0, first: null },
      unconfirmedClients: { count: 1, first },
    });
    await root.call('POST', `${path}/${id}/confirmation`);
    assert.deepEqual((await root.get(stats)).json.health.unconfirmedClients, { count: 0, first: null });
    assert.ok(startDate <= Date.now());
    assert.ok(database.size > 0);
    // The disks of PostgreSQL are not seen from here.
    assert.equal(database.free > 0, engine === 'sqlite');
    assert.equal(database.problem, null);
    assert.deepEqual(
      work.map(({ name, interval, overdue }: Work) => [name, interval, overdue]),
      [
        ['purge', 1, false],
        ['key-rotation', 3600, false],
        ['signing-keys', 3600, false],
        ['issued-counts', 60, false],
      ],
    );
    assert.deepEqual(failedLogins, { lastHour: 0, hourBefore: 0 });
    assert.deepEqual(authenticators, [{ name: 'any-person', problems: [] }]);
    const emma = await server.person('emma');
    assert.equal((await emma.get(stats)).json.health, undefined);
  });

  it('are shown while nothing can be written', async (t) => {
    await server.issueToken();
    const { store } = server.service;
    const refuse = async () => {
      throw new StoreUnavailableError('the database is locked');
    };
    t.mock.method(store, 'check', refuse);
    t.mock.method(store.statistics, 'addIssued', refuse);
    const { status, json } = await root.get(stats);
    assert.equal(status, 200);
    assert.ok(json.clients.length > 0);
    assert.equal(json.health.database.problem, 'the database is locked');
  });

  // The test above holds it, without waiting for the lock.
  slowTest('are shown while another process has the write lock', async () => {
    await server.issueToken();
    await using _lock = await provenWriteLock(server);
    const { status, json } = await root.get(stats);
    assert.equal(status, 200);
    assert.ok(json.clients.length > 0);
    // PostgreSQL ends a statement that waits too long, unless this server stops waiting first.
    assert.match(json.health.database.problem, /the database|lock timeout/i);
  });

  slowTest('are paged by client', async () => {
    await using server = await startAdministration();
    const root = await server.administrator();
    const found: string[] = [];
    let path: string | undefined = `${stats}?limit=1&hours=2`;
    while (path !== undefined) {
      const { json, headers } = await root.get(path);
      found.push(...json.clients.map(({ clientId }: Counted) => clientId));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      if (path !== undefined) assert.match(path, /hours=2/);
    }
    const builtIn = ['authorization-server-admin-js-client', 'authorization-server-admin-cli'];
    assert.deepEqual(found, ['demo-service', 'demo-app', ...builtIn]);
  });
});
