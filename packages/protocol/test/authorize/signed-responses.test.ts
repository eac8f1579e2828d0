import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorizationRequest, flowDependencies, submission, TestBrowser } from '@watchword/testkit';

type Deps = Awaited<ReturnType<typeof flowDependencies>>;

const ask = (deps: Deps, parameters: Record<string, string>) =>
  deps.authorization.authorize(authorizationRequest(parameters), new TestBrowser().state);

/** The claims of the one parameter of a response. */
async function claimsOf(parameters: URLSearchParams | Readonly<Record<string, string>>, { signer }: Deps) {
  const { response = '', ...others } = Object.fromEntries(
    parameters instanceof URLSearchParams ? parameters : Object.entries(parameters),
  );
  assert.deepEqual(others, {}, 'every parameter is in the JWT');
  const claims = await signer.verify(response, { type: 'JWT', keys: 'published' });
  return claims ?? assert.fail('the response is no JWT of this server');
}

describe('a signed response', () => {
  it('has code, state, issuer and audience in a JWT of ten minutes', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const request = authorizationRequest({ response_mode: 'query.jwt', state: 's' });
    const login = browser.take(await deps.authorization.authorize(request, browser.state));
    assert.ok(login.type === 'login', login.type);
    const form = submission({ auth_state: login.authState, username: 'emma' });
    const consent = browser.take(await deps.authorization.login(form, browser.state));
    assert.ok(consent.type === 'consent', consent.type);
    const decision = submission({ auth_state: consent.authState, decision: 'allow' });
    const answer = await deps.authorization.consent(decision, browser.state);
    assert.ok(answer.type === 'redirect', answer.type);
    const { code, exp, ...claims } = await claimsOf(new URL(answer.location).searchParams, deps);
    assert.match(String(code), /^\S+$/);
    assert.equal(exp, Math.floor(deps.clock.now() / 1000) + 600);
    assert.deepEqual(claims, { state: 's', iss: deps.issuer, aud: 'web-app' });
  });

  it('goes where the response type goes without a mode for jwt, and else where the mode says', async () => {
    const deps = await flowDependencies();
    const wrong = { scope: 'admin', state: 's' };
    for (const [mode, separator] of [
      ['jwt', '?'],
      ['query.jwt', '?'],
      ['fragment.jwt', '#'],
    ] as const) {
      const answer = await ask(deps, { ...wrong, response_mode: mode });
      assert.ok(answer.type === 'redirect', answer.type);
      const [address = '', parameters = ''] = answer.location.split(separator);
      assert.equal(address, 'https://app.example/cb', mode);
      const { error, state } = await claimsOf(new URLSearchParams(parameters), deps);
      assert.deepEqual([error, state], ['invalid_scope', 's'], mode);
    }
    const posted = await ask(deps, { ...wrong, response_mode: 'form_post.jwt' });
    assert.ok(posted.type === 'formPost', posted.type);
    assert.equal((await claimsOf(posted.fields, deps)).error, 'invalid_scope');
  });

  it('has tokens in a fragment or a form alone', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, confidential: false, allowedImplicitGrant: true });
    const asked = async (mode: string, scope: string) => {
      const answer = await ask(deps, { response_type: 'token', response_mode: mode, scope });
      assert.ok(answer.type === 'redirect', answer.type);
      return answer.location;
    };
    assert.match(await asked('jwt', 'admin'), /^https:\/\/app\.example\/cb#response=/);
    assert.match(await asked('query.jwt', 'read'), /#error=invalid_request&.*response_mode/);
  });

  it('is signed by the algorithm that the client has registered', async () => {
    const deps = await flowDependencies();
    for (const algorithm of deps.signer.algorithms) {
      deps.store.putClient({ ...deps.webApp, authorizationSignedResponseAlg: algorithm });
      const answer = await ask(deps, { scope: 'admin', response_mode: 'jwt' });
      assert.ok(answer.type === 'redirect', answer.type);
      const [header = ''] = (new URL(answer.location).searchParams.get('response') ?? '').split('.');
      assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, algorithm);
    }
  });
});
