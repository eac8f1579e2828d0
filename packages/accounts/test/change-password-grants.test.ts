import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthenticationModule, TransactionStores } from '@watchword/protocol';
import {
  buildAccount,
  buildResourceOwner,
  emma,
  type FlowDependencies,
  flowDependencies,
  grantFactory,
  seededRandom,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { passwordEndpoint } from '../src/index.ts';

const account = buildAccount();
const passwordModule: AuthenticationModule = {
  name: 'password',
  begin: async () => ({ type: 'form' }),
  resume: async () => ({ type: 'authenticated', principal: emma(), stableId: account.id }),
};

/** Runs around the work of each transaction. */
interface Around {
  before?(stores: TransactionStores): void;
  after?(count: number): Promise<void>;
}

/** A user who is logged in and has given a client access, at the page for a new password. */
async function atThePage(around: Around) {
  const deps = await flowDependencies({ authenticator: passwordModule });
  const { store, dependencies } = deps;
  await store.accounts.create(account);
  let count = 0;
  const password = passwordEndpoint({
    ...dependencies,
    ...store,
    async transact(work) {
      const value = await store.transact((stores) => {
        around.before?.(stores);
        return work(stores);
      });
      count += 1;
      await around.after?.(count);
      return value;
    },
    random: seededRandom('password'),
    passwords: { hash: async (typed) => `hash of ${typed}`, matches: async () => true },
    loginAttempts: {
      begin: async () => 0,
      succeed: async () => {},
      withdraw: async () => {},
      remember: () => 'device',
      turn: (_account, of) => ({ of, isKnownDevice: false }),
    },
  });
  const browser = new TestBrowser();
  await deps.grant({}, browser);
  return { deps, password, browser };
}

async function change(
  password: ReturnType<typeof passwordEndpoint>,
  browser: TestBrowser,
  endsGrants: boolean,
) {
  const auth_state = (await password.showChange(browser.state))?.authState ?? '';
  const typed = { new_password: 'a new and long one', new_password_again: 'a new and long one' };
  const form = { auth_state, password: 'right', ...typed, ...(endsGrants && { end_grants: 'yes' }) };
  return password.change(submission(form), browser.state);
}

async function activeGrants({ store }: FlowDependencies): Promise<number> {
  const owner = { identityProvider: 'password', name: 'emma' };
  return store.transact(async ({ issuedTokens }) => issuedTokens.revokeGrants(owner, 1, 10));
}

describe('a new password of the own account', () => {
  it('ends all grants if the user wants it, and none otherwise', async () => {
    for (const endsGrants of [true, false]) {
      const { deps, password, browser } = await atThePage({});
      assert.equal(
        ((await change(password, browser, endsGrants)) as { endedGrants?: boolean }).endedGrants,
        endsGrants,
      );
      const events = await deps.store.auditEvents.list({ limit: 9 });
      const event = events.find(({ action }) => action === 'changePassword');
      assert.deepEqual(event?.after, endsGrants ? { endedGrants: 1 } : undefined);
      assert.equal(await activeGrants(deps), endsGrants ? 0 : 1);
    }
  });

  it('ends a grant that was stored while the password changed', async () => {
    const around: Around = {};
    const { deps, password, browser } = await atThePage(around);
    const make = grantFactory();
    const grant = make.grant({
      owner: buildResourceOwner(),
    });
    around.after = async (count) => {
      if (count > 1) return;
      await deps.store.transact(({ issuedTokens }) =>
        issuedTokens.insert(make.tokens(grant).accessToken, grant),
      );
    };
    await change(password, browser, true);
    assert.equal(await activeGrants(deps), 0);
  });

  it('is not set if the grants cannot be ended', async () => {
    const { deps, password, browser } = await atThePage({
      before: (stores) => {
        stores.issuedTokens.revokeGrants = async () => {
          throw new Error('the disk is full');
        };
      },
    });
    await assert.rejects(change(password, browser, true), /disk is full/);
    assert.equal((await deps.store.accounts.find('emma'))?.passwordHash, account.passwordHash);
  });
});
