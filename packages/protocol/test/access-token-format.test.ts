import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { protocolDependencies } from '@watchword/testkit';
import { findAccessToken } from '../src/tokens/find-access-token.ts';
import type { AccessTokenFormat } from '../src/tokens/formats/access-token-format.ts';
import { formatOf, readAccessToken } from '../src/tokens/formats/formats.ts';
import { opaque } from '../src/tokens/formats/opaque.ts';
import { newAccessToken } from '../src/tokens/issue-access-token.ts';

describe('the format of access tokens', () => {
  it('is opaque for every client', () => {
    assert.equal(formatOf(protocolDependencies().client), opaque);
  });

  it('reads the id and the digest of what it wrote, and no other text', async () => {
    const deps = protocolDependencies();
    const { client } = deps;
    const { accessToken, accessTokenValue } = await newAccessToken({ client, scopes: ['read'] }, deps);
    const { id, verifierHash } = accessToken;
    assert.deepEqual(readAccessToken(accessTokenValue), { id, verifierHash });
    for (const text of ['', 'eyJhbGciOiJFUzI1NiJ9.e30.sig', accessTokenValue.replace('wwa_', 'wwr_')]) {
      assert.equal(readAccessToken(text), undefined);
    }
  });

  it('writes all that the token is issued for, and can take its time to sign it', async () => {
    const deps = protocolDependencies();
    const { client } = deps;
    const signed: AccessTokenFormat = {
      ...opaque,
      async write(content, { random }) {
        assert.deepEqual(content, {
          client,
          grant: undefined,
          scopes: ['read'],
          expires: deps.clock.now() + 60_000,
          creationDate: deps.clock.now(),
          confirmation: undefined,
        });
        return opaque.write(content, { random });
      },
    };
    const made = await newAccessToken({ client, scopes: ['read'], lifetime: 60 }, deps, signed);
    await deps.accessTokens.insert(made.accessToken);
    const found = await findAccessToken(made.accessTokenValue, deps);
    assert.deepEqual([found?.client, found?.scopes], [client, ['read']]);
  });

  it('is written with the expiry that was asked for', async () => {
    const deps = protocolDependencies();
    const { client } = deps;
    for (const expires of [0, 17]) {
      const { accessToken } = await newAccessToken({ client, scopes: [], lifetime: 60, expires }, deps);
      assert.equal(accessToken.expires, expires);
    }
  });
});
