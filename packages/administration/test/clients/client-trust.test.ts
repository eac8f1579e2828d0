import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Client, type ClientRegistration, clientFields } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildClientCaller,
  buildResourceServer,
  clientRegistration,
  otherValues,
  protocolDependencies,
  protocolError,
  resourceServerRegistration,
  seededRandom,
} from '@watchword/testkit';
import { type Caller, commandLineCaller, systemCaller } from '../../src/callers/caller.ts';
import { confirmedFields } from '../../src/clients/client-trust.ts';
import { clientAdministration } from '../../src/clients/clients.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

const root = buildAdministrator();
const emma = buildCaller('emma');
const trust = { skipConsent: true, trusted: true };
const noTrust = { skipConsent: false, trusted: false };

/** Another resource server of emma's. */
const otherServer = 77;

/** A resource server of emma's with a client that an administrator trusts. */
function administration(overrides: Partial<Client> = {}) {
  const deps = protocolDependencies();
  const { store, resourceServer } = deps;
  const client = store.putClient(
    buildClient({
      scopes: ['read', 'write'],
      redirectUris: ['https://a.example/1', 'https://a.example/2'],
      ...trust,
      ...overrides,
    }),
  );
  store.putResourceServer(buildResourceServer({ id: otherServer, key: 'other', name: 'Other' }));
  const address = { resourceServerId: resourceServer.id, id: client.id };
  const sectorIdentifiers = { read: async () => ({ redirectUris: client.redirectUris }) };
  const parts = { ...store, clock: deps.clock, random: seededRandom('admin'), sectorIdentifiers };
  const admin = clientAdministration(parts);
  return {
    ...deps,
    admin,
    address,
    client,
    resourceServers: resourceServerAdministration(parts),
    change: (caller: Caller, change: Partial<ClientRegistration>) =>
      admin.update(caller, address, { apply: () => change }),
  };
}

function trustOf({ skipConsent, trusted }: Client) {
  return { skipConsent, trusted };
}

describe('an administrator', () => {
  it('confirms a client by letting it skip consent, and not by any other change', async () => {
    const { change } = administration({ skipConsent: false, trusted: false });
    const after = async (fields: Partial<ClientRegistration>) => trustOf((await change(root, fields)).client);
    assert.deepEqual(await after({ clientName: 'New' }), noTrust);
    assert.deepEqual(await after({ skipConsent: true }), trust);
    const skipping = administration({ skipConsent: true, trusted: false });
    const { client } = await skipping.change(root, { clientName: 'New', skipConsent: true });
    assert.deepEqual(trustOf(client), { skipConsent: true, trusted: false });
  });
});

describe('how strong logins to a client must be', () => {
  it('is set by administrators alone, and kept by every other change', async () => {
    const { change } = administration();
    const after = async (caller: Caller, fields: Partial<ClientRegistration>) =>
      (await change(caller, fields)).client.loginLevel;
    assert.equal(await after(emma, { loginLevel: 'phr' }), '');
    assert.equal(await after(root, { loginLevel: 'phr' }), 'phr');
    assert.equal(await after(emma, { loginLevel: '' }), 'phr');
    assert.equal(await after(emma, { redirectUris: ['https://a.example/new'] }), 'phr');
    assert.equal(await after(root, { loginLevel: 'mfa' }), 'mfa');
  });
});

/** A change of each field on which the trust must depend. */
const leastChanges: Partial<ClientRegistration> = {
  clientName: 'HR Portal (official)',
  description: 'The HR portal of Example Corp. Allow it to see your payslip.',
  thumbNailUrl: 'https://pictures.example.com/hr.png',
  policyUri: 'https://hr.example.com/privacy',
  tosUri: 'https://hr.example.com/terms',
  scopes: ['read'],
  otherResourceServers: [{ resourceServerId: otherServer, scopes: ['read'] }],
  redirectUris: ['https://a.example/1', 'https://evil.example/2'],
  allowedClientCredentials: false,
  confidential: false,
  allowedImplicitGrant: true,
  useRefreshTokens: true,
  includePrincipal: true,
  openidScopes: ['email'],
  postLogoutRedirectUris: ['https://evil.example/bye'],
  subjectType: 'pairwise',
  sectorIdentifierUri: 'https://evil.example/sector',
  backchannelLogoutUri: 'https://evil.example/logout',
  frontchannelLogoutUri: 'https://a.example/logout',
};
const changes: ClientRegistration = { ...otherValues(clientFields), ...leastChanges };

