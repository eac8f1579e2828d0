import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Account, parseBearerValue } from '@watchword/protocol';
import {
  buildAccount,
  buildAdministrator,
  buildCaller,
  buildResourceServer,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { accountLinkAdministration } from '../../src/accounts/account-links.ts';
import { accountRecordAdministration } from '../../src/accounts/account-records.ts';
import type { Caller } from '../../src/callers/caller.ts';

const root = buildAdministrator();

async function administration(fields: Partial<Account> = {}) {
  const { clock, issue, store } = protocolDependencies();
  store.putResourceServer(buildResourceServer({ owner: 'root' }));
  const tokenId = parseBearerValue('access', await issue())?.id ?? '';
  const network: Caller = { ...root, access: { tokenId, scopes: [], expires: 0 } };
  const account = buildAccount(fields);
  await store.accounts.create(account);
  const link = (authenticator: string) => ({
    ...{ subject: `emma at ${authenticator}`, accountId: account.id, authenticator },
    ...{
      identityProvider: `https://${authenticator}.example`,
      name: 'Emma S.',
      creationDate: 1,
      lastUsed: 2,
    },
  });
  for (const authenticator of ['google', 'company']) await store.accountLinks.create(link(authenticator));
  const deps = { ...store, clock, random: seededRandom('links'), hasLocalLogin: true };
  return { ...store, account, admin: accountLinkAdministration(deps), deps, link, network };
}

describe('links of accounts to other identity providers', () => {
  it('are seen and removed by administrators only, and only where users log in with local accounts', async () => {
    const { account, accountLinks, admin, deps } = await administration();
    const without = accountLinkAdministration({ ...deps, hasLocalLogin: false });
    for (const [caller, of, kind] of [
      [buildCaller('emma'), admin, 'access_denied'],
      [root, without, 'not_found'],
    ] as const) {
      await assert.rejects(() => of.list(caller, account.id), protocolError(kind));
      await assert.rejects(() => of.remove(caller, account.id, 'google'), protocolError(kind));
    }
    await assert.rejects(admin.list(root, 'unknown'), protocolError('not_found'));
    assert.equal((await accountLinks.listOfAccount(account.id)).length, 2);
  });

  it('are removed one by one with all access of the account, which the audit log says of the administrator', async () => {
    const { account, accounts, admin, auditEvents, link } = await administration();
    assert.deepEqual(await admin.list(root, account.id), [link('company'), link('google')]);
    await admin.remove(root, account.id, 'google');
    assert.deepEqual(await admin.list(root, account.id), [link('company')]);
    // So that a login that is under way with the link does not hold.
    assert.equal((await accounts.find('emma'))?.revision, account.revision + 1);
    await assert.rejects(admin.remove(root, account.id, 'google'), protocolError('not_found'));
    const [event, ...others] = await auditEvents.list({ limit: 9 });
    assert.deepEqual(others, []);
    assert.deepEqual(
      [event?.action, event?.actor, event?.owner, event?.recordType, event?.recordName],
      ['unlinkProvider', root.identity, { identityProvider: 'password', name: 'emma' }, 'account', 'emma'],
    );
    const before = { authenticator: 'google', identityProvider: 'https://google.example', name: 'Emma S.' };
    assert.deepEqual([event?.before, event?.after], [before, undefined]);
  });

  it('are not all removed of the last administrator who has no other way to log in', async () => {
    const own = { adminPrincipal: true, passwordHash: undefined };
    const { account, accounts, admin, network } = await administration(own);
    await admin.remove(network, account.id, 'google');
    await assert.rejects(admin.remove(network, account.id, 'company'), protocolError('conflict'));
    assert.ok(await accounts.replaceHash('emma', undefined, 'hash'));
    await admin.remove(network, account.id, 'company');
  });

  it('stay when an administrator resets the password', async () => {
    const { account, admin, deps } = await administration();
    const records = accountRecordAdministration({ ...deps, subjectSecret: Buffer.alloc(32) });
    await records.resetPassword(root, account.id);
    assert.equal((await admin.list(root, account.id)).length, 2);
  });
});
