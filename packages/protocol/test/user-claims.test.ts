import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildAuthenticationEvent, buildPrincipal, buildResourceOwner } from '@watchword/testkit';
import type { Principal } from '../src/model/principal.ts';
import type { ProvidedClaims } from '../src/model/provided-claims.ts';
import { type ClaimMapping, claimMapping, UserClaims } from '../src/openid/user-claims.ts';

const all = ['openid', 'profile', 'email', 'address', 'phone'];
const selection = { granted: all, available: all };

function claimsOf(chosen: ClaimMapping = {}): UserClaims {
  return new UserClaims(claimMapping(chosen));
}

function user(principal: Partial<Principal>, claims?: ProvidedClaims) {
  const owner = { ...buildResourceOwner(), principal: buildPrincipal(principal) };
  return { owner, authentication: buildAuthenticationEvent(claims && { claims }) };
}

describe('claims of a user', () => {
  it('are made of the attributes with the obvious names, in the types of the standard', () => {
    const attributes = {
      DISPLAY_NAME: 'Emma de Vries',
      givenName: 'Emma',
      sn: 'de Vries',
      mail: 'emma@example.org',
      email_verified: 'true',
      updated_at: '2026-01-01T00:00:00Z',
      telephoneNumber: '+31 20 1234567',
      phone_number_verified: 'false',
      street: 'Dam 1',
      l: 'Amsterdam',
      c: 'NL',
    };
    assert.deepEqual(claimsOf().forClient(user({ attributes }), selection), {
      name: 'Emma de Vries',
      given_name: 'Emma',
      family_name: 'de Vries',
      preferred_username: 'emma',
      updated_at: 1_767_225_600,
      email: 'emma@example.org',
      email_verified: true,
      address: { street_address: 'Dam 1', locality: 'Amsterdam', country: 'NL' },
      phone_number: '+31 20 1234567',
      phone_number_verified: false,
    });
  });

  it('without a value are absent', () => {
    const attributes = { name: '', email_verified: 'perhaps', updated_at: 'soon', constructor: 'x' };
    assert.deepEqual(claimsOf().forClient(user({ attributes }), selection), { preferred_username: 'emma' });
  });

  it('of a granted scope are there whatever value was requested', () => {
    const requested = { name: { value: 'Noah' } };
    const claims = claimsOf().forClient(user({ attributes: { name: 'Emma' } }), { ...selection, requested });
    assert.equal(claims.name, 'Emma');
  });

  it('are only those of the granted scopes', () => {
    const emma = user({ attributes: { name: 'Emma', mail: 'emma@example.org', c: 'NL', mobile: '1' } });
    for (const [scope, names] of [
      ['openid', []],
      ['profile', ['name', 'preferred_username']],
      ['email', ['email']],
      ['address', ['address']],
      ['phone', ['phone_number']],
      ['offline_access', []],
    ] as const) {
      const claims = claimsOf().forClient(emma, { granted: [scope], available: all });
      assert.deepEqual(Object.keys(claims), names, scope);
    }
  });

  it('can be requested by name by a client that can have their scope, and by no other', () => {
    const emma = user({ attributes: { name: 'Emma', mail: 'emma@example.org' } });
    const requested = { name: { essential: true }, email: null, constructor: null };
    const granted = ['openid'];
    assert.deepEqual(claimsOf().forClient(emma, { granted, available: ['openid', 'profile'], requested }), {
      name: 'Emma',
    });
    assert.deepEqual(claimsOf().forClient(emma, { granted, available: granted, requested }), {});
  });

  it('that are requested with a value are absent if the user has another', () => {
    const emma = user({ attributes: { locale: 'nl', mail: 'emma@example.org' } });
    const requested = { locale: { values: ['nl', 'de'] }, email: { value: 'bob@example.org' } };
    const granted = ['openid'];
    assert.deepEqual(claimsOf().forClient(emma, { granted, available: all, requested }), { locale: 'nl' });
  });

  it('of the authentication module come before attributes', () => {
    const emma = user(
      { attributes: { mail: 'old@example.org', name: 'Emma' } },
      { email: 'emma@example.org', email_verified: true, address: { country: 'NL' } },
    );
    const { name, ...others } = claimsOf().forClient(emma, selection);
    assert.equal(name, 'Emma');
    assert.deepEqual(others, {
      preferred_username: 'emma',
      email: 'emma@example.org',
      email_verified: true,
      address: { country: 'NL' },
    });
  });

  it('never state that an address is verified that came from another source', () => {
    const attributes = { mail: 'emma@example.org', email_verified: 'true' };
    const moduleMail = claimsOf().forClient(user({ attributes }, { email: 'other@example.org' }), selection);
    assert.equal(moduleMail.email, 'other@example.org');
    assert.ok(!('email_verified' in moduleMail));
    const moduleStatement = user({ attributes: { mail: 'emma@example.org' } }, { email_verified: true });
    assert.ok(!('email_verified' in claimsOf().forClient(moduleStatement, selection)));
  });

  it('have the sources that the operator chose, further claims with scope profile among them', () => {
    const chosen = { email: ['office'], department: ['ou'], groups: ['principal.groups'], nickname: [] };
    const emma = user({
      groups: ['staff'],
      attributes: { office: 'e@office.example', mail: 'x@example.org', ou: 'Finance', nickname: 'Em' },
    });
    assert.deepEqual(claimsOf(chosen).forClient(emma, selection), {
      preferred_username: 'emma',
      email: 'e@office.example',
      department: 'Finance',
      groups: ['staff'],
    });
    assert.deepEqual(claimsOf(chosen).forClient(emma, { ...selection, granted: ['openid', 'email'] }), {
      email: 'e@office.example',
    });
  });

  it('have no roles and groups for clients unless the operator chose so, but for resource servers', () => {
    const emma = user({ roles: ['editor'], groups: ['staff'], attributes: { 'my groups': 'a' } });
    assert.ok(!('groups' in claimsOf().forClient(emma, selection)));
    assert.deepEqual(claimsOf().forResourceServer(emma), { roles: ['editor'], groups: ['staff'] });
    assert.deepEqual(claimsOf({ groups: ['my groups'] }).forResourceServer(emma), {
      roles: ['editor'],
      groups: 'a',
    });
    assert.deepEqual(claimsOf().forResourceServer(user({})), {});
  });

  it('are listed by name, the address once', () => {
    const { names } = claimsOf({ department: ['ou'] });
    assert.equal(new Set(names).size, names.length);
    for (const name of ['name', 'email_verified', 'address', 'department'])
      assert.ok(names.includes(name), name);
    assert.ok(!names.some((name) => name.includes('.')));
  });
});
