import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type Grant,
  type GrantEntry,
  type GrantListStore,
  type GrantScan,
  identityOf,
  type SkippedEntry,
} from '@watchword/protocol';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { variants } from '../../rounds.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';
import { coded, consented, redeemed, start } from './granted.ts';

const later = start + 24 * 3_600_000;

/** Reads all pages of a scan, as `type id`. */
function scanAll({ scan }: GrantListStore, what: GrantScan, now = start): Promise<string[]> {
  return readAll((page) => scan(page, now), what);
}

/** Reads all pages of a search for a name, as `type id`, without what it skips. */
async function searchAll({ search }: GrantListStore, what: GrantScan, wanted: string): Promise<string[]> {
  const found = await readAll((page) => search(page, async ({ name }) => name === wanted, start), what);
  return found.filter((entry) => !entry.startsWith('skipped'));
}

async function readAll(
  read: (scan: GrantScan) => Promise<readonly (GrantEntry | SkippedEntry)[]>,
  what: GrantScan,
): Promise<string[]> {
  const found: (GrantEntry | SkippedEntry)[] = [];
  for (;;) {
    const before = found.at(-1);
    const page = await read({ ...what, ...(before && { before }) });
    assert.ok(page.length <= what.limit);
    found.push(...page);
    if (page.length < what.limit) return found.map(({ type, id }) => `${type} ${id}`);
  }
}

async function entries({ grantList }: StoreUnderTest, now = start): Promise<GrantEntry[]> {
  return grantList.scan({ of: 'all', limit: 100 }, now);
}

/** What an entry shows of the tokens. */
async function used(store: StoreUnderTest, now: number) {
  const [entry] = await entries(store, now);
  if (entry?.type !== 'grant') return assert.fail('the grant is not listed');
  const { isActive, lastUsed, hasRefreshToken, accessTokens } = entry;
  return { isActive, lastUsed, hasRefreshToken, accessTokens };
}

