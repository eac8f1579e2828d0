import assert from 'node:assert/strict';
import { it } from 'node:test';
import { grantFactory } from '../../builders/grant.ts';
import { sessionFactory } from '../../builders/login-session.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { redeemed, start } from '../grants/granted.ts';
import type { OpenStore, StoreUnderTest } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

const gone = 'https://gone.example';

/** Two users of the identity provider with sessions, grants and consents, and users of the same names elsewhere. */
async function furnish(store: StoreUnderTest) {
  const make = grantFactory();
  const session = sessionFactory();
  const of = async (name: string, identityProvider: string) => {
    const owner = buildResourceOwner(name, identityProvider);
    const granted = await redeemed(store, make, { owner });
    const signedIn = session({ owner });
    await store.loginSessions.insert(signedIn);
    const redirectUri = 'https://app.example/cb';
    const consent = {
      owner: { identityProvider, name },
      subject: owner.subject,
      clientRecordId: 7,
      redirectUri,
    };
    await store.consents.save({ key: consent, scopes: ['read'], savedAt: start }, granted.grant.id);
    return { ...granted, session: signedIn, consent };
  };
  const [emma, paul] = [await of('emma', gone), await of('paul', gone)];
  const others = [await of('emma', 'password'), await of('paul', `${gone}/`), await of('emma', 'GONE')];
  return { own: [emma, paul], others };
}

export function identityProviderRules(openStore: OpenStore): void {
  it(
    'lists identity providers with sessions, grants or consents by name, with their numbers',
    withStore(openStore, async (store) => {
      assert.deepEqual(await store.identityProviderUse.list(), []);
      const { own } = await furnish(store);
      await store.grants.revoke(own[0]?.grant.id ?? '', start);
      await store.loginSessions.insert(sessionFactory('more')({ owner: buildResourceOwner('x', 'form') }));
      const one = { loginSessions: 1, grants: 1, consents: 1 };
      assert.deepEqual(await store.identityProviderUse.list(), [
        { identityProvider: 'GONE', ...one },
        { identityProvider: 'form', loginSessions: 1, grants: 0, consents: 0 },
        { identityProvider: gone, loginSessions: 2, grants: 1, consents: 2 },
        { identityProvider: `${gone}/`, ...one },
        { identityProvider: 'password', ...one },
      ]);
    }),
  );

  it(
    'ends everything of the users of one identity provider once, and nothing of users of the same name elsewhere',
    withStore(openStore, async (store) => {
      const { own, others } = await furnish(store);
      const ended = await store.identityProviderUse.end(gone, start);
      assert.deepEqual(ended, { loginSessions: 2, grants: 2, consents: 2 });
      const left = async ({ session, accessToken, refreshToken, consent }: (typeof own)[number]) => [
        (await store.loginSessions.find(session.id)) !== undefined,
        (await store.accessTokens.find(accessToken.id)) !== undefined,
        (await store.refreshTokens.find(refreshToken.id)) !== undefined,
        (await store.consents.find(consent)) !== undefined,
      ];
      for (const each of own) assert.deepEqual(await left(each), [false, false, false, false]);
      for (const each of others) assert.deepEqual(await left(each), [true, true, true, true]);
      assert.deepEqual(await store.identityProviderUse.end(gone, start), {
        loginSessions: 0,
        grants: 0,
        consents: 0,
      });
    }),
  );
}
