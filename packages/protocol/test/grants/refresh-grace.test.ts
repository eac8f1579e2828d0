import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientRequest, type FlowDependencies, flowDependencies, protocolError } from '@watchword/testkit';
import { type TokenResponse, tokenEndpoint } from '../../src/endpoints/token.ts';
import { type RefreshTokenDependencies, refreshTokenGrant } from '../../src/grants/refresh-token.ts';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';

type Grace = Partial<
  Pick<RefreshTokenDependencies, 'refreshGrace' | 'publicRefreshGrace' | 'refreshGraceStreak'>
>;

interface GraceDependencies extends FlowDependencies {
  /** The first tokens of a new grant. */
  first(scope?: string): Promise<TokenResponse>;
  refresh(tokens: TokenResponse, form?: Record<string, string>): Promise<TokenResponse>;
  isActive(tokens: TokenResponse): Promise<boolean>;
  /** From now on the client is one without a secret. */
  becomePublic(): void;
}

async function graceDependencies(grace: Grace = {}): Promise<GraceDependencies> {
  const deps = await flowDependencies();
  const answer = tokenEndpoint({ ...deps, grantTypes: [refreshTokenGrant({ ...deps, ...grace })] });
  let authentication: [form: Record<string, string>, credentials?: string] = [{}, 'web-app:client-secret'];
  return {
    ...deps,
    async first(scope = '') {
      const code = (await deps.grant({ scope })).get('code') ?? '';
      const redirect_uri = 'https://app.example/cb';
      return deps.token({ grant_type: 'authorization_code', code, redirect_uri });
    },
    refresh({ refresh_token = '' }, form = {}) {
      const [own, credentials] = authentication;
      return answer(
        clientRequest({ grant_type: 'refresh_token', refresh_token, ...own, ...form }, credentials),
      );
    },
    isActive: async ({ access_token }) => (await findAccessToken(access_token, deps)) !== undefined,
    becomePublic() {
      deps.store.putClient({ ...deps.webApp, secret: undefined, confidential: false });
      authentication = [{ client_id: 'web-app' }];
    },
  };
}

