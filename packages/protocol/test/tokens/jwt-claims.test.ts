import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildAuthenticationEvent, buildClient, buildResourceServer, grantFactory } from '@watchword/testkit';
import { homeTarget } from '../../src/rules/target-servers.ts';
import type { AccessTokenContent } from '../../src/tokens/formats/access-token-format.ts';
import { jwtClaims, readJwtClaims } from '../../src/tokens/formats/jwt-claims.ts';

const issuer = 'https://as.example';
const id = '0197a0c4-1111-7222-8333-444455556666';
const claims = { iss: issuer, aud: 'orders-api', client_id: 'web-app', jti: id, iat: 1, exp: 2, sub: 'emma' };

describe('the claims of an access token', () => {
  it('are read in milliseconds, with all scopes and audiences', () => {
    const confirmation = { jkt: 'x' };
    const given = { ...claims, scope: 'read write', grant_id: id, aud: ['a', 'b'], cnf: confirmation };
    assert.deepEqual(readJwtClaims(given, issuer), {
      id,
      clientId: 'web-app',
      grantId: id,
      scopes: ['read', 'write'],
      expires: 2000,
      creationDate: 1000,
      audience: ['a', 'b'],
      confirmation,
    });
    const read = readJwtClaims(claims, issuer);
    assert.deepEqual([read?.scopes, read?.audience, read?.grantId], [[], ['orders-api'], undefined]);
    assert.ok(read && !('confirmation' in read));
    assert.deepEqual(readJwtClaims({ ...claims, scope: '' }, issuer)?.scopes, []);
  });

  it('have of a user the grant and the authentication, with acr and cnf where they are known', () => {
    const grant = grantFactory().grant({
      authentication: buildAuthenticationEvent({ authenticatedAt: 5999, acr: 'high' }),
    });
    const content = {
      client: buildClient(),
      targets: [homeTarget(buildResourceServer())],
      grant,
      scopes: ['read'],
      expires: 9000,
      creationDate: 6000,
      confirmation: { jkt: 'thumbprint' },
    };
    const deps = { issuer, userClaims: { forResourceServer: () => ({}) }, publicSubject: () => 'subject' };
    const written = (overrides: Partial<AccessTokenContent>) =>
      JSON.parse(JSON.stringify(jwtClaims(id, { ...content, ...overrides }, deps)));
    const { acr, cnf, grant_id, auth_time, ...others } = written({});
    assert.deepEqual([acr, cnf, grant_id, auth_time], ['high', { jkt: 'thumbprint' }, grant.id, 5]);
    const plain = { ...grant, authentication: buildAuthenticationEvent({ authenticatedAt: 5999 }) };
    const expected = { ...others, grant_id, auth_time };
    assert.deepEqual(written({ grant: plain, confirmation: undefined }), expected);
  });

  it('are none if one of them has another type or another issuer', () => {
    for (const [name, ...values] of [
      ['iss', undefined, 'https://as.example/', 'https://other.example'],
      ['client_id', undefined, 7, ['web-app']],
      ['jti', undefined, 7, [id], '', `x${id}`, `${id}x`, `${id}\n`, id.toUpperCase()],
      ['iat', undefined, '1'],
      ['exp', undefined, '2'],
      ['scope', 7, ['read']],
      ['grant_id', 7, 'x', [id], `${id}x`],
    ] as const) {
      for (const value of values) {
        const read = readJwtClaims({ ...claims, [name]: value }, issuer);
        assert.equal(read, undefined, `${name} ${JSON.stringify(value)}`);
      }
    }
  });
});
