import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { Authenticator, type Forgery, flag } from '@watchword/testkit/authenticator';
import { encode } from 'cborg';
import { creationOptions, importedKey, verifyRegistration } from '../src/index.ts';
import { newChallenge, origin, refusal, register, relyingParty, user } from './support/ceremonies.ts';

const right = flag.present | flag.verified | flag.credential;
const extra = Buffer.from([0xa0]);

/** What is wrong, and the check that says so. */
const forgeries: readonly (readonly [string, string, Forgery])[] = [
  ['the type of a login', 'type', { clientData: { type: 'webauthn.get' } }],
  ['another challenge', 'challenge', { clientData: { challenge: newChallenge() } }],
  ['no challenge', 'challenge', { clientData: { challenge: undefined } }],
  ['another origin', 'origin', { clientData: { origin: 'https://login.example.org.evil.example' } }],
  ['the origin of another scheme', 'origin', { clientData: { origin: 'http://login.example.org' } }],
  ['the origin of another port', 'origin', { clientData: { origin: 'https://login.example.org:8443' } }],
  ['an origin of the same RP ID', 'origin', { clientData: { origin: 'https://blog.example.org' } }],
  ['a frame of another site', 'frame', { clientData: { crossOrigin: true } }],
  ['crossOrigin as a text', 'frame', { clientData: { crossOrigin: 'false' } }],
  ['the origin of a page around it', 'frame', { clientData: { topOrigin: 'https://evil.example' } }],
  ['client data that is no JSON', 'form', { clientDataText: '{' }],
  ['client data that is a list', 'form', { clientDataText: '[]' }],
  ['client data of too many octets', 'size', { clientData: { other: 'x'.repeat(5000) } }],
  ['client data that is no UTF-8', 'form', { response: { clientDataJSON: Buffer.from([0x7b, 0xff]) } }],
  ['the hash of another RP ID', 'relying_party', { relyingPartyId: 'evil.example' }],
  ['the hash of a domain below the RP ID', 'relying_party', { relyingPartyId: 'login.example.org' }],
  ['no user presence', 'user_presence', { flags: right & ~flag.present }],
  ['no user verification', 'user_verification', { flags: right & ~flag.verified }],
  ['BS without BE', 'backup', { flags: right | flag.backedUp }],
  [
    'no new credential',
    'credential',
    { flags: right & ~flag.credential, authData: (all) => all.subarray(0, 37) },
  ],
  ['a credential behind a flag that denies it', 'form', { flags: right & ~flag.credential }],
  ['another credential id', 'credential', { credentialId: Buffer.alloc(32) }],
  ['an id that is not rawId', 'credential', { answer: { id: 'AAAA' } }],
  ['an id of 1,024 octets', 'size', { answer: { id: '', rawId: Buffer.alloc(1024) } }],
  ['an empty id', 'form', { answer: { id: '', rawId: '' } }],
  ['base64 in the place of base64url', 'form', { answer: { rawId: 'a+/=' } }],
  ['another type of credential', 'form', { answer: { type: 'password' } }],
  ['no response', 'form', { answer: { response: undefined } }],
  ['a response that is a list', 'form', { answer: { response: [] } }],
  ['extensions that are a text', 'form', { answer: { clientExtensionResults: 'x' } }],
  ['transports that are a text', 'form', { response: { transports: 'usb' } }],
  [
    'a passkey that no login finds',
    'discoverable',
    { answer: { clientExtensionResults: { credProps: { rk: false } } } },
  ],
  ['an algorithm that was not asked for', 'algorithm', { coseKey: (key) => key.set(3, -36) }],
  ['the key of another algorithm', 'algorithm', { coseKey: (key) => key.set(3, -8) }],
  ['another curve', 'algorithm', { coseKey: (key) => key.set(-1, 2) }],
  ['a coordinate that is too short', 'algorithm', { coseKey: (key) => key.set(-2, Buffer.alloc(31)) }],
  ['a point that is not on the curve', 'algorithm', { coseKey: (key) => key.set(-3, Buffer.alloc(32, 1)) }],
  [
    'an RSA key of 1,024 bits',
    'algorithm',
    {
      coseKey: () =>
        new Map<number, unknown>([
          [1, 3],
          [3, -257],
          [-1, Buffer.alloc(128, 0xff)],
          [-2, Buffer.from([1, 0, 1])],
        ]),
    },
  ],
  ['a key that is no map', 'form', { coseKey: () => [1, 2] }],
  ['octets after the key', 'form', { authData: (all) => Buffer.concat([all, extra]) }],
  ['a flag of extensions without extensions', 'form', { flags: right | flag.extensions }],
  [
    'extensions that are no map',
    'form',
    { flags: right | flag.extensions, authData: (all) => Buffer.concat([all, Buffer.from([0x80])]) },
  ],
  [
    'octets after the extensions',
    'form',
    { flags: right | flag.extensions, authData: (all) => Buffer.concat([all, extra, extra]) },
  ],
  ['authenticator data of 36 octets', 'form', { authData: (all) => all.subarray(0, 36) }],
  ['a key that is cut off', 'form', { authData: (all) => all.subarray(0, -1) }],
  ['a credential id that is cut off', 'form', { authData: (all) => all.subarray(0, 60) }],
  ['an attestation object that is cut off', 'form', { attestationOctets: (all) => all.subarray(0, -1) }],
  [
    'octets after the attestation object',
    'form',
    { attestationOctets: (all) => Buffer.concat([all, extra]) },
  ],
  ['an attestation object that is no CBOR', 'form', { attestationOctets: () => Buffer.from([0xff]) }],
  ['an attestation object that is no map', 'form', { attestationOctets: () => Buffer.from([0x80]) }],
  ['a map of unknown length', 'form', { attestationOctets: () => Buffer.from([0xbf, 0xff]) }],
  ['a key twice', 'form', { attestationOctets: () => Buffer.from('a263666d746161' + '63666d746162', 'hex') }],
  ['a length of 2^53 octets', 'form', { attestationOctets: () => Buffer.from('5b0020000000000000', 'hex') }],
  ['lists within lists', 'form', { attestationOctets: () => Buffer.alloc(16_000, 0x81) }],
  ['too large an attestation object', 'size', { attestationOctets: () => Buffer.alloc(16_385) }],
  ['no format', 'form', { attestation: (object) => object.delete('fmt') && object }],
  [
    'a statement of the format none',
    'attestation',
    { attestation: (object) => object.set('attStmt', new Map([['alg', -7]])) },
  ],
  [
    'a wrong signature of a key about itself',
    'attestation',
    {
      attestation: (object) => {
        const statement = new Map<string, unknown>([['alg', -7]]).set('sig', Buffer.alloc(70));
        return object.set('fmt', 'packed').set('attStmt', statement);
      },
    },
  ],
];

