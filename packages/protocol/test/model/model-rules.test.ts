import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient, emma, machineSecret } from '@watchword/testkit';
import { chosenSecret, isGeneratedSecret } from '../../src/clients/authentication/machine-secret.ts';
import { clientDefaults } from '../../src/clients/registration/client-rules.ts';
import { accountDigest } from '../../src/keys/account-digest.ts';
import { isWeakSecret, slowHashes } from '../../src/model/machine-secret.ts';
import { displayName } from '../../src/model/principal.ts';
import { isRevokedWithClient, isStoredConfidential, lacksSecret } from '../../src/model/records/client.ts';
import { logoutDeliveryRetention } from '../../src/model/records/session-client.ts';
import { isStorableKey } from '../../src/model/resource-owner.ts';
import { latestNow } from '../../src/ports/system/clock.ts';
import { publicOrigins, redirectUriOrigin } from '../../src/rules/redirect-uri.ts';

describe('a secret of a client', () => {
  const slow = chosenSecret('weak', '$argon2id$of the secret').stored;

  it('is weak while the one that is valid now has a slow hash', () => {
    const rotated = { ...machineSecret('strong'), previousHash: slow.hash, previousValidUntil: 9 };
    assert.deepEqual([undefined, machineSecret('x'), slow, rotated].map(isWeakSecret), [
      false,
      false,
      true,
      false,
    ]);
    assert.deepEqual(slowHashes(undefined, 0), []);
    assert.deepEqual(
      [8, 9].map((now) => slowHashes(rotated, now).length),
      [1, 0],
    );
    assert.deepEqual(slowHashes(slow, 0), ['$argon2id$of the secret']);
  });

  it('was made by this server if it has the form of one from its first to its last character', () => {
    const made = `wws_${'x'.repeat(43)}`;
    assert.ok(isGeneratedSecret(made));
    for (const text of ['', made.slice(1), made.slice(0, -1), `${made}x`, ` ${made}`, `${made}\n`]) {
      assert.equal(isGeneratedSecret(text), false, text);
    }
  });

  it('is missing only where the client is confidential', () => {
    const secret = machineSecret('x');
    const lacks = [
      buildClient({ secret: undefined }),
      buildClient({ secret }),
      buildClient({ confidential: false, secret: undefined }),
    ].map(lacksSecret);
    assert.deepEqual(lacks, [true, false, false]);
  });
});

describe('a stored client', () => {
  it('is confidential unless it says otherwise, or has the implicit grant of an earlier release', () => {
    const stored = [true, false].flatMap((confidential) =>
      [true, false].map((allowedImplicitGrant) =>
        isStoredConfidential({ confidential, allowedImplicitGrant }),
      ),
    );
    assert.deepEqual(stored, [false, true, false, false]);
  });
});

describe('a token of a client whose tokens were revoked', () => {
  it('is revoked if it, or its grant, is of that moment or before', () => {
    const isRevoked = (token: number, grant?: number) =>
      isRevokedWithClient(
        { tokensValidFrom: 5 },
        { creationDate: token },
        grant === undefined ? undefined : { creationDate: grant },
      );
    assert.deepEqual([isRevoked(4), isRevoked(5), isRevoked(6)], [true, true, false]);
    assert.deepEqual([isRevoked(6, 4), isRevoked(6, 5), isRevoked(6, 6)], [true, true, false]);
  });
});

describe('the name of a user on pages', () => {
  it('is the attribute DISPLAY_NAME, or else the name of the principal', () => {
    const shown = [{ DISPLAY_NAME: 'Emma de Vries' }, { DISPLAY_NAME: '' }, {}].map((attributes) =>
      displayName(emma({ name: 'emma', attributes })),
    );
    assert.deepEqual(shown, ['Emma de Vries', 'emma', 'emma']);
  });
});

describe('texts by which a row is found', () => {
  it('have 2500 bytes of UTF-8 together, and not more', () => {
    assert.ok(isStorableKey('ü'.repeat(1000), 'x'.repeat(500)));
    assert.ok(!isStorableKey('ü'.repeat(1000), 'x'.repeat(501)));
  });
});

describe('the time of all nodes', () => {
  it('is ahead of the own clock by as much as another clock can be', () => {
    assert.equal(latestNow({ now: () => 5 }), 5);
    assert.equal(latestNow({ now: () => 5, othersAhead: 2 }), 7);
  });
});

describe('an account in the log', () => {
  it('is 96 bits of its name at its identity provider, under the key of the server', () => {
    const digest = (name: string, identityProvider = 'password', key = 1) =>
      accountDigest(Buffer.alloc(32, key), { identityProvider, name });
    assert.match(digest('emma'), /^[\w-]{16}$/);
    assert.equal(digest('emma'), digest('emma'));
    const others = [digest('noah'), digest('emma', 'https://idp.example'), digest('emma', 'password', 2)];
    assert.equal(new Set([digest('emma'), ...others]).size, 4);
  });
});

describe('the origin of a redirect URI', () => {
  it('is that of its page, without the port of a loopback address, and none of another text', () => {
    assert.equal(redirectUriOrigin('https://app.example:8443/cb?x'), 'https://app.example:8443');
    assert.equal(redirectUriOrigin('http://127.0.0.1:7/cb'), 'http://127.0.0.1');
    for (const text of ['com.example.app:/cb', 'no address', ''])
      assert.equal(redirectUriOrigin(text), undefined, text);
  });

  it('is one of scripts for a public client, and not for the client of the command line', () => {
    const client = { clientId: 'app', confidential: false, redirectUris: ['http://127.0.0.1/callback'] };
    assert.deepEqual(publicOrigins(client), ['http://127.0.0.1']);
    assert.deepEqual(publicOrigins({ ...client, confidential: true }), []);
    assert.deepEqual(publicOrigins({ ...client, clientId: 'authorization-server-admin-cli' }), []);
  });
});

describe('a client without a word about its kind', () => {
  it('is confidential', () => assert.ok(clientDefaults.confidential));
});

describe('a logout that a client does not take', () => {
  it('is kept for a week', () => {
    assert.equal(logoutDeliveryRetention, 7 * 24 * 60 * 60 * 1000);
  });
});