describe('a repetition of a refresh token', () => {
  it('is answered the same by a client that lost the answer, and the new token goes on', async () => {
    const { first, refresh, clock } = await graceDependencies();
    const before = await first();
    const after = await refresh(before);
    clock.advance(29_999);
    assert.deepEqual(await refresh(before), after);
    await refresh(after);
  });

  it('is answered twice; the third is rejected and revokes nothing', async () => {
    const { first, refresh, isActive } = await graceDependencies();
    const before = await first();
    const after = await refresh(before);
    for (const _ of [1, 2]) assert.deepEqual(await refresh(before), after);
    for (const _ of [3, 4]) await assert.rejects(refresh(before), protocolError('invalid_grant'));
    assert.ok((await isActive(before)) && (await isActive(after)));
    await refresh(after);
  });

  it('revokes the grant once the new token was used', async () => {
    const { first, refresh, isActive } = await graceDependencies();
    const before = await first();
    const after = await refresh(before);
    const last = await refresh(after);
    await assert.rejects(refresh(before), protocolError('invalid_grant'));
    for (const each of [before, after, last]) assert.ok(!(await isActive(each)));
    await assert.rejects(refresh(last), protocolError('invalid_grant'));
  });

  it('revokes the grant when the new token is used while the repetition is being checked', async () => {
    const deps = await graceDependencies();
    const { first, refresh, isActive, refreshTokens } = deps;
    const before = await first();
    const after = await refresh(before);
    const repeatRotation: typeof refreshTokens.repeatRotation = async (...given) => {
      await refresh(after);
      return refreshTokens.repeatRotation(...given);
    };
    const grant = refreshTokenGrant({ ...deps, refreshTokens: { ...refreshTokens, repeatRotation } });
    const form = { grant_type: 'refresh_token', refresh_token: before.refresh_token ?? '' };
    const repeated = tokenEndpoint({ ...deps, grantTypes: [grant] })(
      clientRequest(form, 'web-app:client-secret'),
    );
    await assert.rejects(repeated, protocolError('invalid_grant'));
    assert.ok(!(await isActive(after)), 'expected the access token of the new rotation to be revoked');
  });

  it('revokes the grant after the grace, which is shorter for a public client', async () => {
    for (const isPublic of [false, true]) {
      const { first, refresh, isActive, clock, becomePublic } = await graceDependencies();
      const before = await first();
      if (isPublic) becomePublic();
      const after = await refresh(before);
      clock.advance(isPublic ? 9_999 : 29_999);
      assert.deepEqual(await refresh(before), after);
      clock.advance(1);
      await assert.rejects(refresh(before), protocolError('invalid_grant'));
      assert.ok(!(await isActive(after)));
    }
  });

  it('revokes the grant when the answer is cleared, also if the clock went back', async () => {
    const { first, refresh, isActive, refreshTokens } = await graceDependencies();
    const before = await first();
    const after = await refresh(before);
    const { find } = refreshTokens;
    const cleared = async (id: string) => {
      const found = await find(id);
      const rotation = found?.rotation && { ...found.rotation, sealedAnswer: undefined };
      return found && { ...found, rotation };
    };
    Object.assign(refreshTokens, { find: cleared });
    await assert.rejects(refresh(before), protocolError('invalid_grant'));
    assert.ok(!(await isActive(after)));
  });

  it('is rejected when the stored answer is not one to this token, and revokes nothing', async () => {
    const { first, refresh, isActive, refreshTokens } = await graceDependencies();
    const before = await first();
    const after = await refresh(before);
    const { find } = refreshTokens;
    const ofOther = async (id: string) => {
      const found = await find(id);
      return found?.rotation && { ...found, rotation: { ...found.rotation, sealedAnswer: 'other' } };
    };
    Object.assign(refreshTokens, { find: ofOther });
    const rejected = { kind: 'invalid_grant', rule: 'unused_refresh_token' };
    await assert.rejects(refresh(before), rejected);
    assert.ok(await isActive(after));
  });

  it('is rejected when the token could not be rotated and was not', async () => {
    const { first, refresh, refreshTokens } = await graceDependencies();
    const before = await first();
    Object.assign(refreshTokens, { rotate: async () => false });
    const rejected = { kind: 'invalid_grant', rule: 'unused_refresh_token' };
    await assert.rejects(refresh(before), rejected);
  });

  it('always revokes the grant where there is no grace, for each kind of client by itself', async () => {
    for (const [grace, isPublic, isAnswered] of [
      [{ refreshGrace: 0 }, false, false],
      [{ refreshGrace: 0 }, true, true],
      [{ publicRefreshGrace: 0 }, false, true],
      [{ publicRefreshGrace: 0 }, true, false],
    ] as const) {
      const { first, refresh, isActive, becomePublic } = await graceDependencies(grace);
      const before = await first();
      if (isPublic) becomePublic();
      const after = await refresh(before);
      if (isAnswered) assert.deepEqual(await refresh(before), after);
      else await assert.rejects(refresh(before), protocolError('invalid_grant'));
      assert.equal(await isActive(after), isAnswered);
    }
  });

  it('of fifty uses at once is answered twice, and the grant never forks', async () => {
    const { first, refresh, isActive, store } = await graceDependencies();
    const before = await first();
    const attempts = await Promise.allSettled(Array.from({ length: 50 }, () => refresh(before)));
    const answers = attempts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    assert.equal(answers.length, 3);
    assert.equal(new Set(answers.map(({ refresh_token }) => refresh_token)).size, 1);
    assert.equal(store.tokens.size, 2);
    assert.ok(await isActive(answers[0] ?? assert.fail()));
  });
});

