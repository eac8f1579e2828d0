import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Revocations } from '../../src/tokens/revocations/recent-revocations.ts';
import { certainUntil, cursorsOf } from '../../src/tokens/revocations/revocation-cursor.ts';

const minute = 60_000;
const grant = (id: number, revokedAt: number) => ({
  id: `grant-${id}`,
  clientRecordId: 1,
  creationDate: 0,
  expires: 0,
  revokedAt,
});
const entriesOf = (grants: Revocations['grants']): Revocations => ({ grants, tokens: [], clients: [] });
/** A revocation of each kind at the time of each grant. */
const allKinds = (grants: Revocations['grants']): Revocations => ({
  grants,
  tokens: grants,
  clients: grants.map(({ id, revokedAt }) => ({
    clientId: id,
    clientRecordId: 1,
    resourceServerId: 1,
    otherResourceServerIds: [],
    revokedAt,
  })),
});

describe('the cursor of a list of revocations', () => {
  it('costs no second digest of the same entries at a later time', () => {
    let reads = 0;
    const counted = {
      ...grant(1, minute),
      get id() {
        reads += 1;
        return 'grant-1';
      },
    };
    const recent = { version: 1, readAt: minute };
    const cursorAt = cursorsOf(recent);
    const at = (time: number) => cursorAt(time, 1, entriesOf([counted]), []);
    const [first, second] = [at(minute), at(minute + 1000)];
    recent.readAt += 999;
    assert.deepEqual([second.digest, at(minute).digest], [first.digest, first.digest]);
    assert.equal(reads, 1);
    recent.version += 1;
    at(minute);
    recent.readAt += 1;
    at(minute);
    assert.equal(reads, 3);
  });

  it('is that of a node that has just started, for any entries, times, resource servers and keys', () => {
    const entry = fc.record({ server: fc.constantFrom(1, 2), age: fc.nat(200) });
    const ask = fc.record({ server: fc.constantFrom(1, 2), time: fc.nat(200), isKeyRevoked: fc.boolean() });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), fc.array(ask, { maxLength: 8 }), (entries, asks) => {
        const recent = { version: 1, readAt: 0 };
        const known = cursorsOf(recent);
        for (const { server, time: seconds, isKeyRevoked } of asks) {
          const time = seconds * 1000;
          const own = entries.flatMap((each, index) =>
            each.server === server ? [grant(index, each.age * 1000)] : [],
          );
          const keys = isKeyRevoked ? [{ kid: 'a' }] : [];
          const latest = own.filter(({ revokedAt }) => revokedAt > certainUntil(time));
          const expected = cursorsOf(recent)(time, server, allKinds(latest), keys);
          assert.deepEqual(known(time, server, allKinds(own), keys), expected);
        }
      }),
    );
  });
});
