import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient, clientRequest, machineSecret, protocolDependencies } from '@watchword/testkit';
import { clientSecretBasic } from '../../src/clients/authentication/client-secret-basic.ts';
import {
  lastingSecrets,
  rotatedClientSecret,
  secretsEnd,
  secretsOf,
  withChangedSecret,
  withNewSecret,
  withOnlySecret,
  withoutSecret,
} from '../../src/clients/authentication/client-secrets.ts';
import { matchingSecret, secretMatches } from '../../src/clients/authentication/machine-secret.ts';
import type { MachineSecret } from '../../src/model/machine-secret.ts';
import { authenticateClient } from './authenticated.ts';

const lasting = { description: '', expires: 0 };

function withSecrets(count: number, first: MachineSecret | undefined, now = 0): MachineSecret {
  let secret = first;
  for (let index = 0; index < count; index += 1)
    secret = withNewSecret(`secret ${index}`, lasting, secret, now);
  return secret ?? assert.fail('no secret was added');
}

describe('the secrets of a client', () => {
  it('are valid beside each other, each under an id that no other one gets', () => {
    const two = withNewSecret('new', lasting, machineSecret('old'), 5);
    assert.deepEqual(
      secretsOf(two).map(({ id, creationDate }) => [id, creationDate]),
      [
        [2, 5],
        [1, 0],
      ],
    );
    assert.deepEqual([matchingSecret(two, 'old', 5), matchingSecret(two, 'new', 5)], [1, 2]);
    const again = withNewSecret('newer', lasting, withoutSecret(two, 2), 6);
    assert.deepEqual([matchingSecret(again, 'new', 6), matchingSecret(again, 'newer', 6)], [undefined, 3]);
    assert.equal(withoutSecret(withoutSecret(two, 1) ?? assert.fail(), 2), undefined);
  });

  it('have ids where an earlier release made them', () => {
    const rotated = {
      ...machineSecret('new'),
      previousHash: machineSecret('old').hash,
      previousValidUntil: 9,
    };
    const ids = secretsOf(rotated).map(({ id, expires }) => [id, expires]);
    assert.deepEqual(ids, [
      [2, 0],
      [1, 9],
    ]);
    assert.deepEqual([matchingSecret(rotated, 'new', 8), matchingSecret(rotated, 'old', 8)], [2, 1]);
    assert.equal(matchingSecret(rotated, 'old', 9), undefined);
    assert.equal(matchingSecret(machineSecret('only'), 'only', 0), 1);
    assert.equal(matchingSecret(undefined, '', 0), undefined);
    assert.equal(secretsOf(undefined).length, 0);
  });

  it('are valid until they expire, and not at that moment', () => {
    const secret = withChangedSecret(withSecrets(2, undefined), 1, { description: 'a', expires: 9 });
    assert.ok(secretMatches(secret, 'secret 0', 8));
    assert.ok(!secretMatches(secret, 'secret 0', 9));
    assert.ok(secretMatches(secret, 'secret 1', 9));
    assert.equal(secretsEnd({ secret }), 0);
    assert.equal(secretsEnd({ secret: withChangedSecret(secret, 2, { description: '', expires: 7 }) }), 9);
    assert.equal(secretsEnd({ secret: undefined }), 0);
    assert.deepEqual(
      secretsOf(lastingSecrets(secret)).map(({ id }) => id),
      [2],
    );
  });

  it('make room by what ends first, or has ended', () => {
    const five = withChangedSecret(withSecrets(5, undefined), 3, { description: '', expires: 9 });
    const ids = (now: number) => secretsOf(withNewSecret('x', lasting, five, now)).map(({ id }) => id);
    assert.deepEqual(ids(9), [6, 5, 4, 2, 1]);
    const rotated = rotatedClientSecret('new', five, 8, 60);
    assert.deepEqual(
      secretsOf(rotated).map(({ id }) => id),
      [6, 5, 4, 2, 1],
    );
  });

  it('all end with a rotation: at once, or within its overlap', () => {
    const three = withChangedSecret(withSecrets(3, undefined), 1, { description: '', expires: 500 });
    const overlapped = rotatedClientSecret('new', three, 0, 60);
    const ends = secretsOf(overlapped).map(({ id, expires }) => [id, expires]);
    assert.deepEqual(ends, [
      [4, 0],
      [3, 60_000],
      [2, 60_000],
      [1, 500],
    ]);
    const atOnce = rotatedClientSecret('new', three, 0, 0);
    for (const text of ['secret 0', 'secret 1', 'secret 2']) assert.ok(!secretMatches(atOnce, text, 0), text);
    assert.equal(matchingSecret(atOnce, 'new', 0), 4);
  });

  it('are as after a rotation if one of them alone is to stay', () => {
    const three = withChangedSecret(withSecrets(3, undefined), 1, { description: '', expires: 500 });
    const overlapped = withOnlySecret('secret 1', three, 0, 60);
    const ends = secretsOf(overlapped).map(({ id, expires }) => [id, expires]);
    assert.deepEqual(ends, [
      [3, 60_000],
      [2, 0],
      [1, 500],
    ]);
    const atOnce = withOnlySecret('secret 1', three, 0, 0);
    assert.deepEqual([matchingSecret(atOnce, 'secret 1', 0), secretsOf(atOnce).length], [2, 1]);
    assert.equal(withOnlySecret('secret 1', atOnce, 0, 60), undefined);
    assert.equal(withOnlySecret('secret 1', overlapped, 60_000, 60), undefined);
  });

  it('are the two newest of those that never end for a node of the release before', () => {
    const { numbered: _, ...known } = withSecrets(3, machineSecret('first'));
    for (const text of ['secret 2', 'secret 1']) assert.ok(secretMatches(known, text, 9e12), text);
    assert.ok(!secretMatches(known, 'secret 0', 0));
    const ending = withChangedSecret(withSecrets(2, undefined), 1, { description: '', expires: 9 });
    const { numbered: __, ...ended } = ending;
    assert.ok(!secretMatches(ended, 'secret 0', 9));
  });

  it('never outlive their end at such a node while another one has none', () => {
    const trial = withNewSecret('trial', { description: '', expires: 9 }, withSecrets(2, undefined), 0);
    const { numbered: _, ...known } = trial;
    assert.ok(!secretMatches(known, 'trial', 9));
    assert.ok(secretMatches(known, 'secret 1', 9));
    const one = withNewSecret('trial', { description: '', expires: 9 }, withSecrets(1, undefined), 0);
    const { numbered: __, ...both } = one;
    for (const text of ['secret 0', 'trial']) assert.ok(secretMatches(both, text, 8), text);
    assert.ok(!secretMatches(both, 'trial', 9));
  });
});

describe('the use of a secret', () => {
  async function usesOf(
    authorization: string,
    client = buildClient({ secret: withSecrets(2, machineSecret('client-secret')) }),
  ) {
    const deps = protocolDependencies();
    const noted: unknown[] = [];
    const secretUses = { secretUsed: (...use: unknown[]) => void noted.push(use) };
    deps.store.putClient(client);
    const authenticationMethods = [clientSecretBasic({ ...deps, secretUses })];
    const request = clientRequest({}, authorization);
    await Promise.resolve(authenticateClient(request, { ...deps, authenticationMethods })).catch(() => {});
    return noted.map((use) => (use as number[]).slice(0, 2));
  }

  it('is noted with the secret that a client authenticated with', async () => {
    assert.deepEqual(await usesOf('test-client:secret 0'), [[1, 2]]);
    assert.deepEqual(await usesOf('test-client:client-secret'), [[1, 1]]);
  });

  it('is not noted for a secret that is refused', async () => {
    assert.deepEqual(await usesOf('test-client:wrong'), []);
    const posting = buildClient({ tokenEndpointAuthMethod: 'client_secret_post' });
    assert.deepEqual(await usesOf('test-client:client-secret', posting), []);
  });
});
