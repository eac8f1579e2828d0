import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  buildClient,
  buildPublicClient,
  type FlowDependencies,
  flowDependencies,
  seededRandom,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { firstValue } from '../../src/authorize/parameters.ts';
import type { GrantedRequest, ResponseType } from '../../src/authorize/response-types/response-type.ts';
import { responseTypesOf } from '../../src/authorize/response-types/response-types.ts';
import { authorizationMetadata } from '../../src/endpoints/metadata.ts';
import { RedirectableError } from '../../src/model/errors/errors.ts';
import type { ConsentModule } from '../../src/ports/modules/consent-module.ts';
import type { Tracer } from '../../src/ports/system/tracer.ts';

const redirectUri = 'https://app.example/cb';

interface Colour {
  readonly colour: string;
}

/** A response type that no server has, and what was granted to it. */
function paintedResponseType(): { type: ResponseType<Colour>; granted: GrantedRequest[] } {
  const granted: GrantedRequest[] = [];
  const type: ResponseType<Colour> = {
    name: 'code paint',
    responseModes: ['fragment', 'query'],
    mayOmitRedirectUri: false,
    issuesIdToken: false,
    metadata: {
      grant_types_supported: ['urn:example:paint', 'implicit'],
      paint_colours_supported: ['blue', 'red'],
    },
    isAllowedFor: ({ useRefreshTokens }) => useRefreshTokens,
    read(parameters) {
      const colour = firstValue(parameters, 'display');
      if (colour !== undefined) return { colour };
      return new RedirectableError('invalid_request', { description: 'The parameter display is missing.' });
    },
    async issue(request, { colour }) {
      granted.push(request);
      return { paint: colour };
    },
  };
  return { type, granted };
}

async function withPaint() {
  const { responseTypes } = await flowDependencies();
  const { type, granted } = paintedResponseType();
  const deps = await flowDependencies({ responseTypes: [...responseTypes, type] });
  return { deps, granted };
}

const painted = { response_type: 'code paint', display: 'blue' };

async function errorOf(deps: FlowDependencies, parameters: Record<string, string>) {
  const request = authorizationRequest({ ...painted, ...parameters });
  const answer = await deps.authorization.authorize(request, new TestBrowser().state);
  assert.ok(answer.type === 'redirect', answer.type);
  return answer;
}

describe('the implicit response types', () => {
  it('issue a token, an ID token or both, as their names say, and the ID token needs openid', async () => {
    const deps = await flowDependencies();
    deps.store.putClient(buildPublicClient({ redirectUris: ['https://app.example/cb'] }));
    const names = async (response_type: string, scope: string) => {
      const parameters = { client_id: 'public-client', response_type, scope, nonce: 'n' };
      const answered = await deps.grant(parameters);
      const claims = answered.has('id_token')
        ? await deps.signer.verify(answered.get('id_token') ?? '', { type: 'JWT', keys: 'published' })
        : undefined;
      const hashed = Object.keys(claims ?? {}).filter((claim) => claim === 'at_hash');
      return [...answered.keys(), ...hashed].filter((name) => /token$|error$|hash$/.test(name)).toSorted();
    };
    assert.deepEqual(await names('token', 'openid read'), ['access_token']);
    assert.deepEqual([deps.issuedBy, deps.idTokensIssuedBy], [['implicit'], []]);
    assert.deepEqual(await names('id_token', 'openid'), ['id_token']);
    assert.deepEqual([deps.issuedBy, deps.idTokensIssuedBy], [['implicit'], ['implicit']]);
    assert.deepEqual(await names('id_token token', 'openid read'), ['access_token', 'at_hash', 'id_token']);
    assert.deepEqual([deps.issuedBy.length, deps.idTokensIssuedBy.length], [2, 2]);
    for (const response_type of ['id_token', 'id_token token']) {
      const request = authorizationRequest({
        client_id: 'public-client',
        response_type,
        scope: 'read',
        nonce: 'n',
      });
      const { error } = await deps.authorization.authorize(request, new TestBrowser().state);
      assert.equal(error?.kind, 'invalid_request', response_type);
    }
  });
});

