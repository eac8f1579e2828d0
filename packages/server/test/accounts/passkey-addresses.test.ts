import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServer } from '@watchword/server-testkit/servers/server';
import { relyingPartyOf } from '../../src/core/people/passkeys.ts';

const paths = ['webauthn', 'passkey-endpoints'].map((name) => `/.well-known/${name}`);

describe('the addresses of passkeys', () => {
  it('name the origins that use them and the page of the user, at the root of the host and below the base URL', async () => {
    const settings = { 'passkeys.relatedOrigins': 'https://example.net' };
    await using server = await startServer({ baseUrl: 'https://localhost/auth', ...settings });
    for (const prefix of ['', '/auth']) {
      const answers = await Promise.all(
        paths.map((path) => fetch(`http://127.0.0.1:${server.port}${prefix}${path}`)),
      );
      for (const { status, headers } of answers) {
        assert.equal(status, 200);
        // A browser reads no other type (WebAuthn Level 3 §5.11.1).
        assert.match(headers.get('content-type') ?? '', /^application\/json/);
      }
      const account = 'https://localhost/auth/account';
      assert.deepEqual(await Promise.all(answers.map((answer) => answer.json())), [
        { origins: ['https://localhost', 'https://example.net'] },
        { enroll: account, manage: account },
      ]);
    }
  });

  it('do not exist where browsers allow no passkeys, and the login page offers none', async () => {
    await using server = await startServer({ authenticator: 'password', baseUrl: 'https://127.0.0.1' });
    for (const path of paths) assert.equal((await server.get(path)).status, 404);
    const { text } = await server.get('/account');
    assert.match(text, /autocomplete="username"/);
    assert.doesNotMatch(text, /passkey/);
  });
});

describe('the relying party', () => {
  it('is the host of the base URL, or the domain of the setting', () => {
    const [id, origin] = ['id.example.com', 'https://id.example.com:8443'];
    assert.deepEqual(relyingPartyOf(`${origin}/auth`, undefined), { id, origin });
    assert.deepEqual(relyingPartyOf(`${origin}/auth`, 'example.com'), { id: 'example.com', origin });
  });

  it('is there on https and on this machine, and never for an address', () => {
    const of = (baseUrl: string) => relyingPartyOf(baseUrl, undefined)?.id;
    assert.equal(of('http://localhost:8080'), 'localhost');
    assert.equal(of('http://id.localhost'), 'id.localhost');
    for (const url of [
      'http://id.example.com',
      'http://127.0.0.1:8080',
      'https://10.0.0.1',
      'https://[::1]',
    ]) {
      assert.equal(of(url), undefined, url);
    }
  });
});