describe('the trust in a client', () => {
  it('depends on what users see of it, scopes, redirect URIs, grants and what answers reveal', () => {
    const missing = Object.keys(leastChanges).filter(
      (name) => !confirmedFields.some((field) => field === name),
    );
    assert.deepEqual(missing, []);
  });

  for (const field of confirmedFields) {
    // A public client cannot use client credentials as well.
    const change = { allowedClientCredentials: false, [field]: changes[field] };
    it(`ends when its owner changes ${field}, as the answer and the audit log show`, async () => {
      const { change: update, store } = administration({
        allowedClientCredentials: field === 'allowedClientCredentials',
      });
      const { client, reset } = await update(emma, change);
      assert.deepEqual(trustOf(client), noTrust);
      assert.deepEqual(reset, ['skipConsent', 'trusted']);
      const [event] = await store.auditEvents.list({ limit: 1 });
      assert.equal(event?.before?.trusted, true);
      assert.deepEqual([event?.after?.skipConsent, event?.after?.trusted], [false, false]);
    });

    it(`stays when an administrator or the command line changes ${field}`, async () => {
      for (const caller of [root, commandLineCaller('ops'), systemCaller]) {
        const { change: update } = administration({
          allowedClientCredentials: field === 'allowedClientCredentials',
        });
        const { client, reset } = await update(caller, change);
        assert.deepEqual([trustOf(client), reset], [trust, []]);
      }
    });
  }

  for (const field of confirmedFields) {
    it(`is not replaced by the data that an older client keeps: its owner ends that by a change of ${field}`, async () => {
      const { change: update } = administration({
        ...noTrust,
        keepsUserData: true,
        allowedClientCredentials: field === 'allowedClientCredentials',
      });
      const { client, reset } = await update(emma, {
        allowedClientCredentials: false,
        [field]: changes[field],
      });
      assert.deepEqual([client.keepsUserData, reset], [false, ['keepsUserData']]);
    });
  }

  it('leaves an older client its data while its owner changes nothing that it depends on, and while an administrator changes it', async () => {
    for (const [caller, change] of [
      [emma, { contactName: 'x', expireDuration: 60 }],
      [root, { redirectUris: ['https://other.example/cb'] }],
    ] as const) {
      const { change: update } = administration({ ...noTrust, keepsUserData: true });
      const { client, reset } = await update(caller, change);
      assert.deepEqual([client.keepsUserData, client.trusted, reset], [true, false, []]);
    }
  });

  it('makes the exception of an older client unnecessary, so that it is not left when the trust ends', async () => {
    const older = { ...noTrust, keepsUserData: true };
    const confirmed = administration(older);
    await confirmed.admin.confirm(root, confirmed.address);
    const skipping = administration(older);
    await skipping.change(root, { skipConsent: true });
    for (const { admin, address, change } of [confirmed, skipping]) {
      assert.ok(!(await admin.find(root, address)).keepsUserData);
      const { client } = await change(emma, { redirectUris: ['https://evil.example/cb'] });
      assert.deepEqual([client.trusted, client.keepsUserData], [false, false]);
    }
  });

  it('ends for an older client, too, when its resource server loses or describes a scope of it', async () => {
    const { resourceServers, resourceServer, store, client, address, admin } = administration({
      ...noTrust,
      keepsUserData: true,
    });
    const { resetClients } = await resourceServers.update(emma, resourceServer.id, {
      apply: () => ({ scopes: ['read'] }),
    });
    assert.deepEqual(resetClients, [client.clientId]);
    assert.ok(!(await admin.find(emma, address)).keepsUserData);
    const events = await store.auditEvents.list({ limit: 5 });
    const ofClient = events.find(({ recordType }) => recordType === 'client');
    assert.deepEqual([ofClient?.before?.keepsUserData, ofClient?.after?.keepsUserData], [true, false]);
  });

  it('stays when its owner changes anything else, or the order of a list', async () => {
    const { change, client: before } = administration();
    const { client, reset } = await change(emma, {
      contactName: 'x',
      contactEmail: 'x@example.org',
      expireDuration: 60,
      attributes: { a: 'b' },
      skipConsent: false,
      scopes: before.scopes.toReversed(),
      redirectUris: [...before.redirectUris.toReversed(), ...before.redirectUris],
    });
    assert.deepEqual([trustOf(client), reset], [trust, []]);
  });

  it('reports only the fields that it has reset', async () => {
    const { change } = administration({ skipConsent: false });
    assert.deepEqual((await change(emma, { scopes: [] })).reset, ['trusted']);
    assert.deepEqual((await change(emma, { scopes: ['read'] })).reset, []);
  });

  it('cannot be set by its owner, at once or together with a change', async () => {
    const { change } = administration(noTrust);
    assert.deepEqual(trustOf((await change(emma, { skipConsent: true })).client), noTrust);
    const both = { skipConsent: true, redirectUris: ['https://evil.example/cb'] };
    assert.deepEqual(trustOf((await change(emma, both)).client), noTrust);
  });

  it('begins when an administrator creates the client, and never when its owner or a client does', async () => {
    const { admin, resourceServer, store } = administration();
    const fields = clientRegistration({ skipConsent: true });
    const create = async (caller: Caller) => {
      const { name: owner, identityProvider: ownerAuthority } = caller.identity;
      store.putResourceServer({ ...resourceServer, owner, ownerAuthority });
      return trustOf((await admin.create(caller, resourceServer.id, { fields })).client);
    };
    for (const caller of [root, commandLineCaller('ops'), systemCaller]) {
      assert.deepEqual(await create(caller), trust);
    }
    for (const caller of [emma, buildClientCaller()]) assert.deepEqual(await create(caller), noTrust);
  });

  it('begins when an administrator lets it skip consent, and not with any other change', async () => {
    const { change } = administration(noTrust);
    const changed = await change(root, { description: 'x', redirectUris: ['https://a.example/3'] });
    assert.deepEqual(trustOf(changed.client), noTrust);
    assert.deepEqual(trustOf((await change(root, { skipConsent: true })).client), trust);
    const asking = await change(root, { skipConsent: false });
    assert.deepEqual([trustOf(asking.client), asking.reset], [{ skipConsent: false, trusted: true }, []]);
  });
});

