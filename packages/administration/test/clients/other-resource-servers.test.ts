import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Client, type ClientRegistration, listedTime, OAuthError } from '@watchword/protocol';
import {
  addResourceServer,
  buildAdministrator,
  buildCaller,
  clientRegistration,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import type { Caller } from '../../src/callers/caller.ts';
import { clientAdministration } from '../../src/clients/clients.ts';
import { homeOfOpenClients } from '../../src/clients/open-clients-home.ts';
import { totalsOf } from '../../src/lists/totals.ts';
import type { ResourceServerRegistration } from '../../src/resource-servers/resource-server-rules.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';
import { useByOthers } from '../../src/resource-servers/use-by-others.ts';

const root = buildAdministrator();
const emma = buildCaller('emma');
const finn = buildCaller('finn');
const ofFinn = { owner: 'finn', ownerAuthority: emma.identity.identityProvider };
const scopes = ['read', 'pay', 'list'];

/** Emma's API with her application, and two APIs: one more of hers, and one of Finn's. */
async function administration(opened: Partial<ResourceServerRegistration> = {}) {
  const { store, clock } = protocolDependencies();
  const deps = { ...store, clock, random: seededRandom('others') };
  const clients = clientAdministration(deps);
  const servers = resourceServerAdministration(deps);
  const home = await addResourceServer(store, 'home', { scopes });
  const hers = await addResourceServer(store, 'hers', { scopes });
  const his = await addResourceServer(store, 'his', { ...ofFinn, scopes, ...opened });
  const entries = (id: number, ...own: string[]) => [{ resourceServerId: id, scopes: own }];
  const register = async (caller: Caller, fields: Partial<ClientRegistration>) => {
    const registration = clientRegistration({ scopes: ['read'], ...fields });
    return (await clients.create(caller, home.id, { fields: registration })).client;
  };
  const find = (id: number) => clients.find(root, { resourceServerId: home.id, id });
  return {
    ...{ store, clients, servers, home, hers, his, entries, register, use: useByOthers(deps), deps },
    change: (caller: Caller, { id }: Client, fields: Partial<ClientRegistration>) =>
      clients.update(caller, { resourceServerId: home.id, id }, { apply: () => fields }),
    changeServer: (caller: Caller, { id }: { id: number }, fields: Partial<ResourceServerRegistration>) =>
      servers.update(caller, id, { apply: () => fields }),
    /** What the client has at Finn's API; `undefined` if it cannot use it. */
    left: async ({ id }: Client) =>
      (await find(id)).otherResourceServers.find(({ resourceServerId }) => resourceServerId === his.id)
        ?.scopes,
    find,
  };
}

/** @param told gets the violations */
function refusal(told: (violations: readonly string[]) => void) {
  return (error: unknown) => {
    assert.ok(error instanceof OAuthError && error.kind === 'invalid_request', String(error));
    told(error.violations ?? []);
    return true;
  };
}

function refusedFor(reason: RegExp) {
  return refusal((violations) => assert.match(String(violations), reason));
}

describe('the other resource servers of a client', () => {
  it('are those of its owner with any scopes, and an administrator names any', async () => {
    const { register, change, hers, his, entries } = await administration();
    const client = await register(emma, { otherResourceServers: entries(hers.id, 'pay', 'read') });
    assert.deepEqual(client.otherResourceServers, entries(hers.id, 'pay', 'read'));
    const both = [...entries(his.id, 'pay'), ...entries(hers.id, 'list', 'list')];
    const changed = await change(root, client, { otherResourceServers: both });
    assert.deepEqual(changed.client.otherResourceServers, [
      ...entries(hers.id, 'list'),
      ...entries(his.id, 'pay'),
    ]);
  });

  it('are none of another owner that is closed, which look the same as those that do not exist', async () => {
    for (const openToClients of ['owner', 'administrators'] as const) {
      const { register, his, entries } = await administration({ openToClients, openScopes: ['list'] });
      const problems: string[] = [];
      for (const id of [his.id, 999_999]) {
        const refused = refusal((violations) =>
          problems.push(...violations.map((each) => each.replace(String(id), 'ID'))),
        );
        await assert.rejects(register(emma, { otherResourceServers: entries(id, 'list') }), refused);
      }
      assert.equal(new Set(problems).size, 1, String(problems));
      assert.match(problems[0] ?? '', /no resource server of yours/);
    }
  });

  it('of another owner that is open have its open scopes, and no others', async () => {
    const open = { openToClients: 'everyone', openScopes: ['list'] } as const;
    const { register, change, his, entries } = await administration(open);
    const client = await register(emma, { otherResourceServers: entries(his.id, 'list') });
    for (const wanted of [['list', 'pay'], ['read'], ['openid'], ['__proto__']]) {
      const widened = change(emma, client, { otherResourceServers: entries(his.id, ...wanted) });
      await assert.rejects(
        widened,
        refusedFor(/is not open to your clients|is not a scope of/),
        wanted.join(),
      );
    }
    await change(root, client, { otherResourceServers: entries(his.id, 'list', 'pay') });
    // Her own change keeps what an administrator gave, and adds nothing to it.
    const kept = await change(emma, client, { description: 'New' });
    assert.deepEqual(kept.client.otherResourceServers, entries(his.id, 'list', 'pay'));
    const more = change(emma, client, { otherResourceServers: entries(his.id, 'list', 'pay', 'read') });
    await assert.rejects(more, refusedFor(/not open to your clients/));
  });

  it('are neither its own, nor named twice, nor the home of clients without one', async () => {
    const { register, home, hers, entries, store, deps } = await administration();
    const nobody = await homeOfOpenClients(store, deps.random);
    for (const [caller, wrong, reason] of [
      [emma, entries(home.id, 'read'), /is the resource server of the client/],
      [emma, [...entries(hers.id, 'read'), ...entries(hers.id, 'pay')], /twice/],
      [emma, entries(hers.id, 'a b'), /is not a scope token/],
      [emma, entries(hers.id, 'openid'), /is not a scope of the resource server/],
      [root, entries(nobody.id), /no resource server/],
    ] as const) {
      await assert.rejects(register(caller, { otherResourceServers: wrong }), refusedFor(reason));
    }
    const many = Array.from({ length: 51 }, (_, index) => ({ resourceServerId: 5000 + index, scopes: [] }));
    await assert.rejects(register(root, { otherResourceServers: many }), refusedFor(/more than 50/));
  });

  it('need the lifetime of JWTs where one of them has JWTs, from either side', async () => {
    const { register, changeServer, hers, entries } = await administration();
    const client = await register(emma, {
      otherResourceServers: entries(hers.id, 'read'),
      expireDuration: 0,
    });
    const jwt = { accessTokenFormat: 'jwt' } as const;
    await assert.rejects(changeServer(emma, hers, jwt), protocolError('conflict'));
    await assert.rejects(changeServer(emma, hers, jwt), (error: { violations: string[] }) => {
      assert.match(String(error.violations), new RegExp(client.clientId));
      return true;
    });
    const { register: another, changeServer: changed, hers: second } = await administration();
    await changed(emma, second, jwt);
    const eternal = { otherResourceServers: entries(second.id, 'read'), expireDuration: 0 };
    await assert.rejects(another(emma, eternal), refusedFor(/expireDuration: must be 1 to/));
    await another(emma, { ...eternal, expireDuration: 60 });
  });
});

describe('a resource server that is closed again', () => {
  const everyone = { openToClients: 'everyone', openScopes: ['list', 'read'] } as const;

  it('ends what clients of other owners had because it was open, at once and with a trace', async () => {
    const { register, change, changeServer, left, his, entries, store } = await administration(everyone);
    const client = await register(emma, { otherResourceServers: entries(his.id, 'list', 'read') });
    await changeServer(finn, his, { openScopes: ['list'] });
    assert.deepEqual(await left(client), ['list']);
    const events = await store.auditEvents.list({ limit: 9 });
    const event = events.find(({ action, recordType }) => action === 'update' && recordType === 'client');
    assert.deepEqual(
      [event?.actor.name, event?.recordName, event?.after],
      ['finn', client.clientId, { otherResourceServers: entries(his.id, 'list') }],
    );
    await changeServer(finn, his, { openToClients: 'owner' });
    assert.equal(await left(client), undefined);
    const again = change(emma, client, { otherResourceServers: entries(his.id, 'list') });
    await assert.rejects(again, refusedFor(/no resource server of yours/));
  });

  it('leaves confirmed clients their scopes while it stays open to administrators', async () => {
    const { register, clients, home, changeServer, left, his, entries } = await administration(everyone);
    const fields = { otherResourceServers: entries(his.id, 'list') };
    const [plain, confirmed] = [await register(emma, fields), await register(emma, fields)];
    await clients.confirm(root, { resourceServerId: home.id, id: confirmed.id });
    await changeServer(finn, his, { openToClients: 'administrators' });
    assert.deepEqual([await left(plain), await left(confirmed)], [undefined, ['list']]);
    await changeServer(finn, his, { openToClients: 'owner' });
    assert.equal(await left(confirmed), undefined);
  });

  it('leaves what an administrator gave beside the open scopes, until that scope is gone', async () => {
    const { register, changeServer, left, his, entries } = await administration(everyone);
    const client = await register(root, { otherResourceServers: entries(his.id, 'list', 'pay') });
    await changeServer(finn, his, { openToClients: 'owner' });
    assert.deepEqual(await left(client), ['pay']);
    await changeServer(finn, his, { scopes: ['read', 'list'] });
    assert.deepEqual(await left(client), []);
  });

  it('leaves clients of its own owner as they are', async () => {
    const { register, changeServer, find, hers, entries } = await administration();
    const client = await register(emma, { otherResourceServers: entries(hers.id, 'list', 'pay') });
    await changeServer(emma, hers, everyone);
    await changeServer(emma, hers, { openToClients: 'owner', openScopes: [] });
    assert.deepEqual((await find(client.id)).otherResourceServers, entries(hers.id, 'list', 'pay'));
  });
});

describe('the owner of a resource server', () => {
  const everyone = { openToClients: 'everyone', openScopes: ['list'] } as const;

  it('sees the clients of others that use it and takes it away from each, and from no client of someone else', async () => {
    const { register, use, left, his, hers, entries, store } = await administration(everyone);
    const client = await register(emma, { otherResourceServers: entries(his.id, 'list') });
    const other = await register(emma, { otherResourceServers: entries(hers.id, 'list') });
    const { items } = await use.listClients(finn, his.id, { limit: 9 });
    assert.deepEqual(
      items.map(({ client: { id }, home: { owner }, entry }) => [id, owner, entry.scopes]),
      [[client.id, 'emma', ['list']]],
    );
    assert.equal(await use.countClients(his.id), 1);
    const notFound = protocolError('not_found');
    await assert.rejects(use.listClients(emma, his.id, { limit: 9 }), notFound);
    await assert.rejects(use.removeClient(emma, his.id, client.id), notFound);
    await assert.rejects(use.removeClient(finn, hers.id, other.id), notFound);
    await assert.rejects(use.removeClient(finn, his.id, other.id), notFound);
    await use.removeClient(finn, his.id, client.id);
    assert.equal(await left(client), undefined);
    await assert.rejects(use.removeClient(finn, his.id, client.id), notFound);
    const events = await store.auditEvents.list({ limit: 9 });
    const removal = events.find(({ action }) => action === 'update');
    assert.deepEqual([removal?.actor.name, removal?.recordName], ['finn', client.clientId]);
  });

  it('ends the trust in a client of another by describing one of its scopes in another way', async () => {
    const { register, changeServer, find, his, entries } = await administration(everyone);
    const fields = { otherResourceServers: entries(his.id, 'list') };
    const client = await register(root, { ...fields, skipConsent: true });
    const described = await changeServer(finn, his, {
      scopeDescriptions: [{ name: 'list', description: 'Delete everything' }],
    });
    assert.deepEqual(described.resetClients, [client.clientId]);
    const { trusted, skipConsent } = await find(client.id);
    assert.deepEqual([trusted, skipConsent], [false, false]);
  });

  it('takes it away from all clients by deleting it', async () => {
    const { register, servers, left, his, entries } = await administration(everyone);
    const client = await register(emma, { otherResourceServers: entries(his.id, 'list') });
    await servers.delete(finn, his.id);
    assert.equal(await left(client), undefined);
  });

  it('is told in a list which ones are open, without those that are closed and the secrets of any', async () => {
    const { use, changeServer, his, hers, home, store, deps, servers } = await administration(everyone);
    await homeOfOpenClients(store, deps.random);
    const open = async (caller: Caller, q?: string) =>
      (await use.listOpen(caller, { q }, { limit: 9 })).items.map(({ id }) => id);
    assert.deepEqual(await open(emma), [his.id]);
    assert.deepEqual([await open(emma, 'his'), await open(emma, 'none')], [[his.id], []]);
    assert.deepEqual(await open(finn), []);
    await changeServer(emma, hers, { openToClients: 'administrators' });
    assert.deepEqual([await open(finn), await open(root)], [[], [hers.id, his.id]]);
    // No list has the home of clients without one.
    const { items } = await servers.list(root, {}, { limit: 9 });
    assert.equal(await totalsOf(store.registry).resourceServers(root), items.length);
    assert.ok(items.some(({ id }) => id === home.id));
  });
});

describe('a resource server that is given to another owner', () => {
  it('takes from the clients of the former owner what they had as those of one owner, on both sides', async () => {
    const { register, servers, clients, find, hers, home, entries, store } = await administration();
    const uses = { otherResourceServers: entries(hers.id, 'list', 'pay') };
    const client = await register(emma, uses);
    const reverse = await clients.create(emma, hers.id, {
      fields: clientRegistration({ scopes: [], otherResourceServers: entries(home.id, 'read') }),
    });
    await store.resourceServers.update(hers.id, { openToClients: 'everyone', openScopes: ['list'] });
    await servers.changeOwner(root, hers.id, finn.identity);
    assert.deepEqual((await find(client.id)).otherResourceServers, entries(hers.id, 'list'));
    const address = { resourceServerId: hers.id, id: reverse.client.id };
    assert.deepEqual((await clients.find(root, address)).otherResourceServers, []);
  });
});

describe('the URIs of a resource server', () => {
  it('are a conflict where another one has one of them, in any spelling', async () => {
    const { changeServer, servers, his, hers } = await administration();
    await changeServer(root, his, { resources: ['https://pay.example'] });
    const taken = changeServer(root, hers, { resources: ['https://a.example/', 'HTTPS://Pay.example/'] });
    await assert.rejects(taken, protocolError('conflict'));
    await changeServer(root, his, { resources: ['https://pay.example/', 'https://pay.example/v2'] });
    await servers.delete(finn, his.id);
    const { resourceServer } = await changeServer(root, hers, { resources: ['https://pay.example'] });
    assert.deepEqual(resourceServer.resources, ['https://pay.example']);
  });

  it('that takes JWTs keeps its URIs from all others while JWTs for it can be valid', async () => {
    const { changeServer, servers, hers, his, deps } = await administration();
    await changeServer(root, his, { resources: ['https://pay.example'], accessTokenFormat: 'jwt' });
    await changeServer(root, his, { resources: [] });
    const take = () => changeServer(root, hers, { resources: ['https://PAY.example/'] });
    const refused = (error: Error) => {
      const time = new Date(deps.clock.now() + listedTime).toISOString();
      assert.match(error.message, /was one of the resource server his/);
      assert.ok(error.message.includes(`until ${time}`), error.message);
      return true;
    };
    await assert.rejects(take(), refused);
    await changeServer(root, his, { resources: ['https://pay.example/'] });
    await servers.delete(root, his.id);
    await assert.rejects(take(), refused);
    deps.clock.advance(listedTime + 1);
    await take();
  });

  it('are added by administrators alone, so nobody gets tokens for the API of somebody else', async () => {
    const { changeServer, servers, hers } = await administration();
    const victim = 'https://pay.example/';
    const added = refusedFor(
      /resources: "https:\/\/pay.example\/" is new, and administrators alone add URIs/,
    );
    await assert.rejects(servers.create(emma, { fields: { name: 'Squat', resources: [victim] } }), added);
    await assert.rejects(changeServer(emma, hers, { resources: [victim] }), added);
    await changeServer(root, hers, { resources: ['https://a.example', 'https://b.example/'] });
    await assert.rejects(changeServer(emma, hers, { resources: ['https://a.example', victim] }), added);
    const kept = ['https://b.example', 'https://a.example/'];
    const { resourceServer } = await changeServer(emma, hers, { name: 'Renamed', resources: kept });
    assert.deepEqual(resourceServer.resources, kept);
    await changeServer(emma, hers, { resources: ['https://a.example/'] });
    const removed = refusedFor(/"https:\/\/b.example\/" is new/);
    await assert.rejects(changeServer(emma, hers, { resources: ['https://b.example/'] }), removed);
  });

  it('and its open scopes are checked, and a scope that it loses is open no more', async () => {
    const { changeServer, hers } = await administration();
    for (const [fields, reason] of [
      [{ resources: ['http://api.example/'] }, /resources: .*loopback/],
      [{ resources: ['https://a.example/#x'] }, /RFC 8707/],
      [{ openScopes: ['gone'] }, /openScopes: "gone" is not a scope of the resource server/],
    ] as const) {
      await assert.rejects(changeServer(root, hers, fields), refusedFor(reason));
    }
    await changeServer(emma, hers, { openScopes: ['list', 'pay'] });
    const { resourceServer } = await changeServer(emma, hers, { scopes: ['read', 'pay'] });
    assert.deepEqual(resourceServer.openScopes, ['pay']);
  });
});
