import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flag } from '@watchword/testkit/authenticator';
import { readAuthentication, requestOptions } from '../src/index.ts';
import { type Login, logIn, newChallenge, refusal, relyingParty } from './support/ceremonies.ts';

const right = flag.present | flag.verified;
const otherUser = Buffer.from('0190-noah').toString('base64url');

/** What is wrong, and the check that says so. */
const forgeries: readonly (readonly [string, string, Login])[] = [
  ['the type of a registration', 'type', { forgery: { clientData: { type: 'webauthn.create' } } }],
  ['another challenge', 'challenge', { forgery: { clientData: { challenge: newChallenge() } } }],
  ['the answer to an earlier request', 'challenge', { challenge: newChallenge() }],
  ['another origin', 'origin', { forgery: { clientData: { origin: 'https://evil.example' } } }],
  ['a frame of another site', 'frame', { forgery: { clientData: { crossOrigin: true } } }],
  [
    'the origin of a page around it',
    'frame',
    { forgery: { clientData: { topOrigin: 'https://evil.example' } } },
  ],
  ['the hash of another RP ID', 'relying_party', { forgery: { relyingPartyId: 'evil.example' } }],
  ['no user presence', 'user_presence', { forgery: { flags: flag.verified } }],
  ['no user verification', 'user_verification', { forgery: { flags: flag.present } }],
  ['BS without BE', 'backup', { forgery: { flags: right | flag.backedUp } }],
  [
    'BE that was not there at the registration',
    'backup',
    { forgery: { flags: right | flag.backupEligible } },
  ],
  ['no BE, which was there at the registration', 'backup', { stored: { isBackupEligible: true } }],
  ['a counter that stays', 'counter', { authenticator: { counter: 5 }, forgery: { counter: 5 } }],
  ['a counter that goes back', 'counter', { authenticator: { counter: 5 }, forgery: { counter: 4 } }],
  ['a counter that becomes 0', 'counter', { authenticator: { counter: 5 }, forgery: { counter: 0 } }],
  ['a signature of something else', 'signature', { forgery: { signature: (all) => all.fill(1, 40) } }],
  ['a signature that is cut off', 'signature', { forgery: { signature: (all) => all.subarray(0, -1) } }],
  ['octets after the signature', 'signature', { forgery: { signature: (all) => Buffer.concat([all, all]) } }],
  [
    'a signature that is no DER',
    'signature',
    { authenticator: { algorithm: -8 }, forgery: { signature: (all) => all.subarray(1) } },
  ],
  ['a signature of too many octets', 'size', { forgery: { signature: () => Buffer.alloc(1025) } }],
  ['no signature', 'form', { forgery: { response: { signature: undefined } } }],
  ['the key of another passkey', 'credential', { stored: { id: 'AAAA' } }],
  ['a passkey that was not asked for', 'credential', { allowed: ['AAAA'] }],
  ['a passkey of another user', 'user', { stored: { userHandle: otherUser } }],
  ['another user', 'user', { forgery: { response: { userHandle: otherUser } } }],
  ['no user', 'user', { forgery: { response: { userHandle: undefined } } }],
  ['a user that is null', 'user', { forgery: { response: { userHandle: null } } }],
  ['a user that is a number', 'form', { forgery: { response: { userHandle: 7 } } }],
  ['a user of 65 octets', 'size', { forgery: { response: { userHandle: Buffer.alloc(65) } } }],
  [
    'octets after the authenticator data',
    'form',
    { forgery: { authData: (all) => Buffer.concat([all, all]) } },
  ],
  ['authenticator data that are cut off', 'form', { forgery: { authData: (all) => all.subarray(0, 36) } }],
  ['a new credential that is not there', 'form', { forgery: { flags: right | flag.credential } }],
  [
    'extensions that are cut off',
    'form',
    {
      forgery: {
        flags: right | flag.extensions,
        authData: (all) => Buffer.concat([all, Buffer.from([0xa1])]),
      },
    },
  ],
];

const onOneDevice = { isBackupEligible: false, isBackedUp: false };

describe('a login with a passkey', () => {
  for (const algorithm of [-8, -7, -257] as const) {
    it(`is the signature of its key, by the algorithm ${algorithm}`, async () => {
      assert.deepEqual(await logIn({ authenticator: { algorithm } }), { counter: 0, ...onOneDevice });
    });
  }

  it('gives the counter, and whether the passkey is on several devices now', async () => {
    const authenticator = { counter: 5, flags: flag.backupEligible };
    const forgery = { flags: right | flag.backupEligible | flag.backedUp };
    const used = { counter: 6, isBackupEligible: true, isBackedUp: true };
    assert.deepEqual(await logIn({ authenticator, forgery }), used);
  });

  it('says whether a passkey can be on several devices of which that is not known', async () => {
    const stored = { isBackupEligible: undefined };
    assert.deepEqual(await logIn({ stored }), { counter: 0, ...onOneDevice });
    const forgery = { flags: right | flag.backupEligible };
    assert.equal((await logIn({ stored, forgery })).isBackupEligible, true);
  });

  it('needs no user in the answer where its passkey was asked for', async () => {
    const [userHandle, stored] = [undefined, { id: '' }];
    const forgery = { response: { userHandle }, answer: { id: 'AAAA', rawId: 'AAAA' } };
    const login = { forgery, stored: { ...stored, id: 'AAAA' }, allowed: ['AAAA'] };
    assert.deepEqual(await logIn(login), { counter: 0, ...onOneDevice });
  });

  it('is refused with anything wrong, and says which check', async () => {
    const found = await Promise.all(
      forgeries.map(async ([name, , login]) => [name, await refusal(logIn(login))] as const),
    );
    assert.deepEqual(
      found,
      forgeries.map(([name, check]) => [name, check]),
    );
  });

  it('names the passkey and its user before anything is proved, by which the caller finds them', () => {
    const response = { clientDataJSON: 'e30', userHandle: 'AQID' };
    const text = JSON.stringify({ type: 'public-key', id: 'AAAA', rawId: 'AAAA', response });
    const { id, userHandle } = readAuthentication(text);
    assert.deepEqual({ id, userHandle }, { id: 'AAAA', userHandle: 'AQID' });
  });
});

describe('the options of a login', () => {
  it('ask for a verified user and any passkey, or for the given ones', () => {
    const asked = { relyingParty, challenge: 'AQID' };
    const any = { challenge: 'AQID', timeout: 300_000, rpId: 'example.org', allowCredentials: [], hints: [] };
    assert.deepEqual(requestOptions(asked), { ...any, userVerification: 'required' });
    const allowed = [{ id: 'AAAA', transports: ['usb'] }];
    assert.deepEqual(requestOptions({ ...asked, allowed }).allowCredentials, [
      { type: 'public-key', id: 'AAAA', transports: ['usb'] },
    ]);
  });
});
