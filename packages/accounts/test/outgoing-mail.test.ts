import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyRing, type Mail } from '@watchword/protocol';
import { FakeClock, memoryStore, seededRandom } from '@watchword/testkit';
import { mailSender, openMail } from '../src/index.ts';

const day = 86_400_000;

async function dependencies() {
  const clock = new FakeClock();
  const store = memoryStore(clock);
  const system = { clock, random: seededRandom('mail') };
  const sealer = await KeyRing.open({ ...store, ...system });
  return { clock, store, sealer, send: mailSender({ sealer, ...system }) };
}

describe('a mail that is stored', () => {
  it('shows neither its address nor its link, and is opened with the keys of the server', async () => {
    const { clock, store, sealer, send } = await dependencies();
    const values = { name: 'emma', path: '/password?link=secret', expires: clock.now() + 1000 };
    const mail: Mail = { kind: 'reset_password', to: 'emma@example.org', language: 'de', values };
    await store.transact((stores) => send({ ...mail, accountId: 'id of emma' }, stores));
    const [stored, ...others] = await store.outgoingMail.listDue(clock.now(), 9);
    assert.ok(stored !== undefined && others.length === 0);
    assert.equal(stored.accountId, 'id of emma');
    assert.doesNotMatch(JSON.stringify({ ...stored, accountId: '' }), /example|secret|emma/);
    assert.deepEqual(await openMail(stored, sealer), mail);
    assert.equal(await openMail({ ...stored, sealed: 'x.y' }, sealer), undefined);
  });

  it('waits as long as its link is valid, and else for three days', async () => {
    const { clock, store, send } = await dependencies();
    const to = 'emma@example.org';
    const now = clock.now();
    await send({ kind: 'invitation', to, values: { path: '/join', expires: now + 5 } }, store);
    await send({ kind: 'password_changed', to, values: { name: 'emma', time: now } }, store);
    const expires = (await store.outgoingMail.listDue(now, 9)).map((mail) => mail.expires - now);
    assert.deepEqual(expires, [5, 3 * day]);
  });
});