describe('the registration of a passkey', () => {
  for (const algorithm of [-8, -7, -257] as const) {
    it(`gives the key of the algorithm ${algorithm}, and what a browser needs to find it`, async () => {
      const authenticator = new Authenticator({ algorithm });
      const { publicKey, ...passkey } = await register({}, authenticator);
      assert.match(publicKey, /^[\w-]{50,400}$/);
      assert.deepEqual(passkey, {
        id: authenticator.id.toString('base64url'),
        algorithm,
        counter: 0,
        isBackupEligible: false,
        isBackedUp: false,
        transports: ['internal', 'hybrid'],
      });
    });
  }

  it('says that a passkey is on several devices', async () => {
    const authenticator = new Authenticator({ flags: flag.backupEligible | flag.backedUp, counter: 7 });
    const { isBackupEligible, isBackedUp, counter } = await register({}, authenticator);
    assert.deepEqual(
      { isBackupEligible, isBackedUp, counter },
      {
        isBackupEligible: true,
        isBackedUp: true,
        counter: 7,
      },
    );
  });

  it('ignores unknown members of the client data, unknown extensions and unknown transports', async () => {
    const { transports } = await register({
      clientData: { other_keys_can_be_added_here: 'x', crossOrigin: undefined },
      flags: right | flag.extensions,
      authData: (all) => Buffer.concat([all, encode(new Map([['unknown', true]]))]),
      response: { transports: ['usb', 'usb', 'of-later', 'NOT ONE', 7] },
    });
    assert.deepEqual(transports, ['usb', 'of-later']);
  });

  it('takes an attestation of the key about itself, and reads none of a manufacturer', async () => {
    const authenticator = new Authenticator();
    const asked = { relyingParty, challenge: newChallenge() };
    const options = creationOptions({ ...asked, name: 'Example', user, known: [] });
    const clientData = Buffer.from(
      JSON.stringify({ type: 'webauthn.create', challenge: asked.challenge, origin, crossOrigin: false }),
    );
    const packed = (more: readonly [string, unknown][], signs: boolean): Forgery => ({
      attestation: (object) => {
        const sig = signs
          ? authenticator.sign(object.get('authData') as Buffer, clientData)
          : Buffer.alloc(8);
        const statement = new Map<string, unknown>([['alg', -7], ['sig', sig], ...more]);
        return object.set('fmt', 'packed').set('attStmt', statement);
      },
    });
    for (const forgery of [packed([], true), packed([['x5c', [Buffer.alloc(4)]]], false)]) {
      const { algorithm } = await verifyRegistration(authenticator.create(options, origin, forgery), asked);
      assert.equal(algorithm, -7);
    }
  });

  it('refuses an answer with anything wrong, and says which check', async () => {
    const found = await Promise.all(
      forgeries.map(async ([name, , forgery]) => [name, await refusal(register(forgery))] as const),
    );
    assert.deepEqual(
      found,
      forgeries.map(([name, check]) => [name, check]),
    );
  });

  it('refuses a text that is too long, and one that is no JSON object', async () => {
    const asked = { relyingParty, challenge: newChallenge() };
    const texts = ['x'.repeat(32_769), '', 'null', '[]', '"x"', '{'.repeat(32_000), '[['.repeat(16_000)];
    const checks = await Promise.all(texts.map((text) => refusal(verifyRegistration(text, asked))));
    assert.deepEqual(checks, ['size', 'form', 'form', 'form', 'form', 'form', 'form']);
  });
});

