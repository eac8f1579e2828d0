import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  clientRequest,
  introspectRequest,
  type ProtocolDependencies,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { tokenEndpoint } from '../../src/endpoints/token.ts';
import type { Entitlement, GrantType } from '../../src/grants/grant-type.ts';
import { StoreUnavailableError } from '../../src/ports/stores/store-errors.ts';
import { requiredParameter } from '../../src/rules/parameters.ts';
import { newAccessToken } from '../../src/tokens/issue-access-token.ts';

const credentials = 'test-client:client-secret';
const grantType = { grant_type: 'client_credentials' };

function request(
  deps: ProtocolDependencies,
  form: Record<string, string>,
  as: string | undefined = credentials,
) {
  return tokenEndpoint(deps)(clientRequest(form, as));
}

describe('the token endpoint', () => {
  it('grants what another node has allowed the client a moment ago, and asks again once at most', async () => {
    const deps = protocolDependencies();
    const forbidden = deps.store.putClient(buildClient({ allowedClientCredentials: false }));
    for (const [change, grants] of [
      [() => deps.store.putClient(buildClient()), true],
      [
        () => deps.store.putClient(buildClient({ allowedClientCredentials: false, expireDuration: 5 })),
        false,
      ],
      [() => {}, false],
      [() => deps.store.clients.delete(forbidden.id), false],
    ] as const) {
      deps.store.putClient(forbidden);
      let reads = 0;
      const registry = {
        ...deps.registry,
        refresh: async () => {
          reads += 1;
          await change();
        },
      };
      const answer = request({ ...deps, registry }, grantType);
      if (grants) assert.equal((await answer).scope, 'read write');
      else await assert.rejects(answer, protocolError('unauthorized_client'));
      assert.equal(reads, 1);
    }
  });

  it('does not ask again about a refusal for which no registration is the reason', async () => {
    const deps = protocolDependencies();
    let reads = 0;
    const refresh = async () => {
      reads += 1;
      deps.store.putClient(buildClient({ expireDuration: 5, redirectUris: ['https://a.example/cb'] }));
    };
    deps.store.putClient(buildClient({ redirectUris: ['https://a.example/cb'] }));
    const code = { grant_type: 'authorization_code', code: 'x' };
    const answer = request({ ...deps, registry: { ...deps.registry, refresh } }, code);
    await assert.rejects(answer, protocolError('invalid_grant'));
    assert.equal(reads, 0);
  });

  it('can leave out the lifetime of tokens that do not expire, and no other', async () => {
    for (const [expireDuration, expected] of [
      [0, undefined],
      [5, 5],
    ] as const) {
      const deps = protocolDependencies();
      deps.store.putClient(buildClient({ expireDuration }));
      const answer = await request({ ...deps, omitsZeroExpiresIn: true }, grantType);
      assert.equal(answer.expires_in, expected);
    }
  });

  it('answers with exactly the fields of the contract', async () => {
    const deps = protocolDependencies();
    const { access_token, ...rest } = await request(deps, { ...grantType, scope: 'write' });
    assert.match(access_token, /^wwa_[A-Za-z0-9_-]{70}$/);
    assert.deepEqual(rest, { token_type: 'bearer', scope: 'write', expires_in: 0 });
  });

  it('answers the lifetime of the client in seconds, and 0 when its tokens do not expire', async () => {
    for (const expireDuration of [0, 1, 3600]) {
      const deps = protocolDependencies();
      deps.store.putClient(buildClient({ expireDuration }));
      assert.equal((await request(deps, grantType)).expires_in, expireDuration);
      const expires = expireDuration === 0 ? 0 : deps.clock.now() + expireDuration * 1000;
      assert.deepEqual(
        [...deps.store.tokens.values()].map((token) => token.expires),
        [expires],
      );
    }
  });

  it('stores what it answers: client, scopes, time of issue, and no text of the token', async () => {
    const deps = protocolDependencies();
    const { access_token } = await request(deps, { ...grantType, scope: 'read' });
    const [token] = deps.store.tokens.values();
    assert.equal(token?.clientRecordId, deps.client.id);
    assert.deepEqual(token?.scopes, ['read']);
    assert.equal(token?.creationDate, deps.clock.now());
    const verifier = Buffer.from(access_token.slice(4, 68), 'base64url').subarray(16);
    assert.notDeepEqual(Buffer.from(token?.verifierHash ?? []), verifier);
  });

  it('grants all scopes of the client when none is asked for, or an empty one', async () => {
    const deps = protocolDependencies();
    assert.equal((await request(deps, grantType)).scope, 'read write');
    assert.equal((await request(deps, { ...grantType, scope: '' })).scope, 'read write');
    deps.store.putClient(buildClient({ scopes: [] }));
    assert.equal((await request(deps, grantType)).scope, '');
  });

  it('leaves out the standard scopes of OpenID Connect, and beside openid what nobody knows', async () => {
    const deps = protocolDependencies();
    const scopeFor = async (scope: string) => (await request(deps, { ...grantType, scope })).scope;
    assert.equal(await scopeFor('read offline_access email'), 'read');
    assert.equal(await scopeFor('openid read made-up groups'), 'read');
    assert.equal(await scopeFor('offline_access'), '');
    for (const scope of ['read made-up', 'read groups']) {
      await assert.rejects(scopeFor(scope), protocolError('invalid_scope'));
    }
    deps.store.putResourceServer({ ...deps.resourceServer, scopes: ['read', 'write', 'secret'] });
    await assert.rejects(scopeFor('openid secret'), protocolError('invalid_scope'));
  });

  it('splits scopes at commas only when that is switched on, and answers with spaces', async () => {
    const deps = protocolDependencies();
    const form = { ...grantType, scope: 'read,write' };
    await assert.rejects(request(deps, form), protocolError('invalid_scope'));
    const lenient = { ...deps, scopeSyntax: { commaSeparated: true } };
    assert.equal((await request(lenient, form)).scope, 'read write');
  });

  it('counts an issued token by its grant type, and no rejected request', async () => {
    const deps = protocolDependencies();
    await request(deps, grantType);
    await assert.rejects(request(deps, { ...grantType, scope: 'x' }), protocolError('invalid_scope'));
    assert.deepEqual(deps.issuedBy, ['client_credentials']);
  });

  it('answers only after the token is durable', async () => {
    const deps = protocolDependencies();
    const { promise, resolve } = Promise.withResolvers<void>();
    deps.accessTokens.insert = () => promise;
    let answered = false;
    const answer = request(deps, grantType).then(() => {
      answered = true;
    });
    await new Promise(setImmediate);
    assert.ok(!answered);
    resolve();
    await answer;
  });

  it('rejects with the error of an unavailable store, and counts nothing', async () => {
    const deps = protocolDependencies();
    deps.accessTokens.insert = () => Promise.reject(new StoreUnavailableError('full'));
    await assert.rejects(request(deps, grantType), StoreUnavailableError);
    assert.deepEqual([deps.issuedBy, deps.securityLog.tokens], [[], []]);
  });

  it('reports a refusal to the log with its grant type, and never a text that is none', async () => {
    const deps = protocolDependencies();
    for (const [grant_type, reported] of [
      ['client_credentials', 'client_credentials'],
      ['wws_a-secret-in-the-wrong-place', undefined],
      ['', undefined],
    ] as const) {
      await assert.rejects(request(deps, { grant_type, scope: 'x' }));
      const { grantType, clientId } = deps.securityLog.tokens.at(-1) ?? assert.fail();
      assert.deepEqual([grantType, clientId], [reported, 'test-client']);
    }
  });
});

