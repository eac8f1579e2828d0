import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { attemptedAccount, canBePassword } from '@watchword/accounts';
import { noAccountClaims, OAuthError } from '@watchword/protocol';
import {
  accountRegistration,
  buildAccount,
  buildAdministrator,
  buildCaller,
  buildResourceServer,
  FakeClock,
  memoryStore,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { accountAdministration } from '../../src/accounts/accounts.ts';
import { auditLog } from '../../src/audit/audit-log.ts';
import type { Caller } from '../../src/callers/caller.ts';
import type { AccountRegistration } from '../../src/index.ts';

const password = 'correct horse battery';

function administration() {
  const store = memoryStore();
  const { accounts } = store;
  const clock = new FakeClock();
  const hashed: string[] = [];
  const hashPassword = async (given: string) => {
    hashed.push(given);
    return `hash ${hashed.length}`;
  };
  const random = seededRandom('accounts');
  const caller = buildAdministrator();
  const admin = accountAdministration({ ...store, clock, random, hashPassword, caller });
  return { ...store, accounts, clock, hashed, admin };
}

/** The fields that break a rule, each once; none when the account is created. */
async function broken(overrides: Partial<AccountRegistration>, chosen = password): Promise<string[]> {
  try {
    await administration().admin.create(accountRegistration(overrides), chosen);
    return [];
  } catch (error) {
    assert.ok(error instanceof OAuthError && error.kind === 'invalid_request', String(error));
    const fields = (error.violations ?? []).map((violation) => violation.slice(0, violation.indexOf(':')));
    return [...new Set(fields)];
  }
}

describe('creating an account', () => {
  it('keeps what was submitted, with the hash of the password and not the password', async () => {
    const { admin, accounts, clock, hashed } = administration();
    const registration = accountRegistration({ roles: ['b', 'a', 'b'], groups: ['c', 'c'] });
    const account = await admin.create(registration, password);
    assert.match(account.id, /^[A-Za-z0-9_-]{22}$/);
    assert.deepEqual(account, {
      ...noAccountClaims,
      ...registration,
      id: account.id,
      roles: ['b', 'a'],
      groups: ['c'],
      passwordHash: 'hash 1',
      disabled: false,
      creationDate: clock.now(),
      revision: 1,
      enabledRevision: 0,
    });
    assert.deepEqual(await accounts.find('emma'), account);
    assert.deepEqual(hashed, [password]);
  });

  it('is a conflict when the username is taken, and only then', async () => {
    const { admin } = administration();
    await admin.create(accountRegistration(), password);
    await assert.rejects(admin.create(accountRegistration(), password), protocolError('conflict'));
    for (const username of ['Emma', 'ｅｍｍａ', 'emma2']) {
      await admin.create(accountRegistration({ username }), password);
    }
  });

  it('reports every broken rule at once, and hashes and stores nothing', async () => {
    const { admin, accounts, hashed } = administration();
    const registration = {
      username: ' ',
      displayName: '',
      roles: [''],
      groups: ['\0'],
      adminPrincipal: true,
    };
    await assert.rejects(admin.create(registration, 'short'), (error) => {
      assert.ok(error instanceof OAuthError);
      const fields = error.violations?.map((violation) => violation.split(':')[0]);
      assert.deepEqual(new Set(fields), new Set(['username', 'displayName', 'roles', 'groups', 'password']));
      assert.doesNotMatch(JSON.stringify(error.violations), /short(?!er)/);
      return true;
    });
    assert.deepEqual(hashed, []);
    assert.deepEqual(await accounts.list({ limit: 1 }), []);
  });
});

describe('the rules of accounts', () => {
  it('ask for a username of 1 to 255 characters that can be seen', async () => {
    for (const username of ['a', 'A b', 'é', 'ａｌｉｃｅ', '😀', 'a@b.example', '<img>', 'x'.repeat(255)]) {
      assert.deepEqual(await broken({ username }), [], username);
    }
    for (const username of [
      ...['', ' ', 'alice ', ' alice', '\u00a0a', 'a\u3000b', 'a\u00a0b', 'a\tb', 'a\nb', 'a\u2028b'],
      ...['a\0', 'a\u001b[2J', 'a\u007f', 'a\u200bb', 'a\u202eb', 'a\u00adb', '\ufeffa', '\ud800', 'a\udc00'],
      'x'.repeat(256),
      'x'.repeat(10_240),
    ]) {
      assert.deepEqual(await broken({ username }), ['username'], JSON.stringify(username));
    }
  });

  it('ask for a display name, and for roles and groups that are not empty', async () => {
    assert.deepEqual(await broken({ displayName: 'Ünï ✓' }), []);
    for (const displayName of ['', ' ', 'a\0', 'x'.repeat(256)]) {
      assert.deepEqual(await broken({ displayName }), ['displayName'], displayName);
    }
    const many = Array.from({ length: 101 }, (_, index) => `${index}`);
    for (const field of ['roles', 'groups']) {
      assert.deepEqual(await broken({ [field]: many.slice(1) }), []);
      for (const labels of [many, [''], [' '], ['a\0'], ['x'.repeat(256)], ['\ud800']]) {
        assert.deepEqual(await broken({ [field]: labels }), [field], JSON.stringify(labels));
      }
    }
  });

  it('require a password of at least 15 characters and at most 1024 bytes, of any characters', async () => {
    for (const chosen of [
      '135792468013579',
      ' '.repeat(15),
      '\0'.repeat(15),
      '😀'.repeat(15),
      'é'.repeat(512),
    ]) {
      assert.deepEqual(await broken({}, chosen), [], chosen);
    }
    for (const chosen of [
      '',
      '13579246801357',
      '😀'.repeat(14),
      'x'.repeat(1025),
      'é'.repeat(513),
      '1357924680135\ud800x',
    ]) {
      assert.deepEqual(await broken({}, chosen), ['password'], JSON.stringify(chosen));
    }
  });

  it('measure a password in the form in which it is hashed', async () => {
    // Sixteen code points that are eight characters, and one that becomes eighteen.
    assert.deepEqual(await broken({}, 'e\u0301'.repeat(8)), ['password']);
    assert.deepEqual(await broken({}, '\ufdfa'), []);
  });

  it('take for a password what can become one: 4096 bytes of whole characters', () => {
    const texts = ['x'.repeat(4096), 'x'.repeat(4097), 'é'.repeat(2048), 'é'.repeat(2049), 'secret\ud800'];
    assert.deepEqual(texts.map(canBePassword), [true, false, true, false, false]);
  });

  it('count attempts at an account until it has another id, is enabled again or has another password', () => {
    const account = buildAccount();
    const others = [{}, { id: 'x' }, { enabledRevision: 9 }, { passwordHash: 'x' }, { username: 'x' }];
    const of = (change: object) => attemptedAccount('emma', { ...account, ...change });
    const asBefore = others.map((change) => isDeepStrictEqual(of(change), of({})));
    assert.deepEqual(asBefore, [true, false, false, false, true]);
    assert.deepEqual(attemptedAccount('emma', undefined), 'name emma');
  });
});

describe('changing an account', () => {
  const changes = [
    ['setPassword', 'another password', { passwordHash: 'hash 2' }],
    ['update', { disabled: true }, { disabled: true }],
    ['update', { adminPrincipal: true }, { adminPrincipal: true }],
    ['update', { groups: ['x', 'y', 'x'] }, { groups: ['x', 'y'] }],
    ['update', { email: 'e@x.nl', address: { country: '' } }, { email: 'e@x.nl', address: {} }],
  ] as const;

  for (const [method, value, change] of changes) {
    it(`by ${method} of ${Object.keys(change)[0]} changes that alone, and is not_found for one that is not there`, async () => {
      const { admin, accounts, hashed } = administration();
      const account = await admin.create(accountRegistration(), password);
      const run = admin[method] as (username: string, value: unknown) => Promise<unknown>;
      assert.deepEqual(await run('emma', value), { sessions: 0, grants: 0 });
      assert.deepEqual(await accounts.find('emma'), { ...account, ...change, revision: 2 });
      const before = hashed.length;
      await assert.rejects(run('Emma', value), protocolError('not_found'));
      assert.equal(hashed.length, before);
    });
  }

  for (const [method, value, left] of [
    ['update', { disabled: true }, false],
    ['setPassword', 'another password', false],
    ['update', { disabled: false }, true],
    ['update', { adminPrincipal: true }, true],
    ['update', { groups: ['x'] }, true],
  ] as const) {
    it(`by ${method} ${JSON.stringify(value)} ${left ? 'leaves its reset link valid' : 'ends its reset link'}`, async () => {
      const { admin, accounts } = administration();
      await admin.create(accountRegistration(), password);
      const resetLink = { digest: Buffer.alloc(32), expires: 1 };
      await accounts.update('emma', { resetLink }, 0);
      await (admin[method] as (username: string, value: unknown) => Promise<unknown>)('emma', value);
      assert.deepEqual((await accounts.find('emma'))?.resetLink, left ? resetLink : undefined);
    });
  }

  it('breaks the rules in no other way than creating one', async () => {
    const { admin, accounts } = administration();
    const account = await admin.create(accountRegistration(), password);
    await assert.rejects(admin.setPassword('emma', 'short'), protocolError('invalid_request'));
    await assert.rejects(admin.update('emma', { groups: [''] }), protocolError('invalid_request'));
    assert.deepEqual(await accounts.find('emma'), account);
  });

  it('is not_found when the account goes while its password is hashed', async () => {
    const { admin, accounts } = administration();
    await admin.create(accountRegistration(), password);
    accounts.update = async () => undefined;
    await assert.rejects(admin.setPassword('emma', 'another password'), protocolError('not_found'));
  });
});

describe('deleting an account', () => {
  it('removes it, and an account of the same name is another one', async () => {
    const { admin, accounts, auditEvents, clock } = administration();
    const { passwordHash, revision, enabledRevision, ...first } = await admin.create(
      accountRegistration(),
      password,
    );
    clock.advance(1);
    assert.deepEqual(await admin.delete('emma'), { sessions: 0, grants: 0 });
    assert.equal(await accounts.find('emma'), undefined);
    const [deleted] = await auditEvents.list({ limit: 1 });
    assert.deepEqual([deleted?.action, deleted?.recordName], ['delete', 'emma']);
    assert.deepEqual(deleted?.before, first);
    assert.notEqual((await admin.create(accountRegistration(), password)).id, first.id);
    await assert.rejects(admin.delete('Emma'), protocolError('not_found'));
  });

  it('is a conflict while the account owns resource servers, which it names', async () => {
    const { admin, accounts, putResourceServer, resourceServers } = administration();
    await admin.create(accountRegistration(), password);
    const server = putResourceServer(buildResourceServer({ owner: 'emma', ownerAuthority: 'password' }));
    await assert.rejects(admin.delete('emma'), (error) => {
      assert.ok(error instanceof OAuthError && error.kind === 'conflict', String(error));
      assert.match(error.message, /owns the resource servers test-api\. Give them another owner/);
      return true;
    });
    assert.notEqual(await accounts.find('emma'), undefined);
    await resourceServers.update(server.id, { ownerAuthority: 'https://idp.example' });
    await admin.delete('emma');
  });
});

describe('the audit log of a person with a local account', () => {
  it('begins with the account, not with an older one of the name', async () => {
    const { admin, clock, ...stores } = administration();
    const log = auditLog(stores);
    const actions = async (caller: Caller) => {
      const { items } = await log(caller, {}, { limit: 9 });
      return items.map(({ action }) => action);
    };
    await admin.create(accountRegistration(), password);
    clock.advance(1);
    await admin.delete('emma');
    clock.advance(1);
    await admin.create(accountRegistration(), password);
    clock.advance(1);
    await admin.update('emma', { groups: ['blue'] });
    assert.deepEqual(await actions(buildCaller('emma')), ['update', 'create']);
    assert.deepEqual(await actions(buildAdministrator()), ['update', 'create', 'delete', 'create']);
  });
});

describe('a change to an account', () => {
  it('leaves its trace in the audit log, with nothing of the password', async () => {
    const { admin, auditEvents, clock } = administration();
    await admin.create(accountRegistration({ groups: [] }), password);
    clock.advance(1);
    await admin.update('emma', { adminPrincipal: true });
    clock.advance(1);
    await admin.setPassword('emma', 'battery staple horse');
    clock.advance(1);
    await admin.update('emma', { groups: ['blue'] });
    const events = (await auditEvents.list({ limit: 9 })).toReversed();
    assert.deepEqual(
      events.map(({ action, before, after }) => [action, before, after]),
      [
        [
          'create',
          undefined,
          {
            ...noAccountClaims,
            ...accountRegistration({ groups: [] }),
            id: events[0]?.after?.id,
            disabled: false,
            creationDate: events[0]?.after?.creationDate,
          },
        ],
        ['update', { adminPrincipal: false }, { adminPrincipal: true }],
        ['changePassword', {}, {}],
        ['update', { groups: [] }, { groups: ['blue'] }],
      ],
    );
    for (const { recordType, recordName, owner, actor } of events) {
      assert.deepEqual([recordType, recordName, actor.name], ['account', 'emma', 'root']);
      assert.deepEqual(owner, { identityProvider: 'password', name: 'emma' });
    }
    assert.doesNotMatch(JSON.stringify(events), /hash|horse|staple/);
  });

  it('that is rejected leaves none', async () => {
    const { admin, auditEvents } = administration();
    await assert.rejects(admin.update('nobody', { disabled: true }), protocolError('not_found'));
    await assert.rejects(
      admin.create(accountRegistration({ username: '' }), password),
      protocolError('invalid_request'),
    );
    assert.deepEqual(await auditEvents.list({ limit: 9 }), []);
  });
});
