import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  claimsOfScope,
  openidScopesOf,
  remainingScopesOf,
  scopeOfClaim,
  splitScopes,
  withheldScopesOf,
  withoutIgnored,
} from '../../src/openid/scopes.ts';

const redirectUris = ['https://app.example/cb'];
const home = { resourceServerId: 1, otherResourceServers: [] };
const none = { resourceServerById: () => undefined };
const trust = { trusted: true, keepsUserData: false, useRefreshTokens: false };

describe('the scopes of OpenID Connect', () => {
  it('give any client with a redirect URI openid, and the scopes of its registration', () => {
    assert.deepEqual(openidScopesOf({ openidScopes: [], redirectUris, ...trust }), ['openid']);
    assert.deepEqual(openidScopesOf({ openidScopes: ['email'], redirectUris, ...trust }), [
      'openid',
      'email',
    ]);
  });

  it('give offline_access to every client that may have refresh tokens, and to no other, whatever its list says', () => {
    for (const openidScopes of [[], ['offline_access']]) {
      const client = { ...trust, openidScopes, redirectUris };
      assert.deepEqual(openidScopesOf(client), ['openid']);
      assert.deepEqual(openidScopesOf({ ...client, useRefreshTokens: true }), ['openid', 'offline_access']);
      assert.deepEqual(openidScopesOf({ ...client, useRefreshTokens: true, redirectUris: [] }), []);
    }
  });

  it('give a client without a redirect URI none', () => {
    assert.deepEqual(openidScopesOf({ openidScopes: ['email'], redirectUris: [], ...trust }), []);
  });

  it('leave a token that the client lost in its registration', () => {
    const client = { ...home, scopes: ['read'], openidScopes: ['email'], redirectUris, ...trust };
    const granted = ['openid', 'read', 'write', 'email', 'phone'];
    assert.deepEqual(remainingScopesOf(granted, client, undefined, none), ['openid', 'read', 'email']);
    assert.deepEqual(remainingScopesOf(granted, { ...client, redirectUris: [] }, undefined, none), ['read']);
    const all = ['read'];
    assert.equal(remainingScopesOf(all, client, undefined, none), all);
  });

  it('give a client that nobody confirmed openid and profile, but no e-mail address, postal address, phone number or groups', () => {
    const openidScopes = ['profile', 'email', 'address', 'phone', 'groups', 'offline_access'];
    const unconfirmed = { trusted: false, keepsUserData: false, useRefreshTokens: true };
    const client = { ...home, scopes: ['read'], openidScopes, redirectUris, ...unconfirmed };
    assert.deepEqual(openidScopesOf(client), ['openid', 'profile', 'offline_access']);
    assert.deepEqual(withheldScopesOf(client), ['email', 'address', 'phone', 'groups']);
    assert.deepEqual(remainingScopesOf(['openid', 'email', 'profile', 'read'], client, undefined, none), [
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
      ...home,
      scopes: ['email'],
      openidScopes: ['email'],
      redirectUris,
      ...trust,
      trusted: false,
    };
    assert.deepEqual(remainingScopesOf(['email'], client, { scopes: ['email'] }, none), ['email']);
  });

  it('keep the meaning that a resource server gave them before', () => {
    const split = splitScopes(['openid', 'profile', 'read', 'email'], { scopes: ['read', 'profile'] });
    assert.deepEqual(split, { openid: ['openid', 'email'], ofResourceServer: ['profile', 'read'] });
    // One that the resource server has lost is still none of OpenID Connect.
    assert.deepEqual(splitScopes(['gone'], { scopes: [] }), { openid: [], ofResourceServer: ['gone'] });
  });

  it('give the claims of OpenID Connect Core §5.4, each from one scope', () => {
    assert.equal(claimsOfScope.profile.length, 14);
    assert.equal(scopeOfClaim('birthdate'), 'profile');
    assert.equal(scopeOfClaim('email_verified'), 'email');
    assert.equal(scopeOfClaim('phone_number'), 'phone');
    assert.equal(scopeOfClaim('address'), 'address');
    assert.equal(scopeOfClaim('address.locality'), 'address');
    assert.equal(scopeOfClaim('sub'), 'openid');
    assert.equal(scopeOfClaim('department'), undefined);
  });
});

describe('of the scopes that a request names, those that are ignored', () => {
  const available = ['read', 'openid', 'email'];
  const own = { scopes: ['read', 'write'] };
  const left = (requested: string, resourceServer = own, has = available) =>
    withoutIgnored(requested.split(' '), has, resourceServer).join(' ');
  const standard = 'openid profile email address phone offline_access';

  it('are the six standard names that are not available, with or without openid', () => {
    assert.equal(left(`${standard} read`), 'openid email read');
    assert.equal(left('read profile address phone offline_access'), 'read');
    assert.equal(left(`read ${standard}`, own, ['read']), 'read');
    assert.equal(left('offline_access'), '');
  });

  it('are names that nobody knows, beside openid only', () => {
    assert.equal(left('openid foo groups read'), 'openid read');
    assert.equal(left('openid foo', own, ['read']), '');
    assert.equal(left('foo read'), 'foo read');
    assert.equal(left('groups read'), 'groups read');
  });

  it('are none of the resource server, so that one which the client lacks stays an error', () => {
    assert.equal(left('openid write'), 'openid write');
    assert.equal(left('openid groups', { scopes: ['read', 'groups'] }), 'openid groups');
    assert.equal(left('read write'), 'read write');
  });

  it('are the standard names also where a resource server has a scope of this name that the client lacks', () => {
    assert.equal(left('read email', { scopes: ['read', 'email'] }, ['read']), 'read');
  });

  it('are no unknown names where openid is a scope of the resource server', () => {
    const ownOpenid = { scopes: ['read', 'openid'] };
    assert.equal(left('openid foo', ownOpenid, ['read', 'openid']), 'openid foo');
    assert.equal(left('openid foo', ownOpenid, ['read']), 'foo');
  });
});
