import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '@watchword/server/system';
import { passkeys } from '../src/checks/passkeys.ts';

const own = 'https://id.example.com';
const account = `${own}/auth/account`;
const endpoints = { enroll: account, manage: account };

/** What the check finds where these addresses answer with these documents, and all others with 404. */
async function found(answers: Readonly<Record<string, object>>, relyingPartyId?: string): Promise<string[]> {
  const findings = await passkeys.run({
    baseUrl: `${own}/auth`,
    localUrl: undefined,
    configuration: {
      ...{ authenticator: 'form', trustedProxies: [], 'clients.assertionIssuers': [], profile: 'compatible' },
      'passkeys.relyingPartyId': relyingPartyId,
    },
    sealer: undefined,
    clock: systemClock,
    metadata: {},
    echo: undefined,
    send: async (url) => {
      const body = answers[url];
      const answer = { url: new URL(url), headers: {}, sent: 0, received: 0 };
      return { ...answer, status: body === undefined ? 404 : 200, text: JSON.stringify(body ?? {}) };
    },
  });
  return findings.map(({ verdict, found: text, expected = '' }) => `${verdict}: ${text} (${expected})`);
}

function documents(root: string, origins: readonly string[] = [own]) {
  return {
    [`${root}/.well-known/webauthn`]: { origins },
    [`${root}/.well-known/passkey-endpoints`]: endpoints,
  };
}

describe('the check of passkeys', () => {
  it('says nothing of a server whose pages can have none', async () => {
    assert.deepEqual(await found({}), []);
  });

  it('asks the root of the host for what stands below a base URL with a path', async () => {
    assert.deepEqual(await found({ ...documents(`${own}/auth`), ...documents(own) }), [
      'ok: passkeys of id.example.com work on the pages of id.example.com ()',
    ]);
    const [missing, ...others] = await found(documents(`${own}/auth`));
    assert.match(
      missing ?? '',
      /^warning: https:\/\/id\.example\.com\/\.well-known\/passkey-endpoints.*status 404/,
    );
    assert.deepEqual(others, []);
  });

  it('asks a parent domain that is the RP ID, also which other origins can use the passkeys', async () => {
    const [root, related] = ['https://example.com', [own, 'https://example.net']];
    const below = documents(`${own}/auth`, related);
    assert.match(
      (await found({ ...below, ...documents(root, related) }, 'example.com')).join(),
      /^ok: passkeys of example\.com/,
    );
    const [origins, missing] = await found({ ...below, ...documents(own, related) }, 'example.com');
    assert.match(origins ?? '', /^warning: https:\/\/example\.com\/\.well-known\/webauthn.*example\.net/);
    assert.match(missing ?? '', /^warning: https:\/\/example\.com\/\.well-known\/passkey-endpoints/);
  });

  it('finds it broken where another domain does not name the origin, because no browser finds a passkey then', async () => {
    const below = documents(`${own}/auth`);
    const elsewhere = documents('https://example.org', ['https://other.example']);
    const [broken, ...others] = await found({ ...below, ...elsewhere }, 'example.org');
    assert.match(
      broken ?? '',
      /^broken: https:\/\/example\.org\/\.well-known\/webauthn.*other values \(the same answer as https:\/\/id\.example\.com\/auth\/\.well-known\/webauthn, with https:\/\/id\.example\.com\)$/,
    );
    assert.deepEqual(others, []);
  });
});
