import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  buildAuthenticationEvent,
  buildClient,
  buildPrincipal,
  buildResourceOwner,
  FakeClock,
  grantFactory,
  protocolError,
  testSigner,
} from '@watchword/testkit';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import type { Grant } from '../../src/model/records/grant.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../../src/model/signing-algorithm.ts';
import { type IdTokenContent, idTokenIssuer, signingAlgorithm } from '../../src/openid/id-token.ts';
import { readIdTokenHint } from '../../src/openid/id-token-hint.ts';
import { sessionIdFor } from '../../src/openid/session-id.ts';
import { Subjects } from '../../src/openid/subjects.ts';
import { claimMapping, UserClaims } from '../../src/openid/user-claims.ts';

const issuer = 'https://as.example';
const subjectSecret = Buffer.alloc(32, 7);
const clock = new FakeClock();
const now = Math.floor(clock.now() / 1000);

const client = buildClient({
  clientId: 'web-app',
  trusted: true,
  redirectUris: ['https://app.example/cb'],
  openidScopes: ['email', 'profile'],
});

interface Options {
  readonly algorithms?: readonly SigningAlgorithm[];
  readonly claimsInIdToken?: boolean;
  /** Scopes of the resource server. */
  readonly scopes?: readonly string[];
}

function issueWith({ algorithms, claimsInIdToken = false, scopes = ['read'] }: Options = {}) {
  const signer = testSigner(algorithms);
  const issue = idTokenIssuer({
    signer,
    registry: { resourceServerById: () => ({ scopes }) as never },
    clock,
    subjects: new Subjects({ subjectSecret }),
    userClaims: new UserClaims(claimMapping({})),
    subjectSecret,
    issuer,
    idTokenLifetime: 600,
    claimsInIdToken,
  });
  return { signer, issue };
}

function grantOf(overrides: Partial<Grant> = {}): Grant {
  const principal = buildPrincipal({ attributes: { name: 'Emma', mail: 'emma@example.org' } });
  const owner = { ...buildResourceOwner(), principal };
  return grantFactory().grant({ owner, scopes: ['openid', 'read'], ...overrides });
}

/** Verifies an ID token as a client does, and resolves with its claims. */
async function issued(content: Partial<IdTokenContent> = {}, options: Options = {}) {
  const { issue, signer } = issueWith(options);
  const text = await issue({ client, grant: grantOf(), scopes: ['openid', 'read'], ...content });
  assert.ok(text !== undefined);
  const { payload } = await jwtVerify(text, createLocalJWKSet(await signer.jwks()), {
    issuer,
    audience: (content.client ?? client).clientId,
    currentDate: new Date(clock.now()),
    typ: 'JWT',
  });
  return payload;
}

