import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  codeVerifier,
  pkce,
  redirectUri,
} from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { basic } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { persona, registerOpenidClient } from '../../support/openid-client.ts';

const own = testKey('client', { type: 'ec' });
const other = testKey('thief', { type: 'ec' });
const thumbprint = createHash('sha256').update(own.certificateBase64, 'base64').digest('base64url');
const inHeader = ({ certificate }: { certificate: string }) => encodeURIComponent(certificate);

/** Both are addresses of this machine, so that one can be trusted and the other not. */
const proxy = '127.0.0.2';
const stranger = '127.0.0.1';

/** RFC 8705 §3, where a proxy ends TLS. */
describe('a token that is bound to a certificate', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({
      authenticator: anyPerson,
      trustedProxies: proxy,
      'clientCertificate.header': 'X-Client-Cert',
    });
    app = await registerOpenidClient(server, {
      confidential: false,
      tokenEndpointAuthMethod: 'none',
      tlsClientCertificateBoundAccessTokens: true,
    });
  });
  after(() => server[Symbol.asyncDispose]());

  async function send(
    path: string,
    headers: Readonly<Record<string, string | readonly string[]>>,
    { form, from = proxy }: { form?: Record<string, string>; from?: string } = {},
  ) {
    const sent = request({
      host: '127.0.0.1',
      port: server.port,
      localAddress: from,
      path,
      method: form === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) } as never,
    });
    sent.end(form && new URLSearchParams(form).toString());
    const [answer] = await once(sent, 'response');
    return { status: answer.statusCode, json: JSON.parse(await text(answer)) };
  }
  const token = (form: Record<string, string>, certificate?: string | readonly string[], from?: string) =>
    send('/oauth2/token', certificate === undefined ? {} : { 'x-client-cert': certificate }, {
      form: { client_id: app.client.clientId, ...form },
      ...(from && { from }),
    });
  const codeForm = async () => {
    const { parameters } = await app.authorize({ scope: 'openid profile', ...pkce }, { password: persona });
    const code = parameters.get('code') ?? assert.fail('no code');
    return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
  };

  it('TC-1: says so to all who may ask about it, and is useful with the certificate alone', async () => {
    const { json } = await token(await codeForm(), inHeader(own));
    assert.equal(json.token_type, 'bearer');
    const asked = { authorization: basic(demoResourceServer) };
    const about = await send('/oauth2/introspect', asked, { form: { token: json.access_token } });
    const info = await send(`/v1/tokeninfo?access_token=${json.access_token}`, asked);
    for (const { cnf } of [about.json, info.json]) assert.deepEqual(cnf, { 'x5t#S256': thumbprint });
    const userinfo = (certificate?: string, from = proxy, scheme = 'Bearer') =>
      send(
        '/oauth2/userinfo',
        {
          authorization: `${scheme} ${json.access_token}`,
          ...(certificate !== undefined && { 'x-client-cert': certificate }),
        },
        { from },
      );
    assert.deepEqual((await userinfo(inHeader(own))).json.preferred_username, 'emma');
    for (const [what, answer] of [
      ['no certificate', userinfo()],
      ['another certificate', userinfo(inHeader(other))],
      ['no text of a certificate', userinfo(thumbprint)],
      ['the certificate, named by anybody', userinfo(inHeader(own), stranger)],
      ['the scheme of keys', userinfo(inHeader(own), proxy, 'DPoP')],
    ] as const) {
      const { status, json: error } = await answer;
      assert.deepEqual([status, error.error], [401, 'invalid_token'], what);
    }
  });

  it('TC-2: is issued only to a request with a certificate that the proxy names', async () => {
    const form = await codeForm();
    for (const [what, answer] of [
      ['none', token(form)],
      ['an empty header', token(form, '')],
      ['two certificates', token(form, [inHeader(own), inHeader(other)])],
      ['a header of anybody', token(form, inHeader(own), stranger)],
      ['a huge header', token(form, encodeURIComponent(`${own.certificate}${'A'.repeat(9000)}`))],
    ] as const) {
      const { status, json } = await answer;
      assert.deepEqual([status, json.error], [400, 'invalid_request'], what);
    }
    assert.equal((await token(form, inHeader(own))).status, 200, 'nothing was used up');
  });

  it('TC-3: of a public client is refreshed with its own certificate alone', async () => {
    const { json } = await token(await codeForm(), inHeader(own));
    const form = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
    const refused = await token(form, inHeader(other));
    assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_grant']);
    assert.equal((await token(form, inHeader(own))).status, 200);
  });

  it('TC-4: is announced in the metadata', async () => {
    const { json } = await send('/.well-known/oauth-authorization-server', {});
    assert.equal(json.tls_client_certificate_bound_access_tokens, true);
  });
});