describe('the options of a registration', () => {
  it('ask for a passkey that verifies its user and is found without a name, and for no attestation', () => {
    const known = [{ id: 'AAAA', transports: ['usb'] }];
    const asked = {
      relyingParty,
      name: 'Example',
      challenge: 'AQID',
      user,
      known,
      hints: ['security-key'] as const,
    };
    assert.deepEqual(creationOptions(asked), {
      rp: { id: 'example.org', name: 'Example' },
      user: { id: user.handle, name: 'emma', displayName: 'Emma' },
      challenge: 'AQID',
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [{ type: 'public-key', id: 'AAAA', transports: ['usb'] }],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      hints: ['security-key'],
      attestation: 'none',
      extensions: { credProps: true },
    });
  });
});

describe('the key of a passkey of another product', () => {
  for (const algorithm of [-8, -7, -257] as const) {
    it(`is read as COSE and as SubjectPublicKeyInfo, of the algorithm ${algorithm}`, async () => {
      let cose: unknown;
      const coseKey = (key: Map<number, unknown>) => {
        cose = new Map(key);
        return key;
      };
      const { publicKey } = await register({ coseKey }, new Authenticator({ algorithm }));
      for (const octets of [encode(cose), Buffer.from(publicKey, 'base64url')])
        assert.deepEqual(await importedKey(octets), { publicKey, algorithm });
      assert.equal(await refusal(importedKey(Buffer.concat([encode(cose), extra]))), 'form');
    });
  }

  it('is refused with another algorithm, too few bits, or as no key', async () => {
    const spki = { format: 'der', type: 'spki' } as const;
    const ec = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    for (const key of [ec, rsa]) assert.equal(await refusal(importedKey(key.export(spki))), 'algorithm');
    assert.equal(await refusal(importedKey(Buffer.from([0x30, 0]))), 'algorithm');
    assert.equal(await refusal(importedKey(Buffer.from('secret'))), 'form');
  });
});
