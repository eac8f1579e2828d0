import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildResourceServer,
  machineSecret,
  protocolDependencies,
  seededRandom,
} from '@watchword/testkit';
import type { RegisteredCaller } from '../../src/clients/authentication/authentication-method.ts';
import { clientSecretBasic } from '../../src/clients/authentication/client-secret-basic.ts';
import { withNewSecret } from '../../src/clients/authentication/client-secrets.ts';
import { failedAuthentication } from '../../src/clients/authentication/guard.ts';
import { generateSecret, rotatedSecret } from '../../src/clients/authentication/machine-secret.ts';
import { fingerprint } from '../../src/rules/fingerprint.ts';

const request = { method: 'POST', url: '/', headers: {}, source: '192.0.2.1' };

/** The rule that is broken by a secret, and what came. */
async function brokenBy(proof: string, caller: RegisteredCaller | undefined, id = 'x', now = 0) {
  const presented = {
    method: clientSecretBasic(protocolDependencies()),
    credentials: { id, proof },
  };
  const { rule, came } = await failedAuthentication(presented, caller, () => true, request, now);
  return [rule, came];
}

describe('a failed authentication', () => {
  const secret = rotatedSecret('new', machineSecret('old'), 0, 60);
  const [client, server] = [buildClient({ secret }), buildResourceServer({ secret })];
  const before = 'the secret before it, which was valid until 1970-01-01T00:01:00.000Z';
  const other = 'a text without the form of a secret that this server makes';

  it('names the kind of the caller, and whether the secret is the one before', async () => {
    assert.deepEqual(await brokenBy('wrong', client), ['client_secret', other]);
    assert.deepEqual(await brokenBy('wrong', server), ['resource_server_secret', other]);
    assert.deepEqual(await brokenBy('old', client), ['replaced_secret', before]);
    assert.deepEqual(await brokenBy('old', server), ['resource_server_secret', before]);
  });

  it('names the secret of a client that has expired, if there is no newer one', async () => {
    const details = { description: 'staging', expires: 1 };
    const expiring = buildClient({ secret: withNewSecret('late', details, undefined, -1) });
    const named = 'the secret 1 (staging), which expired on 1970-01-01T00:00:00.001Z';
    assert.deepEqual(await brokenBy('late', expiring, 'x', 2), ['expired_secret', named]);
    assert.deepEqual(await brokenBy('other', expiring, 'x', 2), ['client_secret', other]);
    const newer = withNewSecret('newer', { description: '', expires: 0 }, expiring.secret, 0);
    const until = 'the secret before it, which was valid until 1970-01-01T00:00:00.001Z';
    assert.deepEqual(await brokenBy('late', buildClient({ secret: newer }), 'x', 2), [
      'replaced_secret',
      until,
    ]);
  });

  it('shows the fingerprint of what this server made, and of nothing else', async () => {
    const made = generateSecret(seededRandom());
    const shown = `a secret with the fingerprint ${fingerprint(made)}`;
    assert.deepEqual(await brokenBy(made, client), ['client_secret', shown]);
  });

  it('names the workloads for which an issuer signs, if it signed for another', async () => {
    const issuer = { issuer: 'https://cluster.example', audience: 'a', jwks: { keys: [] }, jwksUri: '' };
    const workload = buildClient({
      tokenEndpointAuthMethod: 'assertion_issuer',
      assertionIssuers: ['a:b', 'c:*'].map((subject) => ({ ...issuer, subject })),
    });
    const { authenticationMethods } = protocolDependencies();
    const method = authenticationMethods.find(({ name }) => name === 'assertion_issuer') ?? assert.fail();
    const header = { alg: 'ES256', kid: undefined, typ: undefined };
    const assertion = { text: '', header, claims: { iss: issuer.issuer, sub: 'd:e' } };
    const presented = { method, credentials: { id: 'x', proof: '', assertion } };
    const { rule, expected } = await failedAuthentication(presented, workload, () => true, request, 0);
    assert.deepEqual([rule, expected], ['assertion_subject', 'sub a:b or c:*']);
  });

  it('of an unknown caller tells one that is not registered from credentials that cannot be read', async () => {
    const unknown = ['registered_caller', 'an identifier that is not registered'];
    assert.deepEqual(await brokenBy('wrong', undefined), unknown);
    assert.deepEqual(await brokenBy('', undefined, ''), ['client_credentials', 'malformed credentials']);
  });
});
