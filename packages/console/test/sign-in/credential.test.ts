import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentialIn } from '../../src/components/search/credential.ts';

const rest = 'x'.repeat(70);
const jwt = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.e30.abc-_`;

describe('a text that is typed or pasted', () => {
  it('has an access token, also within a header and as a JWT', () => {
    for (const accessToken of [`wwa_${rest}`, jwt]) {
      assert.deepEqual(credentialIn(`Authorization: Bearer ${accessToken}`), {
        kind: 'accessToken',
        accessToken,
      });
    }
  });

  it('has another credential, or a part of one, which is no access token to look up', () => {
    for (const [text, kind] of [
      ['wwa_short', 'accessToken'],
      [`code=wwc_${rest}`, 'code'],
      [`wwr_${rest}`, 'refreshToken'],
      ['wwl_x', 'login'],
      ['job:wws_abcdef', 'secret'],
      [`https://id.example/account/set-password?link=wwp_${rest}`, 'resetLink'],
    ] as const) {
      assert.deepEqual(credentialIn(text), { kind, accessToken: undefined });
    }
  });

  it('has none when it is a name, even one that begins like the prefix', () => {
    for (const text of ['', 'night-job', 'wwa', 'www_a', 'eyJ', 'a.b.c']) {
      assert.equal(credentialIn(text), undefined);
    }
  });
});