describe('the hybrid response types', () => {
  const client = buildClient({ id: 3, clientId: 'hybrid', allowedHybrid: true, redirectUris: [redirectUri] });
  const request = { client_id: 'hybrid', scope: 'openid read', nonce: 'n', response_mode: '' };

  it('issue a code beside what their names say, and an ID token has the hashes of both', async () => {
    const deps = await flowDependencies();
    deps.store.putClient(client);
    for (const [response_type, issued, hashes] of [
      ['code id_token', ['code', 'id_token'], ['c_hash']],
      ['code token', ['access_token', 'code'], []],
      ['code id_token token', ['access_token', 'code', 'id_token'], ['at_hash', 'c_hash']],
    ] as const) {
      const answered = await deps.grant({ ...request, response_type });
      const names = [...answered.keys()].filter((name) => /^code$|_?token$|error/.test(name));
      assert.deepEqual(names.toSorted(), issued, response_type);
      const idToken = answered.get('id_token');
      const verified = idToken && (await deps.signer.verify(idToken, { type: 'JWT', keys: 'published' }));
      const claims = Object.keys(verified || {}).filter((name) => name.endsWith('_hash'));
      assert.deepEqual(claims.toSorted(), hashes, response_type);
      const tokens = await deps.token(
        {
          grant_type: 'authorization_code',
          code: answered.get('code') ?? '',
          redirect_uri: redirectUri,
        },
        'hybrid:client-secret',
      );
      assert.ok(tokens.access_token !== answered.get('access_token'));
    }
    assert.deepEqual(deps.issuedBy.filter((type) => type === 'implicit').length, 2);
    assert.deepEqual(deps.idTokensIssuedBy.filter((type) => type === 'implicit').length, 2);
  });

  it('are for confidential clients alone that may use them, whatever is stored', async () => {
    const deps = await flowDependencies();
    for (const change of [
      { allowedHybrid: false },
      { confidential: false },
      { dpopBoundAccessTokens: true },
      { tlsClientCertificateBoundAccessTokens: true },
    ]) {
      deps.store.putClient({ ...client, ...change });
      const asked = authorizationRequest({ ...request, response_type: 'code token' });
      const { error } = await deps.authorization.authorize(asked, new TestBrowser().state);
      assert.equal(error?.kind, 'unauthorized_client');
    }
  });

  it('issue no access token in an address that does not expire', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...client, expireDuration: 0 });
    const answered = await deps.grant({ ...request, response_type: 'code token' });
    assert.ok(Number(answered.get('expires_in')) > 0);
  });
});

describe('the response type id_token', () => {
  it('is an error when the resource server has taken the scope openid for its own while the consent page is shown', async () => {
    const deps = await flowDependencies();
    const client = buildPublicClient({ redirectUris: ['https://app.example/cb'] });
    deps.store.putClient(client);
    const consent: ConsentModule = {
      name: 'test-consent',
      begin: async () => ({ type: 'form' }),
      async resume({ scopes }) {
        const own = [...deps.resourceServer.scopes, 'openid'];
        deps.store.putResourceServer({ ...deps.resourceServer, scopes: own });
        return { type: 'consented', scopes, remember: false };
      },
    };
    const basis = { clock: deps.clock, store: deps.store, seed: 'consent' };
    const other = await flowDependencies({ consent, basis });
    const parameters = { client_id: client.clientId, response_type: 'id_token', scope: 'openid', nonce: 'n' };
    assert.equal((await other.grant(parameters)).get('error'), 'invalid_scope');
  });
});

describe('a response type that cannot issue', () => {
  it('sends its own error to the client, and no other', async () => {
    for (const [thrown, outcome] of [
      [new RedirectableError('invalid_scope'), 'invalid_scope'],
      [new Error('the disk is full'), 'the disk is full'],
    ] as const) {
      const { type } = paintedResponseType();
      const issue = async () => {
        throw thrown;
      };
      const { responseTypes } = await flowDependencies();
      const deps = await flowDependencies({ responseTypes: [...responseTypes, { ...type, issue }] });
      const answer = deps.grant(painted).then(
        (parameters) => parameters.get('error'),
        (error) => error.message,
      );
      assert.equal(await answer, outcome);
    }
  });
});

