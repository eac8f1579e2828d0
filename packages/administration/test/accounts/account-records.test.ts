import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Account, OAuthError, parseBearerValue } from '@watchword/protocol';
import {
  accountRegistration,
  auditEventFactory,
  buildAccount,
  buildAdministrator,
  buildCaller,
  buildResourceOwner,
  buildResourceServer,
  grantFactory,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { accountRecord } from '../../src/accounts/account-record.ts';
import { accountRecordAdministration } from '../../src/accounts/account-records.ts';
import type { Caller } from '../../src/callers/caller.ts';

const kindOf = (error: unknown) => (error instanceof OAuthError ? error.kind : String(error));
const tool = buildAdministrator();

async function administration(...accounts: readonly Partial<Account>[]) {
  const { client, clock, issue, store } = protocolDependencies();
  store.putResourceServer(buildResourceServer({ owner: 'root' }));
  const tokenId = parseBearerValue('access', await issue())?.id ?? '';
  const network: Caller = { ...tool, access: { tokenId, scopes: [], expires: 0 } };
  for (const account of accounts) await store.accounts.create(buildAccount(account));
  const deps = {
    ...store,
    clock,
    random: seededRandom('accounts'),
    subjectSecret: Buffer.alloc(32),
    hasLocalLogin: true,
  };
  const admin = accountRecordAdministration(deps);
  const find = async (username = 'emma') =>
    (await store.accounts.find(username)) ?? assert.fail('no account');
  const change = async (fields: object, username = 'emma', caller: Caller = tool) =>
    admin.update(caller, (await find(username)).id, { apply: () => fields });
  return { ...store, admin, change, client, clock, deps, find, network };
}

describe('local accounts', () => {
  it('are seen and changed by administrators only, and only where users log in with them', async () => {
    const { admin, deps, find } = await administration({});
    const { id } = await find();
    const without = accountRecordAdministration({ ...deps, hasLocalLogin: false });
    const fields = accountRegistration({ username: 'new' });
    for (const [caller, of, kind] of [
      [buildCaller('emma'), admin, 'access_denied'],
      [tool, without, 'not_found'],
    ] as const) {
      for (const work of [
        () => of.list(caller, {}, { limit: 9 }),
        () => of.count(caller),
        () => of.find(caller, id),
        () => of.create(caller, { fields }),
        () => of.update(caller, id, { apply: () => ({ displayName: 'New' }) }),
        () => of.resetPassword(caller, id),
        () => of.delete(caller, id),
      ]) {
        await assert.rejects(async () => work(), protocolError(kind), String(work));
      }
    }
    assert.deepEqual(await find(), buildAccount());
    assert.equal((await admin.find(tool, id)).account.username, 'emma');
    await assert.rejects(admin.find(tool, 'unknown'), protocolError('not_found'));
  });

  it('begin with a passkey only where browsers allow one at the address of the server', async () => {
    const { admin, deps, find } = await administration({});
    const { id } = await find();
    const without = accountRecordAdministration({ ...deps, hasPasskeys: false });
    const fields = accountRegistration({ username: 'new' });
    const refused = protocolError('conflict');
    await assert.rejects(without.create(tool, { fields }, 'passkey'), refused);
    await assert.rejects(without.resetPassword(tool, id, undefined, 'passkey'), refused);
    assert.deepEqual(await find(), buildAccount());
    assert.equal((await admin.create(tool, { fields }, 'passkey')).account.passwordHash, undefined);
  });

  it('are listed by name, and found by a part of their names and groups', async () => {
    const { admin } = await administration(
      { groups: ['blue'] },
      { username: 'noah', displayName: 'Nobody', groups: [] },
    );
    const names = async (filter: { q?: string; after?: string }) =>
      (await admin.list(tool, filter, { limit: 9 })).items.map(({ account }) => account.username);
    assert.deepEqual(await names({}), ['emma', 'noah']);
    for (const [q, expected] of [
      ['EMM', ['emma']],
      ['nobody', ['noah']],
      ['blue', ['emma']],
      ['zz', []],
    ] as const) {
      assert.deepEqual(await names({ q }), expected, q);
    }
  });

  it('are listed with the last login in the last 31 days, where that is asked for', async () => {
    const { admin, auditEvents, clock } = await administration(
      {},
      { username: 'finn' },
      { username: 'gwen' },
    );
    const make = auditEventFactory();
    const day = 86_400_000;
    const login = (name: string, days: number, identityProvider = 'password') =>
      make({ action: 'login', time: clock.now() - days * day, owner: { identityProvider, name } });
    await auditEvents.append([
      login('emma', 9),
      login('emma', 2),
      login('finn', 32),
      login('finn', 1, 'ldap'),
      make({ action: 'logout', time: clock.now(), owner: { identityProvider: 'password', name: 'gwen' } }),
    ]);
    const lastLogins = async (lastLogin?: boolean) =>
      (await admin.list(tool, { lastLogin }, { limit: 9 })).items.map(
        (listed) => accountRecord(listed).lastLogin,
      );
    assert.deepEqual(await lastLogins(true), [clock.now() - 2 * day, null, null]);
    assert.deepEqual(await lastLogins(), [undefined, undefined, undefined]);
  });

  it('are created without a password, by the rules, with a link that sets one', async () => {
    const { admin, clock, find } = await administration();
    const registration = accountRegistration({ username: 'noah', displayName: '' });
    const { account, resetLink } = await admin.create(tool, { fields: registration });
    assert.match(resetLink, /^wwp_/);
    assert.deepEqual([account.displayName, account.passwordHash], ['noah', undefined]);
    assert.equal((await find('noah')).resetLink?.expires, clock.now() + 3_600_000);
    await assert.rejects(admin.create(tool, { fields: registration }), protocolError('conflict'));
    await admin.create(tool, { fields: { username: 'ines' } });
    const { displayName, adminPrincipal, roles, groups } = await find('ines');
    assert.deepEqual([displayName, adminPrincipal, roles, groups], ['ines', false, [], []]);
    await admin.create(tool, { fields: { ...registration, username: 'otto', displayName: 'Otto Normal' } });
    assert.equal((await find('otto')).displayName, 'Otto Normal');
    for (const fields of [{}, { ...registration, username: ' x' }]) {
      await assert.rejects(admin.create(tool, { fields }), protocolError('invalid_request'));
    }
  });

  it('are shown with whether they have a password, and until when a link is valid', async () => {
    const resetLink = { digest: Buffer.alloc(32), expires: 7 };
    const shown = ({ passwordHash, ...account }: Partial<Account>) => {
      const record = accountRecord({ account: { ...buildAccount(account), passwordHash }, subject: 's' });
      return [record.hasPassword, record.resetLinkExpires];
    };
    assert.deepEqual(shown({ passwordHash: 'x' }), [true, null]);
    assert.deepEqual(shown({ passwordHash: undefined, resetLink }), [false, 7]);
  });

  it('lose their link when they are disabled, and by no other change', async () => {
    const resetLink = { digest: Buffer.alloc(32, 1), expires: 9e12 };
    const { change, find } = await administration({ resetLink });
    await change({ displayName: 'New' });
    assert.deepEqual((await find()).resetLink, resetLink);
    await change({ disabled: true });
    assert.equal((await find()).resetLink, undefined);
  });

  it('have an administrator left who can log in, unless a tool takes the last one', async () => {
    const outcome = async (
      change: 'demote' | 'disable' | 'rename' | 'reset' | 'delete',
      others: readonly Partial<Account>[] = [],
      isTool = false,
      own: Partial<Account> = { adminPrincipal: true },
    ) => {
      const { admin, find, network } = await administration(own, ...others);
      const { id } = await find();
      const caller = isTool ? tool : network;
      const fields = {
        demote: { adminPrincipal: false },
        disable: { disabled: true },
        rename: { displayName: 'X' },
      };
      if (change === 'reset') return admin.resetPassword(caller, id).then(() => 'done', kindOf);
      if (change === 'delete') return admin.delete(caller, id).then(() => 'done', kindOf);
      return admin.update(caller, id, { apply: () => fields[change] }).then(() => 'done', kindOf);
    };
    const noah = { username: 'noah', adminPrincipal: true };
    for (const change of ['demote', 'disable', 'reset', 'delete'] as const) {
      assert.equal(await outcome(change), 'conflict', change);
      assert.equal(await outcome(change, [], true), 'done', change);
      assert.equal(await outcome(change, [noah]), 'done', change);
      assert.equal(await outcome(change, [], false, { adminPrincipal: false }), 'done', change);
      for (const other of [{ disabled: true }, { passwordHash: undefined }, { adminPrincipal: false }]) {
        assert.equal(await outcome(change, [{ ...noah, ...other }]), 'conflict', change);
      }
    }
    assert.equal(await outcome('rename'), 'done');
    assert.equal(
      await outcome('delete', [], false, { adminPrincipal: true, passwordHash: undefined }),
      'done',
    );
  });

  it('have an administrator left who logs in at a provider that is linked, and do not count on it', async () => {
    const own = { adminPrincipal: true, passwordHash: undefined };
    const { accountLinks, accounts, admin, change, find, network } = await administration(own);
    const { id } = await find();
    const elsewhere = { subject: 's', authenticator: 'google', identityProvider: 'google', name: 'emma' };
    await accountLinks.create({ ...elsewhere, accountId: id, creationDate: 1, lastUsed: 0 });
    await assert.rejects(admin.delete(network, id), protocolError('conflict'));
    await assert.rejects(change({ disabled: true }, 'emma', network), protocolError('conflict'));
    await change({ displayName: 'Emma' }, 'emma', network);
    await admin.resetPassword(network, id);
    const noah = buildAccount({ id: 'noah', username: 'noah', adminPrincipal: true });
    await accounts.create(noah);
    await assert.rejects(admin.delete(network, noah.id), protocolError('conflict'));
    await admin.delete(network, id);
  });

  it('end nothing by a change that changes nothing, and their sessions and grants by any other', async () => {
    const { admin, change, clock, find, grants } = await administration({});
    const make = grantFactory();
    const give = () => {
      const owner = buildResourceOwner('emma', 'password');
      const grant = make.grant({ owner, creationDate: clock.now() });
      return grants.insert(grant, make.tokens(grant).accessToken);
    };
    await give();
    const { displayName, revision, id } = await find();
    assert.deepEqual((await change({ displayName })).ended, { sessions: 0, grants: 0 });
    assert.equal((await find()).revision, revision);
    assert.deepEqual((await change({ displayName: 'New' })).ended, { sessions: 0, grants: 1 });
    await give();
    assert.deepEqual(await admin.delete(tool, id), { sessions: 0, grants: 1 });
  });

  it('are changed only if they are there, and in the state that the condition names', async () => {
    const { admin, find } = await administration({});
    const before = await find();
    const condition = (tag: string) => tag === String(before.revision + 1);
    const edit = { apply: () => ({ displayName: 'New' }), condition };
    for (const [id, kind] of [
      ['unknown', 'not_found'],
      [before.id, 'precondition_failed'],
    ] as const) {
      await assert.rejects(admin.update(tool, id, edit), protocolError(kind));
      await assert.rejects(admin.resetPassword(tool, id, condition), protocolError(kind));
      await assert.rejects(admin.delete(tool, id, condition), protocolError(kind));
    }
    assert.deepEqual(await find(), before);
  });

  it('get no reset link while they are disabled', async () => {
    const { admin, find } = await administration({ disabled: true });
    const { id } = await find();
    await assert.rejects(admin.resetPassword(tool, id), protocolError('conflict'));
    assert.equal((await find()).resetLink, undefined);
  });

  it('are changed over the network only while the access token of the caller is valid', async () => {
    const { accessTokens, admin, client, clock, find, network, putClient } = await administration({});
    const { id } = await find();
    const rename = () => admin.update(network, id, { apply: () => ({ displayName: 'New' }) });
    await rename();
    putClient({ ...client, tokensValidFrom: clock.now() });
    await assert.rejects(rename(), protocolError('invalid_token'));
    putClient(client);
    await rename();
    await accessTokens.revoke(network.access?.tokenId ?? '');
    await assert.rejects(rename(), protocolError('invalid_token'));
  });

  it('are not deleted while they own resource servers, of which five are named', async () => {
    const { admin, find, putResourceServer } = await administration({});
    const { id } = await find();
    for (let index = 1; index <= 6; index += 1) {
      putResourceServer(
        buildResourceServer({
          id: index,
          key: `api-${index}`,
          name: `${index}`,
          owner: 'emma',
          ownerAuthority: 'password',
        }),
      );
      const error = await admin.delete(tool, id).catch((caught) => caught);
      assert.ok(protocolError('conflict')(error));
      const named = Array.from({ length: Math.min(index, 5) }, (_, place) => `api-${place + 1}`).join(', ');
      assert.ok(
        error.message.includes(`owns the resource servers ${named}${index > 5 ? ' and others' : ''}. `),
        error.message,
      );
    }
  });
});
