import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { redirectUri } from '@watchword/server-testkit/clients/application';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { type Answer, readAnswer } from '@watchword/server-testkit/servers/server';
import { ClientKey } from '@watchword/testkit/client-key';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { persona, userinfo } from '../support/openid-client.ts';
import { kids } from '../support/signatures.ts';

type Members = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string>>;

/** The answer to a registration. */
interface Registered {
  readonly client_id: string;
  readonly redirect_uris: readonly string[];
}

// Each test has the name of a module of the plan oidcc-dynamic-certification-test-plan with response_type=code, and the outcome
// that the server has. Tests of the parts hold the same rules for npm test.
describe('the certification plan Dynamic OP', () => {
  let server: AdministrationServer;
  let site: DocumentSite;
  let key: ClientKey;
  before(async () => {
    [site, key] = await Promise.all([startDocumentSite(), ClientKey.create('RS256', 'one')]);
    server = await startAdministration({
      ...{ ...site.settings, 'clients.registration': 'open', 'authorization.requestUris': 'true' },
      ...{ 'pages.pictureHosts': 'app.example', trustedProxies: '127.0.0.1' },
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  let networks = 0;
  /** Registers a client of the plan with these members in place of the usual ones, from a network of its own. */
  const register = async (members: Members = {}): Promise<Answer> => {
    networks += 1;
    const usual = {
      ...{ client_name: 'Dynamic', redirect_uris: [redirectUri], response_types: ['code'] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], jwks: { keys: [key.jwk] } },
      token_endpoint_auth_method: 'private_key_jwt',
    };
    return readAnswer(
      await fetch(`${server.baseUrl}/oauth2/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${networks}` },
        body: JSON.stringify({ ...usual, ...members }),
      }),
    );
  };
  const registered = async (members?: Members): Promise<Registered> => {
    const answer = await register(members);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };
  const refused = async (members: Members, error: string) => {
    const { status, json } = await register(members);
    assert.deepEqual([status, json.error], [400, error]);
  };

  const authorizeUrl = ({ client_id, redirect_uris: [redirect_uri = ''] }: Registered, more: Parameters) => {
    const usual = { response_type: 'code', client_id, redirect_uri, scope: 'openid', state: 's', nonce: 'n' };
    const given = Object.entries({ ...usual, ...more }).filter(([, value]) => value !== '');
    return `${server.baseUrl}/authorize?${new URLSearchParams(given)}`;
  };
  const token = async ({ client_id }: Registered, form: Parameters, parts: object = {}) => {
    const issuer = server.service.baseUrl;
    const assertion = await key.form({ clientId: client_id, issuer, ...parts });
    return server.post('/oauth2/token', { client_id, ...form, ...assertion });
  };
  const verified = async (text: string, { client_id: audience }: Registered): Promise<JWTPayload> => {
    const keys = createRemoteJWKSet(new URL(`${server.baseUrl}/oauth2/jwks`));
    return (await jwtVerify(text, keys, { issuer: server.service.baseUrl, audience })).payload;
  };
  /** A login with all that the plan checks in each module. */
  const logIn = async (client: Registered, parameters: Parameters = {}, parts: object = {}) => {
    const agent = new UserAgent();
    const flow = await followFlow(agent, authorizeUrl(client, parameters), { password: persona });
    const [redirect_uri = ''] = client.redirect_uris;
    assert.equal(flow.parameters.get('state'), 's', flow.location);
    const code = flow.parameters.get('code') ?? assert.fail(flow.location);
    const redeemed = { grant_type: 'authorization_code', code, redirect_uri };
    const { status, text, json } = await token(client, redeemed, parts);
    assert.equal(status, 200, text);
    const claims = await verified(json.id_token, client);
    assert.equal(claims.nonce, 'n');
    return { ...flow, tokens: json, claims };
  };
  /** The page that the user sees instead of a login, and that never leads to the client. */
  const errorPage = async (client: Registered, parameters: Parameters, expected: RegExp) => {
    const page = await new UserAgent().get(authorizeUrl(client, parameters));
    assert.deepEqual([page.status, page.location], [400, undefined]);
    assert.match(page.text, expected);
  };
  const consentPage = async (members: Members) => {
    const { pages } = await logIn(await registered(members));
    const consent = pages.at(-2);
    assert.match(consent?.text ?? '', /It registered itself/);
    return consent?.html ?? '';
  };
  /** Serves a request object of the client, who has registered its address. */
  const objectOf = (sign: (claims: Members) => Promise<string>) => {
    const path = `/request/${randomUUID()}`;
    const uri = `https://${site.host}${path}`;
    const serve = async ({ client_id }: Registered) => {
      const object = await sign({ client_id, response_type: 'code', redirect_uri: redirectUri, state: 's' });
      site.answer(path, (_request, response) => response.end(object));
      return { request_uri: uri, redirect_uri: '', state: '' };
    };
    return { uri, serve };
  };
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = async (claims: Members) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`;

  it('oidcc-idtoken-rs256: signs the ID token by RS256 and names the key', async () => {
    const { tokens } = await logIn(await registered({ id_token_signed_response_alg: 'RS256' }));
    const { alg, kid } = decodeProtectedHeader(tokens.id_token);
    assert.deepEqual([alg, typeof kid], ['RS256', 'string']);
  });

  it('oidcc-idtoken-unsigned: registers no client for unsigned ID tokens, so the module is skipped', () =>
    refused({ id_token_signed_response_alg: 'none' }, 'invalid_client_metadata'));

  it('oidcc-userinfo-rs256: signs the answer of the userinfo endpoint', async () => {
    const client = await registered({ userinfo_signed_response_alg: 'RS256' });
    const { tokens, claims } = await logIn(client);
    const answer = await userinfo(server, tokens.access_token);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/jwt/);
    assert.equal(decodeProtectedHeader(answer.text).alg, 'RS256');
    assert.equal((await verified(answer.text, client)).sub, claims.sub);
  });

  it('oidcc-ensure-redirect-uri-in-authorization-request: shows an error page without one', async () =>
    errorPage(
      await registered({ redirect_uris: [redirectUri, 'https://app.example/redirect'] }),
      { redirect_uri: '' },
      /redirect_uri is missing/,
    ));

  it('oidcc-redirect-uri-query-OK: answers at a redirect URI with a query', async () => {
    const { location } = await logIn(await registered({ redirect_uris: [`${redirectUri}?foo=bar`] }));
    assert.ok(location.startsWith(`${redirectUri}?foo=bar&`), location);
  });

  for (const [module, own, asked] of [
    ['mismatch', '?foo=bar', '?foo=baz'],
    ['added', '', '?foo=bar'],
  ] as const) {
    it(`oidcc-redirect-uri-query-${module}: shows an error page for ${asked} in place of "${own}"`, async () => {
      const client = await registered({ redirect_uris: [`${redirectUri}${own}`] });
      await errorPage(client, { redirect_uri: `${redirectUri}${asked}` }, /is not one that the client has/);
    });
  }

  it('oidcc-redirect-uri-regfrag: registers no redirect URI with a fragment', () =>
    refused({ redirect_uris: [`${redirectUri}#fragment`] }, 'invalid_redirect_uri'));

  it('oidcc-discovery-endpoint-verification: names the registration endpoint, and what clients can register', async () => {
    const { json } = await server.get('/.well-known/openid-configuration');
    assert.equal(json.registration_endpoint, `${server.service.baseUrl}/oauth2/register`);
    assert.ok(json.token_endpoint_auth_methods_supported.includes('private_key_jwt'));
    const takes = [json.request_parameter_supported, json.request_uri_parameter_supported];
    assert.deepEqual([...takes, json.require_request_uri_registration], [true, true, true]);
  });

  it('oidcc-server: logs in a client that has just registered, and authenticates it by its key', async () => {
    const { tokens, claims } = await logIn(await registered());
    assert.equal((await userinfo(server, tokens.access_token)).json.sub, claims.sub);
  });

  it('oidcc-registration-logo-uri: shows the logo of a host of the operator on the consent page', async () =>
    assert.match(
      await consentPage({ logo_uri: 'https://app.example/l.png' }),
      /<img[^>]*app\.example\/l\.png/,
    ));

  for (const name of ['policy', 'tos']) {
    it(`oidcc-registration-${name}-uri: links the page, of the host of the client, on the consent page`, async () => {
      const page = await consentPage({ [`${name}_uri`]: 'https://app.example/read' });
      assert.match(page, /<a href="https:\/\/app\.example\/read"/);
    });
  }

  it('oidcc-registration-jwks-uri: verifies assertions by the keys at the URL', async () => {
    const jwks_uri = site.serve('/jwks-once', { keys: [key.jwk] });
    await logIn(await registered({ jwks: undefined, jwks_uri }));
  });

  it('oidcc-registration-sector-uri: has one subject for the clients of a sector, and another elsewhere', async () => {
    const list = JSON.stringify([redirectUri, 'https://other.example/cb']);
    const sector_identifier_uri = site.answer('/sector', (_request, response) => response.end(list));
    const pairwise = { subject_type: 'pairwise', sector_identifier_uri };
    const clients = [{}, { redirect_uris: ['https://other.example/cb'] }].map((members) =>
      registered({ ...pairwise, ...members }),
    );
    const subjects = (await Promise.all(clients)).map(async (client) => (await logIn(client)).claims.sub);
    const [one, two] = await Promise.all(subjects);
    assert.equal(one, two);
    assert.notEqual((await logIn(await registered({ subject_type: 'pairwise' }))).claims.sub, one);
  });

  it('oidcc-registration-sector-bad: registers no redirect URI that is not in the list of the sector', () => {
    const sector_identifier_uri = site.answer('/other-sector', (_request, response) =>
      response.end('["https://other.example/cb"]'),
    );
    return refused({ subject_type: 'pairwise', sector_identifier_uri }, 'invalid_client_metadata');
  });

  it('oidcc-server-rotate-keys: publishes the next key beside the one that signs', async () => {
    const earlier = await kids(server);
    const root = await server.administrator();
    assert.equal((await root.call('POST', '/admin/signingKey/rotation', {})).status, 200);
    const later = await kids(server);
    assert.equal(later.length, earlier.length + 1);
    for (const kid of earlier) assert.ok(later.includes(kid), kid);
  });

  it('oidcc-refresh-token-rp-key-rotation: verifies assertions by a newer key at the URL', async (t) => {
    const jwks_uri = site.serve('/jwks', { keys: [key.jwk] });
    const client = await registered({ jwks: undefined, jwks_uri });
    const { tokens } = await logIn(client, { scope: 'openid offline_access' });
    const newer = await ClientKey.create('RS256', 'two');
    site.serve('/jwks', { keys: [newer.jwk] });
    const clientId = client.client_id;
    const refresh = async () => {
      const assertion = await newer.form({ clientId, issuer: server.service.baseUrl });
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId };
      return server.post('/oauth2/token', { ...form, ...assertion });
    };
    assert.equal((await refresh()).json.error, 'invalid_client');
    const minuteLater = performance.now() + 60_000;
    t.mock.method(performance, 'now', () => minuteLater);
    const answer = await refresh();
    assert.equal(answer.status, 200, answer.text);
    await verified(answer.json.id_token, client);
  });

  it('oidcc-request-uri-unsigned: takes an unsigned request object at a registered URL', async () => {
    const { uri, serve } = objectOf(unsigned);
    const client = await registered({ request_uris: [uri], request_object_signing_alg: 'none' });
    await logIn(client, await serve(client));
  });

  it('oidcc-request-uri-signed-rs256: takes a request object that the key of the client signed', async () => {
    const { uri, serve } = objectOf((claims) => key.sign(claims));
    const client = await registered({ request_uris: [uri], request_object_signing_alg: 'RS256' });
    await logIn(client, await serve(client));
  });

  it('oidcc-ensure-request-object-with-redirect-uri: takes the redirect URI of the object, and not the invalid one beside it', async () => {
    const { uri, serve } = objectOf(unsigned);
    const client = await registered({ request_uris: [uri], request_object_signing_alg: 'none' });
    await logIn(client, { ...(await serve(client)), redirect_uri: `${redirectUri}_invalid` });
  });

  it('oidcc-refresh-token: refreshes for the client alone, with an ID token of the same login', async () => {
    const [client, other] = await Promise.all([registered(), registered()]);
    const { tokens, claims } = await logIn(client, { scope: 'openid offline_access' });
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    assert.equal((await token(other, refresh)).json.error, 'invalid_grant');
    const { json } = await token(client, refresh);
    const next = await verified(json.id_token, client);
    assert.deepEqual([next.sub, next.auth_time], [claims.sub, claims.auth_time]);
  });

  it('oidcc-ensure-client-assertion-with-iss-aud-succeeds: takes an assertion for the issuer alone', async () => {
    await logIn(await registered(), {}, { claims: { aud: [server.service.baseUrl] } });
  });
});