describe('an ID token', () => {
  it('names issuer, user, client, times and session, and nothing else', async () => {
    const grant = grantOf();
    assert.deepEqual(await issued({ grant }), {
      iss: issuer,
      sub: grant.owner.subject,
      aud: 'web-app',
      iat: now,
      exp: now + 600,
      auth_time: Math.floor(grant.authentication.authenticatedAt / 1000),
      amr: ['pwd'],
      sid: sessionIdFor(subjectSecret, client, grant.authentication.sessionId),
    });
  });

  it('has nonce and acr where request and login have them', async () => {
    const authentication = buildAuthenticationEvent({ acr: 'urn:example:strong' });
    const { nonce, acr } = await issued({ nonce: 'n-0S6', grant: grantOf({ authentication }) });
    assert.deepEqual([nonce, acr], ['n-0S6', 'urn:example:strong']);
  });

  it('is signed with the algorithm of the client, or else the first of the server', async () => {
    const algorithms = ['ES256', 'EdDSA'] as const;
    for (const [registered, expected] of [
      ['', 'ES256'],
      ['EdDSA', 'EdDSA'],
    ] as const) {
      const { issue } = issueWith({ algorithms });
      const chosen = { ...client, idTokenSignedResponseAlg: registered };
      const text = await issue({ client: chosen, grant: grantOf(), scopes: ['openid'] });
      assert.equal(decodeProtectedHeader(text ?? '').alg, expected);
    }
  });

  it('is not issued, and names the setting, when the server does not sign with the algorithm of the client', async () => {
    const { issue } = issueWith({ algorithms: ['ES256'] });
    const content = {
      client: { ...client, idTokenSignedResponseAlg: 'PS256' as const },
      grant: grantOf(),
      scopes: ['openid'],
    };
    await assert.rejects(async () => issue(content), {
      ...protocolError('server_error'),
      reason: /signing\.algorithms/,
    });
  });

  it('has the left half of the hash of the access token, by the hash of its algorithm', async () => {
    for (const algorithm of signingAlgorithms) {
      const { at_hash } = await issued({ accessToken: 'wwa_x' }, { algorithms: [algorithm] });
      const digest = createHash(algorithm === 'EdDSA' ? 'sha512' : 'sha256')
        .update('wwa_x')
        .digest();
      assert.equal(at_hash, digest.subarray(0, digest.length / 2).toString('base64url'), algorithm);
    }
  });

  it('has the claims of the scopes where the client gets no access token, or its registration or the operator wants them', async () => {
    const content = { scopes: ['openid', 'email'], accessToken: 'wwa_x' };
    const without = await issued({ scopes: ['openid', 'email'] });
    assert.equal(without.email, 'emma@example.org');
    assert.ok(!('name' in without));
    assert.ok(!('email' in (await issued(content))));
    assert.equal((await issued(content, { claimsInIdToken: true })).email, 'emma@example.org');
    const wanted = await issued({ ...content, client: { ...client, claimsInIdToken: true } });
    assert.equal(wanted.email, 'emma@example.org');
    assert.ok(!('name' in wanted));
  });

  it('has the claims that were requested for it by name, within the scopes of the client', async () => {
    const claims = { id_token: { name: null, email: null }, userinfo: { nickname: null } };
    const limited = buildClient({ ...client, openidScopes: ['profile'] });
    const { name, email } = await issued({
      client: limited,
      grant: grantOf({ claims }),
      accessToken: 'wwa_x',
    });
    assert.deepEqual([name, email], ['Emma', undefined]);
  });

  it('never has a claim of a user in the place of a claim of the protocol', async () => {
    const authentication = buildAuthenticationEvent({
      claims: { sub: 'another', iss: 'https://evil.example' },
    });
    const { sub, iss } = await issued({ grant: grantOf({ authentication }), scopes: ['openid', 'profile'] });
    assert.deepEqual([sub, iss], [grantOf().owner.subject, issuer]);
  });

  it('has the pairwise subject of the client', async () => {
    const { sub } = await issued({ client: { ...client, subjectType: 'pairwise' } });
    assert.match(String(sub), /^[\w-]{43}$/);
  });

  it('is not issued without openid, or where openid is a scope of the resource server', () => {
    const { issue } = issueWith();
    assert.equal(issue({ client, grant: grantOf(), scopes: ['read', 'profile'] }), undefined);
    const own = issueWith({ scopes: ['openid'] });
    assert.equal(own.issue({ client, grant: grantOf(), scopes: ['openid'] }), undefined);
  });
});

describe('the algorithm of a client', () => {
  it('is its own or the first one of the server, and an error names one that the server has not', () => {
    const algorithms = ['ES256', 'EdDSA'] as const;
    const client = buildClient();
    assert.equal(signingAlgorithm('', client, { algorithms }), 'ES256');
    assert.equal(signingAlgorithm('EdDSA', client, { algorithms }), 'EdDSA');
    const refused = (came: string) => ({ kind: 'server_error', rule: 'signing_algorithm', came });
    assert.throws(() => signingAlgorithm('PS256', client, { algorithms }), refused('PS256'));
    assert.throws(() => signingAlgorithm('', client, { algorithms: [] }), refused('no algorithm'));
  });
});

describe('an ID token that is a hint', () => {
  it('has one client, a user, times, and perhaps a session', async () => {
    const claims = { iss: 'https://as.example', aud: 'app', sub: 'emma', iat: 1, exp: 2 };
    const read = (changed: object) =>
      readIdTokenHint('text', {
        issuer: claims.iss,
        signer: { verify: async () => ({ ...claims, ...changed }) },
      });
    const hint = { clientId: 'app', subject: 'emma', sid: undefined };
    assert.deepEqual(await read({}), hint);
    assert.deepEqual(await read({ aud: ['app'], azp: 'app', sid: 's' }), { ...hint, sid: 's' });
    assert.deepEqual(await read({ sid: 7 }), hint);
    for (const changed of [
      { aud: ['app', 'other'] },
      { aud: 7 },
      { sub: 7 },
      { iat: '1' },
      { azp: 'other' },
    ]) {
      assert.equal(await read(changed), undefined, JSON.stringify(changed));
    }
  });
});
