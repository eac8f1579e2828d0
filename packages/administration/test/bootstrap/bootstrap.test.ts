import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildAdministrator,
  clientRegistration,
  protocolDependencies,
  protocolError,
  resourceServerRegistration,
  seededRandom,
} from '@watchword/testkit';
import { bootstrap, pageAddresses } from '../../src/bootstrap/bootstrap.ts';
import { clientAdministration } from '../../src/clients/clients.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

const key = 'authorization-server-admin';
const clientId = 'authorization-server-admin-js-client';
const commandLineId = 'authorization-server-admin-cli';

function deps() {
  const base = protocolDependencies();
  return { ...base.store, clock: base.clock, random: seededRandom('bootstrap') };
}

describe('bootstrapping', () => {
  it('registers what is missing, and touches nothing the second time', async () => {
    const parts = deps();
    assert.deepEqual((await bootstrap('https://as.example', parts)).created, [key, clientId, commandLineId]);
    const before = [await parts.resourceServers.find(key), await parts.clients.find(clientId)];
    const events = (await parts.auditEvents.list({ limit: 9 })).length;
    const again = await bootstrap('https://as.example', parts);
    assert.deepEqual(again, { created: [], redirectUri: undefined });
    assert.deepEqual([await parts.resourceServers.find(key), await parts.clients.find(clientId)], before);
    assert.equal((await parts.auditEvents.list({ limit: 9 })).length, events);
  });

  it('registers a public client of the implicit grant that asks for consent, and has an hour', async () => {
    const parts = deps();
    await bootstrap('https://as.example', parts);
    const client = (await parts.clients.find(clientId)) ?? assert.fail('no client');
    const { confidential, allowedImplicitGrant, allowedClientCredentials, useRefreshTokens } = client;
    assert.deepEqual(
      [confidential, allowedImplicitGrant, allowedClientCredentials, useRefreshTokens],
      [false, true, false, false],
    );
    const { skipConsent, trusted, keepsUserData, includePrincipal, expireDuration } = client;
    assert.deepEqual(
      [skipConsent, trusted, keepsUserData, includePrincipal, expireDuration],
      [false, true, false, false, 3600],
    );
  });

  it('registers the command line where an earlier release registered the pages, as a public client that asks for consent', async () => {
    const parts = deps();
    await bootstrap('https://as.example', parts);
    const server = await parts.resourceServers.find(key);
    const pages = await parts.clients.find(clientId);
    await parts.clients.delete((await parts.clients.find(commandLineId))?.id ?? 0);
    const report = await bootstrap('https://as.example', parts);
    assert.deepEqual(report, { created: [commandLineId], redirectUri: undefined });
    assert.deepEqual(
      [await parts.resourceServers.find(key), await parts.clients.find(clientId)],
      [server, pages],
    );
    const client = (await parts.clients.find(commandLineId)) ?? assert.fail('no client');
    const { confidential, allowedImplicitGrant, useRefreshTokens, skipConsent, redirectUris } = client;
    assert.deepEqual(
      { confidential, allowedImplicitGrant, useRefreshTokens, skipConsent, redirectUris },
      {
        ...{ confidential: false, allowedImplicitGrant: false, useRefreshTokens: true, skipConsent: false },
        redirectUris: ['http://127.0.0.1/callback'],
      },
    );
  });

  it('registers the client alone where that is missing', async () => {
    const parts = deps();
    await bootstrap('https://as.example', parts);
    const server = await parts.resourceServers.find(key);
    await parts.clients.delete((await parts.clients.find(clientId))?.id ?? 0);
    const report = await bootstrap('https://as.example', parts);
    assert.deepEqual(report, { created: [clientId], redirectUri: undefined });
    assert.deepEqual(await parts.resourceServers.find(key), server);
    assert.equal((await parts.resourceServers.list({ limit: 9 })).length, 2);
  });

  it('fails where its resource server is deleted meanwhile, and says so', async () => {
    const { transact, ...parts } = deps();
    const deleted: typeof transact = (work) =>
      transact((stores) =>
        work({ ...stores, clients: { ...stores.clients, create: async () => undefined } }),
      );
    await assert.rejects(
      bootstrap('https://as.example', { ...parts, transact: deleted }),
      /a resource server was deleted while the server started/,
    );
  });

  it('done by many at once registers once', async () => {
    const parts = deps();
    const reports = await Promise.all(
      Array.from({ length: 5 }, () => bootstrap('https://as.example', parts)),
    );
    assert.equal(reports.flatMap(({ created }) => created).length, 3);
    assert.equal((await parts.resourceServers.list({ limit: 9 })).length, 2);
  });

  it('moves the redirect URI of the server with the base URL, and keeps those allowed on purpose', async () => {
    const parts = deps();
    await bootstrap('https://as.example', parts);
    await pageAddresses(parts).add(buildAdministrator(), 'https://second.example');
    assert.equal((await bootstrap('https://as.example', parts)).redirectUri, undefined);
    parts.clock.advance(1);
    const { redirectUri } = await bootstrap('https://new.example/auth', parts);
    assert.equal(redirectUri, 'https://new.example/auth/client/client.html');
    const second = 'https://second.example/client/client.html';
    assert.deepEqual((await parts.clients.find(clientId))?.redirectUris, [redirectUri, second]);
    const [event] = await parts.auditEvents.list({ limit: 1 });
    assert.deepEqual([event?.action, event?.after], ['update', { redirectUris: [redirectUri, second] }]);
    await bootstrap('https://second.example', parts);
    assert.deepEqual((await parts.clients.find(clientId))?.redirectUris, [second]);
  });

  it('describes the scopes where an earlier release registered the records, and touches nothing else', async () => {
    const parts = deps();
    await bootstrap('https://as.example', parts);
    const made = await parts.resourceServers.find(key);
    parts.clock.advance(1);
    await parts.resourceServers.update(made?.id ?? 0, { scopeDescriptions: [], description: 'Ours.' });
    const report = await bootstrap('https://as.example', parts);
    assert.deepEqual(report, { created: [], redirectUri: undefined });
    const { scopeDescriptions, description } = (await parts.resourceServers.find(key)) ?? assert.fail();
    assert.deepEqual([scopeDescriptions, description], [made?.scopeDescriptions, 'Ours.']);
    const [event] = await parts.auditEvents.list({ limit: 1 });
    assert.deepEqual(Object.keys(event?.after ?? {}), ['scopeDescriptions']);
    await parts.resourceServers.update(made?.id ?? 0, { scopeDescriptions: [] });
    const moved = await bootstrap('https://new.example', parts);
    assert.deepEqual(moved, { created: [], redirectUri: 'https://new.example/client/client.html' });
  });

  it('keeps the changes of an administrator to the records', async () => {
    const parts = deps();
    await bootstrap('https://as.example', parts);
    const caller = buildAdministrator();
    const server = await parts.resourceServers.find(key);
    const change = { apply: (fields: object) => ({ ...fields, description: 'Ours.' }) as never };
    await resourceServerAdministration(parts).update(caller, server?.id ?? 0, change);
    await bootstrap('https://moved.example', parts);
    assert.equal((await parts.resourceServers.find(key))?.description, 'Ours.');
  });

  it('is a conflict while another record has one of the names', async () => {
    const caller = buildAdministrator();
    for (const [ownerAuthority, name] of [['', key]] as const) {
      const parts = deps();
      const { resourceServer } = await resourceServerAdministration(parts).create(caller, {
        fields: resourceServerRegistration({ name }),
      });
      // As a release before this one would have let them.
      assert.equal(resourceServer.key, `${key}2`);
      await parts.resourceServers.create({ ...resourceServer, ownerAuthority, name: 'Older' }, [key]);
      await assert.rejects(bootstrap('https://as.example', parts), protocolError('conflict'));
    }
    const parts = deps();
    const [server] = await parts.resourceServers.list({ limit: 1 });
    const { client } = await clientAdministration(parts).create(caller, server?.id ?? 0, {
      fields: clientRegistration({ clientName: clientId }),
    });
    assert.equal(client.clientId, `${clientId}2`);
    const older = await parts.clients.create({ ...client, clientName: 'Older' }, [clientId]);
    await assert.rejects(bootstrap('https://as.example', parts), protocolError('conflict'));
    assert.equal(await parts.resourceServers.find(key), undefined);
    await parts.clients.delete(older?.id ?? 0);
    const another = await parts.clients.create({ ...client, clientName: 'Older' }, [commandLineId]);
    await assert.rejects(bootstrap('https://as.example', parts), protocolError('conflict'));
    await parts.clients.delete(another?.id ?? 0);
    await bootstrap('https://as.example', parts);
    const own = (await parts.clients.find(commandLineId)) ?? assert.fail();
    await parts.clients.delete(own.id);
    // As an administrator could register it at the administration interface.
    await parts.clients.create({ ...own, confidential: true, redirectUris: [] }, [commandLineId]);
    await assert.rejects(bootstrap('https://as.example', parts), protocolError('conflict'));
  });
});

