import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient } from '@watchword/testkit';
import { longTokens } from '../../src/runtime/log/long-tokens.ts';

describe('the warning of long access tokens', () => {
  it('names each client, and comes once an hour for it', () => {
    let now = 0;
    const named: unknown[] = [];
    const warn = longTokens({ warn: (facts: object) => void named.push(facts) } as never, () => now);
    const [shop, job] = ['shop', 'job'].map((clientId) => buildClient({ clientId }));
    assert.ok(shop && job);
    const pairs = [shop, shop, job, shop] as const;
    for (const client of pairs) warn(client, 12_000);
    now += 3_600_000;
    warn(shop, 13_000);
    assert.deepEqual(named, [
      { clientId: 'shop', characters: 12_000, limit: 14_336 },
      { clientId: 'job', characters: 12_000, limit: 14_336 },
      { clientId: 'shop', characters: 13_000, limit: 14_336 },
    ]);
  });
});