describe('confirming a client', () => {
  it('makes it trusted as it is, and nothing else', async () => {
    const { admin, address, store, client } = administration(noTrust);
    const confirmed = await admin.confirm(root, address);
    assert.deepEqual(confirmed, { ...client, trusted: true, revision: confirmed.revision });
    const [event] = await store.auditEvents.list({ limit: 1 });
    assert.deepEqual([event?.action, event?.after], ['update', { trusted: true }]);
  });

  it('changes nothing and leaves no trace when it is trusted already', async () => {
    const { admin, address, store, client } = administration();
    assert.deepEqual(await admin.confirm(root, address), client);
    assert.deepEqual(await store.auditEvents.list({ limit: 1 }), []);
  });

  it('is for administrators only, and shows other callers nothing of the records of others', async () => {
    const { admin, address, store } = administration(noTrust);
    await assert.rejects(admin.confirm(emma, address), protocolError('access_denied'));
    await assert.rejects(admin.confirm(buildCaller('finn'), address), protocolError('not_found'));
    assert.equal((await store.clients.findById(address.id))?.trusted, false);
  });

  it('is rejected when the record has changed since it was read', async () => {
    const { admin, address } = administration(noTrust);
    await assert.rejects(
      admin.confirm(root, address, () => false),
      protocolError('precondition_failed'),
    );
  });
});

describe('scopes that a resource server loses', () => {
  const fields = (scopes: readonly string[]) => ({ apply: () => resourceServerRegistration({ scopes }) });

  it('end the trust in the clients that had one when its owner removes them, as the answer shows', async () => {
    const { resourceServers, resourceServer, store, client } = administration();
    const reader = store.putClient(buildClient({ id: 7, clientId: 'reader', scopes: ['read'], ...trust }));
    const { resetClients } = await resourceServers.update(emma, resourceServer.id, fields(['read', 'new']));
    assert.deepEqual(resetClients, [client.clientId]);
    const after = await store.clients.findById(client.id);
    assert.deepEqual(after && [after.scopes, trustOf(after)], [['read'], noTrust]);
    assert.deepEqual(await store.clients.findById(reader.id), reader);
    const [event] = await store.auditEvents.list({ limit: 1 });
    assert.deepEqual([event?.recordName, event?.after], [client.clientId, { scopes: ['read'], ...noTrust }]);
  });

  it('end it in the clients of the one scope that its owner describes in another way', async () => {
    const { resourceServers, resourceServer, store, client } = administration();
    const reader = store.putClient(buildClient({ id: 7, clientId: 'reader', scopes: ['read'], ...trust }));
    const described = (write: string) => ({
      scopeDescriptions: [
        { name: 'read', description: 'Read' },
        { name: 'write', description: write },
      ],
    });
    store.putResourceServer({ ...resourceServer, ...described('Write') });
    const change = { apply: () => described('Write everything') };
    const { resetClients } = await resourceServers.update(emma, resourceServer.id, change);
    assert.deepEqual(resetClients, [client.clientId]);
    assert.deepEqual(await store.clients.findById(reader.id), reader);
  });

  it('leave it as it is when an administrator does, and when a scope is only added or moved', async () => {
    const { resourceServers, resourceServer, store, client } = administration();
    const update = (caller: Caller, scopes: readonly string[]) =>
      resourceServers.update(caller, resourceServer.id, fields(scopes));
    assert.deepEqual((await update(emma, ['new', 'write', 'read'])).resetClients, []);
    assert.deepEqual(await store.clients.findById(client.id), client);
    assert.deepEqual((await update(root, ['read'])).resetClients, []);
    const after = await store.clients.findById(client.id);
    assert.deepEqual(after && [after.scopes, trustOf(after)], [['read'], trust]);
    const events = await store.auditEvents.list({ limit: 9 });
    const ofClient = events.filter(({ recordType }) => recordType === 'client');
    assert.deepEqual(
      ofClient.map(({ after }) => after),
      [{ scopes: ['read'] }],
    );
  });
});
