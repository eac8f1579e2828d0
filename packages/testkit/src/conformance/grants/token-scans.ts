import assert from 'node:assert/strict';
import { it } from 'node:test';
import type {
  AccessTokenScan,
  AccessTokenStore,
  GrantedAccessToken,
  ScanPosition,
} from '@watchword/protocol';
import { tokenFactory } from '../../builders/access-token.ts';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';
import { redeemed, start } from './granted.ts';

const ids = (tokens: readonly { readonly id: string }[]) => tokens.map(({ id }) => id);

/** Reads all pages of a scan. */
async function scanAll({ scan }: AccessTokenStore, what: AccessTokenScan): Promise<GrantedAccessToken[]> {
  const found: GrantedAccessToken[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await scan({ ...what, ...(last && { before: positionOf(last) }) });
    assert.ok(page.length <= what.limit);
    found.push(...page);
    if (page.length < what.limit) return found;
  }
}

function positionOf({ id, grantId, grant }: GrantedAccessToken): ScanPosition {
  return {
    id,
    ...(grantId !== undefined && { grantId }),
    ...(grant !== undefined && { identityProvider: grant.owner.identityProvider }),
  };
}

export function tokenScanRules(openStore: OpenStore): void {
  it(
    'reads tokens the newest first, each once, of all clients or of one',
    withStore(openStore, async ({ accessTokens }) => {
      const make = tokenFactory();
      const tokens = Array.from({ length: 9 }, (_, index) =>
        make({ creationDate: start + index, clientRecordId: index % 2 }),
      );
      for (const token of tokens) await accessTokens.insert(token);
      const newest = tokens.toReversed();
      for (const limit of [1, 2, 4, 9, 100]) {
        assert.deepEqual(ids(await scanAll(accessTokens, { of: 'all', limit })), ids(newest));
        const ofClient = await scanAll(accessTokens, { of: 'client', clientRecordId: 1, limit });
        assert.deepEqual(ids(ofClient), ids(newest.filter(({ clientRecordId }) => clientRecordId === 1)));
      }
    }),
  );

  it(
    'reads the tokens with which a client acts for itself, or those of them for some resource servers',
    withStore(openStore, async (store) => {
      const { accessTokens } = store;
      const make = tokenFactory();
      const tokens = [['read'], ['5\\', '5\\read'], ['15\\', '15\\a'], ['\\', '12\\\\https://b', 'x']].map(
        (scopes) => make({ creationDate: start, clientRecordId: 1, scopes }),
      );
      for (const token of tokens) await accessTokens.insert(token);
      await accessTokens.insert(make({ creationDate: start, clientRecordId: 2, scopes: ['5\\', '5\\read'] }));
      await redeemed(store, grantFactory(), { clientRecordId: 1, scopes: ['5\\', '5\\read'] });
      for (const [at, expected] of [
        [undefined, tokens],
        [[5], [tokens[1]]],
        [[1], []],
        [
          [5, 12],
          [tokens[1], tokens[3]],
        ],
      ] as const) {
        for (const limit of [1, 100]) {
          const found = await scanAll(accessTokens, {
            of: 'client',
            clientRecordId: 1,
            acting: { at },
            limit,
          });
          const wanted = expected
            .map((token) => token?.id)
            .toSorted()
            .reverse();
          assert.deepEqual(ids(found), wanted, `${at}`);
        }
      }
    }),
  );

  it(
    'reads tokens of revoked grants too, without their grant, so that paging ends',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [revoked, active] = [await redeemed(store, make), await redeemed(store, make)];
      await store.grants.revoke(revoked.grant.id, start);
      const found = await store.accessTokens.scan({ of: 'all', limit: 9 });
      const grantOf = (id: string) => found.find((token) => token.id === id)?.grant?.id;
      assert.equal(found.length, 2);
      assert.equal(found.find(({ id }) => id === revoked.accessToken.id)?.grantId, revoked.grant.id);
      assert.equal(grantOf(revoked.accessToken.id), undefined);
      assert.equal(grantOf(active.accessToken.id), active.grant.id);
    }),
  );

  it(
    "an owner's tokens are read by grant, the newest first, each once, however the pages fall",
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const token = tokenFactory();
      const names = [
        ['emma', 'password'],
        ['emma', 'password'],
        ['emma', 'idp'],
        ['finn', 'password'],
        ['emma', 'password'],
      ] as const;
      const expected = new Map<string, string[]>();
      for (const [index, [name, identityProvider]] of names.entries()) {
        const owner = buildResourceOwner(name, identityProvider);
        const grant = make.grant({ owner, creationDate: start + index });
        const issued = token({ grantId: grant.id, creationDate: start + index });
        await store.grants.insert(grant, issued);
        const key = `${name} ${identityProvider}`;
        expected.set(key, [issued.id, ...(expected.get(key) ?? [])]);
      }
      for (const limit of [1, 2, 3, 100]) {
        for (const [name, identityProvider] of [
          ['emma', 'password'],
          ['emma', 'idp'],
          ['finn', 'password'],
          ['finn', 'idp'],
          ['Emma', 'password'],
        ] as const) {
          const found = await scanAll(store.accessTokens, { of: 'owner', name, identityProvider, limit });
          assert.deepEqual(ids(found), expected.get(`${name} ${identityProvider}`) ?? []);
        }
        const both = await scanAll(store.accessTokens, { of: 'owner', name: 'emma', limit });
        assert.deepEqual(
          ids(both).toSorted(),
          [...(expected.get('emma password') ?? []), ...(expected.get('emma idp') ?? [])].toSorted(),
        );
      }
    }),
  );

  it(
    'reads the tokens of a subject under every name, the newest grant first, and not those of a namesake',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const token = tokenFactory();
      const { subject } = buildResourceOwner('emma');
      const expected: string[] = [];
      for (const [index, owner] of [
        { ...buildResourceOwner('emma'), subject },
        buildResourceOwner('finn'),
        { ...buildResourceOwner('emma smith'), subject },
        { ...buildResourceOwner('emma'), subject: 'of a namesake' },
      ].entries()) {
        const grant = make.grant({ owner, creationDate: start + index });
        const issued = token({ grantId: grant.id, creationDate: start + index });
        await store.grants.insert(grant, issued);
        if (owner.subject === subject) expected.unshift(issued.id);
      }
      for (const limit of [1, 2, 100]) {
        assert.deepEqual(ids(await scanAll(store.accessTokens, { of: 'subject', subject, limit })), expected);
      }
    }),
  );

  it(
    'reads several tokens of one grant each once, at every page size',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const first = await redeemed(store, make, { creationDate: start });
      let { refreshToken } = first;
      const tokens = [first.accessToken];
      for (let round = 1; round < 5; round += 1) {
        const next = make.tokens(first.grant, start + round);
        await store.refreshTokens.rotate(refreshToken.id, next, 'sealed', start + round);
        tokens.unshift(next.accessToken);
        refreshToken = next.refreshToken;
      }
      const other = await redeemed(store, make, { creationDate: start - 10 });
      for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
        const scan = { of: 'owner', name: 'emma', identityProvider: 'password', limit } as const;
        const found = await scanAll(store.accessTokens, scan);
        assert.deepEqual(ids(found), ids([...tokens, other.accessToken]));
        assert.ok(found.every(({ grant }) => grant !== undefined));
        const { subject } = first.grant.owner;
        assert.deepEqual(
          ids(await scanAll(store.accessTokens, { of: 'subject', subject, limit })),
          ids(found),
        );
      }
      await store.grants.revoke(first.grant.id, start);
      const left = await store.accessTokens.scan({ of: 'owner', name: 'emma', limit: 9 });
      assert.deepEqual(ids(left), [other.accessToken.id]);
    }),
  );
}