describe('the checks of the token endpoint', () => {
  const badScope = { scope: '"' };
  const order: [
    what: string,
    form: Record<string, string>,
    as: string,
    kind: Parameters<typeof protocolError>[0],
  ][] = [
    ['the client before the grant type', badScope, 'test-client:wrong', 'invalid_client'],
    ['a missing grant type', badScope, credentials, 'invalid_request'],
    ['an empty grant type', { grant_type: '', ...badScope }, credentials, 'invalid_request'],
    [
      'the grant type before the scope',
      { grant_type: 'x', ...badScope },
      credentials,
      'unsupported_grant_type',
    ],
    [
      'the right to the grant before the scope',
      { ...grantType, ...badScope },
      'poor:client-secret',
      'unauthorized_client',
    ],
    ['the scope at last', { ...grantType, ...badScope }, credentials, 'invalid_scope'],
    ['a scope that the client lacks', { ...grantType, scope: 'read admin' }, credentials, 'invalid_scope'],
    ['the password grant', { grant_type: 'password' }, credentials, 'unsupported_grant_type'],
    ['a grant type in capitals', { grant_type: 'CLIENT_CREDENTIALS' }, credentials, 'unsupported_grant_type'],
    ['a name of an object member', { grant_type: 'constructor' }, credentials, 'unsupported_grant_type'],
  ];
  for (const [what, form, as, kind] of order) {
    it(`reject ${what} as ${kind}, and store nothing`, async () => {
      const deps = protocolDependencies();
      deps.store.putClient(buildClient({ id: 9, clientId: 'poor', allowedClientCredentials: false }));
      await assert.rejects(request(deps, form, as), protocolError(kind));
      assert.equal(deps.store.tokens.size, 0);
      assert.deepEqual(deps.issuedBy, []);
    });
  }

  it('never grant client credentials to a public client, for any registration', async () => {
    const deps = protocolDependencies();
    deps.store.putClient(buildPublicClient({ allowedClientCredentials: true }));
    await assert.rejects(
      tokenEndpoint(deps)(clientRequest({ ...grantType, client_id: 'public-client' })),
      protocolError('unauthorized_client'),
    );
    assert.equal(deps.store.tokens.size, 0);
  });
});

