import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { readAnswer } from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

const servers = '/admin/resourceServer';
const all = '/admin/client';

interface Listed {
  readonly id: number;
  readonly clientName: string;
}

describe('the list of the clients of all resource servers', () => {
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  let paul: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    emma = await server.person('emma');
    paul = await server.person('paul');
    // One after another, so that the ids of the clients of one owner or resource server are not consecutive.
    const orders = await emma.create(servers, { ...anApi, name: 'Orders' });
    const parcels = await paul.create(servers, { ...anApi, name: 'Parcels' });
    const stock = await emma.create(servers, { ...anApi, name: 'Stock' });
    for (const number of [1, 2, 3]) {
      await add(emma, stock, `Stock ${number}`);
      await add(paul, parcels, `Parcels ${number}`);
      await add(emma, orders, `Orders ${number}`);
    }
  });
  after(() => server[Symbol.asyncDispose]());

  const add = (owner: Administering, { id }: { id: number }, clientName: string) =>
    owner.create(`${servers}/${id}/client`, { ...anApp, clientName, description: 'one of nine' });

  const namesOf = (clients: readonly Listed[]) => clients.map(({ clientName }) => clientName);

  async function pages(caller: Administering, first: string): Promise<Listed[][]> {
    const read: Listed[][] = [];
    let path: string | undefined = first;
    while (path !== undefined && read.length < 100) {
      const { status, json, headers, text } = await caller.get(path);
      assert.equal(status, 200, text);
      read.push(json);
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    return read;
  }

  /** The clients that the caller sees, one resource server after another. */
  async function oneByOne(caller: Administering): Promise<Listed[]> {
    const found: Listed[] = [];
    for (const { id } of (await caller.get(`${servers}?limit=1000`)).json) {
      found.push(...(await caller.get(`${servers}/${id}/client?limit=1000`)).json);
    }
    return found.sort((one, other) => one.id - other.id);
  }

  it('needs a token with the scope read', async () => {
    const anonymous = await readAnswer(await fetch(`${server.baseUrl}${all}`));
    assert.equal(anonymous.status, 401);
    assert.match(anonymous.headers.get('www-authenticate') ?? '', /^Bearer /);
    const writer = await server.person('emma', {}, 'write');
    assertError(await writer.get(all), 403, 'insufficient_scope');
    const reader = await server.person('emma', {}, 'read');
    assert.equal((await reader.get(all)).json.length, 6);
  });

  it('shows each caller the clients of their resource servers, one resource server after another, by id', async () => {
    const nobody = await server.person('nobody');
    const namesake = await server.person('Emma');
    const robot = await server.actingClient('Robot');
    const robots = await robot.create(servers, { ...anApi, name: 'Robots' });
    await add(robot, robots, 'Arm');
    for (const caller of [root, emma, paul, nobody, namesake, robot]) {
      assert.deepEqual((await caller.get(all)).json, await oneByOne(caller));
    }
    const names = async (caller: Administering) => namesOf((await caller.get(all)).json);
    assert.deepEqual(await names(paul), ['Parcels 1', 'Parcels 2', 'Parcels 3']);
    assert.deepEqual(await names(nobody), []);
    assert.deepEqual(await names(namesake), []);
    assert.deepEqual(await names(robot), ['Arm']);
    const seen = await names(root);
    for (const name of ['Orders 1', 'Parcels 1', 'Stock 1', 'Arm', 'Robot']) assert.ok(seen.includes(name));
  });

  it('loses the clients of a resource server together with the resource server', async () => {
    const anna = await server.person('anna');
    const gone = await anna.create(servers, { ...anApi, name: 'Passing' });
    await add(anna, gone, 'Passing client');
    assert.deepEqual(namesOf((await anna.get(all)).json), ['Passing client']);
    assert.equal((await anna.call('DELETE', `${servers}/${gone.id}`)).status, 204);
    assert.deepEqual((await anna.get(all)).json, []);
    assert.deepEqual((await root.get(`${all}?q=passing`)).json, []);
  });

  it('is read page by page, each client once', async () => {
    for (const caller of [root, emma]) {
      const whole = (await caller.get(`${all}?limit=1000`)).json;
      const read = await pages(caller, `${all}?limit=2`);
      assert.deepEqual(read.flat(), whole);
      assert.equal(read.length, Math.ceil(whole.length / 2));
    }
  });

  it('is searched by name, clientId, description and contact, among the clients of the caller only', async () => {
    const search = async (caller: Administering, q: string) =>
      namesOf((await pages(caller, `${all}?limit=2&q=${encodeURIComponent(q)}`)).flat());
    assert.deepEqual(await search(root, 'PARCELS'), ['Parcels 1', 'Parcels 2', 'Parcels 3']);
    assert.deepEqual(await search(emma, 'parcels'), []);
    assert.deepEqual(await search(emma, 'orders-2'), ['Orders 2']);
    assert.equal((await search(emma, 'of nine')).length, 6);
    assert.equal((await search(emma, 'ann')).length, 6);
    assertError(await emma.get(`${all}?q=${'x'.repeat(256)}`), 400, 'invalid_request');
  });

  it('rejects a cursor of another user, of other filters or of another list', async () => {
    const { headers } = await emma.get(`${all}?limit=1`);
    const cursor = /cursor=([^>&]+)/.exec(headers.get('link') ?? '')?.[1] ?? assert.fail('no cursor');
    assert.equal((await emma.get(`${all}?limit=1&cursor=${cursor}`)).status, 200);
    const [{ resourceserver_id: id }] = (await emma.get(all)).json;
    for (const [caller, path] of [
      [paul, `${all}?cursor=${cursor}`],
      [root, `${all}?cursor=${cursor}`],
      [emma, `${all}?q=orders&cursor=${cursor}`],
      [emma, `${servers}/${id}/client?cursor=${cursor}`],
      [emma, `${servers}?cursor=${cursor}`],
      [emma, `${all}?cursor=x`],
      [emma, `${all}?limit=0`],
      [emma, `${all}?limit=1001`],
    ] as const) {
      assertError(await caller.get(path), 400, 'invalid_request');
    }
    const { headers: ofOne } = await emma.get(`${servers}/${id}/client?limit=1`);
    const foreign = /cursor=([^>&]+)/.exec(ofOne.get('link') ?? '')?.[1] ?? assert.fail('no cursor');
    assertError(await emma.get(`${all}?cursor=${foreign}`), 400, 'invalid_request');
  });

  it('is read-only: clients are registered below their resource server', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await emma.call(method, all, anApp)).status, 405, method);
    }
  });
});
