import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  buildClient,
  buildPublicClient,
  protocolDependencies,
  rounds,
  submission,
} from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { type RequestReading, readAuthorizationRequest } from '../../src/authorize/request/read-request.ts';
import { fragment, query } from '../../src/authorize/targets/redirect.ts';
import { errorResponse } from '../../src/authorize/targets/response-target.ts';
import { OAuthError, RedirectableError } from '../../src/model/errors/errors.ts';
import { homeTarget } from '../../src/rules/target-servers.ts';

const redirectUris = ['https://app.example/cb'];

function dependencies(trusted = false) {
  const deps = protocolDependencies();
  deps.store.putClient(buildClient({ id: 10, clientId: 'web-app', redirectUris, trusted }));
  deps.store.putClient(buildPublicClient({ redirectUris }));
  return deps;
}

const read = (parameters: Record<string, string>, deps = dependencies()): RequestReading =>
  readAuthorizationRequest(authorizationRequest(parameters), deps);

describe('reading an authorization request', () => {
  it('returns the request with its client, its target and what the response type reads', () => {
    const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const reading = read({
      state: 's',
      scope: 'read',
      prompt: 'login',
      max_age: '60',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    assert.ok(reading.type === 'valid');
    const { client, resourceServer, targets, responseType, ...request } = reading.request;
    assert.equal(client.clientId, 'web-app');
    assert.equal(resourceServer.id, client.resourceServerId);
    assert.deepEqual(targets, [homeTarget(resourceServer)]);
    assert.equal(responseType.name, 'code');
    assert.deepEqual(request, {
      extra: { codeChallenge },
      target: {
        kind: query,
        address: 'https://app.example/cb',
        state: 's',
      },
      namesRedirectUri: true,
      scopes: ['read'],
      namesScopes: true,
      prompt: ['login'],
      maxAge: 60,
    });
  });

  it('takes an empty value for none (RFC 6749 §3.1)', () => {
    const names = [
      'scope',
      'nonce',
      'prompt',
      'max_age',
      'state',
      'code_challenge',
      'response_mode',
    ] as const;
    const parameters = new Map([...authorizationRequest(), ...names.map((name) => [name, ['']] as const)]);
    assert.deepEqual(readAuthorizationRequest(parameters, dependencies()).type, 'valid');
  });

  it('returns an error for the resource owner while the redirect URI is not known to be good', () => {
    const errors = [
      { client_id: 'nobody' },
      { redirect_uri: 'https://evil.example/' },
      { state: 'x'.repeat(4097) },
    ].map((parameters) => read({ ...parameters, response_type: 'x', prompt: 'none' }).type);
    assert.deepEqual(errors, ['errorForOwner', 'errorForOwner', 'errorForOwner']);
  });

  it('takes a state of 4096 octets, and parameters of 6000 with their names, and not one octet more', () => {
    const octets = (parameters: Record<string, string>) =>
      [...authorizationRequest(parameters)]
        .flatMap(([name, values]) => values.map((value) => Buffer.byteLength(name + value)))
        .reduce((sum, size) => sum + size, 0);
    const outcome = (parameters: Record<string, string>) => {
      const reading = read(parameters);
      return reading.type === 'valid' ? 'valid' : reading.error.rule;
    };
    assert.equal(outcome({ state: 'é'.repeat(2048) }), 'valid');
    assert.equal(outcome({ state: `${'é'.repeat(2048)}x` }), 'request_size');
    const rest = 6000 - octets({ extra: 'x', more: 'x' }) + 1;
    assert.equal(outcome({ extra: 'x', more: 'x'.repeat(rest) }), 'valid');
    assert.equal(outcome({ extra: 'xy', more: 'x'.repeat(rest) }), 'request_size');
    // The subject that it names waits, not the ID token.
    assert.equal(outcome({ extra: 'x', more: 'x'.repeat(rest), id_token_hint: 'x'.repeat(16_384) }), 'valid');
    assert.equal(outcome({ id_token_hint: 'x'.repeat(16_385) }), 'request_size');
  });

  it('returns every other error with the target to which it goes', () => {
    const reading = read({ client_id: 'public-client', response_type: 'token', scope: 'admin', state: 's' });
    assert.ok(reading.type === 'errorForClient');
    assert.equal(reading.error.kind, 'invalid_scope');
    assert.deepEqual(reading.target, {
      kind: fragment,
      address: 'https://app.example/cb',
      state: 's',
    });
  });

  it('lets an error go to the client at once when the client is trusted or forbids pages', () => {
    const isImmediate = (parameters: Record<string, string>, trusted = false) => {
      const reading = read({ scope: 'admin', ...parameters }, dependencies(trusted));
      return reading.type === 'errorForClient' && reading.isImmediate;
    };
    assert.ok(!isImmediate({}));
    assert.ok(isImmediate({}, true));
    assert.ok(isImmediate({ prompt: 'none' }));
    assert.ok(isImmediate({ prompt: 'none login' }));
    assert.ok(!isImmediate({ prompt: 'login' }));
  });

  it('takes neither of two values of state, and of prompt neither as a wish to see no page', () => {
    const repeated = (name: string, ...values: string[]) => {
      const parameters = new Map([...authorizationRequest(), [name, values]]);
      const reading = readAuthorizationRequest(parameters, dependencies());
      assert.ok(reading.type === 'errorForClient', reading.type);
      return reading;
    };
    assert.equal(repeated('state', 'a', 'b').target.state, undefined);
    assert.ok(!repeated('prompt', 'none', 'login').isImmediate);
  });

  it('says of a prompt whether it is unknown, or none beside another', () => {
    for (const [prompt, message] of [
      ['hologram', 'The prompt must be of these: none, login, consent, select_account.'],
      ['create', 'The prompt must be of these: none, login, consent, select_account.'],
      ['none login', 'The prompt none cannot be combined with another.'],
    ] as const) {
      const reading = read({ prompt });
      assert.ok(reading.type === 'errorForClient', reading.type);
      assert.deepEqual([reading.error.message, reading.error.came], [message, `"${prompt}"`]);
    }
  });

  it('knows the prompt create where people make accounts by themselves, and not beside none', () => {
    const readOf = (prompt: string) =>
      readAuthorizationRequest(authorizationRequest({ prompt }), { ...dependencies(), hasSignUp: true });
    const reading = readOf('create consent');
    assert.deepEqual(reading.type === 'valid' && reading.request.prompt, ['create', 'consent']);
    assert.equal(readOf('none create').type, 'errorForClient');
  });

  it('takes a max_age of up to twelve digits and nothing else', () => {
    for (const max_age of ['0', '123456789012']) {
      const reading = read({ max_age });
      assert.equal(reading.type === 'valid' && reading.request.maxAge, Number(max_age));
    }
    for (const max_age of ['-1', '1.5', '1x', 'x1', ' 1', '1234567890123']) {
      assert.equal(read({ max_age }).type, 'errorForClient', max_age);
    }
  });

  it('throws nothing, for any parameters', () => {
    const deps = dependencies();
    const likely = fc.constantFrom(
      'code',
      'token',
      'web-app',
      'public-client',
      'none',
      'S256',
      'read',
      '',
      ...redirectUris,
    );
    const names = [
      'response_type',
      'response_mode',
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'prompt',
      'max_age',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'login_hint',
      'ui_locales',
      'acr_values',
      'display',
      'claims',
      'id_token_hint',
      'request',
      'request_uri',
      'registration',
    ];
    const parameter = fc.tuple(
      fc.oneof(fc.constantFrom(...names), anyText()),
      fc.array(fc.oneof(likely, anyText()), { maxLength: 3 }),
    );
    const valid = Object.entries({
      client_id: ['web-app'],
      redirect_uri: redirectUris,
      response_type: ['code'],
    });
    fc.assert(
      fc.property(fc.array(parameter), fc.boolean(), (parameters, isAddressed) => {
        const all = new Map([...parameters, ...(isAddressed ? valid : [])]);
        const reading = readAuthorizationRequest(all, deps);
        if (reading.type === 'errorForClient') assert.ok(reading.error instanceof RedirectableError);
      }),
      { numRuns: rounds(300, 20_000) },
    );
  });

  it('does not depend on what carried the parameters, or on their order', () => {
    const deps = dependencies();
    const parameters = [...authorizationRequest({ scope: 'read', state: 's' })];
    const pushed = new Map(parameters.reverse());
    assert.deepEqual(
      readAuthorizationRequest(pushed, deps),
      readAuthorizationRequest(new Map(parameters.reverse()), deps),
    );
    assert.equal(readAuthorizationRequest(submission({}), deps).type, 'errorForOwner');
  });
});

describe('an error that can go to a client', () => {
  const target = { kind: query, address: 'https://app.example/cb' };

  it('has a type of its own, which no other error has', async () => {
    const deps = protocolDependencies();
    const answer = await errorResponse(target, new RedirectableError('access_denied'), deps);
    assert.ok(answer.type === 'redirect');
    assert.match(answer.location, /^https:\/\/app\.example\/cb\?error=access_denied&/);
    // @ts-expect-error: any OAuthError could hold what only the resource owner must see.
    errorResponse(target, new OAuthError('access_denied'), deps);
    // @ts-expect-error: RFC 6749 §4.1.2.1 does not list it.
    new RedirectableError('invalid_client');
  });
});
