import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient, buildResourceServer } from '@watchword/testkit';
import type { Client } from '../../src/model/records/client.ts';
import type { ResourceServer } from '../../src/model/records/resource-server.ts';
import { longestJwtLifetime } from '../../src/model/records/signing-key.ts';
import { openClientsKey } from '../../src/rules/built-in-records.ts';
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
const client = (clientId: string, revokedAt: number, resourceServerId = 1, others: number[] = []) => ({
  clientRecordId: 1,
  clientId,
  resourceServerId,
  otherResourceServerIds: others,
  revokedAt,
});
const claim = (revocations: Partial<Revocations>) =>
  revokedClaim({ grants: [], tokens: [], clients: [], ...revocations }, [], now);
const inSeconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);

const registryOf = (
  clients: ReadonlyMap<number, Client>,
  ofOthers: number[] = [],
  open?: ResourceServer,
) => ({
  clientById: (id: number) => clients.get(id),
  clientsOfOthers: () => new Set(ofOthers),
  resourceServerByKey: (key: string) => (open?.key === key ? open : undefined),
});

describe('the list of revocations', () => {
  it('of a resource server has nothing of the clients of others, and nothing of clients that are gone', () => {
    const clients = new Map([
      [1, buildClient({ id: 1 })],
      [2, buildClient({ id: 2, resourceServerId: 2 })],
    ]);
    const registry = registryOf(clients);
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

  it('of a resource server has those of clients of others that can use it, and of all clients that belong to none', () => {
    const open = buildResourceServer({ id: 9, key: openClientsKey, ownerAuthority: 'system' });
    const clients = new Map(
      [buildClient({ id: 2, resourceServerId: 2 }), buildClient({ id: 3, resourceServerId: 9 })].map(
        (each) => [each.id, each] as const,
      ),
    );
    const of = (clientRecordId: number) => ({ ...grant(`of ${clientRecordId}`, 0), clientRecordId });
    const all = {
      grants: [of(2), of(3)],
      tokens: [of(2), of(3)],
      clients: [client('shared', now, 2, [1]), client('open', now, 9), client('other', now, 2, [3])],
    };
    const read = ofResourceServer(all, 1, registryOf(clients, [2], open));
    const ids = [read.grants, read.tokens].map((list) => list.map(({ id }) => id));
    assert.deepEqual(ids, [
      ['of 2', 'of 3'],
      ['of 2', 'of 3'],
    ]);
    assert.deepEqual(
      read.clients.map(({ clientId }) => clientId),
      ['shared', 'open'],
    );
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
