import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  claimsOfScope,
  openidScopesOf,
  remainingScopesOf,
  scopeOfClaim,
  splitScopes,
  withheldScopesOf,
} from '../src/openid/scopes.ts';

const redirectUris = ['https://app.example/cb'];
const trust = { trusted: true, keepsUserData: false };

describe('the scopes of OpenID Connect', () => {
  it('give any client with a redirect URI openid, and the scopes of its registration', () => {
    assert.deepEqual(openidScopesOf({ openidScopes: [], redirectUris, ...trust }), ['openid']);
    assert.deepEqual(openidScopesOf({ openidScopes: ['email'], redirectUris, ...trust }), [
      'openid',
      'email',
    ]);
  });

  it('give a client without a redirect URI none', () => {
    assert.deepEqual(openidScopesOf({ openidScopes: ['email'], redirectUris: [], ...trust }), []);
  });

  it('leave a token that the client lost in its registration', () => {
    const client = { scopes: ['read'], openidScopes: ['email'], redirectUris, ...trust };
    const granted = ['openid', 'read', 'write', 'email', 'phone'];
    assert.deepEqual(remainingScopesOf(granted, client), ['openid', 'read', 'email']);
    assert.deepEqual(remainingScopesOf(granted, { ...client, redirectUris: [] }), ['read']);
  });

  it('give a client that nobody confirmed openid and profile, but no e-mail address, postal address, phone number or groups', () => {
    const openidScopes = ['profile', 'email', 'address', 'phone', 'groups', 'offline_access'];
    const client = { scopes: ['read'], openidScopes, redirectUris, trusted: false, keepsUserData: false };
    assert.deepEqual(openidScopesOf(client), ['openid', 'profile', 'offline_access']);
    assert.deepEqual(withheldScopesOf(client), ['email', 'address', 'phone', 'groups']);
    assert.deepEqual(remainingScopesOf(['openid', 'email', 'profile', 'read'], client), [
      'openid',
      'profile',
      'read',
    ]);
    for (const trust of [{ trusted: true }, { keepsUserData: true }]) {
      const confirmed = { ...client, ...trust };
      assert.deepEqual(openidScopesOf(confirmed), ['openid', ...openidScopes]);
      assert.deepEqual(withheldScopesOf(confirmed), []);
    }
  });

  it('do not withhold a scope of that name that its resource server has', () => {
    const client = {
      scopes: ['email'],
      openidScopes: ['email'],
      redirectUris,
      trusted: false,
      keepsUserData: false,
    };
    assert.deepEqual(remainingScopesOf(['email'], client, { scopes: ['email'] }), ['email']);
  });

  it('keep the meaning that a resource server gave them before', () => {
    const split = splitScopes(['openid', 'profile', 'read', 'email'], { scopes: ['read', 'profile'] });
    assert.deepEqual(split, { openid: ['openid', 'email'], ofResourceServer: ['profile', 'read'] });
  });

  it('give the claims of OpenID Connect Core §5.4, each from one scope', () => {
    assert.equal(claimsOfScope.profile.length, 14);
    assert.equal(scopeOfClaim('birthdate'), 'profile');
    assert.equal(scopeOfClaim('email_verified'), 'email');
    assert.equal(scopeOfClaim('phone_number'), 'phone');
    assert.equal(scopeOfClaim('address'), 'address');
    assert.equal(scopeOfClaim('sub'), 'openid');
  });

  it('have a claim of no standard scope in profile', () => {
    assert.equal(scopeOfClaim('department'), 'profile');
  });
});
