import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseBearerValue, withNewSecret } from '@watchword/protocol';
import {
  buildAdministrator,
  buildClient,
  buildPrincipal,
  buildResourceOwner,
  buildResourceServer,
  FakeClock,
  grantFactory,
  machineSecret,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { ofAccount } from '../../src/accounts/account-record.ts';
import { activeToken } from '../../src/callers/active-token.ts';
import { commandLineCaller } from '../../src/callers/caller.ts';
import { type AuditedChange, auditEvents } from '../../src/changes/audit.ts';
import { changeRecords } from '../../src/changes/change-records.ts';
import { answeredClient } from '../../src/clients/client-record.ts';
import { changeClient } from '../../src/clients/client-registration.ts';
import { auditedResourceServer } from '../../src/resource-servers/resource-server-record.ts';
import { accessTokenRecord } from '../../src/tokens/token-record.ts';

describe('the audit events of one change', () => {
  it('are in the order of the changes, and leave out an update that changes nothing', () => {
    const parts = { clock: new FakeClock(), random: seededRandom('audit') };
    const names = Array.from({ length: 20 }, (_, index) => String(index));
    const changes = names.map((recordName) => ({
      action: 'create' as const,
      recordType: 'client' as const,
      recordId: '1',
      recordName,
      owner: undefined,
    }));
    const nothing = { ...changes[0], action: 'update', recordName: 'same', before: {}, after: {} } as const;
    const events = auditEvents(buildAdministrator(), [...changes, nothing] as never, parts);
    assert.deepEqual(
      events.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ recordName }) => recordName),
      names,
    );
  });
});

describe('a resource server in the audit log', () => {
  it('has the descriptions of its scopes apart from their names, if it has some', () => {
    const scopeDescriptions = [{ name: 'read', description: 'Read all' }];
    const described = auditedResourceServer(buildResourceServer({ scopes: ['read'], scopeDescriptions }));
    assert.deepEqual([described.scopes, described.scopeDescriptions], [['read'], scopeDescriptions]);
    assert.ok(!('scopeDescriptions' in auditedResourceServer(buildResourceServer({}))));
  });
});

describe('a change of records', () => {
  it('that changes nothing adds nothing to the audit log, and is run once', async () => {
    const { store, clock, random } = protocolDependencies();
    const appended: number[] = [];
    const transact: typeof store.transact = (work) =>
      store.transact((stores) => {
        const append = async (events: readonly unknown[]) => void appended.push(events.length);
        return work({ ...stores, auditEvents: { ...stores.auditEvents, append } });
      });
    const deps = { ...store, clock, random, transact };
    const change = (changes: readonly AuditedChange[]) =>
      changeRecords(buildAdministrator(), deps, async () => ({ value: 'done', changes }));
    assert.equal(await change([]), 'done');
    assert.deepEqual(appended, []);
    await change([{ action: 'create', ...ofAccount('emma') }]);
    assert.deepEqual(appended, [1]);
  });

  it('of a client asks for three documents of sectors at most', async () => {
    const { store, clock, random } = protocolDependencies();
    const read: string[] = [];
    const sectorIdentifiers = {
      async read(uri: string) {
        read.push(uri);
        return { redirectUris: [] };
      },
    };
    const deps = { ...store, clock, random, sectorIdentifiers };
    const changed = changeClient(buildAdministrator(), deps, async (_, documents) => ({
      neededDocument: `https://sector.example/${documents.size + 1}`,
    }));
    await assert.rejects(changed, protocolError('conflict'));
    assert.deepEqual(
      read,
      [1, 2, 3].map((number) => `https://sector.example/${number}`),
    );
  });
});

describe('the user of the command line', () => {
  it('is an administrator, also as a principal, and no user who logged in', () => {
    const { isAdministrator, principal, login, access } = commandLineCaller('ops');
    assert.deepEqual(
      [isAdministrator, principal.name, principal.adminPrincipal, login, access],
      [true, 'ops', true, undefined, undefined],
    );
  });
});

describe('a token that was found', () => {
  it('is valid only while its grant, its client and its resource server are there', async () => {
    const { store, client, issue } = protocolDependencies();
    const id = parseBearerValue('access', await issue())?.id ?? '';
    const token = (await store.accessTokens.find(id)) ?? assert.fail('no token');
    const nobody = { findById: async () => undefined };
    assert.equal((await activeToken(token, store))?.client, client);
    for (const [what, found] of [
      ['grant', await activeToken({ ...token, grantId: 'a grant' }, store)],
      ['client', await activeToken(token, { ...store, clients: nobody })],
      ['resource server', await activeToken(token, { ...store, resourceServers: nobody })],
    ] as const) {
      assert.equal(found, undefined, what);
    }
  });
});

describe('the record of', () => {
  it('a client says what it lacks, and nothing where it lacks nothing', () => {
    const marks = (changes: Parameters<typeof buildClient>[0]) => {
      const record = answeredClient(buildClient(changes));
      return [record.lacksSecret, record.weakSecret, record.withheldScopes, record.secretExpires];
    };
    const none = [undefined, undefined, undefined, undefined];
    const weak = { ...machineSecret('x'), hash: Buffer.from('$argon2id$') };
    assert.deepEqual(marks({ trusted: true, openidScopes: ['email'] }), none);
    assert.deepEqual(marks({ trusted: false, openidScopes: [] }), none);
    assert.deepEqual(marks({ trusted: true, secret: undefined }), [true, undefined, undefined, undefined]);
    assert.deepEqual(marks({ trusted: true, secret: weak }), [undefined, true, undefined, undefined]);
    const expiring = withNewSecret('x', { description: '', expires: 9 }, undefined, 0);
    assert.deepEqual(marks({ trusted: true, secret: expiring }), [undefined, undefined, undefined, 9]);
    assert.deepEqual(marks({ trusted: false, openidScopes: ['email'] }), [
      undefined,
      undefined,
      ['email'],
      undefined,
    ]);
  });

  it('a token has the user who granted it, or the client that acts for itself', () => {
    const client = buildClient();
    const grant = grantFactory().grant({ owner: buildResourceOwner('noah') });
    const token = { id: 'an id', format: 'opaque', client, scopes: [], expires: 0, creationDate: 1 } as const;
    const ofUser = accessTokenRecord({ ...token, grant });
    assert.deepEqual(
      [ofUser.id, ofUser.resourceOwnerId, ofUser.principal],
      ['an id', 'noah', grant.owner.principal],
    );
    const own = accessTokenRecord({ ...token, address: 'an address', grant: undefined });
    assert.deepEqual(
      [own.id, own.resourceOwnerId, own.resourceOwnerAuthority, own.principal],
      ['an address', 'test-client', `client:${client.id}`, buildPrincipal({ name: 'test-client' })],
    );
  });

  it('a token names the key to which it is bound, and a bearer token none', () => {
    const client = buildClient();
    const token = { id: 'an id', format: 'opaque', client, scopes: [], expires: 0, creationDate: 1 } as const;
    const bound = accessTokenRecord({ ...token, grant: undefined, confirmation: { jkt: 'thumbprint' } });
    assert.deepEqual(bound.cnf, { jkt: 'thumbprint' });
    assert.equal('cnf' in accessTokenRecord({ ...token, grant: undefined }), false);
  });
});