describe('a grant type', () => {
  type Own = GrantType<{ extra: string }, Entitlement>;

  /** The dependencies with a grant of their own, and the steps that it went through. */
  const withGrant = (overrides: Partial<Own> = {}) => {
    const deps = protocolDependencies();
    const steps: [step: string, ...seen: unknown[]][] = [];
    const grant: Own = {
      type: 'urn:example:own',
      takesScope: true,
      isAllowedFor: () => true,
      read(parameters) {
        const extra = requiredParameter(parameters, 'nonce');
        steps.push(['read', extra]);
        return { extra };
      },
      async check({ extra }, client) {
        steps.push(['check', extra, client.clientId]);
        return { scopes: ['b', 'a'] };
      },
      async issue({ client, scopes, confirmation }) {
        steps.push(['issue', client.clientId, scopes]);
        return deps.issueAccessToken({ client, scopes, confirmation });
      },
      ...overrides,
    };
    return { steps, deps: { ...deps, grantTypes: [...deps.grantTypes, grant] } };
  };
  const form = { grant_type: 'urn:example:own', nonce: 'x' };

  it('reads its parameters, checks what the client presents and issues the granted scopes', async () => {
    const { steps, deps } = withGrant();
    const answer = await request(deps, { ...form, scope: 'a' });
    assert.equal(answer.scope, 'a');
    assert.deepEqual(steps, [
      ['read', 'x'],
      ['check', 'x', 'test-client'],
      ['issue', 'test-client', ['a']],
    ]);
    assert.deepEqual(deps.issuedBy, ['urn:example:own']);
  });

  it('issues all scopes of the entitlement when the request has none', async () => {
    const { deps } = withGrant();
    assert.equal((await request(deps, form)).scope, 'b a');
  });

  it('never issues a scope beyond the entitlement, also one of the client', async () => {
    const { steps, deps } = withGrant();
    await assert.rejects(request(deps, { ...form, scope: 'a read' }), protocolError('invalid_scope'));
    assert.deepEqual(
      steps.map(([step]) => step),
      ['read', 'check'],
    );
    assert.deepEqual(deps.issuedBy, []);
  });

  it('can ignore the scope of the request, but not a malformed one', async () => {
    const { deps } = withGrant({ takesScope: false });
    assert.equal((await request(deps, { ...form, scope: 'a read' })).scope, 'b a');
    await assert.rejects(request(deps, { ...form, scope: '"' }), protocolError('invalid_scope'));
  });

  it('is not run for a client without the right to it, and the reason names what that needs', async () => {
    const reason = 'The registration of the client does not allow grant_type=urn:example:own.';
    for (const [requires, needs] of [
      [undefined, ''],
      ['refresh tokens', ' It needs refresh tokens.'],
    ] as const) {
      const isAllowedFor: Own['isAllowedFor'] = (client) => client.useRefreshTokens;
      const { steps, deps } = withGrant({ isAllowedFor, ...(requires && { requires }) });
      const expected = { kind: 'unauthorized_client', reason: reason + needs };
      await assert.rejects(request(deps, form), expected);
      assert.deepEqual(steps, []);
    }
  });

  it('has its steps in a trace, after that of the caller: what the client presents is checked, and tokens are issued', async () => {
    const { deps } = withGrant();
    const steps: string[] = [];
    const step = <Result>(name: string, work: () => Result): Result => {
      steps.push(name);
      return work();
    };
    await request({ ...deps, tracer: { step } }, form);
    assert.deepEqual(steps, ['authenticate caller', 'check urn:example:own', 'issue urn:example:own']);
  });

  it('reports the resource owner of a rejected scope to the log', async () => {
    const owner = { identityProvider: 'password', name: 'emma' };
    const { deps } = withGrant({ check: () => ({ scopes: [], owner }) });
    await assert.rejects(request(deps, { ...form, scope: 'a' }), protocolError('invalid_scope'));
    assert.deepEqual(deps.securityLog.tokens.at(-1)?.account, owner);
  });

  it('adds a refresh token and members of its own to the response', async () => {
    const members = { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
    const { deps } = withGrant({
      async issue({ client, scopes, confirmation }) {
        const issued = await protocolDependencies().issueAccessToken({ client, scopes, confirmation });
        return { ...issued, refreshTokenValue: 'refresh-me', members };
      },
    });
    const { access_token, ...rest } = await request(deps, form);
    const expected = { token_type: 'bearer', scope: 'b a', expires_in: 0, refresh_token: 'refresh-me' };
    assert.deepEqual(rest, { ...expected, ...members });
  });

  it('counts an ID token where it issues one', async () => {
    for (const [members, expected] of [
      [{ id_token: 'signed' }, ['urn:example:own test-client']],
      [{}, []],
    ] as const) {
      const { deps } = withGrant({
        issue: async ({ client, scopes, confirmation }) => ({
          ...(await deps.issueAccessToken({ client, scopes, confirmation })),
          members,
        }),
      });
      const counted: string[] = [];
      const idTokenIssued = (type: string, client: { readonly clientId: string }) =>
        void counted.push(`${type} ${client.clientId}`);
      await request({ ...deps, instruments: { ...deps.instruments, idTokenIssued } }, form);
      assert.deepEqual(counted, expected);
    }
  });

  it('names the type of a token that is bound to a key', async () => {
    for (const [confirmation, token_type] of [
      [{ jkt: 'thumbprint' }, 'DPoP'],
      [{ 'x5t#S256': 'thumbprint' }, 'bearer'],
    ] as const) {
      const { deps } = withGrant({
        async issue(granted) {
          const made = await newAccessToken({ ...granted, confirmation }, deps);
          await deps.accessTokens.insert(made.accessToken);
          return made;
        },
      });
      const answer = await request(deps, form);
      assert.equal(answer.token_type, token_type);
      const introspected = await introspectionEndpoint(deps)(
        introspectRequest(answer.access_token, credentials),
      );
      assert.ok(introspected.active);
      assert.deepEqual([introspected.token_type, introspected.cnf], [token_type, confirmation]);
    }
  });
});
