import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  buildPublicClient,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  TestBrowser,
} from '@watchword/testkit';
import type { RequestSource } from '../../src/authorize/incoming-request.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import { parseRepeatableParameters } from '../../src/rules/parameters.ts';

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const implicit = {
  client_id: 'public-client',
  response_type: 'token',
};

const ask = async (deps: FlowDependencies, parameters: Record<string, string>) =>
  deps.authorization.authorize(authorizationRequest(parameters), new TestBrowser().state);

/** The parameters that the client gets; fails when the browser is not redirected to the client. */
async function sent(
  deps: FlowDependencies,
  parameters: Record<string, string>,
): Promise<Record<string, string>> {
  const answer = await ask(deps, parameters);
  assert.ok(answer.type === 'redirect', `a page: ${answer.type}`);
  assert.ok(answer.location.startsWith('https://app.example/cb'), answer.location);
  const given: Record<string, string> = Object.fromEntries(answeredParameters(answer.location));
  return { ...given, location: answer.location };
}

async function depsWithPublicClient(): Promise<FlowDependencies> {
  const deps = await flowDependencies();
  deps.store.putClient(buildPublicClient({ redirectUris: ['https://app.example/cb'], trusted: true }));
  return deps;
}

describe('an authorization request', () => {
  for (const [name, parameters] of [
    ['without client_id', { client_id: '' }],
    ['of an unknown client', { client_id: 'nobody' }],
    ['of an unknown client with a bad scope', { client_id: 'nobody', scope: '"' }],
    ['of the name of an object member', { client_id: '__proto__' }],
    ['with an unregistered redirect URI', { redirect_uri: 'https://evil.example/cb' }],
    [
      'with an unregistered redirect URI and a bad response type',
      { redirect_uri: 'https://evil.example/cb', response_type: 'x' },
    ],
  ] as const) {
    it(`${name} is an error for the resource owner, and nothing is redirected`, async () => {
      await assert.rejects(ask(await flowDependencies(), parameters), protocolError('invalid_request'));
    });
  }

  for (const uri of [
    'https://app.example/cb/x',
    'https://app.example/cb123',
    'https://app.example/cb?x',
    'https://app.example/cb#f',
    'https://app.example/CB',
    'https://app.example/cb/',
    'https://app.example/x/../cb',
    'https://app.example/..;/cb',
    'HTTPS://app.example/cb',
    'https://APP.example/cb',
    'https://app.example:443/cb',
    'https://app.example.evil.com/cb',
    'https://app.example@evil/cb',
    'https://a@b@evil/cb',
    'https://app.example\\@evil/cb',
    'https://app.example/%63b',
    'https://app.example%2fcb',
    'https://app.example/cb ',
    'https://app.example/cb\t',
    ' https://app.example/cb',
  ]) {
    it(`rejects ${JSON.stringify(uri)}, which is not the registered redirect URI`, async () => {
      await assert.rejects(
        ask(await flowDependencies(), { redirect_uri: uri }),
        protocolError('invalid_request'),
      );
    });
  }

  it('can vary the port of a loopback host, and nothing else', async () => {
    const deps = await flowDependencies();
    const registered = ['http://127.0.0.1/cb', 'http://[::1]:1/cb', 'http://localhost:3000/cb'];
    deps.store.putClient({ ...deps.webApp, redirectUris: registered });
    for (const uri of [
      'http://127.0.0.1:5/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:65535/cb',
      'http://localhost:3001/cb',
      'http://localhost/cb',
    ]) {
      assert.equal((await ask(deps, { redirect_uri: uri })).type, 'login', uri);
    }
    for (const uri of [
      'http://localhost:3001/other',
      'http://localhost.:3001/cb',
      'http://127.0.0.1:5/other',
      'http://127.0.0.2:5/cb',
      'http://127.0.0.1:/cb',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:5@evil.example/cb',
      'http://127.0.0.1.evil.example/cb',
    ]) {
      await assert.rejects(ask(deps, { redirect_uri: uri }), protocolError('invalid_request'), uri);
    }
  });

  it('without redirect_uri is valid for a client with exactly one, and for a code only', async () => {
    const deps = await depsWithPublicClient();
    assert.equal((await ask(deps, { redirect_uri: '' })).type, 'login');
    await assert.rejects(ask(deps, { ...implicit, redirect_uri: '' }), protocolError('invalid_request'));
    for (const redirectUris of [[], ['https://app.example/cb', 'https://app.example/2']]) {
      deps.store.putClient({ ...deps.webApp, redirectUris });
      await assert.rejects(ask(deps, { redirect_uri: '' }), protocolError('invalid_request'));
    }
  });

  it('does not lead to a registered URI that could not be registered today', async () => {
    const deps = await flowDependencies();
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://app.example/cb',
      'https://*.example/',
    ]) {
      deps.store.putClient({ ...deps.webApp, redirectUris: [uri] });
      await assert.rejects(ask(deps, { redirect_uri: uri }), protocolError('invalid_request'), uri);
      await assert.rejects(ask(deps, { redirect_uri: '' }), protocolError('invalid_request'), uri);
    }
  });

  for (const [name, parameters, error] of [
    ['no response_type', { response_type: '' }, 'invalid_request'],
    ['an unknown one', { response_type: 'foo' }, 'unsupported_response_type'],
    ['one in capitals', { response_type: 'CODE' }, 'unsupported_response_type'],
    ['two', { response_type: 'code code' }, 'unsupported_response_type'],
    ['none as its value', { response_type: 'none' }, 'unsupported_response_type'],
    ['a token for a client without implicit', { response_type: 'token' }, 'unauthorized_client'],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'invalid_request'],
    ['a scope that the client lacks', { scope: 'admin' }, 'invalid_scope'],
    ['a malformed scope', { scope: 'a"b' }, 'invalid_scope'],
    ['a thousand scopes', { scope: 'read '.repeat(1000) }, 'invalid_scope'],
    ['commas between scopes', { scope: 'read,write' }, 'invalid_scope'],
    ['a plain challenge', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without method', { code_challenge: challenge }, 'invalid_request'],
    [
      'a method in small letters',
      { code_challenge: challenge, code_challenge_method: 's256' },
      'invalid_request',
    ],
    ['a method without challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    [
      'a challenge of 42',
      { code_challenge: challenge.slice(1), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'a challenge of 129',
      { code_challenge: 'a'.repeat(129), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'a challenge of other letters',
      { code_challenge: `${challenge.slice(1)}+`, code_challenge_method: 'S256' },
      'invalid_request',
    ],
    ['an unknown prompt', { prompt: 'x' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: '-1' }, 'invalid_request'],
    ['prompt none and no user logged in', { prompt: 'none' }, 'login_required'],
  ] as const) {
    it(`with ${name} is answered by ${error}, with state and issuer`, async () => {
      const {
        location = '',
        error_description,
        ...answer
      } = await sent(await flowDependencies(), {
        state: 'a b&c#d',
        ...parameters,
      });
      const fragment: boolean = 'response_type' in parameters && parameters.response_type === 'token';
      assert.deepEqual(answer, { error, state: 'a b&c#d', iss: 'https://as.example' });
      assert.equal(location.includes('#'), fragment);
      assert.match(error_description ?? '', /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
    });
  }

  it('for a token gets its errors in the fragment', async () => {
    const deps = await depsWithPublicClient();
    for (const parameters of [{ scope: 'admin' }, { response_mode: 'query' }, { prompt: 'none' }]) {
      const { location = '' } = await sent(deps, { ...implicit, ...parameters });
      assert.match(location, /^https:\/\/app\.example\/cb#error=/);
    }
  });

  it('of a public client needs PKCE for a code', async () => {
    const deps = await depsWithPublicClient();
    const asPublic = { client_id: 'public-client' };
    assert.equal((await sent(deps, asPublic)).error, 'invalid_request');
    for (const [code_challenge_method, came] of [
      ['', 'no code_challenge_method'],
      ['plain', '"plain"'],
    ] as const) {
      const answer = await ask(deps, { ...asPublic, code_challenge: challenge, code_challenge_method });
      assert.equal(answer.error?.came, came);
    }
    const pkce = { ...asPublic, code_challenge: challenge, code_challenge_method: 'S256' };
    assert.equal((await ask(deps, pkce)).type, 'login');
  });

  it('with a repeated parameter is an error: for the resource owner when the parameter decides the target, else for the client', async () => {
    const deps = await flowDependencies();
    const both = (more: string) =>
      deps.authorization.authorize(
        parseRepeatableParameters(
          `response_type=code&client_id=web-app&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&${more}`,
        ),
        new TestBrowser().state,
      );
    for (const more of ['client_id=web-app', 'redirect_uri=https%3A%2F%2Fapp.example%2Fcb']) {
      await assert.rejects(both(more), protocolError('invalid_request'), more);
    }
    const jkt = `dpop_jkt=${'a'.repeat(43)}`;
    for (const more of [
      ...['scope=read&scope=write', 'state=a&state=b', 'response_type=token'],
      `${jkt}&${jkt}`,
    ]) {
      const answer = await both(more);
      assert.ok(answer.type === 'redirect');
      assert.equal(answeredParameters(answer.location).get('error'), 'invalid_request', more);
    }
  });

  it('can have unknown parameters of any name and number, which are ignored', async () => {
    const deps = await flowDependencies();
    const repeated = 'response_type=code&client_id=web-app&audience=a&audience=b&x=1&x=1&x=2';
    const answer = await deps.authorization.authorize(
      parseRepeatableParameters(repeated),
      new TestBrowser().state,
    );
    assert.equal(answer.type, 'login');
    const odd = { 'client_id[]': 'x', 'a[b][c]': 'x', __proto__: 'x', '__proto__[x]': '1', constructor: 'x' };
    assert.equal((await ask(deps, { ...odd, toString: '', audience: 'x' })).type, 'login');
  });

  it('names the redirect URI letter by letter, also in scheme and host', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({
      ...deps.webApp,
      redirectUris: ['com.example.App://cb', 'HTTPS://App.example/cb'],
    });
    for (const redirect_uri of ['com.example.app://cb', 'https://app.example/cb', 'https://App.example/cb']) {
      await assert.rejects(ask(deps, { redirect_uri }), protocolError('invalid_request'), redirect_uri);
    }
    for (const redirect_uri of ['com.example.App://cb', 'HTTPS://App.example/cb']) {
      assert.equal((await ask(deps, { redirect_uri })).type, 'login');
    }
  });

  it('can have several spaces in scope and prompt', async () => {
    const deps = await flowDependencies();
    assert.equal((await ask(deps, { scope: ' read  write ', prompt: ' login  consent ' })).type, 'login');
  });

  it('gets the response in addition to the query of a redirect URI', async () => {
    for (const [uri, expected] of [
      ['https://app.example/cb?a=1', 'https://app.example/cb?a=1&error='],
      ['https://app.example/cb?', 'https://app.example/cb?error='],
      ['com.example.app:/cb', 'com.example.app:/cb?error='],
      ['com.example.App://cb', 'com.example.App://cb?error='],
      ['HTTPS://App.example/cb', 'HTTPS://App.example/cb?error='],
    ] as const) {
      const deps = await flowDependencies();
      deps.store.putClient({ ...deps.webApp, redirectUris: [uri] });
      const answer = await ask(deps, { redirect_uri: uri, response_type: 'x' });
      assert.ok(answer.type === 'redirect' && answer.location.startsWith(expected), uri);
    }
  });
});

describe('the target of the response to an authorization request', () => {
  it('is that of the request, also of one that is invalid otherwise, and none where the client is not known', async () => {
    const { authorization } = await flowDependencies();
    const of = async (parameters: Record<string, string>) => {
      const { target } = await authorization.foresee(
        authorizationRequest(parameters),
        new TestBrowser().state,
      );
      return target instanceof OAuthError ? target.rule : target.address;
    };
    assert.equal(await of({}), 'https://app.example/cb');
    assert.equal(await of({ scope: '"' }), 'https://app.example/cb');
    assert.equal(await of({ client_id: 'nobody' }), 'registered_client');
  });
});

describe('an authorization request that is not where its reference comes', () => {
  const referenced = new Map([['ref', ['7']]]);
  const source: RequestSource = {
    has: (parameters) => parameters.has('ref'),
    async read(parameters, plain) {
      if (parameters.get('ref')?.[0] === '7') return plain(authorizationRequest({ prompt: 'none' }));
      const error = new OAuthError('invalid_request');
      return {
        reading: { type: 'errorForOwner', error },
        client: undefined,
        parameters,
        forbidsPages: false,
      };
    },
  };

  it('is read from its source, and all that the reference brings with it is not', async () => {
    const { authorization } = await flowDependencies({ requestSources: [source] });
    const { state } = new TestBrowser();
    const misleading = new Map([...referenced, ['redirect_uri', ['https://evil.example']]]);
    for (const parameters of [referenced, misleading]) {
      const { forbidsPages, target } = await authorization.foresee(parameters, state);
      assert.ok(forbidsPages);
      assert.equal(target instanceof OAuthError ? target : target.address, 'https://app.example/cb');
      const answer = await authorization.authorize(parameters, state);
      assert.ok(answer.type === 'redirect' && answer.error?.kind === 'login_required');
      assert.ok(answer.location.startsWith('https://app.example/cb?'));
    }
  });

  it('is an error for the resource owner if the source does not have it', async () => {
    const { authorization } = await flowDependencies({ requestSources: [source] });
    const asked = authorization.authorize(new Map([['ref', ['8']]]), new TestBrowser().state);
    await assert.rejects(asked, protocolError('invalid_request'));
  });
});

describe('an authorization request that fails', () => {
  it('is reported to the owner of the client that it names, and of none if it names two', async () => {
    const deps = await flowDependencies();
    deps.store.putClient(buildPublicClient());
    for (const [more, reported] of [
      ['', [deps.webApp.id]],
      ['&client_id=public-client', []],
    ] as const) {
      const text = `client_id=web-app&response_type=x&redirect_uri=https://evil.example${more}`;
      const request = parseRepeatableParameters(text);
      await assert.rejects(deps.authorization.authorize(request, new TestBrowser().state));
      const { failures } = deps.requestErrorLog;
      assert.deepEqual(
        failures.splice(0).map(({ clientRecordId }) => clientRecordId),
        reported,
      );
    }
  });
});
