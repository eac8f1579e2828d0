import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditedConfirmation } from '@watchword/accounts';
import type { PersonLink } from '@watchword/protocol';
import {
  buildAccount,
  buildAdministrator,
  buildCaller,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { confirmationAdministration } from '../../src/confirmations/confirmations.ts';

const root = buildAdministrator();

async function administration() {
  const { clock, store } = protocolDependencies();
  const account = buildAccount();
  await store.accounts.create(account);
  const now = clock.now();
  const link = (number: number, overrides: Partial<PersonLink>): PersonLink => ({
    ...{ id: `019b76da-a800-7a57-899d-00000000000${number}`, purpose: 'reset_password', address: '' },
    ...{ digest: Buffer.alloc(32, 7), data: 'sealed', creationDate: now, expires: now + 1000 },
    ...overrides,
  });
  const address = 'emma@example.org';
  const reset = link(1, { accountId: account.id, address });
  const changed = link(2, { accountId: account.id, address: 'new@example.org', purpose: 'change_address' });
  const signUp = link(3, { address: 'finn@example.com', purpose: 'sign_up' });
  const invitation = link(4, { address: 'gina@example.org', purpose: 'invitation' });
  const expired = link(5, { accountId: account.id, address, expires: now });
  const ofNobody = [link(6, {}), link(7, { purpose: 'sign_up' })];
  for (const each of [reset, changed, signUp, invitation, expired, ...ofNobody])
    await store.personLinks.create(each);
  const deps = { ...store, clock, random: seededRandom('confirmations'), hasLocalLogin: true };
  const admin = confirmationAdministration(deps);
  const ids = async (filter = {}) => (await admin.list(root, filter, { limit: 9 })).items.map(({ id }) => id);
  return { ...store, account, admin, changed, deps, ids, invitation, ofNobody, reset, signUp };
}

describe('pending confirmations', () => {
  it('are seen and ended by administrators only, and only where users log in with local accounts', async () => {
    const { admin, deps, personLinks, reset } = await administration();
    const without = confirmationAdministration({ ...deps, hasLocalLogin: false });
    for (const [caller, of, kind] of [
      [buildCaller('emma'), admin, 'access_denied'],
      [root, without, 'not_found'],
    ] as const) {
      await assert.rejects(async () => of.list(caller, {}, { limit: 9 }), protocolError(kind));
      await assert.rejects(of.end(caller, reset.id), protocolError(kind));
    }
    assert.equal((await personLinks.list({ limit: 99 })).length, 7);
  });

  it('are listed by account and purpose without a secret: none that has expired, that nobody got, or that is an invitation', async () => {
    const { account, admin, changed, ids, reset, signUp } = await administration();
    assert.deepEqual(await ids(), [reset.id, changed.id, signUp.id]);
    assert.deepEqual(await ids({ accountId: account.id }), [reset.id, changed.id]);
    assert.deepEqual(await ids({ purpose: 'sign_up' }), [signUp.id]);
    const { items } = await admin.list(root, { accountId: account.id }, { limit: 1 });
    const { id, purpose, address, creationDate, expires } = reset;
    const of = { id: account.id, username: 'emma' };
    assert.deepEqual(items, [{ id, purpose, address, creationDate, expires, account: of }]);
  });

  it('are ended once, which the audit log says of the administrator', async () => {
    const { admin, auditEvents, changed, ids, invitation, ofNobody, personLinks, reset, signUp } =
      await administration();
    await admin.end(root, changed.id);
    await admin.end(root, signUp.id);
    assert.deepEqual(await ids(), [reset.id]);
    for (const { id } of [changed, invitation, ...ofNobody])
      await assert.rejects(admin.end(root, id), protocolError('not_found'));
    assert.notEqual(await personLinks.find(invitation.id, 0), undefined);
    const events = await auditEvents.list({ limit: 9 });
    assert.equal(events.length, 2);
    const [ofAddress, ofSignUp] = [changed, signUp].map((link) =>
      events.find(({ recordId }) => recordId === link.id),
    );
    const { purpose, address, expires } = changed;
    assert.deepEqual(
      [ofAddress?.action, ofAddress?.recordType, ofAddress?.actor, ofAddress?.owner.name, ofAddress?.before],
      ['delete', 'confirmation', root.identity, 'emma', { purpose, address, expires }],
    );
    // Anybody can type the address of somebody else.
    assert.equal(ofSignUp?.recordName, '@example.com');
    assert.ok(!JSON.stringify(ofSignUp).includes('finn'));
  });

  it('are named in the audit log by the account, the domain, or their id', async () => {
    const { ofNobody, reset, signUp } = await administration();
    const nameOf = (link: PersonLink, username?: string) =>
      auditedConfirmation(link, username).record.recordName;
    const [nobody = reset] = ofNobody;
    assert.deepEqual(
      [nameOf(reset, 'emma'), nameOf(signUp), nameOf(nobody)],
      ['emma', '@example.com', nobody.id],
    );
  });
});
