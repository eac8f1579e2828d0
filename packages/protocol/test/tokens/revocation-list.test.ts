import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient } from '@watchword/testkit';
import { longestJwtLifetime } from '../../src/model/records/signing-key.ts';
import type { Revocations } from '../../src/tokens/revocations/recent-revocations.ts';
import { parseCursor } from '../../src/tokens/revocations/revocation-cursor.ts';
import {
  expiryMargin,
  ofResourceServer,
  revokedClaim,
} from '../../src/tokens/revocations/revocation-list.ts';

const now = Date.UTC(2026, 0, 1);
const longest = longestJwtLifetime * 1000;
const base = { clientRecordId: 1, creationDate: now - 5, revokedAt: now };
const grant = (id: string, expires: number) => ({ ...base, id, expires });
const token = grant;
const client = (clientId: string, revokedAt: number, resourceServerId = 1) => ({
  clientRecordId: 1,
  clientId,
  resourceServerId,
  revokedAt,
});
const claim = (revocations: Partial<Revocations>) =>
  revokedClaim({ grants: [], tokens: [], clients: [], ...revocations }, [], now);
const inSeconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);

describe('the list of revocations', () => {
  it('of a resource server has nothing of the clients of others, and nothing of clients that are gone', () => {
    const clients = new Map([
      [1, buildClient({ id: 1 })],
      [2, buildClient({ id: 2, resourceServerId: 2 })],
    ]);
    const registry = { clientById: (id: number) => clients.get(id) };
    const of = (clientRecordId: number) => ({ ...grant(`of ${clientRecordId}`, 0), clientRecordId });
    const all = {
      grants: [of(1), of(2), of(3)],
      tokens: [of(1), of(2), of(3)],
      clients: [client('own', now), client('other', now, 2)],
    };
    const { grants, tokens, clients: ended } = ofResourceServer(all, 1, registry);
    assert.deepEqual(
      [grants, tokens].map((list) => list.map(({ id }) => id)),
      [['of 1'], ['of 1']],
    );
    assert.deepEqual(
      ended.map(({ clientId }) => clientId),
      ['own'],
    );
  });

  it('names a grant until no token of it can be accepted, at a clock that is behind too', () => {
    const { grants } = claim({
      grants: [grant('for ever', 0), grant('soon', now + 5000), grant('late', now + 2 * longest)],
    });
    assert.deepEqual(grants, {
      'for ever': inSeconds(now + longest + expiryMargin),
      soon: inSeconds(now + 5000 + expiryMargin),
      late: inSeconds(now + longest + expiryMargin),
    });
  });

  it('names a token until its expiry and the margin are over', () => {
    const { tokens } = claim({
      tokens: [
        token('valid', now + 1),
        token('in the margin', now - expiryMargin + 1),
        token('over', now - expiryMargin),
      ],
    });
    assert.deepEqual(tokens, {
      valid: inSeconds(now + 1 + expiryMargin),
      'in the margin': inSeconds(now + 1),
    });
  });

  it('names a client once, with the last time at which its tokens were revoked', () => {
    const { clients } = claim({ clients: [client('a', now), client('a', now - 9000), client('b', now - 1)] });
    assert.deepEqual(clients, { a: now / 1000, b: Math.floor((now - 1) / 1000) });
  });
});

describe('the cursor of a reader', () => {
  it('has one form, and any other text is none', () => {
    const digest = 'x'.repeat(16);
    assert.deepEqual(parseCursor(`zz.${digest}`), { time: 1295, digest });
    for (const text of [
      '',
      'zz',
      `.${digest}`,
      `-zz.${digest}`,
      `zz.${digest}x`,
      `zz.${digest}\n`,
      `ZZ.${digest}`,
    ]) {
      assert.equal(parseCursor(text), undefined, JSON.stringify(text));
    }
  });
});
