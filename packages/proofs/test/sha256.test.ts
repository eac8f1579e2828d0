import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodeDigest, sha256, webDigest } from '../src/sha256.ts';

describe('the digest of a token', () => {
  it('is the same by each platform, and that of RFC 9449', async () => {
    // The token and `ath` of RFC 9449 §7.1.
    const token = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU';
    const ath = 'fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo';
    assert.deepEqual([await sha256(token), nodeDigest()?.(token), await webDigest(token)], [ath, ath, ath]);
  });

  it('is left to SubtleCrypto where the platform is not like Node.js', () => {
    assert.equal(nodeDigest({}), undefined);
    assert.equal(nodeDigest({ getBuiltinModule: () => undefined }), undefined);
    assert.equal(nodeDigest({ getBuiltinModule: () => ({}) }), undefined);
  });
});
