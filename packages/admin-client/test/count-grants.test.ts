import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countGrants } from '../src/index.ts';

const others = { otherResourceServers: [] };
const active = { subject: 'emma', clientId: 'shop', lastUsed: 1, consentedScopes: ['read'], ...others };

describe('a list of grants', () => {
  it('is counted as the server counts what ends: two grants to one client share a remembered consent', () => {
    const listed = [
      active,
      active,
      { ...active, clientId: 'wiki', consentedScopes: [] },
      { ...active, subject: 'noor', lastUsed: null },
    ];
    assert.deepEqual(countGrants(listed), { grants: 3, consents: 2, consentsAlone: 1 });
    const elsewhere = {
      resourceServerId: 2,
      resourceServerName: 'Stock',
      scopes: [],
      consentedScopes: ['stock'],
    };
    const shared = { ...active, clientId: 'wiki', consentedScopes: [], otherResourceServers: [elsewhere] };
    assert.deepEqual(countGrants([shared]), { grants: 1, consents: 1, consentsAlone: 0 });
    assert.deepEqual(countGrants([]), { grants: 0, consents: 0, consentsAlone: 0 });
  });
});