describe('a response type', () => {
  it('issues what it makes of its own parameters, after login and consent', async () => {
    const { deps, granted } = await withPaint();
    assert.deepEqual(Object.fromEntries(await deps.grant({ ...painted, state: 's' })), {
      paint: 'blue',
      state: 's',
      iss: 'https://as.example',
    });
    const [{ client, grant, redirectUri, answer } = assert.fail()] = granted;
    assert.equal(client.clientId, 'web-app');
    assert.equal(grant.owner.principal.name, 'emma');
    assert.deepEqual(grant.scopes, ['read', 'write']);
    assert.equal(redirectUri, 'https://app.example/cb');
    assert.match(answer?.id ?? '', /^[0-9a-f-]{36}$/);
  });

  it('is a step of a trace where requests are traced', async () => {
    const deps = await flowDependencies();
    const parts = { ...deps.store, ...deps, random: seededRandom(), codeLifetime: 60, implicitLifetime: 900 };
    const steps: string[] = [];
    const tracer: Tracer = {
      step(name, work) {
        steps.push(name);
        return work();
      },
    };
    const names = responseTypesOf(parts, tracer).map(({ name }) => name);
    assert.deepEqual(
      names,
      deps.dependencies.responseTypes.map(({ name }) => name),
    );
    const basis = { clock: deps.clock, store: deps.store, seed: 'traced' };
    await (await flowDependencies({ responseTypes: responseTypesOf(parts, tracer), basis })).grant();
    assert.deepEqual(steps, ['issue code']);
  });

  it('is named by its words in any order', async () => {
    const { deps } = await withPaint();
    assert.equal((await deps.grant({ ...painted, response_type: 'paint code' })).get('paint'), 'blue');
  });

  it('answers in its default mode, or in another one that it allows and the request names', async () => {
    const { deps } = await withPaint();
    const { location: byDefault } = await errorOf(deps, { display: '' });
    const { location: byName } = await errorOf(deps, { display: '', response_mode: 'query' });
    assert.deepEqual([new URL(byDefault).search, new URL(byName).hash], ['', '']);
    for (const location of [byDefault, byName]) {
      assert.equal(
        answeredParameters(location).get('error_description'),
        'The parameter display is missing.',
      );
    }
  });

  it('rejects a response mode that it does not allow', async () => {
    const { deps } = await withPaint();
    const { location } = await errorOf(deps, { response_mode: 'form_post' });
    const description = 'The response_mode of response_type=code paint must be fragment or query.';
    assert.equal(answeredParameters(location).get('error_description'), description);
  });

  it('is rejected for a client that may not use it, and for a client that loses the right during the login', async () => {
    const { deps } = await withPaint();
    const browser = new TestBrowser();
    const page = browser.take(
      await deps.authorization.authorize(authorizationRequest(painted), browser.state),
    );
    assert.ok(page.type === 'login');
    deps.store.putClient({ ...deps.webApp, useRefreshTokens: false });
    const login = submission({ auth_state: page.authState, username: 'emma' });
    await assert.rejects(
      deps.authorization.login(login, browser.state),
      /registration of the client has changed/,
    );
    const { location } = await errorOf(deps, {});
    assert.equal(answeredParameters(location).get('error'), 'unauthorized_client');
  });

  it('is named by the error for another one', async () => {
    const { deps } = await withPaint();
    const { location } = await errorOf(deps, { response_type: 'oil' });
    const description =
      'The server supports the response types: code, token, id_token, id_token token, code id_token, code token, code id_token token, code paint.';
    assert.equal(answeredParameters(location).get('error_description'), description);
  });

  it('adds its name, its modes, its grants and members of its own to the metadata', async () => {
    const { deps } = await withPaint();
    assert.deepEqual(authorizationMetadata(deps.dependencies.responseTypes), {
      response_types_supported: [...deps.dependencies.responseTypes.map(({ name }) => name)],
      response_modes_supported: [
        'query',
        'fragment',
        'form_post',
        'jwt',
        'query.jwt',
        'fragment.jwt',
        'form_post.jwt',
      ],
      grant_types_supported: ['implicit', 'urn:example:paint'],
      code_challenge_methods_supported: ['S256'],
      paint_colours_supported: ['blue', 'red'],
    });
  });

  it('leaves its members out of the metadata of a server without it', async () => {
    const { responseTypes } = await flowDependencies();
    const metadata = authorizationMetadata(responseTypes.filter(({ name }) => name === 'token'));
    assert.ok(!('code_challenge_methods_supported' in metadata));
  });

  it('does not exist for a server without it', async () => {
    const { responseTypes } = await flowDependencies();
    const deps = await flowDependencies({
      responseTypes: responseTypes.filter(({ name }) => name === 'code'),
    });
    const { location, error } = await errorOf(deps, { response_type: 'token' });
    assert.equal(error?.kind, 'unsupported_response_type');
    assert.equal(answeredParameters(location).get('error'), 'unsupported_response_type');
    assert.deepEqual(authorizationMetadata(deps.dependencies.responseTypes).grant_types_supported, []);
  });
});
