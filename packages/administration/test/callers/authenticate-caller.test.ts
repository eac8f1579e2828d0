import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administrationKey, newAccessToken, type Principal } from '@watchword/protocol';
import {
  buildClient,
  buildResourceOwner,
  buildResourceServer,
  grantFactory,
  presentedRequest,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { authenticateCaller } from '../../src/callers/authenticate-caller.ts';

/** The administration interface with one client of it. */
function deps() {
  const base = protocolDependencies();
  const server = base.store.putResourceServer(
    buildResourceServer({ id: 50, key: administrationKey, owner: 'watchword', ownerAuthority: 'system' }),
  );
  const client = base.store.putClient(
    buildClient({ id: 51, clientId: 'admin-client', resourceServerId: server.id, scopes: ['read', 'write'] }),
  );
  const call = (
    authorization: string | undefined,
    scope: 'read' | 'write' = 'read',
    hasTokenInQuery = false,
  ) =>
    authenticateCaller({ ...presentedRequest(authorization), hasTokenInQuery }, scope, {
      ...base,
      rights: base.store.rights,
    });
  const granted = async (
    identityProvider: string,
    principal: Partial<Principal> = {},
    scopes = ['read', 'write'],
  ) => {
    const owner = buildResourceOwner('emma', identityProvider);
    const grant = grantFactory(identityProvider).grant({
      clientRecordId: client.id,
      owner: { ...owner, principal: { ...owner.principal, ...principal } },
      creationDate: base.clock.now(),
    });
    const made = await newAccessToken({ client, scopes, grant, lifetime: 60, confirmation: undefined }, base);
    await base.store.grants.insert(grant, made.accessToken);
    return `Bearer ${made.accessTokenValue}`;
  };
  return { ...base, server, client, call, granted };
}

describe('the caller of the administration interface', () => {
  it('is the user who granted the token, with their identity provider', async () => {
    const { call, granted, client } = deps();
    const caller = await call(await granted('password'));
    assert.deepEqual(caller.identity, { identityProvider: 'password', name: 'emma' });
    assert.deepEqual(
      [caller.isAdministrator, caller.client?.id, caller.source],
      [false, client.id, '192.0.2.7'],
    );
    assert.ok((await call(await granted('idp', { adminPrincipal: true }))).isAdministrator);
  });

  it('is the client itself for a token without a user, by its record id and never an administrator', async () => {
    const { call, issue, client } = deps();
    const caller = await call(`Bearer ${await issue(client)}`);
    assert.deepEqual(caller.identity, { identityProvider: 'client:51', name: 'admin-client' });
    assert.deepEqual([caller.isAdministrator, caller.login], [false, undefined]);
  });

  it('is anonymous with a reserved identity provider, also when a grant has it', async () => {
    const { call, granted } = deps();
    for (const identityProvider of ['', 'system', 'cli', 'client:51']) {
      const token = await granted(identityProvider, { adminPrincipal: true });
      await assert.rejects(call(token), protocolError('invalid_token'));
    }
  });

  it('is read from the Authorization header only, in any case of its scheme', async () => {
    const { call, granted } = deps();
    const token = (await granted('password')).slice('Bearer '.length);
    for (const header of [`bearer ${token}`, `BEARER   ${token}`]) assert.ok(await call(header));
    for (const header of [
      'Bearer',
      `Bearer  `,
      `Bearer ${token} x`,
      `Bearer ${token},Bearer ${token}`,
      `Bearer "${token}"`,
      `Bearer\t${token}`,
    ]) {
      await assert.rejects(call(header), protocolError('invalid_token'), header);
    }
    await assert.rejects(call(undefined, 'read', true), protocolError('invalid_token'));
    await assert.rejects(call(`Basic ${token}`, 'read', true), protocolError('invalid_request'));
    await assert.rejects(call(`Bearer ${token}`, 'read', true), protocolError('invalid_request'));
  });

  it('is asked for a token where none was presented, which is no failed attempt', async () => {
    const { call, granted, attempts } = deps();
    const token = (await granted('password')).slice('Bearer '.length);
    for (const header of [
      undefined,
      '',
      token,
      `Basic ${token}`,
      `Bearerish ${token}`,
      `Not-Bearer ${token}`,
    ]) {
      await assert.rejects(call(header), protocolError('missing_token'), header);
    }
    assert.deepEqual(attempts.failures, []);
  });

  it('needs the scope, of those that the client still has', async () => {
    const { call, granted, store, client } = deps();
    const reading = await granted('password', {}, ['read']);
    assert.ok(await call(reading, 'read'));
    await assert.rejects(call(reading, 'write'), protocolError('insufficient_scope'));
    const both = await granted('idp');
    assert.ok(await call(both, 'write'));
    store.putClient({ ...client, scopes: ['read'] });
    await assert.rejects(call(both, 'write'), protocolError('insufficient_scope'));
  });

  it('is anonymous with a token of any other resource server, also one that has the key but is not the built-in one', async () => {
    const { call, issue, client, store, server } = deps();
    await assert.rejects(call(`Bearer ${await issue()}`), protocolError('invalid_token'));
    const token = await issue(client);
    for (const other of [{ ownerAuthority: 'password' }, { key: 'other' }]) {
      store.putResourceServer({ ...server, ...other });
      await assert.rejects(call(`Bearer ${token}`), protocolError('invalid_token'), JSON.stringify(other));
    }
  });

  it('is anonymous with an expired or revoked token, and every failure is counted', async () => {
    const { call, granted, clock, attempts, store } = deps();
    const token = await granted('password');
    clock.advance(60_000);
    await assert.rejects(call(token), protocolError('invalid_token'));
    const revoked = await granted('idp');
    const [id = ''] = [...store.tokens.keys()].slice(-1);
    await store.accessTokens.revoke(id);
    await assert.rejects(call(revoked), protocolError('invalid_token'));
    assert.equal(attempts.failures.length, 2);
    attempts.waitAfterFailure = 7;
    await assert.rejects(call('Bearer x'), protocolError('too_many_requests'));
    // Who holds a token that counts is not slowed down by others behind the same address.
    assert.ok(await call(await granted('other')));
  });
});
