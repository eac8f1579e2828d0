import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Credential, type Mail, parseBearerValue, subjectOf } from '@watchword/protocol';
import {
  buildAccount,
  buildAdministrator,
  buildCaller,
  buildResourceServer,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import type { Caller } from '../../src/callers/caller.ts';
import { factorAdministration } from '../../src/factors/factors.ts';

const root = buildAdministrator();
const emma = { identityProvider: 'password', name: 'emma' };
const guest = { identityProvider: 'https://idp.example', name: 'guest' };

async function administration({ isAdministrator = false } = {}) {
  const { clock, issue, store } = protocolDependencies();
  store.putResourceServer(buildResourceServer({ owner: 'root' }));
  const tokenId = parseBearerValue('access', await issue())?.id ?? '';
  const network: Caller = { ...root, access: { tokenId, scopes: [], expires: 0 } };
  const account = buildAccount({ email: 'emma@example.com', adminPrincipal: isAdministrator });
  await store.accounts.create(account);
  const mails: Mail[] = [];
  const sendMail = async (mail: Mail) => {
    mails.push(mail);
  };
  const deps = { ...store, clock, random: seededRandom('factors'), openSendMail: async () => sendMail };
  let count = 0;
  const add = async (
    kind: Credential['kind'],
    owner = emma,
    name = kind === 'recovery_code' ? '' : `my ${kind}`,
  ) => {
    const subject = subjectOf(Buffer.alloc(32), { ...owner, stableId: owner.name });
    count += 1;
    const id = `019aa000-0000-7000-8000-00000000000${count}`;
    const times = { creationDate: count, lastUsed: 0, counter: 0, data: '{}' };
    await store.credentials.create({ id, subject, owner, kind, name, ...times }, 20);
    return id;
  };
  return { ...store, clock, account, add, admin: factorAdministration(deps), mails, network };
}

const kindsOf = (factors: readonly { kind: string; count: number }[]) =>
  factors.map(({ kind, count }) => [kind, count]);

describe('factors of people', () => {
  it('are seen and removed by administrators only', async () => {
    const { add, admin, credentials } = await administration();
    const id = await add('totp');
    const other = buildCaller('emma');
    await assert.rejects(admin.list(other, emma), protocolError('access_denied'));
    await assert.rejects(admin.remove(other, id), protocolError('access_denied'));
    await assert.rejects(admin.reset(other, emma), protocolError('access_denied'));
    await assert.rejects(admin.count(other), protocolError('access_denied'));
    assert.equal((await credentials.listByOwner(emma)).length, 1);
  });

  it('are those of one person, with all recovery codes as one', async () => {
    const { add, admin } = await administration();
    await add('passkey');
    for (let code = 0; code < 3; code += 1) await add('recovery_code');
    await add('totp', guest);
    assert.deepEqual(kindsOf(await admin.list(root, emma)), [
      ['passkey', 1],
      ['recovery_code', 3],
    ]);
    assert.deepEqual(kindsOf(await admin.list(root, guest)), [['totp', 1]]);
  });

  it('are removed one by one, with the last one also what is of no use without it', async () => {
    const { account, accounts, add, admin, auditEvents, mails } = await administration();
    const [passkey, totp] = [await add('passkey'), await add('totp')];
    for (const kind of ['recovery_code', 'recovery_code', 'trusted_browser'] as const) await add(kind);
    await admin.remove(root, totp);
    assert.deepEqual(kindsOf(await admin.list(root, emma)), [
      ['passkey', 1],
      ['recovery_code', 2],
    ]);
    // So that a login that is under way does not hold.
    assert.equal((await accounts.find('emma'))?.revision, account.revision + 1);
    const [event] = await auditEvents.list({ limit: 9 });
    assert.deepEqual(
      [event?.action, event?.actor, event?.owner, event?.recordType, event?.before],
      ['removeFactor', root.identity, emma, 'account', { kind: 'totp', name: 'my totp' }],
    );
    assert.deepEqual(
      mails.map(({ kind, to, values }) => [kind, to, 'factor' in values && values.factor]),
      [['factor_removed', 'emma@example.com', { kind: 'totp', label: 'my totp' }]],
    );
    await admin.remove(root, passkey);
    assert.deepEqual(await admin.list(root, emma), []);
    await assert.rejects(admin.remove(root, passkey), protocolError('not_found'));
  });

  it('are reset together, which ends the access of people of other identity providers too', async () => {
    const { add, admin, auditEvents, mails } = await administration();
    await add('totp', guest);
    await add('recovery_code', guest);
    await add('totp');
    assert.deepEqual(await admin.reset(root, guest), { sessions: 0, grants: 0 });
    assert.deepEqual(await admin.list(root, guest), []);
    assert.equal((await admin.list(root, emma)).length, 1);
    const events = await auditEvents.list({ limit: 9 });
    assert.deepEqual(
      events.map(({ recordType, owner }) => [recordType, owner]),
      [
        ['resourceOwner', guest],
        ['resourceOwner', guest],
      ],
    );
    // The address of a person of another identity provider is not known here.
    assert.deepEqual(mails, []);
    await assert.rejects(admin.reset(root, guest), protocolError('not_found'));
  });

  it('are counted by kind, at most each 30 seconds', async () => {
    const { add, admin, clock } = await administration({ isAdministrator: true });
    const counted = async () => {
      const { accounts, administrators, others } = await admin.count(root);
      return [accounts.none, administrators.none, accounts.totp, others.people];
    };
    assert.deepEqual(await counted(), [1, 1, 0, 0]);
    await add('totp');
    await add('totp', guest);
    clock.advance(29_999);
    assert.deepEqual(await counted(), [1, 1, 0, 0]);
    clock.advance(1);
    assert.deepEqual(await counted(), [0, 0, 1, 1]);
  });

  it('of the last administrator are removed at the command line only', async () => {
    const { add, admin, network } = await administration({ isAdministrator: true });
    const id = await add('totp');
    await assert.rejects(admin.reset(network, emma), protocolError('conflict'));
    await assert.rejects(admin.remove(network, id), protocolError('conflict'));
    assert.equal((await admin.list(root, emma)).length, 1);
    await admin.reset(root, emma);
    assert.deepEqual(await admin.list(root, emma), []);
  });
});
