import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildTokenInfo, fakeVerifier } from '../src/testing.ts';
import { accept, emma } from './support/authorization-server.ts';
import { startVerifier } from './support/verifier.ts';

describe('the fake verifier', () => {
  it('returns the same for its tokens as the real verifier', async () => {
    await using test = await startVerifier(accept());
    const fake = fakeVerifier();
    const real = await test.verifier.verify('a');
    assert.deepEqual(await fake.verify(fake.issue({ ...emma })), real);
  });

  it('knows no other token, not even that of another fake', async () => {
    const fake = fakeVerifier();
    const rejected = { name: 'TokenRejected', status: 401, reason: 'unknown' };
    fake.issue();
    await assert.rejects(fake.verify('made-up'), rejected);
    await assert.rejects(fake.verify(fakeVerifier().issue()), rejected);
    await assert.rejects(fake.verify('a b'), { ...rejected, reason: 'malformed' });
  });

  it('issues tokens that differ', () => {
    const fake = fakeVerifier();
    assert.equal(new Set(Array.from({ length: 100 }, () => fake.issue())).size, 100);
  });

  it('rejects the tokens that a test names, and expired tokens', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1000 });
    const fake = fakeVerifier();
    const token = fake.issue();
    fake.reject(token);
    await assert.rejects(fake.verify(token), { reason: 'unknown' });
    fake.reject(token, 'expired');
    await assert.rejects(fake.verify(token), { reason: 'expired' });
    const shortLived = fake.issue({ expires_in: 2000 });
    await fake.verify(shortLived);
    t.mock.timers.setTime(2000);
    await assert.rejects(fake.verify(shortLived), { reason: 'expired' });
  });

  it('fails until it recovers', async () => {
    const fake = fakeVerifier();
    const token = fake.issue();
    fake.fail();
    await assert.rejects(fake.verify(token), { status: 503, reason: 'unreachable' });
    fake.fail('timeout');
    await assert.rejects(fake.verify(token), { status: 503, reason: 'timeout' });
    await fake.invalidate(token);
    fake.recover();
    await fake.verify(token);
  });
});

describe('built token info', () => {
  it('has defaults that allow nothing, and is frozen like the real one', () => {
    const info = buildTokenInfo();
    assert.deepEqual(info, {
      audience: 'Test client',
      scopes: [],
      principal: { name: 'test-user', roles: [], groups: [], adminPrincipal: false, attributes: {} },
      expires_in: 0,
    });
    assert.ok(
      Object.isFrozen(info) && Object.isFrozen(info.scopes) && Object.isFrozen(info.principal.attributes),
    );
  });
});
