import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPasskey, FakeClock, memoryStore, seededRandom } from '@watchword/testkit';
import { Authenticator, type Forgery, flag } from '@watchword/testkit/authenticator';
import { type AskedPasskey, isProved, passkeyLogin, passkeyMethods } from '../../src/index.ts';

const origin = 'https://id.example.com';
const relyingParty = { id: 'example.com', origin };
const emma = { subject: 'subject of emma', owner: { identityProvider: 'password', name: 'emma' } };

async function passkeyOf(authenticator = new Authenticator()) {
  const { credentials, oneTime } = memoryStore();
  const clock = new FakeClock();
  const refusals: string[] = [];
  const onRefused = (check: string) => void refusals.push(check);
  const parts = { relyingParty, credentials, oneTime, clock, random: seededRandom(), onRefused };
  const login = passkeyLogin(parts);
  const stored = await buildPasskey(authenticator, relyingParty, { ...emma, userHandle: 'QUJD' });
  await credentials.create(stored, 10);
  /** What the answer to a page proves: whose passkey, or the key of a text. */
  const prove = async ({ state }: Pick<AskedPasskey, 'state'>, text: string, at = login): Promise<string> => {
    const found = await at.find(text);
    const proved = 'message' in found ? found : await at.prove(found, state);
    if (isProved(proved)) return proved.owner.name;
    return typeof proved.message === 'string' ? proved.message : proved.message.key;
  };
  const answer = ({ options }: AskedPasskey, forgery?: Forgery) =>
    authenticator.get(options, origin, forgery);
  return { login, credentials, clock, refusals, stored, prove, answer, parts };
}

describe('a login with a passkey', () => {
  it('proves whose passkey it is, and notes its use', async () => {
    const flags = flag.backupEligible;
    const { login, credentials, clock, stored, prove, answer } = await passkeyOf(
      new Authenticator({ counter: 3, flags }),
    );
    const asked = login.ask();
    const present = flag.present | flag.verified | flags | flag.backedUp;
    assert.equal(await prove(asked, answer(asked, { flags: present })), 'emma');
    const [used] = await credentials.listBySubject(stored.subject);
    assert.deepEqual([used?.counter, used?.lastUsed], [4, clock.now()]);
    assert.equal(JSON.parse(used?.data ?? '').isBackedUp, true);
  });

  it('learns of an imported passkey whether it can be on several devices, and refuses anything else from then on', async () => {
    const { login, credentials, stored, prove, answer, refusals } = await passkeyOf();
    const { isBackupEligible: _, ...unknown } = JSON.parse(stored.data);
    await credentials.use(stored.id, { counter: 0, lastUsed: 0, data: JSON.stringify(unknown) });
    const flags = flag.present | flag.verified | flag.backupEligible;
    const first = login.ask();
    assert.equal(await prove(first, answer(first, { flags })), 'emma');
    const [known] = await credentials.listBySubject(stored.subject);
    assert.deepEqual(passkeyMethods(known ?? stored), ['swk', 'user', 'mfa']);
    const second = login.ask();
    assert.equal(await prove(second, answer(second)), 'passkey.refused');
    assert.deepEqual(refusals, ['backup']);
  });

  it('answers a challenge once, on all nodes together', async () => {
    const { login, parts, prove, answer } = await passkeyOf();
    const asked = login.ask();
    const text = answer(asked);
    const other = passkeyLogin(parts);
    const outcomes = await Promise.all([prove(asked, text), prove(asked, text, other)]);
    assert.deepEqual(outcomes.toSorted(), ['emma', 'passkey.late']);
    assert.equal(await prove(asked, answer(asked)), 'passkey.late');
  });

  it('answers a challenge within five minutes', async () => {
    const { login, clock, prove, answer } = await passkeyOf();
    const [asked, late] = [login.ask(), login.ask()];
    clock.advance(5 * 60 * 1000 - 1);
    assert.equal(await prove(asked, answer(asked)), 'emma');
    clock.advance(1);
    assert.equal(await prove(late, answer(late)), 'passkey.late');
  });

  it('answers the challenge of its own page alone', async () => {
    const { login, refusals, prove, answer } = await passkeyOf();
    const [asked, other] = [login.ask(), login.ask()];
    assert.equal(await prove(other, answer(asked)), 'passkey.refused');
    assert.deepEqual(refusals, ['challenge']);
    for (const state of [undefined, null, 'x', {}, { challenge: 7, until: Infinity }, { challenge: 'x' }]) {
      assert.equal(await prove({ state } as never, answer(asked)), 'passkey.late');
    }
  });

  it('uses up the challenge also with an answer that is refused', async () => {
    const { login, refusals, prove, answer } = await passkeyOf();
    const asked = login.ask();
    const forged = answer(asked, { clientData: { origin: 'https://evil.example' } });
    assert.equal(await prove(asked, forged), 'passkey.refused');
    assert.equal(await prove(asked, answer(asked)), 'passkey.late');
    assert.deepEqual(refusals, ['origin']);
  });

  it('names a passkey that is not known, so that the browser forgets it', async () => {
    const { login, credentials, stored, answer } = await passkeyOf();
    const asked = login.ask();
    assert.ok(await credentials.delete(stored.subject, stored.id));
    assert.deepEqual(await login.find(answer(asked)), {
      message: { key: 'passkey.unknown' },
      unknown: stored.handle,
    });
  });

  it('takes only a passkey of the person, where a page asks one person', async () => {
    const { login, stored, answer } = await passkeyOf();
    const mine = { ...stored, handle: 'AAAA' };
    const { options } = login.ask([mine]);
    assert.deepEqual(options.allowCredentials, [
      { type: 'public-key', id: 'AAAA', transports: ['internal', 'hybrid'] },
    ]);
    const found = await login.find(answer({ ...login.ask(), options }), [mine]);
    assert.deepEqual('message' in found && found.message, { key: 'passkey.unknown' });
  });

  it('is refused after its counter was used on another node', async () => {
    const { login, credentials, stored, prove, answer } = await passkeyOf(new Authenticator({ counter: 3 }));
    const asked = login.ask();
    const found = await login.find(answer(asked));
    assert.ok(!('message' in found));
    assert.ok(await credentials.use(stored.id, { counter: 9, lastUsed: 1 }));
    assert.deepEqual(await login.prove(found, asked.state), { message: { key: 'passkey.refused' } });
    assert.equal(await prove(login.ask(), answer(login.ask())), 'passkey.refused');
  });

  it('explains a page whose script does not run, and refuses what is no answer', async () => {
    const { login, refusals, prove } = await passkeyOf();
    const asked = login.ask();
    assert.equal(await prove(asked, ''), 'passkey.script');
    assert.equal(await prove(asked, '{'), 'passkey.refused');
    assert.equal(await prove(asked, 'x'.repeat(40_000)), 'passkey.refused');
    assert.deepEqual(refusals, ['form', 'size']);
  });

  it('says whether the key is in hardware (RFC 8176)', async () => {
    const { stored } = await passkeyOf();
    assert.deepEqual(passkeyMethods(stored), ['hwk', 'user', 'mfa']);
    const synced = await passkeyOf(new Authenticator({ flags: flag.backupEligible }));
    assert.deepEqual(passkeyMethods(synced.stored), ['swk', 'user', 'mfa']);
  });
});
