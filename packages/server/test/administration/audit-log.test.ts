import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { engine } from '@watchword/server-testkit/servers/engine';
import { sql } from '@watchword/server-testkit/servers/sql';
import { assertError } from '../support/error-answers.ts';

const list = '/admin/resourceServer';
const eventsPath = '/admin/auditEvent';

/** Makes every insert of an event fail. */
const refusal = {
  sqlite: {
    begin: "create trigger refused before insert on audit_event begin select raise(abort, 'no'); end",
    end: 'drop trigger refused',
  },
  postgresql: {
    begin: 'alter table audit_event add constraint refused check (false) not valid',
    end: 'alter table audit_event drop constraint refused',
  },
};

describe('the audit log', () => {
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    emma = await server.person('emma');
  });
  after(() => server[Symbol.asyncDispose]());
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the answer
  const latest = async (who = root): Promise<any> => (await who.get(`${eventsPath}?limit=1`)).json[0];

  it('has every change: by which user, when, from where and through which client, before and after', async () => {
    const from = Date.now();
    const api = await emma.create(list, anApi);
    const { secret: _, ...record } = api;
    const { id, time, ...created } = await latest();
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.ok(time >= from && time <= Date.now());
    const who = {
      actor: 'emma',
      actorAuthority: 'any-person',
      clientId: 'authorization-server-admin-js-client',
      clientName: 'Administration',
      source: '127.0.0.1',
    };
    const of = {
      recordType: 'resourceServer',
      recordId: String(api.id),
      recordName: api.key,
      owner: 'emma',
      ownerAuthority: 'any-person',
    };
    assert.deepEqual(created, { ...who, ...of, action: 'create', before: null, after: record });

    await root.call('PATCH', `${list}/${api.id}`, { description: 'New.', contactName: 'Ann' });
    const { id: _id, time: _time, ...updated } = await latest();
    assert.deepEqual(updated, {
      ...who,
      ...of,
      actor: 'root',
      action: 'update',
      before: { description: '' },
      after: { description: 'New.' },
    });
    await emma.call('POST', `${list}/${api.id}/secret`, { overlap: 7 });
    const rotated = await latest();
    assert.deepEqual([rotated.action, rotated.before, rotated.after], ['rotateSecret', null, { overlap: 7 }]);
    await emma.call('DELETE', `${list}/${api.id}`);
    const deleted = await latest();
    assert.deepEqual([deleted.action, deleted.before.description, deleted.after], ['delete', 'New.', null]);
  });

  it('names each client that loses a scope or is deleted with its resource server', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Whole' });
    const app = await emma.create(`${list}/${api.id}/client`, { ...anApp, clientName: 'Part' });
    await emma.call('PATCH', `${list}/${api.id}`, { scopes: ['write'] });
    const [ofApp] = (await root.get(`${eventsPath}?recordType=client&recordId=${app.id}&limit=1`)).json;
    assert.deepEqual(
      [ofApp.action, ofApp.before, ofApp.after],
      ['update', { scopes: ['read'] }, { scopes: [] }],
    );
    await emma.call('DELETE', `${list}/${api.id}`);
    const [gone] = (await root.get(`${eventsPath}?recordType=client&recordId=${app.id}&limit=1`)).json;
    assert.deepEqual([gone.action, gone.recordName], ['delete', 'part']);
  });

  it('has tokens that were issued, changed and revoked by an administrator, and bulk revocations', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Tokens' });
    const app = await emma.create(`${list}/${api.id}/client`, { ...anApp, clientName: 'Holder' });
    const { id } = await emma.create('/admin/accessToken', { clientId: app.clientId });
    await emma.call('PATCH', `/admin/accessToken/${id}`, { scopes: [] });
    await emma.call('DELETE', `/admin/accessToken/${id}`);
    const events = (await emma.get(`${eventsPath}?recordType=accessToken&recordId=${id}`)).json;
    assert.deepEqual(
      events.map(({ action, recordName }: { action: string; recordName: string }) => [action, recordName]),
      [
        ['delete', 'holder'],
        ['update', 'holder'],
        ['create', 'holder'],
      ],
    );
    assert.deepEqual([events[1].before, events[1].after], [{ scopes: ['read'] }, { scopes: [] }]);
    await emma.call('POST', `${list}/${api.id}/client/${app.id}/revocation`);
    assert.deepEqual([(await latest()).action, (await latest()).recordName], ['revokeTokens', 'holder']);
    const owner = { resourceOwnerId: 'someone', resourceOwnerAuthority: 'any-person' };
    await root.call('POST', '/admin/resourceOwner/revocation', owner);
    const { action, recordType, recordName } = await latest();
    assert.deepEqual([action, recordType, recordName], ['revokeTokens', 'resourceOwner', 'someone']);
  });

  it('has no event for a change that was rejected, or that changed nothing', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Still' });
    const before = (await root.get(eventsPath)).text;
    await emma.call('POST', list, { ...anApi, name: 'Still' });
    await emma.call('PATCH', `${list}/${api.id}`, { name: '' });
    await emma.call('PATCH', `${list}/${api.id}`, { description: 'x' }, { 'if-match': '"0"' });
    await emma.call('PATCH', `${list}/${api.id}`, {});
    await emma.call('DELETE', `${list}/999999`);
    assert.equal((await root.get(eventsPath)).text, before);
  });

  it('is written together with the change: without the event, nothing changes', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Bound' });
    await sql(server.database, refusal[engine].begin);
    for (const [method, path, body] of [
      ['PATCH', `${list}/${api.id}`, { description: 'x' }],
      ['DELETE', `${list}/${api.id}`, undefined],
      ['POST', list, { ...anApi, name: 'Never' }],
      ['POST', `${list}/${api.id}/client`, anApp],
    ] as const) {
      assertError(await emma.call(method, path, body), 500, 'server_error');
    }
    await sql(server.database, refusal[engine].end);
    assert.equal((await emma.get(`${list}/${api.id}`)).json.description, '');
    assert.deepEqual((await emma.get(`${list}?q=never`)).json, []);
    assert.deepEqual((await emma.get(`${list}/${api.id}/client`)).json, []);
    assert.equal((await emma.call('PATCH', `${list}/${api.id}`, { description: 'y' })).status, 200);
  });

  it('shows administrators everything, and other users all changes of their own records and their own changes', async () => {
    const finn = await server.person('finn');
    const api = await finn.create(list, { ...anApi, name: "Finn's" });
    await root.call('PATCH', `${list}/${api.id}`, { description: 'by root' });
    const events = (await finn.get(eventsPath)).json;
    assert.deepEqual(
      events.map(({ actor, action }: { actor: string; action: string }) => [actor, action]),
      [
        ['root', 'update'],
        ['finn', 'create'],
        ['finn', 'grant'],
        ['finn', 'login'],
      ],
    );
    assert.doesNotMatch((await emma.get(eventsPath)).text, /finn/i);
  });

  it('is read page by page, the newest first, and searched', async () => {
    const times: number[] = [];
    const ids = new Set<string>();
    let path: string | undefined = `${eventsPath}?limit=4`;
    while (path !== undefined) {
      const { json, headers } = await root.get(path);
      for (const { id, time } of json) {
        times.push(time);
        ids.add(id);
      }
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.equal(ids.size, times.length);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    const found = (await root.get(`${eventsPath}?q=FINN`)).json;
    assert.ok(found.length >= 2);
    assert.equal(
      (await root.get(`${eventsPath}?recordType=client`)).json.every(
        ({ recordType }: { recordType: string }) => recordType === 'client',
      ),
      true,
    );
  });

  it('is read by person: events by the person and about records of the person, with the identity provider', async () => {
    const gina = await server.person('gina');
    const api = await gina.create(list, { ...anApi, name: 'Of Gina' });
    await root.call('PATCH', `${list}/${api.id}`, { description: 'By root' });
    const ofGina = `${eventsPath}?resourceOwnerId=gina&identityProvider=any-person`;
    const events = async (query: string, who = root): Promise<string[]> =>
      (await who.get(query)).json.map(
        ({ actor, action, recordType }: Record<string, string>) => `${actor} ${action} ${recordType}`,
      );
    const changes = ['root update resourceServer', 'gina create resourceServer'];
    const logins = ['gina grant grant', 'gina login loginSession'];
    assert.deepEqual(await events(ofGina), [...changes, ...logins]);
    assert.deepEqual(await events(`${ofGina}&kind=changes`), changes);
    assert.deepEqual(await events(`${ofGina}&recordType=grant`), logins.slice(0, 1));
    assert.deepEqual(await events(ofGina, gina), [...changes, ...logins]);
    assert.deepEqual(await events(ofGina, emma), []);
    assert.deepEqual(await events(`${eventsPath}?resourceOwnerId=gina&identityProvider=password`), []);
    assertError(await root.get(`${eventsPath}?resourceOwnerId=gina`), 400, 'invalid_request');
    const ofRecord = `${eventsPath}?recordType=resourceServer&recordId=${api.id}`;
    assert.deepEqual(await events(ofRecord), changes);
    assert.deepEqual(await events(`${ofRecord}&kind=logins`), []);
  });

  it('is in the log too, one line a change, with the names of the changed fields and not the record', async () => {
    const lines = server
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"changed a record"'))
      .map((line) => JSON.parse(line).audit);
    const [finns] = (await root.get(`${eventsPath}?q=finns&recordType=resourceServer`)).json;
    const update = lines.find(({ action, recordId }) => action === 'update' && recordId === finns.recordId);
    assert.deepEqual(update, {
      id: update.id,
      actor: { identityProvider: 'any-person', name: 'root' },
      clientId: 'authorization-server-admin-js-client',
      clientName: 'Administration',
      source: '127.0.0.1',
      action: 'update',
      recordType: 'resourceServer',
      recordId: finns.recordId,
      fields: ['description'],
    });
    for (const line of lines) {
      for (const name of ['before', 'after', 'owner', 'recordName']) assert.ok(!(name in line));
      assert.equal('fields' in line, line.action === 'update');
    }
  });

  it('shows the network address of another actor to administrators only', async () => {
    const ida = await server.person('ida');
    const { id } = await ida.create(list, { ...anApi, name: 'Of Ida' });
    await root.call('PATCH', `${list}/${id}`, { description: 'changed by root' });
    const sources = async (caller: Administering) => {
      const { json } = await caller.get(`${eventsPath}?recordType=resourceServer&recordId=${id}`);
      return json.map(({ actor, source }: { actor: string; source: string }) => [actor, source]);
    };
    assert.deepEqual(await sources(ida), [
      ['root', ''],
      ['ida', '127.0.0.1'],
    ]);
    assert.deepEqual(await sources(root), [
      ['root', '127.0.0.1'],
      ['ida', '127.0.0.1'],
    ]);
  });

  it('names the client of each event that came through one, changes and logins alike, and finds them by that name', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Named' });
    const app = await registerApplication(server, { clientName: 'The quiet tool' }, api.key);
    const answers = { username: 'emma', password: '{}' };
    assert.ok((await app.authorize({}, answers)).parameters.get('code'));
    const named = (await root.get(`${eventsPath}?q=QUIET&limit=100`)).json;
    assert.deepEqual(
      named.map(({ action, clientName }: Record<string, string>) => `${action} ${clientName}`).slice(0, 2),
      ['grant The quiet tool', 'login The quiet tool'],
    );
    const all = (await root.get(`${eventsPath}?limit=1000`)).json as Record<string, string>[];
    const through = all.filter(({ clientId }) => clientId !== null);
    assert.deepEqual(
      through.filter(({ clientName }) => clientName === null || clientName === ''),
      [],
    );
    assert.deepEqual(
      all.filter(({ clientId, clientName }) => clientId === null && clientName !== null),
      [],
    );
    const actions = new Set(through.map(({ action }) => action));
    for (const action of ['login', 'grant', 'create', 'update', 'delete', 'rotateSecret', 'revokeTokens'])
      assert.ok(actions.has(action), `the test has made no event "${action}"`);
  });

  it('has the records that the server registered for itself, and their origin', async () => {
    const [event] = (
      await root.get(`${eventsPath}?q=authorization-server-admin-js-client&recordType=client`)
    ).json.slice(-1);
    assert.deepEqual(
      [event.actor, event.actorAuthority, event.clientId, event.source],
      ['watchword', 'system', null, ''],
    );
  });
});

