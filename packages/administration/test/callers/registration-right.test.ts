import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AssertionIssuer, noKeys } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildClientCaller,
  buildResourceServer,
  clientRegistration,
  protocolDependencies,
  protocolError,
  resourceServerRegistration,
} from '@watchword/testkit';
import { type Caller, commandLineCaller, systemCaller } from '../../src/callers/caller.ts';
import {
  checkRegistration,
  mayRegister,
  mayUseIssuer,
  type RegistrationRight,
} from '../../src/callers/registration-right.ts';
import { clientAdministration } from '../../src/clients/clients.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

function member(...groups: string[]): Caller {
  const caller = buildCaller('emma');
  return { ...caller, principal: { ...caller.principal, groups, roles: ['administrators'] } };
}

const acting = buildClientCaller();
/** A client that says that it is in a group. */
const posing: Caller = { ...acting, principal: { ...acting.principal, groups: ['developers'] } };

const callers: Readonly<Record<string, Caller>> = {
  administrator: buildAdministrator(),
  'command line': commandLineCaller('ops'),
  'server itself': systemCaller,
  user: member(),
  'user of the group': member('staff', 'developers'),
  'user of another group': member('Developers', 'developers ', 'group:developers', 'administrators', ''),
  client: acting,
  'client with groups': posing,
};
const always = ['administrator', 'command line', 'server itself'];
const rights: Readonly<Record<RegistrationRight, readonly string[]>> = {
  everyone: Object.keys(callers),
  administrators: always,
  'group:developers': [...always, 'user of the group'],
};

describe('a right to register that names no group from its first character', () => {
  it('is that of administrators alone', () => {
    const registration = 'subgroup:developers' as RegistrationRight;
    assert.ok(!mayRegister(member('developers'), { registration }));
    assert.ok(mayRegister(buildAdministrator(), { registration }));
  });
});

/** A resource server with a client, both of the caller. */
function administration(
  caller: Caller,
  registration?: RegistrationRight,
  operatorIssuers?: ReadonlyMap<string, RegistrationRight>,
) {
  const deps = protocolDependencies();
  const { name: owner, identityProvider: ownerAuthority } = caller.identity;
  const api = deps.store.putResourceServer(buildResourceServer({ owner, ownerAuthority }));
  const parts = {
    ...deps.store,
    clock: deps.clock,
    random: deps.random,
    ...(registration && { registration }),
    ...(operatorIssuers && { operatorIssuers }),
  };
  return {
    ...deps,
    api,
    clients: clientAdministration(parts),
    resourceServers: resourceServerAdministration(parts),
  };
}

describe('the right to register records', () => {
  for (const [registration, expected] of Object.entries(rights) as [RegistrationRight, string[]][]) {
    it(`belongs to ${expected.join(', ')} when the setting is ${registration}`, async () => {
      for (const [name, caller] of Object.entries(callers)) {
        const isExpected = expected.includes(name);
        const { api, clients, resourceServers, store } = administration(caller, registration);
        assert.equal(mayRegister(caller, { registration }), isExpected, name);
        const attempts = [
          () => resourceServers.create(caller, { fields: resourceServerRegistration({ name: 'New' }) }),
          () => clients.create(caller, api.id, { fields: clientRegistration({ clientName: 'New' }) }),
        ];
        for (const attempt of attempts) {
          if (isExpected) await attempt();
          else await assert.rejects(attempt, protocolError('access_denied'), name);
        }
        const created = [await store.resourceServers.find('new'), await store.clients.find('new')];
        assert.deepEqual(
          created.map((record) => record !== undefined),
          [isExpected, isExpected],
          name,
        );
      }
    });
  }

  it('belongs to everyone when there is no setting', async () => {
    assert.ok(mayRegister(member(), {}));
    const { api, clients } = administration(buildCaller());
    await clients.create(buildCaller(), api.id, { fields: clientRegistration() });
  });

  it('is refused before anything is said about the resource server, and about the record', async () => {
    const { clients, resourceServers } = administration(buildCaller(), 'administrators');
    const unknown = clients.create(buildCaller(), 999, { fields: {} });
    await assert.rejects(unknown, protocolError('access_denied'));
    await assert.rejects(
      resourceServers.create(buildCaller(), { fields: {} }),
      protocolError('access_denied'),
    );
  });

  it('is not needed to change, rotate and delete what the caller owns', async () => {
    const emma = buildCaller();
    const { api, client, clients, resourceServers } = administration(emma, 'administrators');
    const address = { resourceServerId: api.id, id: client.id };
    await clients.update(emma, address, { apply: () => ({ description: 'x' }) });
    await clients.rotateSecret(emma, address, 0);
    await resourceServers.update(emma, api.id, { apply: () => ({ description: 'x' }) });
    await clients.delete(emma, address);
    await resourceServers.delete(emma, api.id);
  });

  it('does not take the group of a user for that of a client: the token of a client has none', () => {
    const client = buildClient({ clientId: 'developers' });
    assert.ok(!mayRegister(buildClientCaller(client), { registration: 'group:developers' }));
  });
});