describe('repetitions in many rotations', () => {
  it('revoke the grant with the third in a row, for any number of repetitions of each', async () => {
    const { first, refresh, isActive } = await graceDependencies();
    let tokens = await first();
    for (const repetitions of [2, 1]) {
      const next = await refresh(tokens);
      for (let count = 0; count < repetitions; count += 1) assert.deepEqual(await refresh(tokens), next);
      tokens = next;
    }
    const last = await refresh(tokens);
    await assert.rejects(refresh(tokens), protocolError('invalid_grant'));
    assert.ok(!(await isActive(last)));
    await assert.rejects(refresh(last), protocolError('invalid_grant'));
  });

  it('are counted from zero after a rotation without one', async () => {
    const { first, refresh } = await graceDependencies();
    let tokens = await first();
    for (const isRepeated of [true, true, false, true, true, false, true, true]) {
      const next = await refresh(tokens);
      if (isRepeated) assert.deepEqual(await refresh(tokens), next);
      tokens = next;
    }
    await refresh(tokens);
  });

  it('are counted when they are answered, and not when they are rejected for their scope', async () => {
    const { first, refresh } = await graceDependencies();
    let tokens = await first();
    for (let count = 0; count < 5; count += 1) {
      const next = await refresh(tokens);
      await assert.rejects(refresh(tokens, { scope: 'read' }), protocolError('invalid_scope'));
      tokens = next;
    }
    await refresh(tokens);
  });

  it('are limited by the setting, and unlimited with 0', async () => {
    for (const [refreshGraceStreak, expected] of [
      [1, 0],
      [2, 1],
      [4, 3],
      [0, 10],
    ] as const) {
      const { first, refresh } = await graceDependencies({ refreshGraceStreak });
      let tokens = await first();
      let answered = 0;
      for (; answered < 10; answered += 1) {
        const next = await refresh(tokens);
        const repeated = await refresh(tokens).catch(() => undefined);
        if (repeated === undefined) break;
        tokens = next;
      }
      assert.equal(answered, expected, String(refreshGraceStreak));
    }
  });
});

describe('a repetition with a scope', () => {
  it('other than that of the answer is invalid_scope, and changes nothing', async () => {
    const { first, refresh, isActive } = await graceDependencies();
    const wide = await first('read write');
    const afterWide = await refresh(wide);
    for (const scope of ['read', 'write', 'read write admin']) {
      await assert.rejects(refresh(wide, { scope }), protocolError('invalid_scope'));
    }
    const narrow = await first('read write');
    const afterNarrow = await refresh(narrow, { scope: 'read' });
    for (const form of [{}, { scope: 'write' }, { scope: 'read write' }]) {
      await assert.rejects(refresh(narrow, form), protocolError('invalid_scope'));
    }
    // None of them was counted.
    for (const _ of [1, 2]) {
      assert.deepEqual(await refresh(wide), afterWide);
      assert.deepEqual(await refresh(narrow, { scope: 'read' }), afterNarrow);
    }
    assert.ok((await isActive(afterWide)) && (await isActive(afterNarrow)));
  });

  it('of which only a part is in the answer is invalid_scope, also with the same number', async () => {
    const { first, refresh, store, webApp } = await graceDependencies();
    store.putClient({ ...webApp, scopes: ['read', 'write', 'print'] });
    const before = await first();
    const after = await refresh(before, { scope: 'read write' });
    await assert.rejects(refresh(before, { scope: 'read print' }), protocolError('invalid_scope'));
    assert.deepEqual(await refresh(before, { scope: 'read write' }), after);
  });

  it('with the same scopes in another order is answered', async () => {
    const { first, refresh } = await graceDependencies();
    const before = await first('read write');
    const after = await refresh(before);
    assert.deepEqual(await refresh(before, { scope: 'write read' }), after);
  });

  it('is answered though the client has lost a scope since', async () => {
    const { first, refresh, store, webApp } = await graceDependencies();
    const before = await first('read write');
    const after = await refresh(before);
    store.putClient({ ...webApp, scopes: ['read'] });
    assert.deepEqual(await refresh(before), after);
  });

  it('does not hide a theft', async () => {
    for (const isLate of [true, false]) {
      const { first, refresh, isActive, clock } = await graceDependencies();
      const before = await first();
      const after = await refresh(before);
      if (isLate) clock.advance(30_000);
      else await refresh(after);
      await assert.rejects(refresh(before, { scope: 'admin' }), protocolError('invalid_grant'));
      assert.ok(!(await isActive(after)));
    }
  });
});