export function grantEntryRules(openStore: OpenStore): void {
  it(
    'reads grants and remembered consents newest first, each once, at every page size',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const server = await addResourceServer(store);
      const other = await addResourceServer(store, 'other');
      const clients = [
        await addClient(store, 'a', server),
        await addClient(store, 'b', other),
        await addClient(store, 'c', server),
      ];
      const owners = [
        buildResourceOwner('emma'),
        buildResourceOwner('finn'),
        buildResourceOwner('emma', 'https://idp.example'),
      ];
      const made: { readonly entry: string; readonly grant: Grant }[] = [];
      for (let index = 0; index < 12; index += 1) {
        const owner = owners[index % 3] ?? assert.fail();
        const clientRecordId = clients[index % 4 === 0 ? 1 : index % 3]?.id ?? assert.fail();
        const { grant } = await coded(store, make, { owner, clientRecordId, creationDate: start + index });
        const isRemembered = index % 2 === 0;
        if (isRemembered) await consented(store, grant, ['read'], `https://a/${index}`);
        made.unshift(
          { entry: `grant ${grant.id}`, grant },
          ...(isRemembered ? [{ entry: `consent ${grant.id}`, grant }] : []),
        );
      }
      const among = (isMeant: (grant: Grant) => boolean) =>
        made.filter(({ grant }) => isMeant(grant)).map(({ entry }) => entry);
      const [a, b, c] = clients.map(({ id }) => id);
      const emma = owners[0] ?? assert.fail();
      for (const limit of variants(2, [2, 5, 1, 3, 100])) {
        const read = async (range: object) => {
          const scan = { ...range, limit } as GrantScan;
          const found = await scanAll(store.grantList, scan);
          const named = new Set(among(({ owner }) => owner.principal.name === 'emma'));
          assert.deepEqual(
            await searchAll(store.grantList, scan, 'emma'),
            found.filter((entry) => named.has(entry)),
          );
          return found;
        };
        assert.deepEqual(
          await read({ of: 'all' }),
          among(() => true),
        );
        assert.deepEqual(
          await read({ of: 'client', clientRecordId: b }),
          among(({ clientRecordId }) => clientRecordId === b),
        );
        assert.deepEqual(
          await read({ of: 'subject', subject: emma.subject }),
          among(({ owner }) => owner.subject === emma.subject),
        );
        assert.deepEqual(await read({ of: 'resourceServer', resourceServerId: server.id }), [
          ...among(({ clientRecordId }) => clientRecordId === c),
          ...among(({ clientRecordId }) => clientRecordId === a),
        ]);
        assert.deepEqual(await read({ of: 'clients', clientRecordIds: [a, b] }), [
          ...among(({ clientRecordId }) => clientRecordId === b),
          ...among(({ clientRecordId }) => clientRecordId === a),
        ]);
        assert.deepEqual(await read({ of: 'owner', name: 'emma' }), [
          ...among(({ owner }) => owner === emma),
          ...among(({ owner }) => owner === owners[2]),
        ]);
        assert.deepEqual(await read({ of: 'owner', name: 'Emma' }), []);
      }
    }),
  );

  it(
    'leaves out what is for none of the resource servers that are meant',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const server = await addResourceServer(store);
      const { id: clientRecordId } = await addClient(store, 'app', server);
      const of = async (...scopes: string[]) =>
        `grant ${(await redeemed(store, make, { clientRecordId, scopes })).grant.id}`;
      await of('read');
      await of('55\\', '55\\read', '-5\\');
      const [one, other] = [await of('\\', '5\\', '5\\read'), await of('7\\\\https://a.example', 'openid')];
      for (const range of [
        { of: 'client', clientRecordId },
        { of: 'clients', clientRecordIds: [clientRecordId, 999] },
        { of: 'resourceServer', resourceServerId: server.id },
      ] as const) {
        const ids = (...targets: number[]) => scanAll(store.grantList, { ...range, targets, limit: 1 });
        assert.deepEqual(await ids(5), [one], range.of);
        assert.deepEqual((await ids(5, 7)).toSorted(), [one, other].toSorted(), range.of);
        assert.deepEqual(await ids(6), [], range.of);
      }
    }),
  );

  it(
    'returns every field of a grant, and the consented scopes of all redirect URIs of the client',
    withStore(openStore, async (store) => {
      const owner = buildResourceOwner('émma', 'https://idp.example/ä');
      const { grant } = await redeemed(store, grantFactory(), { owner, clientRecordId: 7, scopes: ['b'] });
      await consented(store, grant, ['b'], 'https://a/1');
      await consented(store, grant, ['b', 'c'], 'https://a/2');
      const { id, clientRecordId, creationDate, scopes } = grant;
      const [entry] = await store.grantList.find(id, start);
      assert.deepEqual(entry && { ...entry, consentedScopes: entry.consentedScopes.toSorted() }, {
        type: 'grant',
        id,
        clientRecordId,
        ...identityOf(owner),
        subject: owner.subject,
        consentedScopes: ['b', 'c'],
        creationDate,
        isActive: true,
        principal: owner.principal,
        scopes,
        lastUsed: creationDate,
        hasRefreshToken: true,
        accessTokens: 1,
      });
      assert.deepEqual(await store.grantList.find(grantFactory('other').grant().id, start), []);
    }),
  );

  it(
    'counts the tokens that can be used, and keeps a grant without any of them active while it is not revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, accessToken, refreshToken } = await redeemed(store, make);
      const next = make.tokens(grant, start + 1000);
      await store.refreshTokens.rotate(refreshToken.id, next, 'sealed', start + 1000);
      const lastUsed = start + 1000;
      const active = { isActive: true, lastUsed };
      assert.deepEqual(await used(store, lastUsed), { ...active, hasRefreshToken: true, accessTokens: 2 });
      const afterFirst = await used(store, accessToken.expires);
      assert.deepEqual(afterFirst, { ...active, hasRefreshToken: true, accessTokens: 1 });
      const afterAll = await used(store, next.accessToken.expires);
      assert.deepEqual(afterAll, { ...active, hasRefreshToken: true, accessTokens: 0 });
      assert.ok(!(await used(store, next.refreshToken.expires)).isActive);
      await store.grants.revoke(grant.id, lastUsed);
      assert.deepEqual(
        (await entries(store)).filter((entry) => entry.type === 'grant' && entry.isActive),
        [],
      );
    }),
  );

  it(
    'returns with a remembered consent whether its grant is active',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const first = await redeemed(store, make);
      await consented(store, first.grant, ['read', 'write']);
      const alone = async (now: number) => {
        const found = await store.grantList.find(first.grant.id, now);
        const entry = found.find(({ type }) => type === 'consent');
        return entry?.type === 'consent' ? entry : assert.fail('the consent is not listed');
      };
      assert.equal((await alone(start)).activeGrantDate, start);
      assert.equal((await alone(later)).activeGrantDate, undefined);
      await store.grants.revoke(first.grant.id, start);
      const { isLast, activeGrantDate, consentedScopes } = await alone(start);
      assert.deepEqual(
        { isLast, activeGrantDate, consentedScopes },
        { isLast: true, activeGrantDate: undefined, consentedScopes: ['read', 'write'] },
      );
      await redeemed(store, make, { creationDate: start + 7 });
      assert.equal((await alone(start)).activeGrantDate, undefined);
    }),
  );

  it(
    'marks the last of several consents of one owner for one client',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const made = [
        await coded(store, make, { creationDate: start }),
        await coded(store, make, { creationDate: start + 1 }),
        await coded(store, make, { creationDate: start + 2, clientRecordId: 2 }),
      ];
      for (const [index, { grant }] of made.entries())
        await consented(store, grant, ['read'], `https://a/${index}`);
      const last = (await entries(store)).filter((entry) => entry.type === 'consent' && entry.isLast);
      assert.deepEqual(
        last.map(({ id }) => id),
        [made[2]?.grant.id, made[1]?.grant.id],
      );
    }),
  );
}
