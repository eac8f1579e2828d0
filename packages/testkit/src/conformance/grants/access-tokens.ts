import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredAccessToken } from '@watchword/protocol';
import { tokenFactory } from '../../builders/access-token.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const start = Date.UTC(2026, 0, 1);

export function accessTokenRules(openStore: OpenStore): void {
  it(
    'finds a token as it was inserted',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory();
      const tokens = [
        token({ scopes: ['read', 'write'], expires: start + 1, clientRecordId: 7 }),
        token({ scopes: [] }),
        token({ expires: Number.MAX_SAFE_INTEGER, creationDate: 1 }),
        token({ confirmation: { jkt: 'thumbprint' } }),
        token({ confirmation: { 'x5t#S256': 'thumbprint' } }),
      ];
      for (const each of tokens) await accessTokens.insert(each);
      for (const each of tokens) assert.deepEqual(plain(await accessTokens.find(each.id)), plain(each));
      const listed = await accessTokens.list({ limit: tokens.length });
      for (const each of tokens)
        assert.deepEqual(plain(listed.find(({ id }) => id === each.id)), plain(each));
    }),
  );

  it(
    'keeps every byte of a digest',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory();
      for (const first of [0, 0x80, 0xe0]) {
        const verifierHash = Uint8Array.from({ length: 32 }, (_, index) => first + index);
        const inserted = token({ verifierHash });
        await accessTokens.insert(inserted);
        assert.deepEqual(plain(await accessTokens.find(inserted.id)), plain(inserted));
      }
    }),
  );

  it(
    'finds nothing for an unknown id',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory();
      await accessTokens.insert(token());
      assert.equal(await accessTokens.find(token().id), undefined);
    }),
  );

  it(
    'finds an expired token until it is purged',
    withStore(openStore, async ({ accessTokens }) => {
      const expired = tokenFactory()({ creationDate: start - 2000, expires: start - 1000 });
      await accessTokens.insert(expired);
      assert.equal((await accessTokens.find(expired.id))?.expires, start - 1000);
    }),
  );

  it(
    'removes a revoked token and no other token',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory();
      const [revoked, other] = [token(), token()];
      await Promise.all([accessTokens.insert(revoked), accessTokens.insert(other)]);
      assert.ok(await accessTokens.revoke(revoked.id));
      assert.equal(await accessTokens.find(revoked.id), undefined);
      assert.notEqual(await accessTokens.find(other.id), undefined);
    }),
  );

  it(
    'returns false when an unknown or revoked token is revoked',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory();
      const once = token();
      await accessTokens.insert(once);
      assert.ok(!(await accessTokens.revoke(token().id)));
      assert.ok(await accessTokens.revoke(once.id));
      assert.ok(!(await accessTokens.revoke(once.id)));
    }),
  );

  it(
    'lists tokens page by page in the order of issue, each once',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory();
      const issued = Array.from({ length: 7 }, (_, index) => token({ creationDate: start + index }));
      for (const each of issued.toReversed()) await accessTokens.insert(each);
      const listed: StoredAccessToken[] = [];
      for (;;) {
        const after = listed.at(-1)?.id;
        const page = await accessTokens.list({ limit: 3, ...(after !== undefined && { after }) });
        assert.ok(page.length <= 3);
        if (page.length === 0) break;
        listed.push(...page);
      }
      assert.deepEqual(listed.map(plain), issued.map(plain));
    }),
  );

  it(
    "a client's list holds its tokens only",
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory();
      const own = token({ clientRecordId: 5, creationDate: start + 1 });
      const later = token({ clientRecordId: 5, creationDate: start + 2 });
      for (const each of [own, later, token({ clientRecordId: 6 })]) await accessTokens.insert(each);
      const ids = async (query: { after?: string; limit: number }) =>
        (await accessTokens.list({ clientRecordId: 5, ...query })).map(({ id }) => id);
      assert.deepEqual(await ids({ limit: 10 }), [own.id, later.id]);
      assert.deepEqual(await ids({ limit: 10, after: own.id }), [later.id]);
      assert.deepEqual(await ids({ limit: 1 }), [own.id]);
    }),
  );
}

// Buffers and byte arrays of the same content are equal here.
function plain(token: StoredAccessToken | undefined) {
  return (
    token && { grant: undefined, ...token, verifierHash: Buffer.from(token.verifierHash).toString('hex') }
  );
}
