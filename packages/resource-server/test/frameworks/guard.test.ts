import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AccessRules,
  ConfigurationError,
  createGuard,
  InsufficientAuthentication,
  InsufficientPrivileges,
  requireGroup,
  requireLogin,
  requireRole,
  requireScope,
} from '../../src/index.ts';
import { buildTokenInfo, fakeVerifier } from '../../src/testing.ts';

const secondsAgo = (age: number) => Math.floor(Date.now() / 1000) - age;

describe('a guard', () => {
  for (const [why, rules] of [
    ['an unknown name', { scopes: 'read' }],
    ['a scope that is undefined', { scope: undefined }],
    ['a scope that is empty', { scope: '' }],
    ['no scope in a list', { scope: [] }],
    ['a scope that would end the quotes', { scope: 'read"' }],
    ['a scope with a line break', { scope: 'read\r\nset-cookie: a=b' }],
    ['two spaces between scopes', { scope: 'read  write' }],
    ['a role that is undefined', { role: undefined }],
    ['no group in a list', { group: [] }],
    ['a group that is no text', { group: [7] }],
    ['a realm that would end the quotes', { realm: 'orders", error="x' }],
    ['a realm with a line break', { realm: 'orders\r\n' }],
    ['nothing in any', { scope: { any: [] } }],
    ['two scopes in one text of any', { scope: { any: ['read write'] } }],
    ['a text as any', { role: { any: 'boss' } }],
    ['a name beside any', { group: { any: ['sales'], all: ['boss'] } }],
    ['no acr value', { acrValues: [] }],
    ['an acr value that would end the quotes', { acrValues: 'gold"' }],
    ['any of acr values, which are alternatives already', { acrValues: { any: ['gold'] } }],
    ['an age that is undefined', { maxAge: undefined }],
    ['an age that no login can keep on its way back', { maxAge: 0 }],
    ['an age in a text', { maxAge: '300' }],
    ['optional that is no truth value', { optional: 'true' }],
    ['another object in their place', { verify() {} }],
  ] as const) {
    it(`rejects rules with ${why}, which would leave an API open`, () => {
      assert.throws(() => createGuard(fakeVerifier(), rules as unknown as AccessRules), ConfigurationError);
    });
  }

  it('reports every problem of its rules at once', () => {
    assert.throws(
      () => createGuard(fakeVerifier(), { scopes: 'read', scope: [], realm: '"' } as AccessRules),
      (error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.deepEqual(
          error.errors.map(({ name }) => name),
          ['scopes', 'scope', 'realm'],
        );
        return true;
      },
    );
  });

  it('needs a verifier', () => {
    assert.throws(() => createGuard(undefined as never), /createTokenVerifier/);
    assert.throws(() => createGuard({ scope: 'read' } as never), TypeError);
  });

  it('rejects a token that is bound to a key, because it checks no proof of possession', async () => {
    const verifier = fakeVerifier();
    const guard = createGuard(verifier, { scope: 'read' });
    for (const cnf of [{ jkt: 'thumbprint' }, { 'x5t#S256': 'thumbprint' }, {}]) {
      const token = verifier.issue({ scopes: ['read'], cnf });
      assert.deepEqual((await verifier.verify(token)).cnf, cnf);
      await assert.rejects(guard(`Bearer ${token}`), { status: 401, code: 'invalid_token', reason: 'bound' });
    }
  });

  it('takes one of any beside all of the others, and names the first in challenges', async () => {
    const verifier = fakeVerifier();
    const scoped = createGuard(verifier, { scope: ['read', { any: ['write', 'admin'] }] });
    const personal = createGuard(verifier, {
      role: { any: ['clerk', 'boss'] },
      group: [{ any: ['sales', 'stock'] }, 'berlin'],
    });
    const issue = (scopes: string[], roles: string[] = [], groups: string[] = []) =>
      `Bearer ${verifier.issue({ scopes, principal: { roles, groups } })}`;
    await scoped(issue(['read', 'admin']));
    await scoped(issue(['write', 'read']));
    for (const scopes of [['read'], ['write', 'admin'], []]) {
      await assert.rejects(scoped(issue(scopes)), (error) => {
        assert.ok(error instanceof InsufficientPrivileges);
        assert.match(error.headers['www-authenticate'] ?? '', /scope="read write"/);
        return true;
      });
    }
    await personal(issue([], ['boss'], ['berlin', 'stock']));
    await assert.rejects(personal(issue([], ['boss'], ['stock'])), { status: 403 });
    await assert.rejects(personal(issue([], ['boss'], ['berlin'])), { status: 403 });
    await assert.rejects(personal(issue([], ['admin'], ['berlin', 'stock'])), { status: 403 });
  });

  it('lets a request without a token pass as nobody where it is optional, and no bad token', async () => {
    const verifier = fakeVerifier();
    const guard = createGuard(verifier, { optional: true, scope: 'read' });
    for (const nobody of [undefined, null, [], '', 'Basic YTpi'])
      assert.equal(await guard(nobody), undefined);
    const token = verifier.issue({ scopes: ['read'] });
    assert.deepEqual((await guard(`Bearer ${token}`))?.scopes, ['read']);
    await assert.rejects(guard('Bearer made-up'), { status: 401, code: 'invalid_token' });
    await assert.rejects(guard('Bearer'), { status: 400 });
    await assert.rejects(guard([`Bearer ${token}`, `Bearer ${token}`]), { status: 400 });
    await assert.rejects(guard(`Bearer ${verifier.issue()}`), { status: 403 });
    const bound = verifier.issue({ scopes: ['read'], cnf: {} });
    await assert.rejects(guard(`Bearer ${bound}`), { status: 401, reason: 'bound' });
    verifier.fail();
    await assert.rejects(guard(`Bearer ${token}`), { status: 503 });
    await assert.rejects(createGuard(verifier, { optional: false })(undefined), { status: 401 });
  });

  it('takes a login with one of the acr values, as texts, and within the age', async () => {
    const verifier = fakeVerifier();
    const guard = createGuard(verifier, { acrValues: ['gold', 'silver'], maxAge: 300 });
    const ask = (acr: string | undefined, age: number, scopes: string[] = []) =>
      guard(`Bearer ${verifier.issue({ scopes, auth_time: secondsAgo(age), ...(acr && { acr }) })}`);
    for (const [acr, age] of [
      ['gold', 0],
      ['silver', 290],
      // The clock of the server is ahead.
      ['gold', -120],
    ] as const)
      assert.equal((await ask(acr, age)).acr, acr);
    for (const [acr, age, reason] of [
      ['bronze', 0, 'level'],
      ['Gold', 0, 'level'],
      ['gold silver', 0, 'level'],
      [undefined, 0, 'level'],
      ['gold', 310, 'age'],
    ] as const) {
      await assert.rejects(ask(acr, age), {
        name: 'InsufficientAuthentication',
        status: 401,
        code: 'insufficient_user_authentication',
        reason,
      });
    }
  });

  it('names all that a login needs, met or not, so that one login is enough', async () => {
    const verifier = fakeVerifier();
    const guard = createGuard(verifier, { scope: 'pay', acrValues: 'gold silver', maxAge: 300 });
    const rest = 'scope="pay", error="insufficient_user_authentication", error_description=';
    for (const [acr, age, description] of [
      ['bronze', 0, 'The request requires another level of authentication.'],
      ['gold', 900, 'The request requires a more recent login.'],
    ] as const) {
      const token = verifier.issue({ scopes: ['pay'], auth_time: secondsAgo(age), acr });
      await assert.rejects(guard(`Bearer ${token}`), (error) => {
        assert.ok(error instanceof InsufficientAuthentication);
        assert.equal(
          error.headers['www-authenticate'],
          `Bearer realm="api", ${rest}"${description}", acr_values="gold silver", max_age="300"`,
        );
        return true;
      });
    }
    const poor = verifier.issue({ auth_time: secondsAgo(900), acr: 'bronze' });
    await assert.rejects(guard(`Bearer ${poor}`), { status: 403, code: 'insufficient_scope' });
  });

  it('says what to set where the server does not tell of the login, and lets no client pass that acts for itself', async () => {
    const verifier = fakeVerifier();
    for (const rules of [{ acrValues: 'gold' }, { maxAge: 300 }]) {
      const guard = createGuard(verifier, rules);
      await assert.rejects(guard(`Bearer ${verifier.issue()}`), {
        status: 503,
        reason: 'login_untold',
        message: /set the field loginDetails of its resource server to true/,
      });
      await assert.rejects(guard(`Bearer ${verifier.issue({ auth_time: null })}`), {
        status: 403,
        code: 'insufficient_scope',
      });
    }
    await createGuard(verifier)(`Bearer ${verifier.issue()}`);
  });

  it('keeps the rules with which it was made', async () => {
    const verifier = fakeVerifier();
    const scope = ['write'];
    const role = ['boss'];
    const guards = [createGuard(verifier, { scope }), createGuard(verifier, { role })];
    scope.pop();
    role.pop();
    const token = verifier.issue({ scopes: ['read'] });
    for (const guard of guards) await assert.rejects(guard(`Bearer ${token}`), { status: 403 });
  });

  it('accepts one header, a list of headers, or none', async () => {
    const verifier = fakeVerifier();
    const guard = createGuard(verifier);
    const header = `Bearer ${verifier.issue()}`;
    await guard(header);
    await guard([header]);
    await assert.rejects(guard([header, header]), { name: 'RequestMalformed', status: 400 });
    for (const none of [undefined, null, [], '', ['']]) {
      await assert.rejects(guard(none), { name: 'TokenMissing', status: 401 });
    }
  });

  it('passes on errors that do not concern the token', async () => {
    const error = new Error('a defect');
    const guard = createGuard({ verify: () => Promise.reject(error) });
    await assert.rejects(guard('Bearer abc'), error);
  });
});

