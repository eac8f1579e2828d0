import assert from 'node:assert/strict';
import { createHmac, createPublicKey, KeyObject } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { ClientRegistration } from '@watchword/protocol';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import {
  type Answer,
  demoClient,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { rounds } from '@watchword/testkit';
import { type AssertionParts, assertionType, ClientKey } from '@watchword/testkit/client-key';

const grant = { grant_type: 'client_credentials' };

/** A client with keys, and its requests. */
interface KeyClient {
  readonly clientId: string;
  assertion(parts?: Partial<AssertionParts>, by?: ClientKey): Promise<string>;
  /** Asks for a token. */
  token(assertion: string, others?: Record<string, string>): Promise<Answer>;
}

describe('attacks on clients with keys', () => {
  let server: TestServer;
  let site: DocumentSite;
  let key: ClientKey;
  before(async () => {
    site = await startDocumentSite();
    const perAddress = { 'failedAttempts.perAddress': '1000', 'failedAttempts.perIdentifier': '1000' };
    server = await startServer({ ...perAddress, 'outbound.privateHosts': site.host });
    key = await ClientKey.create('ES256', 'k');
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const withKeys = async (fields: Partial<ClientRegistration> = {}): Promise<KeyClient> => {
    const { client, secret } = await registerClient(server, {
      tokenEndpointAuthMethod: 'private_key_jwt',
      allowedClientCredentials: true,
      ...(fields.jwksUri === undefined && { jwks: { keys: [key.jwk] } }),
      ...fields,
    });
    assert.equal(secret, undefined);
    const { clientId } = client;
    const issuer = server.service.baseUrl;
    return {
      clientId,
      assertion: (parts = {}, by = key) => by.assertion({ clientId, issuer, ...parts }),
      token: (client_assertion, others = {}) =>
        server.post('/oauth2/token', {
          ...grant,
          client_assertion_type: assertionType,
          client_assertion,
          ...others,
        }),
    };
  };
  /** What is wrong in a refused one is what the test changed. */
  const assertAccepted = async ({ token, assertion }: KeyClient, by = key) => {
    const { status, text } = await token(await assertion({}, by));
    assert.equal(status, 200, text);
  };
  const assertRefused = ({ status, json, text }: Answer, assertion: string) => {
    assert.deepEqual([status, json.error], [401, 'invalid_client'], text);
    for (const part of assertion.split('.')) if (part !== '') assert.ok(!text.includes(part));
  };
  it('a right assertion authenticates at the token, introspection and revocation endpoints', async () => {
    const client = await withKeys();
    const issued = await client.token(await client.assertion());
    assert.equal(issued.status, 200, issued.text);
    const token = issued.json.access_token;
    const form = async () => ({
      token,
      client_assertion_type: assertionType,
      client_assertion: await client.assertion(),
    });
    assert.equal((await server.post('/oauth2/introspect', await form())).json.active, true);
    assert.equal((await server.post('/oauth2/revoke', await form())).status, 200);
    assert.equal((await server.post('/oauth2/introspect', await form())).json.active, false);
  });

  it('a replay, one at another endpoint, and a race of many give one token', async () => {
    const client = await withKeys();
    const assertion = await client.assertion();
    const answers = await Promise.all(Array.from({ length: rounds(15, 50) }, () => client.token(assertion)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assertRefused(await client.token(assertion), assertion);
    const form = { token: 'x', client_assertion_type: assertionType, client_assertion: assertion };
    assertRefused(await server.post('/oauth2/revoke', form), assertion);
  });

  it('no assertion of the key of another client, or for another client, passes', async () => {
    const [client, victim] = [
      await withKeys(),
      await withKeys({ jwks: { keys: [(await ClientKey.create()).jwk] } }),
    ];
    const stolen = await client.assertion({ clientId: victim.clientId });
    assertRefused(await victim.token(stolen), stolen);
    for (const claims of [{ iss: victim.clientId }, { sub: victim.clientId }]) {
      const assertion = await client.assertion({ claims });
      assertRefused(await client.token(assertion), assertion);
    }
    await assertAccepted(client);
    const named = await client.token(await client.assertion(), { client_id: victim.clientId });
    assert.deepEqual([named.status, named.json.error], [400, 'invalid_request']);
  });

  it('no confusion of algorithms or keys passes', async () => {
    const client = await withKeys();
    const [, claims] = (await client.assertion()).split('.');
    const forged = (header: object, sign: (input: string) => string) => {
      const input = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}`;
      return `${input}.${sign(input)}`;
    };
    const publicKey = createPublicKey(KeyObject.from(key.privateKey));
    const secrets = [
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
      JSON.stringify(key.jwk),
    ];
    const attacker = await ClientKey.create('ES256', 'k');
    const jwksUri = site.answer('/attacker', (_request, response) =>
      response.end(JSON.stringify({ keys: [attacker.jwk] })),
    );
    for (const assertion of [
      ...secrets.map((secret) =>
        forged({ alg: 'HS256', kid: 'k' }, (input) =>
          createHmac('sha256', secret).update(input).digest('base64url'),
        ),
      ),
      forged({ alg: 'none' }, () => ''),
      forged({ alg: 'None', kid: 'k' }, () => 'AA'),
      forged({ alg: 'ES256', kid: 'k' }, () => 'A'.repeat(86)),
      forged({ alg: 'ES256', kid: 'k', crit: ['exp'] }, () => 'A'.repeat(86)),
      await client.assertion({}, attacker),
      await client.assertion({ header: { jwk: attacker.jwk } }, attacker),
      await client.assertion({ header: { jku: jwksUri, kid: 'other' } }, attacker),
    ])
      assertRefused(await client.token(assertion), assertion);
    assert.equal(site.asked('/attacker'), 0);
    await assertAccepted(client);
  });

  it('no other audience and no other time passes', async () => {
    const client = await withKeys();
    const now = Math.floor(Date.now() / 1000);
    const issuer = server.service.baseUrl;
    for (const claims of [
      { aud: 'https://other.example' },
      { aud: [issuer, 'https://other.example'] },
      { aud: `${issuer}.other.example` },
      { exp: now - 120 },
      { exp: now + 7200 },
      { nbf: now + 120 },
      { iat: now + 120 },
      { iat: 0 },
      { exp: 1e18 },
      { exp: -1 },
      { exp: null },
    ]) {
      const assertion = await client.assertion({ claims });
      assertRefused(await client.token(assertion), assertion);
    }
    await assertAccepted(client);
  });

  it('no private, weak or huge key and no long set is registered', async () => {
    const many = Array.from({ length: 21 }, () => key.jwk);
    const rsa = { kty: 'RSA', e: 'AQAB' };
    for (const keys of [
      [{ ...key.jwk, d: 'AA' }],
      [{ kty: 'oct', k: 'AAAA' }],
      [{ ...rsa, n: Buffer.alloc(128, 0xff).toString('base64url') }],
      [{ ...rsa, n: Buffer.alloc(513, 0xff).toString('base64url') }],
      [{ ...rsa, n: Buffer.alloc(256, 0xff).toString('base64url'), e: 'AQ' }],
      many,
      [{ ...key.jwk, kid: 'x'.repeat(70_000) }],
      [],
      [{ ...key.jwk, use: 'enc' }],
    ])
      await assert.rejects(
        withKeys({ jwks: { keys } }),
        { kind: 'invalid_request' },
        JSON.stringify(keys).slice(0, 80),
      );
    await assert.rejects(withKeys({ jwks: { keys: [key.jwk] }, jwksUri: 'https://app.example/jwks' }), {
      kind: 'invalid_request',
    });
    await assert.rejects(withKeys({ confidential: false }), { kind: 'invalid_request' });
  });

  it('no wrong signature is verified with each of twenty keys, but with those of its name', async () => {
    const others = Array.from({ length: 19 }, (_, index) => ({ ...key.jwk, kid: `other-${index}` }));
    const client = await withKeys({ jwks: { keys: [...others, key.jwk] } });
    const unnamed = await client.assertion({ header: { kid: undefined } });
    assertRefused(await client.token(unnamed), unnamed);
    await assertAccepted(client);
  });

  it('what is at the URL of keys is bounded, and its server learns and chooses nothing', async () => {
    const keys = { keys: [key.jwk] };
    const answers: Readonly<Record<string, Parameters<DocumentSite['answer']>[1]>> = {
      '/private': (_request, response) => response.end(JSON.stringify({ keys: [{ ...key.jwk, d: 'AA' }] })),
      '/huge': (_request, response) => response.end(`{"keys":[],"x":"${'x'.repeat(70_000)}"}`),
      '/many': (_request, response) =>
        response.end(JSON.stringify({ keys: Array.from({ length: 21 }, () => key.jwk) })),
      '/html': (_request, response) => response.end('<html>'),
      '/error': (_request, response) => response.writeHead(500).end(JSON.stringify(keys)),
      '/redirect': (_request, response) => response.writeHead(302, { location: '/good' }).end(),
      '/good': (_request, response) => response.end(JSON.stringify(keys)),
    };
    for (const [path, answer] of Object.entries(answers)) {
      const client = await withKeys({ jwksUri: site.answer(path, answer) });
      const assertion = await client.assertion();
      const answered = await client.token(assertion);
      if (path === '/good') assert.equal(answered.status, 200, answered.text);
      else assertRefused(answered, assertion);
    }
    assert.equal(site.asked('/good'), 1);
    site.forget();
    const client = await withKeys({ jwksUri: `https://${site.host}/good` });
    for (let unknown = 0; unknown < 5; unknown += 1) {
      const assertion = await client.assertion({}, await ClientKey.create('ES256', `made-up-${unknown}`));
      assertRefused(await client.token(assertion), assertion);
    }
    await assertAccepted(client);
    assert.equal(site.asked('/good'), 0, 'the keys of a minute ago are not asked for again');
  });

  it('the URL of keys leads into no private network, and costs other clients nothing', async () => {
    for (const jwksUri of [
      'https://127.0.0.1/jwks',
      'https://[::1]/jwks',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/jwks',
      'https://localhost:1/jwks',
    ]) {
      const client = await withKeys({ jwksUri });
      const assertion = await client.assertion();
      assertRefused(await client.token(assertion), assertion);
    }
    for (const jwksUri of [
      'http://app.example/jwks',
      'file:///etc/passwd',
      'https://a.example/#x',
      'javascript:1',
    ])
      await assert.rejects(withKeys({ jwksUri }), { kind: 'invalid_request' });
    assert.equal((await server.post('/oauth2/token', grant, demoClient)).status, 200);
  });
});
