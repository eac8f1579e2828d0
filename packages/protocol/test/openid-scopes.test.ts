import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  claimsOfScope,
  openidScopesOf,
  remainingScopesOf,
  scopeOfClaim,
  splitScopes,
} from '../src/openid/scopes.ts';

const redirectUris = ['https://app.example/cb'];

describe('the scopes of OpenID Connect', () => {
  it('give any client with a redirect URI openid, and the scopes of its registration', () => {
    assert.deepEqual(openidScopesOf({ openidScopes: [], redirectUris }), ['openid']);
    assert.deepEqual(openidScopesOf({ openidScopes: ['email'], redirectUris }), ['openid', 'email']);
  });

  it('give a client without a redirect URI none', () => {
    assert.deepEqual(openidScopesOf({ openidScopes: ['email'], redirectUris: [] }), []);
  });

  it('leave a token that the client lost in its registration', () => {
    const client = { scopes: ['read'], openidScopes: ['email'], redirectUris };
    const granted = ['openid', 'read', 'write', 'email', 'phone'];
    assert.deepEqual(remainingScopesOf(granted, client), ['openid', 'read', 'email']);
    assert.deepEqual(remainingScopesOf(granted, { ...client, redirectUris: [] }), ['read']);
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
