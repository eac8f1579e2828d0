import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildAuthenticationEvent, buildPrincipal, buildResourceOwner } from '@watchword/testkit';
import type { Principal } from '../../src/model/principal.ts';
import type { ProvidedClaims } from '../../src/model/provided-claims.ts';
import type { ClaimMapping } from '../../src/openid/default-claims.ts';
import { claimMapping, UserClaims } from '../../src/openid/user-claims.ts';

const all = ['openid', 'profile', 'email', 'address', 'phone'];

/** A confirmed client that can have these scopes. */
function clientOf(openidScopes: readonly string[], changes: { readonly trusted?: boolean } = {}) {
  const redirectUris = ['https://app.example/cb'];
  return {
    openidScopes,
    redirectUris,
    useRefreshTokens: false,
    trusted: true,
    keepsUserData: false,
    ...changes,
  };
}

const selection = { client: clientOf(all), granted: all };

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

  it('have the time of the last change in epoch seconds, or as a date of ISO 8601', () => {
    const claimOf = (updated_at: string) =>
      claimsOf().forClient(user({ attributes: { updated_at } }), selection).updated_at;
    for (const value of ['1767225600', '2026-01-01', '2026-01-01T00:00:00.9Z']) {
      assert.equal(claimOf(value), 1_767_225_600, value);
    }
    assert.equal(claimOf('1767225600000'), undefined);
  });

  it('that the server knows are those that have a value', () => {
    const emma = user({ groups: ['staff'], attributes: { mail: 'emma@example.org', c: '' } });
    assert.deepEqual(Object.entries(claimsOf().all(emma)), [
      ['preferred_username', 'emma'],
      ['email', 'emma@example.org'],
      ['groups', ['staff']],
    ]);
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
      const claims = claimsOf().forClient(emma, { ...selection, granted: [scope] });
      assert.deepEqual(Object.keys(claims), names, scope);
    }
  });

  it('can be requested by name by a client that can have their scope, and by no other', () => {
    const emma = user({ attributes: { name: 'Emma', mail: 'emma@example.org' } });
    const requested = { name: { essential: true }, email: null, constructor: null };
    const granted = ['openid'];
    assert.deepEqual(claimsOf().forClient(emma, { client: clientOf(['profile']), granted, requested }), {
      name: 'Emma',
    });
    assert.deepEqual(claimsOf().forClient(emma, { client: clientOf([]), granted, requested }), {});
  });

  it('that are requested with a value are absent if the user has another', () => {
    const emma = user({ attributes: { locale: 'nl', mail: 'emma@example.org' } });
    const requested = { locale: { values: ['nl', 'de'] }, email: { value: 'bob@example.org' } };
    const granted = ['openid'];
    assert.deepEqual(claimsOf().forClient(emma, { ...selection, granted, requested }), { locale: 'nl' });
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

  it('have groups for clients with the scope groups, no roles unless the operator chose so, and both for resource servers', () => {
    const emma = user({ roles: ['editor'], groups: ['staff'], attributes: { 'my groups': 'a' } });
    const granted = [...all, 'groups'];
    assert.deepEqual(claimsOf().forClient(emma, { client: clientOf(granted), granted }), {
      preferred_username: 'emma',
      groups: ['staff'],
    });
    assert.ok(!('groups' in claimsOf().forClient(emma, selection)));
    assert.deepEqual(claimsOf().forResourceServer(emma), { roles: ['editor'], groups: ['staff'] });
    assert.deepEqual(claimsOf({ groups: ['my groups'] }).forResourceServer(emma), {
      roles: ['editor'],
      groups: 'a',
    });
    assert.deepEqual(claimsOf().forResourceServer(user({})), {});
  });

  it('that name the groups of a module reach clients, and resource servers only if the operator chose a source', () => {
    const emma = user({ groups: ['staff'] }, { groups: ['board'] });
    const withGroups = { client: clientOf(['groups']), granted: ['openid', 'groups'] };
    assert.deepEqual(claimsOf().forClient(emma, withGroups), { groups: ['board'] });
    assert.deepEqual(claimsOf().forResourceServer(emma), { groups: ['staff'] });
    const chosen = claimsOf({ groups: { from: ['principal.groups'], scope: 'groups' } });
    assert.deepEqual(chosen.forResourceServer(emma), { groups: ['board'] });
  });

  it('belong to the scope that the operator named, and without one to profile', () => {
    const chosen = claimsOf({ department: { from: ['ou'], scope: 'email' }, level: ['level'] });
    const emma = user({ attributes: { ou: 'Finance', level: '2' } });
    const of = (scope: string) => chosen.forClient(emma, { ...selection, granted: ['openid', scope] });
    assert.deepEqual(of('email'), { department: 'Finance' });
    assert.deepEqual(of('profile'), { preferred_username: 'emma', level: '2' });
    const requested = { department: null, level: null };
    for (const [scope, expected] of [
      ['email', { department: 'Finance' }],
      ['profile', { level: '2' }],
    ] as const) {
      const client = clientOf([scope]);
      assert.deepEqual(chosen.forClient(emma, { client, granted: ['openid'], requested }), expected);
      assert.equal(chosen.scopeFor(Object.keys(expected)[0] ?? '', client), scope);
      assert.equal(chosen.scopeFor('department', clientOf([])), undefined);
    }
  });

  it('with the groups come with groups, and with profile too if an operator named only their source', () => {
    const emma = user({ groups: ['staff'] });
    const scopesWith = (mapping: ClaimMapping, trusted = true) =>
      ['groups', 'profile', 'email'].filter((scope) => {
        const client = clientOf([scope], { trusted });
        const byScope = claimsOf(mapping).forClient(emma, { client, granted: ['openid', scope] });
        const byName = claimsOf(mapping).forClient(emma, {
          client,
          granted: ['openid'],
          requested: { groups: null },
        });
        assert.equal('groups' in byName, 'groups' in byScope);
        assert.equal(claimsOf(mapping).scopeFor('groups', client), 'groups' in byScope ? scope : undefined);
        return 'groups' in byScope;
      });
    assert.deepEqual(scopesWith({}), ['groups']);
    assert.deepEqual(scopesWith({ groups: ['principal.groups'] }), ['groups', 'profile']);
    assert.deepEqual(scopesWith({ groups: { from: ['principal.groups'], scope: 'profile' } }), ['profile']);
    assert.deepEqual(scopesWith({ groups: { from: ['principal.groups'], scope: 'email' } }), ['email']);
  });

  it('with the groups come to no client that nobody confirmed, whatever scope an operator gave them', () => {
    const emma = user({ groups: ['staff'] });
    const client = clientOf(['profile', 'groups'], { trusted: false });
    for (const mapping of [
      {},
      { groups: ['principal.groups'] },
      { groups: { from: ['principal.groups'], scope: 'profile' } },
    ] as const) {
      const granted = ['openid', 'profile'];
      const claims = claimsOf(mapping).forClient(emma, { client, granted, requested: { groups: null } });
      assert.deepEqual(claims, { preferred_username: 'emma' });
      assert.equal(claimsOf(mapping).scopeFor('groups', client), undefined);
      assert.ok(
        mapping.groups === undefined ||
          'groups' in
            claimsOf(mapping).forClient(emma, { client: { ...client, keepsUserData: true }, granted }),
      );
    }
  });

  it('are listed by name, the address once', () => {
    const { names } = claimsOf({ department: ['ou'] });
    assert.equal(new Set(names).size, names.length);
    for (const name of ['name', 'email_verified', 'address', 'department'])
      assert.ok(names.includes(name), name);
    assert.ok(!names.some((name) => name.includes('.')));
  });
});
