import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countGrants } from '../src/index.ts';

const active = { subject: 'emma', clientId: 'shop', lastUsed: 1, consentedScopes: ['read'] };

describe('a list of grants', () => {
  it('is counted as the server counts what ends: two grants to one client share a remembered consent', () => {
    const listed = [
      active,
      active,
      { ...active, clientId: 'wiki', consentedScopes: [] },
      { ...active, subject: 'noor', lastUsed: null },
    ];
    assert.deepEqual(countGrants(listed), { grants: 3, consents: 2, consentsAlone: 1 });
    assert.deepEqual(countGrants([]), { grants: 0, consents: 0, consentsAlone: 0 });
  });
});
