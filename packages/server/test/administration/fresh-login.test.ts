import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import type { Answer } from '@watchword/server-testkit/servers/server';
import { ClientKey } from '@watchword/testkit/client-key';

/** What no one can undo, and what gives a client power, by its operation. */
const irreversible = [
  'addClientSecret',
  'applyConfiguration',
  'changeClientSecret',
  'deleteAccount',
  'deleteAuthenticator',
  'deleteClient',
  'deleteClientHost',
  'deleteResourceServer',
  'endDescribedClients',
  'endGrants',
  'giveRights',
  'importSigningKey',
  'removeClientSecret',
  'removeFactor',
  'removeOtherClient',
  'renewSealingKeys',
  'replaceClientHost',
  'resetAccountPassword',
  'resetFactors',
  'retireSigningKey',
  'revokeClientTokens',
  'revokeIdentityProvider',
  'revokeIssuedTokens',
  'revokeResourceOwner',
  'revokeResourceServerTokens',
  'rotateClientSecret',
  'rotateResourceServerSecret',
  'rotateSigningKeys',
];

interface Operation {
  readonly operationId: string;
  readonly description?: string;
}

/** The operations of the OpenAPI document, each with its method and a path that can be called. */
async function operations(who: Administering) {
  const { json } = await who.get('/admin/openapi.json');
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = json.paths;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '1'),
    })),
  );
}

function assertRefused({ status, headers, json }: Answer) {
  assert.deepEqual([status, json.error], [401, 'insufficient_user_authentication']);
  assert.match(
    headers.get('www-authenticate') ?? '',
    /^Bearer realm="[^"]+", error="insufficient_user_authentication", error_description="[^"]+", max_age="900"$/,
  );
}

describe('what cannot be undone over REST', () => {
  let clock: ReturnType<typeof stoppedClock>;
  let server: AdministrationServer;
  before(async () => {
    clock = stoppedClock();
    server = await startAdministration();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    clock[Symbol.dispose]();
  });

  /** A person with a client, whose login is so many seconds old. */
  async function ownerAfter(seconds: number, name = 'emma') {
    const owner = await server.person(name);
    const api = await owner.create('/admin/resourceServer', { ...anApi, name: `${name} ${seconds}` });
    const { id } = await owner.create(`/admin/resourceServer/${api.id}/client`, anApp);
    clock.advance(seconds);
    return { owner, client: `/admin/resourceServer/${api.id}/client/${id}` };
  }

  it('needs a login of the last fifteen minutes, and nothing has changed where it was older', async () => {
    const { owner, client } = await ownerAfter(901);
    assertRefused(await owner.call('DELETE', client));
    assertRefused(await owner.call('POST', `${client}/secret`));
    // A key of its own makes whoever adds it the client.
    const { jwk } = await ClientKey.create('ES256');
    const issuer = { issuer: 'https://a.example', audience: 'b', subject: 'c', jwks: { keys: [jwk] } };
    for (const keys of [
      { jwks: { keys: [jwk] } },
      { jwksUri: 'https://app.example/keys' },
      { assertionIssuers: [issuer] },
    ])
      assertRefused(await owner.call('PATCH', client, keys));
    // Everything else goes on.
    assert.equal((await owner.get(client)).status, 200);
    assert.equal((await owner.call('PATCH', client, { description: 'x' })).status, 200);
    const again = await server.person('emma');
    assert.equal((await again.call('PATCH', client, { jwks: { keys: [jwk] } })).status, 200);
    assert.equal((await again.call('DELETE', client)).status, 204);
  });

  it('goes on in the last second of these', async () => {
    const { owner, client } = await ownerAfter(900, 'olga');
    assert.equal((await owner.call('DELETE', client)).status, 204);
  });

  it('is the same for every such operation, and for no other, as the OpenAPI document says', async () => {
    const root = await server.administrator();
    clock.advance(901);
    const told: string[] = [];
    for (const { operationId, description = '', method, path } of await operations(root)) {
      const isTold = description.includes('administration.freshLogin');
      if (isTold) told.push(operationId);
      if (isTold) assertRefused(await root.call(method, path, method === 'DELETE' ? undefined : {}));
      else if (method === 'GET')
        assert.notEqual((await root.get(path)).json?.error, 'insufficient_user_authentication', path);
    }
    assert.deepEqual(told.toSorted(), irreversible);
  });

  it('is refused before the record is looked at: a stolen token learns nothing', async () => {
    const { client } = await ownerAfter(0, 'rosa');
    const thief = await server.person('mallory');
    clock.advance(901);
    assertRefused(await thief.call('DELETE', client));
    assertRefused(await thief.call('DELETE', client.replace(/\d+$/, '999999')));
  });

  it('is not asked of a client that acts for itself, whose token is no login', async () => {
    const acting = await server.actingClient('Deployer');
    const api = await acting.create('/admin/resourceServer', { ...anApi, name: 'Deployed' });
    clock.advance(901);
    assert.equal((await acting.call('DELETE', `/admin/resourceServer/${api.id}`)).status, 204);
  });

  it('needs no new login where the setting is 0', async () => {
    await using lax = await startAdministration({ 'administration.freshLogin': '0' });
    const root = await lax.administrator();
    const api = await root.create('/admin/resourceServer', anApi);
    clock.advance(3000);
    assert.equal((await root.call('DELETE', `/admin/resourceServer/${api.id}`)).status, 204);
  });
});
