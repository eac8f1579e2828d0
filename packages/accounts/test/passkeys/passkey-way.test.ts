import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPasskey, FakeClock, memoryStore, seededRandom } from '@watchword/testkit';
import { Authenticator } from '@watchword/testkit/authenticator';
import { passkeyLogin, passkeyWay } from '../../src/index.ts';

const relyingParty = { id: 'localhost', origin: 'http://localhost:8080' };
const owner = { identityProvider: 'university', name: 'emma' };

describe('a passkey as the second factor', () => {
  it('is asked of a person of any identity provider, and proves a login of the strongest level', async () => {
    const { credentials, oneTime } = memoryStore();
    const deps = { relyingParty, credentials, oneTime, clock: new FakeClock(), random: seededRandom() };
    const [way, authenticator] = [passkeyWay(passkeyLogin(deps)), new Authenticator()];
    const stored = await buildPasskey(authenticator, relyingParty, {
      ...{ subject: 'subject', owner, userHandle: 'AAAA' },
    });
    await credentials.create(stored, 1);
    const asked = { own: [stored] } as unknown as Parameters<typeof way.ask>[0];
    const form = await way.ask(asked);
    const options = form.passkey?.options as unknown as Parameters<Authenticator['get']>[0];
    const passkey = authenticator.get(options, relyingParty.origin, { response: { userHandle: undefined } });
    const submission = new Map([['passkey', [passkey]]]);
    const returned = { submission, state: form.state };
    assert.deepEqual(await way.prove(asked, returned), {
      factor: { amr: ['hwk', 'user', 'mfa'], level: 'phr' },
    });
    assert.deepEqual(await way.prove(asked, returned), { message: { key: 'passkey.late' } });
  });
});