describe('the addresses of the administration pages', () => {
  const caller = buildAdministrator();

  it('are added and removed on purpose, each with a trace, and the own one stays', async () => {
    const parts = deps();
    const addresses = pageAddresses(parts);
    assert.deepEqual(await addresses.list(), []);
    await bootstrap('https://as.example', parts);
    assert.deepEqual(await addresses.list(), ['https://as.example']);
    const both = ['https://as.example', 'https://second.example/auth'];
    parts.clock.advance(1);
    assert.deepEqual(await addresses.add(caller, 'https://second.example/auth'), both);
    assert.deepEqual(await addresses.add(caller, 'https://second.example/auth'), both);
    assert.deepEqual(await addresses.list(), both);
    const [event, ...earlier] = await parts.auditEvents.list({ limit: 9 });
    assert.deepEqual([event?.action, event?.recordName, event?.actor], ['update', clientId, caller.identity]);
    assert.equal(earlier.length, 3);
    await assert.rejects(addresses.remove(caller, 'https://as.example'), protocolError('conflict'));
    await assert.rejects(addresses.remove(caller, 'https://third.example'), protocolError('not_found'));
    assert.deepEqual(await addresses.remove(caller, 'https://second.example/auth'), ['https://as.example']);
  });

  it('are none to which a token would travel in the clear, and none before anything is registered', async () => {
    const parts = deps();
    const add = () => pageAddresses(parts).add(caller, 'https://as.example');
    await assert.rejects(add(), protocolError('not_found'));
    await bootstrap('https://as.example', parts);
    await parts.clients.delete((await parts.clients.find(clientId))?.id ?? 0);
    await assert.rejects(add(), protocolError('not_found'));
    await bootstrap('https://as.example', parts);
    for (const baseUrl of ['http://as.example', 'javascript:x', 'https://u@as.example']) {
      await assert.rejects(
        pageAddresses(parts).add(caller, baseUrl),
        protocolError('invalid_request'),
        baseUrl,
      );
    }
    for (const baseUrl of ['http://localhost:8080', 'http://127.0.0.1']) {
      assert.ok((await pageAddresses(parts).add(caller, baseUrl)).includes(baseUrl));
    }
  });
});
