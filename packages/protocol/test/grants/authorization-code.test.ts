import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  buildClient,
  clientRequest,
  type FlowDependencies,
  flowDependencies,
  protocolError,
} from '@watchword/testkit';
import { tokenEndpoint } from '../../src/endpoints/token.ts';
import { authorizationCodeGrant } from '../../src/grants/authorization-code.ts';
import { profileChecks } from '../../src/rules/profile-checks.ts';
import { createBearerValue, parseBearerValue } from '../../src/tokens/bearer-value.ts';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';

const redirect_uri = 'https://app.example/cb';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = createHash('sha256').update(verifier).digest('base64url');

const codeOf = async (deps: FlowDependencies, parameters: Record<string, string> = {}) =>
  (await deps.grant(parameters)).get('code') ?? '';

const redeem = (
  deps: FlowDependencies,
  code: string,
  form: Record<string, string> = {},
  credentials?: string,
) => deps.token({ grant_type: 'authorization_code', code, redirect_uri, ...form }, credentials);

describe('an authorization code', () => {
  it('is redeemed for an access token of its owner, with what was granted', async () => {
    const deps = await flowDependencies();
    const issued = await redeem(deps, await codeOf(deps, { scope: 'read' }));
    assert.equal(issued.scope, 'read');
    assert.equal(issued.expires_in, 300);
    assert.match(issued.refresh_token ?? '', /^wwr_/);
    const found = await findAccessToken(issued.access_token, deps);
    assert.equal(found?.subject, found?.token.grant?.owner.subject);
    assert.deepEqual(found?.principal, {
      name: 'emma',
      roles: ['staff'],
      groups: ['blue'],
      adminPrincipal: false,
      attributes: { DISPLAY_NAME: 'Emma' },
    });
  });

  it('brings the scopes that were granted, whatever scope the token request has', async () => {
    const deps = await flowDependencies();
    for (const scope of ['write', 'unknown', 'read']) {
      const code = await codeOf(deps, { scope: 'read' });
      assert.equal((await redeem(deps, code, { scope })).scope, 'read');
    }
  });

  it('is redeemed with the redirect URI of its request, also when that is not registered any more', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    deps.store.putClient({ ...deps.webApp, redirectUris: ['https://new.example/cb'] });
    assert.match((await redeem(deps, code)).access_token, /^wwa_/);
  });

  it('brings no refresh token to a client that uses none', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, useRefreshTokens: false });
    const answer = await redeem(deps, await codeOf(deps, { scope: 'read' }));
    assert.deepEqual(Object.keys(answer), ['access_token', 'token_type', 'scope', 'expires_in']);
  });

  it('is redeemed once: a replay revokes everything that was issued for it', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    const issued = await redeem(deps, code);
    deps.clock.advance(30_000);
    for (const _ of [1, 2]) await assert.rejects(redeem(deps, code), protocolError('invalid_grant'));
    assert.equal(await findAccessToken(issued.access_token, deps), undefined);
    const events = await deps.store.auditEvents.list({ kind: 'changes', limit: 10 });
    assert.deepEqual(
      events.map(({ action, recordType, clientName, owner, after }) => [
        action,
        recordType,
        clientName,
        owner.name,
        after,
      ]),
      [['revokeGrants', 'grant', deps.webApp.clientName, 'emma', { reason: 'unused_code' }]],
    );
    const refresh = deps.token({ grant_type: 'refresh_token', refresh_token: issued.refresh_token ?? '' });
    await assert.rejects(refresh, protocolError('invalid_grant'));
  });

  it('revokes what was issued for it also when it has expired before its replay', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    const issued = await redeem(deps, code);
    deps.clock.advance(60_000);
    await assert.rejects(redeem(deps, code), protocolError('invalid_grant'));
    assert.equal(await findAccessToken(issued.access_token, deps), undefined);
  });

  it('is rejected as that of a grant that has ended when the purge has removed the grant', async () => {
    const deps = await flowDependencies();
    const { authorizationCodes } = deps.store;
    const code = await codeOf(deps);
    const find: typeof authorizationCodes.find = async (id) => {
      const found = await authorizationCodes.find(id);
      return found && { ...found, grant: undefined };
    };
    const grantTypes = [
      authorizationCodeGrant({ ...deps, authorizationCodes: { ...authorizationCodes, find } }),
    ];
    const form = { grant_type: 'authorization_code', code, redirect_uri };
    const redeemed = tokenEndpoint({ ...deps, grantTypes })(clientRequest(form, 'web-app:client-secret'));
    await assert.rejects(redeemed, { kind: 'invalid_grant', rule: 'active_grant' });
  });

  it('of a request without PKCE is worth nothing under a profile that demands it, and stays as it is', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    const form = { grant_type: 'authorization_code', code, redirect_uri };
    const redeemed = (grant = authorizationCodeGrant(deps)) =>
      tokenEndpoint({ ...deps, grantTypes: [grant] })(clientRequest(form, 'web-app:client-secret'));
    const strict = authorizationCodeGrant({ ...deps, profile: profileChecks('oauth-2.1') });
    await assert.rejects(redeemed(strict), { kind: 'invalid_grant', rule: 'profile_pkce' });
    assert.ok((await redeemed()).access_token);
  });

  it('revokes nothing when it is replayed without its redirect_uri or code_verifier', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps, { code_challenge: challenge, code_challenge_method: 'S256' });
    const issued = await redeem(deps, code, { code_verifier: verifier });
    await assert.rejects(redeem(deps, code), protocolError('invalid_grant'));
    await assert.rejects(
      redeem(deps, code, { code_verifier: 'x'.repeat(43) }),
      protocolError('invalid_grant'),
    );
    assert.ok(await findAccessToken(issued.access_token, deps));
  });

  it('that has ended shows the record owner when it was valid, but not where all tokens of the client were revoked', async () => {
    const deps = await flowDependencies();
    const [expired, revoked] = [await codeOf(deps), await codeOf(deps)];
    deps.store.putClient({ ...deps.webApp, tokensValidFrom: deps.clock.now() });
    const errorOf = (code: string) => redeem(deps, code).catch((error) => error);
    const { rule, expected, came } = await errorOf(revoked);
    assert.deepEqual([rule, expected, came], ['unrevoked', undefined, undefined]);
    deps.store.putClient(deps.webApp);
    deps.clock.advance(60_000);
    const late = await errorOf(expired);
    assert.equal(late.rule, 'code_lifetime');
    assert.match(`${late.expected} ${late.came}`, /the authorization code/);
  });

  it('expires after a minute', async () => {
    const deps = await flowDependencies();
    const [inTime, late] = [await codeOf(deps), await codeOf(deps)];
    deps.clock.advance(59_999);
    await redeem(deps, inTime);
    deps.clock.advance(1);
    await assert.rejects(redeem(deps, late), protocolError('invalid_grant'));
  });

  it('is rejected for another client, and stays valid for its own', async () => {
    const deps = await flowDependencies();
    const other = { ...deps.webApp, id: 11, clientId: 'other-app' };
    deps.store.putClient(other);
    const code = await codeOf(deps);
    await assert.rejects(redeem(deps, code, {}, 'other-app:client-secret'), protocolError('invalid_grant'));
    await redeem(deps, code);
  });

  for (const [name, uri] of [
    ['missing', ''],
    ['another', 'https://app.example/other'],
    ['in other letters', 'https://app.example/CB'],
  ] as const) {
    it(`is not redeemed with a redirect_uri that is ${name}, and then is with the right one`, async () => {
      const deps = await flowDependencies();
      const code = await codeOf(deps);
      await assert.rejects(redeem(deps, code, { redirect_uri: uri }), protocolError('invalid_grant'));
      await redeem(deps, code);
    });
  }

  it('needs no redirect_uri when the request named none', async () => {
    const deps = await flowDependencies();
    await redeem(deps, await codeOf(deps, { redirect_uri: '' }), { redirect_uri: '' });
    await redeem(deps, await codeOf(deps, { redirect_uri: '' }));
    const code = await codeOf(deps, { redirect_uri: '' });
    const elsewhere = redeem(deps, code, { redirect_uri: 'https://evil.example/' });
    await assert.rejects(elsewhere, protocolError('invalid_grant'));
  });

  it('is bound to its code_challenge', async () => {
    const deps = await flowDependencies();
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const code = await codeOf(deps, pkce);
    for (const [wrong, came] of [
      ['', /^no code_verifier$/],
      [challenge, /a code_verifier whose S256 challenge begins with .{12}…$/],
      [verifier.toLowerCase(), /a code_verifier whose S256 challenge begins with .{12}…$/],
      [`${verifier}=`, /a code_verifier that is not 43 to 128 characters/],
    ] as const) {
      const redeemed = redeem(deps, code, { code_verifier: wrong });
      await assert.rejects(redeemed, { kind: 'invalid_grant', rule: 'code_verifier', came });
    }
    await redeem(deps, code, { code_verifier: verifier });
  });

  it('is redeemed with a code_verifier of 43 to 128 unreserved characters only', async () => {
    const deps = await flowDependencies();
    for (const [made, isRight] of [
      ['a'.repeat(42), false],
      ['-._~'.repeat(11), true],
      ['a'.repeat(128), true],
      ['a'.repeat(129), false],
      [`${'a'.repeat(42)}+`, false],
      [`${'a'.repeat(43)}\n`, false],
      [` ${'a'.repeat(43)}`, false],
    ] as const) {
      const code_challenge = createHash('sha256').update(made).digest('base64url');
      const code = await codeOf(deps, { code_challenge, code_challenge_method: 'S256' });
      const redeemed = redeem(deps, code, { code_verifier: made });
      if (isRight) await redeemed;
      else await assert.rejects(redeemed, protocolError('invalid_grant'), JSON.stringify(made));
    }
  });

  it('is not redeemed with a code_verifier when the request had no challenge', async () => {
    const deps = await flowDependencies();
    const stripped = redeem(deps, await codeOf(deps), { code_verifier: verifier });
    const came = 'none; the token request has a code_verifier';
    await assert.rejects(stripped, { kind: 'invalid_grant', rule: 'code_challenge_first', came });
  });

  it('is rejected without a challenge when its client has become public since', async () => {
    const deps = await flowDependencies();
    const bare = await codeOf(deps);
    const bound = await codeOf(deps, { code_challenge: challenge, code_challenge_method: 'S256' });
    deps.store.putClient({ ...deps.webApp, confidential: false, secret: undefined });
    const redeemAsPublic = tokenEndpoint(deps);
    const asPublic = (code: string, form: Record<string, string> = {}) => {
      const client_id = deps.webApp.clientId;
      return redeemAsPublic(
        clientRequest({ grant_type: 'authorization_code', code, redirect_uri, client_id, ...form }),
      );
    };
    const came = 'none; the token request has no code_verifier';
    await assert.rejects(asPublic(bare), { kind: 'invalid_grant', rule: 'code_challenge_first', came });
    await asPublic(bound, { code_verifier: verifier });
  });

  it('is no longer valid after five rejected attempts', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await assert.rejects(
        redeem(deps, code, { redirect_uri: 'https://x.example/' }),
        protocolError('invalid_grant'),
      );
    }
    await assert.rejects(redeem(deps, code), protocolError('invalid_grant'));
  });

  it('is rejected as garbage, as another kind of token and with a changed character', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    const { access_token } = await redeem(deps, await codeOf(deps));
    const changed = `${code.slice(0, 30)}${code[30] === 'A' ? 'B' : 'A'}${code.slice(31)}`;
    for (const wrong of ['x', access_token, code.replace('wwc_', 'wwa_'), changed]) {
      await assert.rejects(redeem(deps, wrong), protocolError('invalid_grant'));
    }
    await assert.rejects(redeem(deps, ''), protocolError('invalid_request'));
  });

  it('is rejected with another secret: the id that the store has is not enough', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    const forged = createBearerValue('code', 0, deps.random, undefined, parseBearerValue('code', code)?.id);
    assert.equal(forged.id, parseBearerValue('code', code)?.id);
    await assert.rejects(redeem(deps, forged.value), protocolError('invalid_grant'));
    await redeem(deps, code);
  });

  it('is revoked with the client, and when all tokens of the client are revoked', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    deps.store.putClient({ ...deps.webApp, tokensValidFrom: deps.clock.now() });
    await assert.rejects(redeem(deps, code), protocolError('invalid_grant'));
    const later = await codeOf(deps);
    await deps.store.clients.delete(deps.webApp.id);
    await assert.rejects(redeem(deps, later), protocolError('invalid_client'));
  });

  it('is redeemed for the scopes that the client still has', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    deps.store.putClient({ ...deps.webApp, scopes: ['write'] });
    assert.equal((await redeem(deps, code)).scope, 'write');
  });

  it('redeemed fifty times at once has exactly one answer, whose token is then revoked', async () => {
    const deps = await flowDependencies();
    const code = await codeOf(deps);
    const attempts = await Promise.allSettled(Array.from({ length: 50 }, () => redeem(deps, code)));
    const answered = attempts.filter(({ status }) => status === 'fulfilled');
    assert.equal(answered.length, 1);
    assert.equal(deps.store.tokens.size, 1);
    const [token] = deps.store.tokens.values();
    assert.equal(await deps.accessTokens.find(token?.id ?? ''), undefined);
  });

  it('is for clients that have a redirect URI', async () => {
    const deps = await flowDependencies();
    deps.store.putClient(buildClient());
    const refused = redeem(deps, await codeOf(deps), {}, 'test-client:client-secret');
    await assert.rejects(refused, protocolError('unauthorized_client'));
  });
});