describe('the retention of the audit log', () => {
  it('is a setting: older events are removed, newer ones stay, and 0 keeps all', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    const create = (name: string) => watchword(['resource-server', 'create', '--name', name, ...database]);
    await create('Old');
    await create('Young');
    const file = directory.file('x.db');
    // As if the event were two hours old.
    const time = (Date.now() - 7_200_000).toString(16).padStart(12, '0');
    const id = Buffer.from(`${time}70008000000000000000`, 'hex');
    await sql(file, "update audit_event set id = ? where record_name = 'old'", id);
    const purge = async (retention: string) =>
      JSON.parse(
        (await watchword(['purge', '--json', ...database], { env: { WATCHWORD_AUDIT_RETENTION: retention } }))
          .stdout,
      );
    assert.equal((await purge('0')).auditEvents, 0);
    assert.equal((await purge('10000')).auditEvents, 0);
    assert.equal((await purge('3600')).auditEvents, 1);
    assert.deepEqual(
      (await sql(file, 'select record_name as name from audit_event')).map(({ name }) => name),
      ['young'],
    );
  });
});

describe('the command line', () => {
  it('writes its changes to the audit log: what changed, and by which user of the operating system', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    const run = async (...args: string[]) => {
      const { code, stderr } = await watchword([...args, ...database]);
      assert.equal(code, 0, stderr);
    };
    await run('resource-server', 'create', '--name', 'API', '--scope', 'read');
    await run('resource-server', 'update', 'api', '--description', 'x');
    await run(
      'client',
      'create',
      '--name',
      'App',
      '--resource-server',
      'api',
      '--scope',
      'read',
      '--allow-client-credentials',
    );
    await run('client', 'update', 'app', '--expire-duration', '60');
    await run('client', 'rotate-secret', 'app');
    await run('token', 'issue', '--client', 'app');
    await run('token', 'revoke', '--client', 'app');
    await run('client', 'delete', 'app', '--yes');
    await run('resource-server', 'delete', 'api', '--yes');
    const withPassword = (...args: string[]) =>
      watchword([...args, '--password-stdin', ...database], { stdin: 'correct horse battery\n' });
    await withPassword('user', 'create', 'emma');
    await run('user', 'set-admin', 'emma', 'on');
    await withPassword('user', 'set-password', 'emma');
    await run('user', 'disable', 'emma');
    const events = await sql(
      directory.file('x.db'),
      `select event_action as action, record_type, record_name, actor_name as actor,
         actor_identity_provider as "identityProvider", source_address as source, client_id from audit_event order by id`,
    );
    assert.deepEqual(
      events.map(({ action, record_type, record_name }) => `${action} ${record_type} ${record_name}`),
      [
        'create resourceServer api',
        'update resourceServer api',
        'create client app',
        'update client app',
        'rotateSecret client app',
        'create accessToken app',
        'revokeTokens client app',
        'delete client app',
        'delete resourceServer api',
        'create account emma',
        'update account emma',
        'changePassword account emma',
        'update account emma',
      ],
    );
    for (const { actor, identityProvider, source, client_id } of events) {
      assert.deepEqual([actor, identityProvider, source, client_id], [userInfo().username, 'cli', '', null]);
    }
  });
});
