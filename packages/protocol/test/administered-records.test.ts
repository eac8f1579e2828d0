import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildAdministrator,
  buildClient,
  buildPrincipal,
  buildResourceOwner,
  FakeClock,
  grantFactory,
  machineSecret,
  seededRandom,
} from '@watchword/testkit';
import { auditEvents } from '../src/admin/audit.ts';
import { accessTokenRecord, answeredClient } from '../src/admin/records.ts';

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

describe('the record of', () => {
  it('a client says what it lacks, and nothing where it lacks nothing', () => {
    const marks = (changes: Parameters<typeof buildClient>[0]) => {
      const { lacksSecret, weakSecret, withheldScopes } = answeredClient(buildClient(changes));
      return [lacksSecret, weakSecret, withheldScopes];
    };
    const none = [undefined, undefined, undefined];
    const weak = { ...machineSecret('x'), hash: Buffer.from('$argon2id$') };
    assert.deepEqual(marks({ trusted: true, openidScopes: ['email'] }), none);
    assert.deepEqual(marks({ trusted: false, openidScopes: [] }), none);
    assert.deepEqual(marks({ trusted: true, secret: undefined }), [true, undefined, undefined]);
    assert.deepEqual(marks({ trusted: true, secret: weak }), [undefined, true, undefined]);
    assert.deepEqual(marks({ trusted: false, openidScopes: ['email'] }), [undefined, undefined, ['email']]);
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
});
