import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secretMatches, secretsOf, withNewSecret } from '@watchword/protocol';
import { machineSecret } from '@watchword/testkit';
import { clientSecretColumns, secretColumns, toClientSecret } from '../../src/records/secret-columns.ts';

const lasting = { description: '', expires: 0 };
const two = withNewSecret('new', lasting, machineSecret('old'), 5);

/** The row after a node of the release before has rotated the secret: it knows two secrets, and keeps the other columns. */
function rotatedByFormerRelease(overlapUntil: number) {
  const before = clientSecretColumns(two);
  const rotated = { ...machineSecret('rotated'), previousHash: two.hash, previousValidUntil: overlapUntil };
  return toClientSecret({ ...before, ...secretColumns(rotated) });
}

describe('the columns of the secrets of a client', () => {
  it('are read as they were written', () => {
    assert.deepEqual(toClientSecret(clientSecretColumns(two)), {
      ...two,
      numbered: {
        lastId: 2,
        secrets: secretsOf(two).map((each) => ({ ...each, hash: new Uint8Array(each.hash) })),
      },
    });
    assert.deepEqual(toClientSecret(clientSecretColumns({ ...machineSecret('x'), creationDate: 7 })), {
      ...machineSecret('x'),
      creationDate: 7,
    });
    assert.equal(toClientSecret(clientSecretColumns(undefined)), undefined);
    const trial = withNewSecret('trial', { description: '', expires: 9 }, two, 6);
    const ids = secretsOf(toClientSecret(clientSecretColumns(trial))).map(({ id }) => id);
    assert.deepEqual(ids, [3, 2, 1]);
  });

  it('after a rotation by a node of the release before have nothing that it ended', () => {
    const atOnce = rotatedByFormerRelease(0);
    assert.deepEqual(
      secretsOf(atOnce).map(({ id }) => id),
      [3],
    );
    assert.ok(secretMatches(atOnce, 'rotated', 0));
    for (const text of ['old', 'new']) assert.ok(!secretMatches(atOnce, text, 0), text);
    const overlapped = rotatedByFormerRelease(60);
    for (const text of ['rotated', 'old', 'new']) assert.ok(secretMatches(overlapped, text, 59), text);
    for (const text of ['old', 'new']) assert.ok(!secretMatches(overlapped, text, 60), text);
  });

  it('after two such rotations have the two that they left', () => {
    const rotated = {
      ...machineSecret('again'),
      previousHash: machineSecret('rotated').hash,
      previousValidUntil: 60,
    };
    const twice = toClientSecret({ ...clientSecretColumns(two), ...secretColumns(rotated) });
    const known = secretsOf(twice).map(({ id, expires }) => [id, expires]);
    assert.deepEqual(known, [
      [4, 0],
      [3, 60],
    ]);
    for (const text of ['again', 'rotated']) assert.ok(secretMatches(twice, text, 59), text);
    for (const text of ['old', 'new']) assert.ok(!secretMatches(twice, text, 0), text);
  });

  it('have no secret where a node of the release before took it away', () => {
    const taken = { ...clientSecretColumns(two), secret_hash: null, previous_secret_hash: null };
    assert.equal(toClientSecret(taken), undefined);
  });
});
