import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import type { Answer } from '@watchword/server-testkit/servers/server';
import { settings } from '../../../src/config/settings.ts';
import { assertError } from '../../support/error-answers.ts';

const list = '/admin/resourceServer';
const unlimited = '0';

function times<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts = Object.entries(Object.groupBy(answers, ({ status }) => String(status)));
  return Object.fromEntries(counts.map(([status, group = []]) => [status, group.length]));
}

describe('a user who fills the server', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration({
      'ownerLimits.records': '8',
      'ownerLimits.changesPerMinute': unlimited,
      'ownerLimits.clientRecords': '3',
      'ownerLimits.clientChangesPerMinute': '4',
    });
  });
  after(() => server[Symbol.asyncDispose]());

  it('can have a hundred records, and make sixty changes a minute, unless the operator decides otherwise', () => {
    const { 'ownerLimits.records': records, 'ownerLimits.changesPerMinute': changes } = settings;
    assert.deepEqual([records.default, changes.default], [100, 60]);
  });

  it('can have no more records, with any number of creations at once', async () => {
    const mallory = await server.person('mallory');
    const { id } = await mallory.create(list, anApi);
    const clients = `${list}/${id}/client`;
    const answers = await times(16, (index) =>
      index % 2 === 0
        ? mallory.call('POST', list, { ...anApi, name: `API ${index}` })
        : mallory.call('POST', clients, { ...anApp, clientName: `App ${index}` }),
    );
    assert.deepEqual(statuses(answers), { 201: 7, 409: 9 });
    const [error = assert.fail()] = answers.filter(({ status }) => status === 409);
    assertError(error, 409, 'too_many_records');
    assert.match(error.json.error_description, /8 resource servers and clients/);
    const owned = await mallory.get(`${list}?limit=1000`);
    const below = await mallory.get('/admin/client?limit=1000');
    assert.equal(owned.json.length + below.json.length, 8);

    // Existing records can still be changed, other owners can create records, and a deletion makes room.
    assert.equal((await mallory.call('PATCH', `${list}/${id}`, { description: 'x' })).status, 200);
    assert.equal((await mallory.call('POST', `${list}/${id}/secret`)).status, 200);
    await (await server.person('alice')).create(list, anApi);
    const root = await server.administrator();
    await root.create(clients, { ...anApp, clientName: 'By an administrator' });
    for (const [index, { status, json }] of answers.entries()) {
      if (status !== 201 || index % 2 === 0) continue;
      assert.equal((await mallory.call('DELETE', `${clients}/${json.id}`)).status, 204);
    }
    await mallory.create(clients, anApp);
  });

  it('can make no more changes a minute, and then gets the time to wait', async () => {
    using clock = stoppedClock();
    await using server = await startAdministration({ 'ownerLimits.changesPerMinute': '5' });
    const mallory = await server.person('mallory');
    const { id } = await mallory.create(list, anApi);
    clock.advance(10);
    const rename = (description: string) => mallory.call('PATCH', `${list}/${id}`, { description });
    const answers = await times(10, (index) => rename(String(index)));
    assert.deepEqual(statuses(answers), { 200: 4, 429: 6 });
    const errors = [
      await mallory.call('POST', list, { ...anApi, name: 'Another' }),
      await mallory.call('POST', '/admin/accessToken', { clientId: 'nobody' }),
      await mallory.call('DELETE', `${list}/${id}`),
      await mallory.call('POST', '/admin/resourceOwner/revocation', {
        ...{ resourceOwnerId: 'mallory', resourceOwnerAuthority: 'any-person' },
      }),
    ];
    for (const error of errors) {
      assertError(error, 429, 'too_many_requests');
      assert.equal(error.headers.get('retry-after'), '50');
    }
    assert.equal((await mallory.get(`${list}/${id}`)).status, 200);
    await (await server.person('alice')).create(list, anApi);
    const root = await server.administrator();
    for (let count = 0; count < 6; count += 1) {
      assert.equal((await root.call('PATCH', `${list}/${id}`, { description: `${count}` })).status, 200);
    }
    clock.advance(49);
    assertError(await rename('too early'), 429, 'too_many_requests');
    clock.advance(1);
    assert.equal((await rename('again')).status, 200);
  });

  it('gets no new quota by a restart of the server', async () => {
    using clock = stoppedClock();
    await using directory = await temporaryDirectory();
    const flags = { database: directory.file('x.db'), 'ownerLimits.changesPerMinute': '3' };
    {
      await using server = await startAdministration(flags);
      const mallory = await server.person('mallory');
      for (const name of ['One', 'Two', 'Three']) await mallory.create(list, { ...anApi, name });
    }
    clock.advance(30);
    await using server = await startAdministration(flags);
    const mallory = await server.person('mallory');
    const refused = await mallory.call('POST', list, { ...anApi, name: 'Four' });
    assertError(refused, 429, 'too_many_requests');
    assert.equal(refused.headers.get('retry-after'), '30');
  });

  it('gets no larger quota by clients that act for themselves, which have quotas of their own', async () => {
    const [robot, other] = [await server.actingClient('Robot'), await server.actingClient('Other')];
    const create = (caller: typeof robot, index: number) =>
      caller.call('POST', list, { ...anApi, name: `API ${index}` });
    const answers = await times(6, (index) => create(robot, index));
    assert.deepEqual(statuses(answers), { 201: 3, 409: 3 });
    const { id } = answers.find(({ status }) => status === 201)?.json ?? assert.fail();
    assert.equal((await robot.call('PATCH', `${list}/${id}`, { description: 'x' })).status, 200);
    assertError(await robot.call('PATCH', `${list}/${id}`, { description: 'y' }), 429, 'too_many_requests');
    assert.equal((await create(other, 1)).status, 201);
  });

  it('can store eight kilobytes of attributes with a client, and none of them appears in the log', async () => {
    const filler = await server.person('filler');
    const { id } = await filler.create(list, anApi);
    const clients = `${list}/${id}/client`;
    const attributes = (length: number) =>
      Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'filling '.repeat(length)]));
    assertError(
      await filler.call('POST', clients, { ...anApp, attributes: attributes(250) }),
      400,
      'invalid_request',
    );
    const client = await filler.create(clients, { ...anApp, attributes: attributes(200) });
    const path = `${clients}/${client.id}`;
    const grown = await filler.call('PATCH', path, { attributes: { f: 'f'.repeat(300) } });
    assertError(grown, 400, 'invalid_request');
    assert.match(grown.json.violations.join(), /attributes: have \d+ bytes together, more than 8192/);
    await filler.call('PATCH', path, { attributes: { a: 'filling' } });
    await filler.call('DELETE', path);
    assert.ok(server.log().includes(`"recordId":"${client.id}","fields":["attributes"]`));
    assert.ok(!server.log().includes('filling'), server.log());
  });
});
