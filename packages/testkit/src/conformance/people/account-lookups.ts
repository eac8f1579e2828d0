import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type AccountQuery, accountIdentityProvider } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { buildCredential } from '../../builders/credential.ts';
import { grantFactory } from '../../builders/grant.ts';
import { sessionFactory } from '../../builders/login-session.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { redeemed, start } from '../grants/granted.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';

const now = Date.UTC(2026, 0, 2);

export function accountLookupRules(openStore: OpenStore): void {
  it(
    'finds an account by its id and by the digest of its last reset link',
    withStore(openStore, async ({ accounts }) => {
      const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
      const emma = buildAccount({ resetLink: { digest: first, expires: now } });
      await accounts.create(emma);
      await accounts.create(buildAccount({ username: 'finn' }));
      assert.deepEqual(await accounts.findById(emma.id), emma);
      assert.equal(await accounts.findById('emma'), undefined);
      assert.deepEqual(await accounts.findByResetLink(first), emma);
      await accounts.update('emma', { resetLink: { digest: second, expires: now } }, now);
      assert.equal(await accounts.findByResetLink(first), undefined);
      assert.equal((await accounts.findByResetLink(second))?.username, 'emma');
      await accounts.update('emma', { resetLink: undefined }, now);
      assert.equal(await accounts.findByResetLink(second), undefined);
    }),
  );

  it(
    'finds accounts by an address in any mix of small and capital letters',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(buildAccount({ username: 'finn', email: 'Shared@Example.org' }));
      await accounts.create(buildAccount({ username: 'emma', email: 'shared@example.org' }));
      await accounts.create(buildAccount({ username: 'none', email: '' }));
      await accounts.create(buildAccount({ username: 'turk', email: 'KIT@example.org' }));
      const names = async (email: string, limit = 9) =>
        (await accounts.listByEmail(email, limit)).map(({ username }) => username);
      assert.deepEqual(await names('sharED@example.ORG'), ['emma', 'finn']);
      assert.deepEqual(await names('shared@example.org', 1), ['emma']);
      // The Kelvin sign becomes a small k where letters of all scripts are folded.
      for (const none of ['', 'shared', '%', '\u212Ait@example.org'])
        assert.deepEqual(await names(none), [], none);
    }),
  );

  it(
    'creates many at once, without those whose username is taken, and finds those of many that exist',
    withStore(openStore, async ({ accounts }) => {
      const many = Array.from({ length: 450 }, (_, n) =>
        buildAccount({ username: `many-${n}`, id: `id-${n}` }),
      );
      const [first, ...others] = many;
      await accounts.create(buildAccount({ ...first, displayName: 'Was there' }));
      assert.equal(await accounts.createAll(many), others.length);
      assert.equal(await accounts.createAll([]), 0);
      const names = ['no-such', ...many.map(({ username }) => username)];
      const found = await accounts.listNamed(names);
      assert.equal(found.length, many.length);
      assert.deepEqual(await accounts.listNamed(['many-449', 'Many-1']), [many[449]]);
      assert.deepEqual(await accounts.listNamed([]), []);
      assert.equal((await accounts.find('many-0'))?.displayName, 'Was there');
    }),
  );

  it(
    'gives every account an id of its own',
    withStore(openStore, async ({ accounts }) => {
      assert.ok(await accounts.create(buildAccount({ id: 'one' })));
      assert.ok(!(await accounts.create(buildAccount({ id: 'one', username: 'finn' }))));
      assert.equal(await accounts.find('finn'), undefined);
    }),
  );

  it(
    'lists only the accounts that are disabled, are administrators or have a password, or are or have not',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(buildAccount({ username: 'ann', adminPrincipal: true }));
      await accounts.create(buildAccount({ username: 'ben', disabled: true }));
      const { passwordHash: _, ...waiting } = buildAccount({ username: 'cem' });
      await accounts.create({ ...waiting, passwordHash: undefined });
      const names = async (query: Omit<AccountQuery, 'limit'>) =>
        (await accounts.list({ ...query, limit: 10 })).map(({ username }) => username);
      assert.deepEqual(await names({ disabled: true }), ['ben']);
      assert.deepEqual(await names({ disabled: false }), ['ann', 'cem']);
      assert.deepEqual(await names({ adminPrincipal: true }), ['ann']);
      assert.deepEqual(await names({ adminPrincipal: false, after: 'ben' }), ['cem']);
      assert.deepEqual(await names({ username: 'ben' }), ['ben']);
      assert.deepEqual(await names({ username: 'ben', disabled: false }), []);
      assert.deepEqual(await names({ hasPassword: true }), ['ann', 'ben']);
      assert.deepEqual(await names({ hasPassword: false, disabled: false }), ['cem']);
    }),
  );

  it(
    'counts accounts, and leaves out none that contains the text of a search',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(
        buildAccount({
          username: 'Ann_100%',
          displayName: 'A "B" \\',
          groups: ['x"y!'],
          email: 'A.b%C@x.org',
        }),
      );
      await accounts.create(buildAccount({ username: 'cem', displayName: 'ÇEM', groups: [] }));
      assert.equal(await accounts.count(), 2);
      const names = async (mayContain: string) =>
        (await accounts.list({ mayContain, limit: 10 })).map(({ username }) => username);
      for (const text of ['ann_100%', 'n_1', '"b" \\', 'x"y', 'y!', '.b%c@x']) {
        assert.ok((await names(text)).includes('Ann_100%'), text);
      }
      for (const text of ['çe', 'cem', 'e']) assert.ok((await names(text)).includes('cem'), text);
    }),
  );

  it(
    'knows another administrator only while that account is not disabled and has a password or a passkey',
    withStore(openStore, async ({ accounts, credentials }) => {
      await accounts.create(buildAccount({ adminPrincipal: true }));
      await accounts.create(buildAccount({ username: 'finn' }));
      assert.ok(!(await accounts.hasOtherAdministrator('emma')));
      assert.ok(await accounts.hasOtherAdministrator('finn'));
      for (const change of [{ disabled: true }, { disabled: false, passwordHash: undefined }]) {
        await accounts.update('emma', change, now);
        assert.ok(!(await accounts.hasOtherAdministrator('finn')));
      }
      const emma = { identityProvider: accountIdentityProvider, name: 'emma' };
      await credentials.create(buildCredential({ id: '1', owner: emma, kind: 'totp' }), 1);
      const elsewhere = { identityProvider: 'university', name: 'emma' };
      await credentials.create(buildCredential({ id: '2', owner: elsewhere, kind: 'passkey' }), 2);
      assert.ok(!(await accounts.hasOtherAdministrator('finn')));
      await credentials.create(buildCredential({ id: '3', owner: emma, kind: 'passkey' }), 2);
      assert.ok(await accounts.hasOtherAdministrator('finn'));
      await accounts.update('emma', { disabled: true }, now);
      assert.ok(!(await accounts.hasOtherAdministrator('finn')));
    }),
  );
}

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