describe('an issuer of which the operator has the keys', () => {
  const issuer = 'https://kubernetes.default.svc';
  const entry = { issuer, audience: 'a', subject: 's', jwks: noKeys, jwksUri: '' };
  const fields = (assertionIssuers: readonly AssertionIssuer[]) => ({
    ...clientRegistration({ clientName: 'New', tokenEndpointAuthMethod: 'assertion_issuer' }),
    assertionIssuers,
  });

  for (const [usableBy, expected] of Object.entries(rights) as [RegistrationRight, string[]][]) {
    it(`is let sign for a client by ${expected.join(', ')} when it is usable by ${usableBy}`, async () => {
      for (const [name, caller] of Object.entries(callers)) {
        const { api, clients } = administration(caller, 'everyone', new Map([[issuer, usableBy]]));
        const create = (...issuers: AssertionIssuer[]) =>
          clients.create(caller, api.id, { fields: fields(issuers) });
        if (expected.includes(name)) await create(entry);
        else await assert.rejects(create(entry), protocolError('invalid_request'), name);
        await assert.rejects(
          create({ ...entry, issuer: `${issuer}/` }),
          protocolError('invalid_request'),
          name,
        );
      }
    });
  }

  it('stays that of a client whose owner may not name it, and gets no other subject and audience by the owner', async () => {
    const emma = buildCaller();
    const { api, clients } = administration(emma, 'everyone', new Map([[issuer, 'administrators']]));
    const { client } = await clients.create(buildAdministrator(), api.id, { fields: fields([entry]) });
    const edit = (caller: Caller, assertionIssuers: readonly AssertionIssuer[]) =>
      clients.update(caller, client, { apply: () => ({ description: 'x', assertionIssuers }) });
    await edit(emma, [entry]);
    for (const other of [{ subject: 's:*' }, { audience: 'b' }, { issuer: 'https://other.example' }])
      await assert.rejects(edit(emma, [{ ...entry, ...other }]), protocolError('invalid_request'));
    await edit(emma, [entry, { ...entry, subject: 't', jwksUri: 'https://a.example/jwks' }]);
  });

  it('is not let sign by a client with a right to its own records, and is by one with a right to all', () => {
    const operatorIssuers = new Map([[issuer, 'administrators']] as const);
    const may = (rights: Caller['rights']) =>
      mayUseIssuer({ ...acting, rights }, issuer, { operatorIssuers });
    assert.deepEqual([may(['records:write']), may(['records:all:write'])], [false, true]);
  });
});

describe('the refusal of a registration', () => {
  it('says who may register', () => {
    for (const [registration, expected, message] of [
      ['administrators', 'an administrator', /^Only administrators register/],
      [
        'group:developers',
        'an administrator, or a user of the group "developers"',
        /^Only administrators and the users of one group register/,
      ],
    ] as const) {
      const refused = { rule: 'registration_right', expected, message };
      assert.throws(() => checkRegistration(member(), { registration }), refused);
    }
  });
});
