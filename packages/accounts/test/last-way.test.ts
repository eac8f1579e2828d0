import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuthenticationModule, AuthStates, type Credential, identityOf } from '@watchword/protocol';
import { buildAccount, emma, flowDependencies, submission } from '@watchword/testkit';
import { canRemove } from '../src/factors/remove-factor.ts';
import { linksEndpoint } from '../src/index.ts';

const binding = 'b'.repeat(43);

/** `emma` is logged in, and has no password. */
async function opened() {
  const module = (name: string): AuthenticationModule => ({
    ...{ name, begin: async () => ({ type: 'form' }) },
    resume: async () => assert.fail('nobody logs in'),
  });
  const authenticators = new Map(['password', 'google'].map((name) => [name, module(name)]));
  const deps = await flowDependencies({ authenticators });
  const { store, sessions } = deps;
  const account = buildAccount({ username: 'emma', passwordHash: undefined });
  await store.accounts.create(account);
  const login = { principal: emma(), stableId: account.id };
  const origin = { clientId: undefined, source: '' };
  const { session, value } = await sessions.start(login, 'password', { binding, session: undefined }, origin);
  const browser = { binding, session: value, source: '', requestId: '1' };
  const all = { ...deps.dependencies, ...store, sessions };
  const { owner } = session;
  const add = async (kind: Credential['kind'], id: string) => {
    const dates = { creationDate: 1, lastUsed: 0, counter: 0 };
    const credential = {
      ...dates,
      id,
      kind,
      name: '',
      data: '{}',
      subject: owner.subject,
      owner: identityOf(owner),
    };
    assert.ok(await store.credentials.create(credential, 9));
    return credential;
  };
  return {
    add,
    link: async () => {
      const of = { subject: 's', authenticator: 'google', identityProvider: 'google', name: 'e' };
      assert.ok(
        await store.accountLinks.create({ ...of, accountId: account.id, creationDate: 1, lastUsed: 0 }),
      );
    },
    unlink: () => {
      const auth_state = new AuthStates(all).seal('account', { sessionId: session.id }, binding);
      return linksEndpoint(all).unlink(submission({ auth_state, authenticator: 'google' }), browser);
    },
    canRemove: (credential: Credential) => canRemove(credential, owner, all),
  };
}

describe('an account without a password', () => {
  it('keeps its last link, unless it has a passkey', async () => {
    const { add, link, unlink } = await opened();
    await link();
    await add('totp', '1');
    assert.equal(await unlink(), 'last');
    await add('passkey', '2');
    assert.equal(await unlink(), 'unlinked');
  });

  it('keeps its last passkey, unless it has a link', async () => {
    const { add, link, canRemove } = await opened();
    const first = await add('passkey', '1');
    const app = await add('totp', '2');
    assert.deepEqual([await canRemove(first), await canRemove(app)], [false, true]);
    await link();
    assert.ok(await canRemove(first));
  });

  it('keeps one of two passkeys', async () => {
    const { add, canRemove } = await opened();
    const passkeys = [await add('passkey', '1'), await add('passkey', '2')];
    for (const each of passkeys) assert.ok(await canRemove(each));
  });
});
