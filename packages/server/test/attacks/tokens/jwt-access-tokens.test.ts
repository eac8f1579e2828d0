import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { type Answer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { signingNode } from '@watchword/server-testkit/servers/signing-node';
import { rsaKey } from '@watchword/testkit/rsa-key';
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';

/** RFC 9068 §5, RFC 8725 §2. */
describe('JWT access tokens under attack', () => {
  let server: TestServer;
  let api: { credentials: string; key: string };
  let other: { credentials: string };
  let app: Application;
  let job: { credentials: string };
  before(async () => {
    server = await startServer({ 'failedAttempts.perIdentifier': '0', 'failedAttempts.perAddress': '0' });
    const own = await registerResourceServer(server, 'Orders API', { accessTokenFormat: 'jwt' });
    api = { credentials: own.credentials, key: own.resourceServer.key };
    other = await registerResourceServer(server, 'Other API', { accessTokenFormat: 'jwt' });
    app = await registerApplication(server, { expireDuration: 600 }, api.key);
    job = await registerClient(server, { expireDuration: 600 }, api.key);
  });
  after(() => server[Symbol.asyncDispose]());

  const issue = async (): Promise<string> => {
    const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, job.credentials);
    return answer.json.access_token;
  };
  const info = (token: string, credentials = api.credentials) =>
    server.post('/v1/tokeninfo', { access_token: token }, credentials);

  /** Every endpoint that takes access tokens. */
  async function assertRefused(token: string): Promise<void> {
    assert.equal((await info(token)).status, 404);
    const introspected = await server.post('/oauth2/introspect', { token }, api.credentials);
    assert.deepEqual(introspected.json, { active: false });
    const administration = await server.get('/admin/resourceServer', { authorization: `Bearer ${token}` });
    assert.equal(administration.status, 401);
  }

  const withHeader = (token: string, header: object, signature?: string) => {
    const [, payload = '', own = ''] = token.split('.');
    return [base64url.encode(JSON.stringify(header)), payload, signature ?? own].join('.');
  };

  it('JA-1: alg none, with and without a signature, is refused', async () => {
    const token = await issue();
    const header = decodeProtectedHeader(token);
    for (const alg of ['none', 'None', 'NONE', '']) {
      for (const signature of ['', undefined])
        await assertRefused(withHeader(token, { ...header, alg }, signature));
    }
    assert.equal((await info(token)).status, 200);
  });

  it('JA-2: HS256 with the public key as its secret is refused', async () => {
    const token = await issue();
    const header = decodeProtectedHeader(token);
    const { keys } = JSON.parse((await server.get('/oauth2/jwks')).text);
    const key = keys.find(({ kid }: { kid: string }) => kid === header.kid);
    for (const secret of [JSON.stringify(key), key.n, JSON.stringify({ keys })]) {
      const text = await new SignJWT(decodeJwt(token))
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(Buffer.alloc(Math.max(64, secret.length), secret));
      await assertRefused(text);
    }
  });

  it('JA-3: a signature by a key that the token itself names is refused', async () => {
    const token = await issue();
    const somebody = rsaKey('somebody else', 2048);
    const jwk = await exportJWK(createPublicKey(somebody));
    for (const named of [
      {},
      { jwk },
      { jku: `${server.baseUrl}/keys.json` },
      { kid: '../../../../dev/null' },
      { kid: "' or 1=1 --" },
      { kid: undefined },
    ]) {
      const header = { ...decodeProtectedHeader(token), alg: 'RS256', ...named } as JWTHeaderParameters;
      const resigned = new SignJWT(decodeJwt(token)).setProtectedHeader(header);
      await assertRefused(await resigned.sign(somebody));
    }
  });

  it('JA-4: other claims under the signature of a token are refused', async () => {
    const token = await issue();
    const [header, , signature] = token.split('.');
    for (const change of [{ scope: 'read write admin' }, { exp: 4_000_000_000 }, { aud: 'other' }]) {
      const payload = base64url.encode(JSON.stringify({ ...decodeJwt(token), ...change }));
      await assertRefused([header, payload, signature].join('.'));
    }
  });

  it('JA-5: an ID token or a logout token is no access token', async () => {
    const { access_token } = await app.obtainTokens();
    const claims = decodeJwt(access_token);
    assert.equal(decodeProtectedHeader(access_token).typ, 'at+jwt');
    const { signer } = await signingNode(server);
    for (const type of ['JWT', 'logout+jwt', 'revocations+jwt'] as const)
      await assertRefused(await signer.sign(claims, { algorithm: 'RS256', type }));
    const same = await signer.sign(claims, { algorithm: 'RS256', type: 'at+jwt' });
    assert.equal((await info(same)).status, 200);
  });

  it('JA-6: a JWT is no code, no refresh token and no secret, and a code is no access token', async () => {
    const { access_token, refresh_token } = await app.obtainTokens();
    const refused = (answer: Answer, error: string) => assert.equal(answer.json.error, error);
    refused(await app.redeem(access_token), 'invalid_grant');
    refused(await app.refresh(access_token), 'invalid_grant');
    const { clientId } = app.client;
    const form = { grant_type: 'client_credentials' };
    refused(await server.post('/oauth2/token', form, `${clientId}:${access_token}`), 'invalid_client');
    await assertRefused(await app.obtainCode());
    await assertRefused(refresh_token);
    assert.equal((await info(access_token)).status, 200);
  });

  it('JA-7: a token of another resource server is refused, as if it did not exist', async () => {
    const token = await issue();
    const unknown = await info('eyJhbGciOiJSUzI1NiJ9.e30.AAAA', other.credentials);
    const foreign = await info(token, other.credentials);
    assert.deepEqual([foreign.status, foreign.text], [unknown.status, unknown.text]);
  });

  it('JA-8: a client cannot revoke the token of another, and learns nothing', async () => {
    const { access_token } = await app.obtainTokens();
    const answer = await server.post('/oauth2/revoke', { token: access_token }, job.credentials);
    assert.deepEqual([answer.status, answer.json], [200, {}]);
    assert.equal((await info(access_token)).status, 200);
  });

  it('JA-9: a text of dots and of any length costs no error of the server', async () => {
    for (const text of [
      'eyJ',
      'eyJ.',
      'eyJ..',
      'eyJ...',
      `eyJ${'.'.repeat(1000)}`,
      `eyJ${'a'.repeat(60_000)}.a.a`,
    ]) {
      const answer = await server.post('/v1/tokeninfo', { access_token: text }, api.credentials);
      assert.equal(answer.status, 404);
    }
  });
});