describe('the helpers', () => {
  const info = buildTokenInfo({
    scopes: ['read', 'write'],
    principal: { roles: ['clerk', 'boss'], groups: ['sales'] },
  });

  it('return the token info when it has everything that is required', () => {
    assert.equal(requireScope(info, 'read'), info);
    assert.equal(requireScope(info, 'read', 'write'), info);
    assert.equal(requireScope(info, 'read write'), info);
    assert.equal(requireScope(info, ['read', 'write']), info);
    assert.equal(requireScope(info, ['read'], 'write'), info);
    assert.equal(requireRole(info, 'clerk', 'boss'), info);
    assert.equal(requireRole(info, ['clerk', 'boss']), info);
    assert.equal(requireGroup(info, 'sales'), info);
    assert.equal(requireGroup(info, ['sales']), info);
  });

  it('take one of any', () => {
    assert.equal(requireScope(info, { any: ['delete', 'write'] }, 'read'), info);
    assert.equal(requireRole(info, { any: ['admin', 'boss'] }), info);
    assert.equal(requireGroup(info, [{ any: ['sales', 'stock'] }]), info);
    assert.throws(() => requireScope(info, { any: ['delete', 'tenant:é'] }), { status: 403 });
    assert.throws(() => requireScope(info, { any: ['read write'] }), { status: 403 });
    assert.throws(() => requireRole(info, { any: ['admin'] }, 'boss'), { status: 403 });
    assert.throws(() => requireGroup(info, { any: ['clerk'] }), { status: 403 });
    assert.throws(() => requireGroup(info, { any: [] }), ConfigurationError);
    assert.throws(() => requireScope(undefined, { any: ['read'] }), { status: 401 });
  });

  it('throw when something required is missing', () => {
    const refused = { name: 'InsufficientPrivileges', code: 'insufficient_scope', status: 403 };
    for (const call of [
      () => requireScope(info, 'read', 'delete'),
      () => requireScope(info, 'read delete'),
      () => requireScope(info, 'READ'),
      () => requireRole(info, 'clerk', 'admin'),
      () => requireRole(info, 'sales'),
      () => requireGroup(info, 'clerk'),
      () => requireGroup(info, 'sale'),
      () => requireGroup(info, 'toString'),
    ]) {
      assert.throws(call, refused);
    }
  });

  for (const [helper, required] of Object.entries({ requireScope, requireRole, requireGroup })) {
    it(`reject a call of ${helper} that requires nothing, as protect rejects the rule`, () => {
      const none: string[] = [];
      for (const call of [
        () => required(info),
        () => required(undefined),
        () => required(info, ...none),
        () => required(info, ''),
        () => required(info, none),
        () => required(info, [], 'x'),
        () => required(info, ['']),
        () => required(info, undefined as never),
        () => required(info, 'x', null as never),
        () => required(info, [['x']] as never),
      ]) {
        assert.throws(call, (error) => {
          assert.ok(error instanceof ConfigurationError);
          assert.match(
            error.message,
            new RegExp(`^The call of ${helper} has an error:\n  \\w+: expected one `),
          );
          return true;
        });
      }
    });
  }

  it('check the login as protect does, with the realm of the guard', async () => {
    const verifier = fakeVerifier();
    const token = `Bearer ${verifier.issue({ auth_time: secondsAgo(100), acr: 'gold' })}`;
    const orders = await createGuard(verifier, { realm: 'orders' })(token);
    assert.equal(requireLogin(orders, { acrValues: ['silver', 'gold'], maxAge: 300 }), orders);
    assert.throws(() => requireLogin(orders, { acrValues: 'silver' }), {
      name: 'InsufficientAuthentication',
      headers: {
        'www-authenticate':
          'Bearer realm="orders", error="insufficient_user_authentication", ' +
          'error_description="The request requires another level of authentication.", acr_values="silver"',
        'cache-control': 'no-store',
      },
    });
    assert.throws(() => requireLogin(orders, { maxAge: 60 }), { status: 401, reason: 'age' });
    assert.throws(() => requireLogin(info, { maxAge: 60 }), { status: 503 });
    assert.throws(() => requireLogin(undefined, { maxAge: 60 }), { name: 'TokenMissing' });
    for (const nothing of [{}, { acrValues: [] }, { maxAge: undefined }, { maxAge: 0 }, { acr: 'gold' }]) {
      assert.throws(
        () => requireLogin(orders, nothing as { maxAge: number }),
        (error) => {
          assert.ok(error instanceof ConfigurationError);
          assert.match(error.message, /^The call of requireLogin has an error:/);
          return true;
        },
      );
    }
  });

  it('read a scope as protect does', () => {
    for (const scope of ['read ', ' read', 'read  write', ' ']) {
      assert.throws(() => createGuard(fakeVerifier(), { scope }), ConfigurationError);
      assert.throws(() => requireScope(info, scope), ConfigurationError);
    }
  });

  it('answer 403 to a scope that no token can have, without the attribute that cannot be quoted', () => {
    for (const scope of ['tenant:café', 'tenant:"', 'tenant:\\', 'a\r\nset-cookie: a=b', 'tenant:\0', '💥']) {
      assert.throws(() => requireScope(info, 'read', scope), {
        name: 'InsufficientPrivileges',
        status: 403,
        message: 'The request requires higher privileges than the access token gives.',
        headers: {
          'www-authenticate':
            'Bearer realm="api", error="insufficient_scope", ' +
            'error_description="The request requires higher privileges than the access token gives."',
          'cache-control': 'no-store',
        },
      });
      assert.throws(() => requireScope(undefined, scope), { name: 'TokenMissing', status: 401 });
      assert.equal(
        new InsufficientPrivileges({ realm: scope }).headers['www-authenticate']?.slice(0, 18),
        'Bearer realm="api"',
      );
    }
  });

  it('name the realm of the guard whose token info they get, though guards share token info', async () => {
    const verifier = fakeVerifier();
    const header = `Bearer ${verifier.issue({ scopes: ['read'], principal: { roles: ['clerk'] } })}`;
    const plain = await createGuard(verifier)(header);
    const orders = createGuard(verifier, { realm: 'orders' });
    const [first, second] = [await orders(header), await orders(header)];
    const other = await createGuard(verifier, { realm: 'bills' })(header);
    assert.equal(first, second);
    assert.ok(Object.isFrozen(first));
    for (const [tokenInfo, realm] of [
      [first, 'orders'],
      [other, 'bills'],
      [plain, 'api'],
    ] as const) {
      assert.deepEqual(tokenInfo, plain);
      for (const refuse of [
        () => requireScope(tokenInfo, 'write'),
        () => requireScope(tokenInfo, 'tenant:café'),
        () => requireRole(tokenInfo, 'boss'),
        () => requireGroup(tokenInfo, 'sales'),
      ]) {
        assert.throws(refuse, (error) => {
          assert.ok(error instanceof InsufficientPrivileges);
          assert.ok(error.headers['www-authenticate']?.startsWith(`Bearer realm="${realm}", `));
          return true;
        });
      }
    }
  });

  it('throw when no middleware has added token info to the request', () => {
    const missing = { name: 'TokenMissing', status: 401 };
    assert.throws(() => requireScope(undefined, 'read'), missing);
    assert.throws(() => requireRole(undefined, 'clerk'), missing);
    assert.throws(() => requireGroup(undefined, 'sales'), missing);
  });

  it('name the required scope in the challenge', () => {
    assert.throws(() => requireScope(info, 'read', 'delete'), {
      headers: {
        'www-authenticate':
          'Bearer realm="api", scope="read delete", error="insufficient_scope", ' +
          'error_description="The request requires the scope read delete."',
        'cache-control': 'no-store',
      },
    });
  });
});
