import assert from 'node:assert/strict';
import { createHmac, createPublicKey, KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { clientAdministration, systemCaller } from '@watchword/administration';
import { type AssertionIssuer, type ClientRegistration, type ListedKey, noKeys } from '@watchword/protocol';
import { systemClock, systemRandom } from '@watchword/server/system';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { type Answer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { assertionType, ClientKey } from '@watchword/testkit/client-key';

const grant = { grant_type: 'client_credentials' };

describe('attacks on clients for which another party issues assertions', () => {
  const workload = 'system:serviceaccount:jobs:night-job';
  const operatorToken = 'token-of-the-operator';
  const ofOperator = ['spiffe://file.example', 'https://private.example', 'https://gone.example'] as const;
  let server: TestServer;
  let site: DocumentSite;
  let cluster: ClientKey;
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    [site, folder] = [await startDocumentSite(), await temporaryDirectory()];
    cluster = await ClientKey.create('RS256', 'cluster');
    const perAddress = { 'failedAttempts.perAddress': '1000', 'failedAttempts.perIdentifier': '1000' };
    await writeFile(folder.file('bundle.json'), JSON.stringify({ keys: [cluster.jwk] }));
    await writeFile(folder.file('ca.crt'), site.certificate);
    await writeFile(folder.file('token'), operatorToken);
    const jwksUri = `https://${site.host}/openid/v1/jwks`;
    const [caFile, tokenFile] = [folder.file('ca.crt'), folder.file('token')];
    server = await startServer({
      ...perAddress,
      'outbound.privateHosts': site.host,
      'clients.assertionIssuers': JSON.stringify([
        { issuer: ofOperator[0], jwksFile: folder.file('bundle.json') },
        { issuer: ofOperator[1], jwksUri, caFile, tokenFile },
      ]),
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const accepted = ({ status, text }: Answer) => assert.equal(status, 200, text);
  const assertRefused = ({ status, json, text }: Answer, assertion: string) => {
    assert.deepEqual([status, json.error], [401, 'invalid_client'], text);
    for (const part of assertion.split('.')) if (part !== '') assert.ok(!text.includes(part));
  };

  /** A client of one issuer, which signs for it. */
  const withIssuer = async (fields: Partial<AssertionIssuer> = {}) => {
    const issuer = {
      issuer: 'https://kubernetes.default.svc.cluster.local',
      audience: 'watchword',
      subject: workload,
      jwks: fields.jwksUri === undefined ? { keys: [cluster.jwk] } : noKeys,
      jwksUri: '',
      ...fields,
    };
    const registration = { allowedClientCredentials: true, assertionIssuers: [issuer] };
    const { client, secret } = await registerClient(
      server,
      { tokenEndpointAuthMethod: 'assertion_issuer', ...registration },
      'demo-resource-server',
      { operatorIssuers: new Map(ofOperator.map((each) => [each, 'everyone'] as const)) },
    );
    assert.equal(secret, undefined);
    const { clientId } = client;
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, nbf: now, exp: now + 3607 };
    const usual = { iss: issuer.issuer, aud: [issuer.audience], sub: workload, ...times };
    return {
      clientId,
      edit: async (changes: Partial<ClientRegistration>) => {
        const { store } = server.service;
        const administration = clientAdministration({ ...store, clock: systemClock, random: systemRandom });
        const apply = () => changes;
        await administration.update(systemCaller, client, { apply, malformed: [] });
        await store.refreshRegistry();
      },
      /** @param claims in the place of those of a projected token */
      signed: (claims: object = {}, by = cluster, header = {}) => by.sign({ ...usual, ...claims }, header),
      token: (client_assertion: string) =>
        server.post('/oauth2/token', {
          ...grant,
          client_id: clientId,
          client_assertion_type: assertionType,
          client_assertion,
        }),
    };
  };

  it('a projected token of Kubernetes gets tokens until it expires, and that of no other workload does', async () => {
    const { token, signed, clientId } = await withIssuer();
    const pod = { name: 'night-job-1', uid: '7d1f' };
    const projected = await signed({ 'kubernetes.io': { namespace: 'jobs', pod }, jti: 'one' });
    accepted(await token(projected));
    accepted(await token(projected));
    const now = Math.floor(Date.now() / 1000);
    for (const claims of [
      { sub: 'system:serviceaccount:other:night-job' },
      { sub: `${workload}-2` },
      { sub: undefined },
      { sub: [workload] },
      { aud: ['https://kubernetes.default.svc'] },
      { aud: ['watchword', 'other'] },
      { aud: undefined },
      { iss: 'https://other.example' },
      { iss: undefined },
      { exp: now - 61 },
      { exp: undefined },
      { nbf: now + 120 },
    ]) {
      const assertion = await signed(claims);
      assertRefused(await token(assertion), assertion);
    }
    accepted(await token(await signed({ exp: now - 30 })));
    const [another, sameName] = [
      await ClientKey.create('RS256', 'x'),
      await ClientKey.create('ES256', 'cluster'),
    ];
    for (const by of [another, sameName]) {
      const assertion = await signed({}, by);
      assertRefused(await token(assertion), assertion);
    }
    for (const asked of [{ client_id: clientId }, { client_id: clientId, client_secret: 'x' }])
      assert.equal((await server.post('/oauth2/token', { ...grant, ...asked })).status, 401);
  });

  it('neither "none" nor the public key as the secret of HMAC signs for an issuer', async () => {
    const { token, signed } = await withIssuer();
    const [, claims] = (await signed()).split('.');
    const pem = createPublicKey(KeyObject.from(cluster.privateKey)).export({ format: 'pem', type: 'spki' });
    for (const alg of ['none', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'cluster' })).toString('base64url');
      const input = `${header}.${claims}`;
      const mac = alg === 'none' ? '' : createHmac('sha256', pem).update(input).digest('base64url');
      assertRefused(await token(`${input}.${mac}`), `${input}.${mac}`);
    }
    accepted(await token(await signed()));
  });

  it('a token of GitHub Actions gets one for a branch of its repository, by keys at a URL', async () => {
    const jwksUri = site.answer('/github', (_request, response) =>
      response.end(JSON.stringify({ keys: [{ ...cluster.jwk, use: 'sig', alg: 'RS256' }] })),
    );
    const { token, signed } = await withIssuer({
      issuer: 'https://token.actions.githubusercontent.com',
      audience: 'https://as.example',
      subject: 'repo:octo-org/octo-repo:*',
      jwksUri,
    });
    const ofRun = { aud: 'https://as.example', repository: 'octo-org/octo-repo', run_id: '1', jti: 'x' };
    accepted(await token(await signed({ ...ofRun, sub: 'repo:octo-org/octo-repo:ref:refs/heads/main' })));
    for (const sub of ['repo:octo-org/octo-repo-2:ref:refs/heads/main', 'repo:evil/octo-org/octo-repo:x']) {
      const assertion = await signed({ ...ofRun, sub });
      assertRefused(await token(assertion), assertion);
    }
  });

  it('the trust domain in sub chooses the issuer of a SPIFFE JWT-SVID', async () => {
    const bundle = { keys: [{ ...cluster.jwk, use: 'jwt-svid' }] };
    const { token, signed } = await withIssuer({
      issuer: 'spiffe://prod.example',
      subject: 'spiffe://prod.example/ns/jobs/*',
      jwks: bundle,
    });
    const svid = (sub: string) => signed({ iss: undefined, nbf: undefined, sub });
    accepted(await token(await svid('spiffe://prod.example/ns/jobs/night')));
    for (const sub of [
      'spiffe://prod.example/ns/other/night',
      'spiffe://prod.example.evil/ns/jobs/night',
      'spiffe://evil.example/ns/jobs/night',
      'spiffe://prod.example',
    ]) {
      const assertion = await svid(sub);
      assertRefused(await token(assertion), assertion);
    }
  });

  it('an issuer that was compromised and removed signs for nobody any more', async () => {
    const client = await withIssuer();
    const assertion = await client.signed();
    accepted(await client.token(assertion));
    await client.edit({
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [cluster.jwk] },
      assertionIssuers: [],
    });
    assertRefused(await client.token(assertion), assertion);
  });

  it('the keys of a private issuer are those of the operator, who sends a token for them to its URL alone', async () => {
    const asked: (string | undefined)[] = [];
    const serve = (path: string, keys: readonly ListedKey[]) =>
      site.answer(path, ({ headers }, response) => {
        asked.push(headers.authorization);
        response.end(JSON.stringify({ keys }));
      });
    const privateUri = serve('/openid/v1/jwks', [cluster.jwk]);
    const [file, atUrl, gone] = ofOperator.map((issuer) => ({ issuer, jwks: noKeys }));
    const { token, signed } = await withIssuer(atUrl);
    accepted(await token(await signed()));
    assert.deepEqual(asked.splice(0), [`Bearer ${operatorToken}`]);
    const [stranger, sub] = [await ClientKey.create('ES256', 'cluster'), `${workload}-2`];
    for (const assertion of [await signed({}, stranger), await signed({ sub })])
      assertRefused(await token(assertion), assertion);
    const bundled = await withIssuer({ ...file, subject: 'spiffe://file.example/a' });
    const svid = (by = cluster) => bundled.signed({ iss: undefined, sub: 'spiffe://file.example/a' }, by);
    accepted(await bundled.token(await svid()));
    const forged = await svid(stranger);
    assertRefused(await bundled.token(forged), forged);
    // The settings named it when the client was registered.
    const left = await withIssuer(gone);
    const ofGone = await left.signed();
    assertRefused(await left.token(ofGone), ofGone);
    // A client that names the URL itself, or has keys of its own, gets neither the token nor the keys of the operator.
    const byUrl = await withIssuer({ ...atUrl, jwksUri: privateUri });
    accepted(await byUrl.token(await byUrl.signed()));
    assert.deepEqual(asked, [undefined]);
    const byValue = await withIssuer({ ...atUrl, jwks: { keys: [stranger.jwk] } });
    const ofCluster = await byValue.signed();
    assertRefused(await byValue.token(ofCluster), ofCluster);
  });

  it('an assertion is verified with few keys in all, unless its kid chooses among those of many issuers', async () => {
    const keys = await Promise.all(
      Array.from({ length: 6 }, (_, index) => ClientKey.create('ES256', `${index % 3}`)),
    );
    const last = keys.at(-1) ?? assert.fail();
    const { token, signed, edit } = await withIssuer();
    const issuersOf = (jwks: readonly ListedKey[]): AssertionIssuer[] =>
      jwks.map((jwk) => ({
        issuer: 'https://kubernetes.default.svc.cluster.local',
        ...{ audience: 'watchword', subject: workload, jwks: { keys: [jwk] }, jwksUri: '' },
      }));
    await edit({ assertionIssuers: issuersOf(keys.map(({ jwk }) => jwk)) });
    accepted(await token(await signed({}, last)));
    await edit({ assertionIssuers: issuersOf(keys.map(({ jwk: { kid: _, ...nameless } }) => nameless)) });
    accepted(await token(await signed({}, keys[3])));
    const tooLate = await signed({}, last);
    assertRefused(await token(tooLate), tooLate);
  });

  it('no issuer without keys, for everybody, or with a private key is registered', async () => {
    for (const fields of [
      { subject: '*' },
      { subject: '' },
      { subject: 'system:*:night-job' },
      { audience: '' },
      { issuer: '' },
      { jwks: { keys: [] } },
      { jwksUri: 'https://a.example/jwks', jwks: { keys: [cluster.jwk] } },
      { jwksUri: 'http://a.example/jwks' },
      { jwks: { keys: [{ kty: 'oct', k: 'AAAA' } as ListedKey] } },
    ])
      await assert.rejects(withIssuer(fields), { kind: 'invalid_request' }, JSON.stringify(fields));
  });
});
