import assert from 'node:assert/strict';
import { createHmac, createPublicKey, KeyObject } from 'node:crypto';
import { before, describe, it } from 'node:test';
import {
  buildClient,
  clientRequest,
  machineSecret,
  type ProtocolDependencies,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { type AssertionParts, assertionType, ClientKey } from '@watchword/testkit/client-key';
import { clientAuthenticationMethods } from '../../src/clients/authentication/authentication-methods.ts';
import type { CredentialedRequest } from '../../src/clients/authentication/credentialed-request.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import type { Client } from '../../src/model/records/client.ts';
import { profileChecks } from '../../src/rules/profile-checks.ts';
import {
  authenticateClient,
  authenticateIntrospectionCaller,
  authenticateResourceServer,
} from './authenticated.ts';

const issuer = 'https://as.example';
const jwksUri = 'https://app.example/jwks.json';

let key: ClientKey;
let newer: ClientKey;
before(async () => {
  [key, newer] = [await ClientKey.create('ES256', 'first'), await ClientKey.create('ES256', 'second')];
});

/** A client with the key, and what authenticates it. */
function withKeys(fields: Partial<Client> = {}) {
  const deps = protocolDependencies();
  const client = deps.store.putClient(
    buildClient({
      clientId: 'bank',
      id: 9,
      secret: undefined,
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      ...fields,
    }),
  );
  const assertion = (parts: Partial<AssertionParts> = {}, by = key) =>
    by.assertion({ clientId: 'bank', issuer, now: deps.clock.now(), ...parts });
  return { deps, client, assertion };
}

const request = (client_assertion: string, others: Record<string, string> = {}) =>
  clientRequest({ client_assertion_type: assertionType, client_assertion, ...others });

/** The rule for which the request is refused. The answer never says it. */
async function refused(asked: CredentialedRequest, deps: ProtocolDependencies): Promise<string | undefined> {
  const error = await authenticateClient(asked, deps).catch((caught) => caught);
  assert.ok(error instanceof OAuthError, 'expected a refusal');
  assert.equal(error.kind, 'invalid_client');
  assert.equal(error.message, new OAuthError('invalid_client').message);
  return error.rule;
}

describe('client authentication by private_key_jwt', () => {
  it('takes an assertion for the issuer, the token endpoint or the PAR endpoint', async () => {
    const { deps, client, assertion } = withKeys();
    for (const aud of [issuer, `${issuer}/oauth2/token`, `${issuer}/oauth2/par`, [issuer]]) {
      const asked = request(await assertion({ claims: { aud } }));
      assert.equal(await authenticateClient(asked, deps), client, String(aud));
    }
    const named = request(await assertion(), { client_id: 'bank' });
    assert.equal(await authenticateClient(named, deps), client);
    assert.equal(await authenticateIntrospectionCaller(request(await assertion()), deps), client);
  });

  it('takes an assertion once, also when its client sends it at the same moment', async () => {
    const { deps, assertion } = withKeys();
    const asked = request(await assertion());
    const answers = await Promise.allSettled([1, 2, 3].map(() => authenticateClient(asked, deps)));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await refused(asked, deps), 'assertion_once');
    // Another signature of the same claims is the same assertion.
    const claims = { jti: 'same' };
    await authenticateClient(request(await assertion({ claims })), deps);
    assert.equal(await refused(request(await assertion({ claims })), deps), 'assertion_once');
  });

  it('does not use up an assertion that is refused for another reason', async () => {
    const { deps, client, assertion } = withKeys();
    const asked = request(await assertion());
    deps.store.putClient({ ...client, jwks: { keys: [newer.jwk] } });
    assert.equal(await refused(asked, deps), 'assertion_key');
    deps.store.putClient(client);
    assert.equal((await authenticateClient(asked, deps)).id, client.id);
  });

  it('does not confuse clients: each jti is that of its client', async () => {
    const { deps, client, assertion } = withKeys();
    const other = deps.store.putClient({ ...client, id: 10, clientId: 'shop' });
    const claims = { jti: 'same' };
    assert.equal(await authenticateClient(request(await assertion({ claims })), deps), client);
    const ofOther = await assertion({ clientId: 'shop', claims });
    assert.equal(await authenticateClient(request(ofOther), deps), other);
    await assert.rejects(
      authenticateClient(request(await assertion({ clientId: 'shop' }), { client_id: 'bank' }), deps),
      protocolError('invalid_request'),
    );
    deps.store.putClient({ ...other, jwks: { keys: [newer.jwk] } });
    assert.equal(await refused(request(await assertion({ clientId: 'shop' })), deps), 'assertion_key');
  });

  it('refuses wrong claims, each by its rule', async () => {
    const { deps, assertion } = withKeys();
    const now = Math.floor(deps.clock.now() / 1000);
    for (const [claims, rule] of [
      [{ iss: 'other' }, 'assertion_client'],
      [{ iss: undefined }, 'assertion_client'],
      [{ sub: 'unknown' }, 'registered_caller'],
      [{ sub: undefined }, 'client_credentials'],
      [{ sub: 7 }, 'client_credentials'],
      [{ jti: undefined }, 'assertion_id'],
      [{ jti: '' }, 'assertion_id'],
      [{ jti: 'x'.repeat(256) }, 'assertion_id'],
      [{ aud: 'https://other.example' }, 'assertion_audience'],
      [{ aud: [issuer, 'https://other.example'] }, 'assertion_audience'],
      [{ aud: `${issuer}/oauth2/authorize` }, 'assertion_audience'],
      [{ exp: undefined }, 'assertion_time'],
      [{ exp: now - 61 }, 'assertion_time'],
      [{ exp: now + 86_400 }, 'assertion_time'],
      [{ nbf: now + 61 }, 'assertion_time'],
      [{ iat: now + 61 }, 'assertion_time'],
      [{ iat: now - 86_400 }, 'assertion_time'],
    ] as const) {
      assert.equal(await refused(request(await assertion({ claims })), deps), rule, JSON.stringify(claims));
    }
  });

  it('refuses what no registered key signed: none, HMAC with the public key, another key, another algorithm', async () => {
    const { deps, client, assertion } = withKeys();
    const parts = (await assertion()).split('.');
    const withHeader = (header: object, sign: (input: string) => string) => {
      const input = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${parts[1]}`;
      return request(`${input}.${sign(input)}`);
    };
    const pem = createPublicKey(KeyObject.from(key.privateKey)).export({ format: 'pem', type: 'spki' });
    const hmac = (input: string) => createHmac('sha256', pem).update(input).digest('base64url');
    const { kid } = key.jwk;
    assert.equal(await refused(withHeader({ alg: 'HS256', kid }, hmac), deps), 'assertion_algorithm');
    assert.equal(
      await refused(
        withHeader({ alg: 'none', kid }, () => ''),
        deps,
      ),
      'assertion_algorithm',
    );
    const attacker = await ClientKey.create('ES256', 'first');
    assert.equal(await refused(request(await assertion({}, attacker)), deps), 'assertion_signature');
    const own = await assertion({ header: { kid: 'evil', jwk: attacker.jwk } }, attacker);
    assert.equal(await refused(request(own), deps), 'assertion_key');
    deps.store.putClient({ ...client, tokenEndpointAuthSigningAlg: 'EdDSA' });
    assert.equal(await refused(request(await assertion()), deps), 'assertion_algorithm');
  });

  it('is for clients that are registered for it, which no secret and no client_id authenticates', async () => {
    const { deps, client, assertion } = withKeys({ secret: machineSecret('left-over') });
    for (const asked of [
      clientRequest({}, 'bank:left-over'),
      clientRequest({ client_id: 'bank', client_secret: 'left-over' }),
      clientRequest({ client_id: 'bank' }),
    ]) {
      assert.equal(await refused(asked, deps), 'registered_method');
    }
    for (const tokenEndpointAuthMethod of ['', 'client_secret_basic'] as const) {
      deps.store.putClient({ ...client, tokenEndpointAuthMethod });
      assert.equal(await refused(request(await assertion()), deps), 'registered_method');
    }
    const both = { ...request(await assertion()), ...clientRequest({}, 'bank:left-over') };
    await assert.rejects(
      authenticateClient({ ...both, parameters: request(await assertion()).parameters }, deps),
      protocolError('invalid_request'),
    );
    await assert.rejects(
      authenticateResourceServer(request(await assertion()), deps),
      protocolError('invalid_client'),
    );
  });

  it('refuses an assertion of another type, and half of one, as malformed credentials', async () => {
    const { deps, assertion } = withKeys();
    for (const form of [
      { client_assertion: await assertion() },
      { client_assertion_type: assertionType },
      { client_assertion_type: assertionType, client_assertion: 'a.b.c' },
      { client_assertion_type: `${assertionType}x`, client_assertion: await assertion() },
    ])
      assert.equal(await refused(clientRequest(form), deps), 'client_credentials', JSON.stringify(form));
  });

  it('reads keys of a URL again for one that is not known, and refuses while there are none', async () => {
    const { deps, client, assertion } = withKeys({ jwks: { keys: [] }, jwksUri });
    assert.equal(await refused(request(await assertion()), deps), 'assertion_keys');
    deps.clientKeySets.sets.set(jwksUri, [{ keys: [key.jwk] }, { keys: [newer.jwk, key.jwk] }]);
    assert.equal(await authenticateClient(request(await assertion()), deps), client);
    assert.equal(deps.clientKeySets.sets.get(jwksUri)?.length, 2, 'a known key needs no second request');
    assert.equal(await authenticateClient(request(await assertion({}, newer)), deps), client);
    assert.equal(await authenticateClient(request(await assertion()), deps), client);
    const gone = await ClientKey.create('ES256', 'third');
    assert.equal(await refused(request(await assertion({}, gone)), deps), 'assertion_key');
  });

  it('is what fapi-2.0 asks of clients, also where they introspect, by both names of an algorithm', async () => {
    const ed25519 = await ClientKey.create('Ed25519', 'first');
    const { deps: base, client, assertion } = withKeys({ jwks: { keys: [ed25519.jwk] } });
    const profile = profileChecks('fapi-2.0');
    const authenticationMethods = clientAuthenticationMethods({ ...base, ...base.store, issuer, profile });
    const deps = { ...base, authenticationMethods, profile };
    for (const alg of ['EdDSA', 'Ed25519']) {
      const asked = request(await assertion({ header: { alg } }, ed25519));
      assert.equal(await authenticateClient(asked, deps), client, alg);
    }
    for (const authenticate of [authenticateClient, authenticateIntrospectionCaller]) {
      const asked = clientRequest({}, 'test-client:client-secret');
      assert.equal((await authenticate(asked, base)).id, base.client.id);
      const error = await authenticate(asked, deps).catch((caught) => caught);
      assert.deepEqual([error.kind, error.rule], ['invalid_client', 'profile_client_keys']);
    }
    const asApi = clientRequest({}, 'test-api:resource-server-secret');
    assert.equal(await authenticateIntrospectionCaller(asApi, deps), base.resourceServer);
  });

  it('says nothing of the assertion to anybody', async () => {
    const { deps, assertion } = withKeys();
    const text = await assertion({ claims: { aud: 'https://victim.example', jti: 'secret-jti' } });
    const error = await authenticateClient(request(text), deps).catch((caught) => caught);
    const said = JSON.stringify({ ...error, message: error.message, cause: String(error.cause) });
    for (const part of [...text.split('.'), 'victim', 'secret-jti'])
      assert.ok(!said.includes(part), `expected nothing of the assertion, got ${part}`);
  });
});
