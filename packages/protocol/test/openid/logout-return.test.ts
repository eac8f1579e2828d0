import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPostLogoutRedirectUri } from '../../src/openid/logout-return.ts';

describe('the address after a logout', () => {
  it('is one that the client has registered, character by character', () => {
    const client = { postLogoutRedirectUris: ['https://app.example/bye'] };
    assert.ok(isPostLogoutRedirectUri(client, 'https://app.example/bye'));
    for (const other of ['https://app.example/bye/', 'https://app.example/BYE', 'https://app.example/']) {
      assert.equal(isPostLogoutRedirectUri(client, other), false, other);
    }
  });

  it('is none that could not be registered today, also if the record has it', () => {
    for (const uri of ['javascript:alert(1)', 'data:text/html,x', 'https://app.example/bye#x', '/bye']) {
      assert.equal(isPostLogoutRedirectUri({ postLogoutRedirectUris: [uri] }, uri), false, uri);
    }
  });
});
