import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorizationRequest, flowDependencies, submission, TestBrowser } from '@watchword/testkit';
import type { RequestSource } from '../../src/authorize/incoming-request.ts';
import type { RequestReading } from '../../src/authorize/request/read-request.ts';
import type { TargetKind } from '../../src/authorize/targets/target-kind.ts';
import { RedirectableError } from '../../src/model/errors/errors.ts';

/** A client that has no redirect URI for this, and asks for its response later. */
function inbox() {
  const responses = new Map<string, Readonly<Record<string, string>>>();
  const kind: TargetKind = {
    name: 'inbox',
    isAllowedFor: () => true,
    registered: () => undefined,
    isCertain: () => false,
    destination: () => ({ consentText: 'Go back to your television.' }),
    async respond(address, parameters) {
      responses.set(address, parameters);
      return { type: 'notice', title: 'Done', text: 'Go back to your television.' };
    },
    offer: () => undefined,
  };
  return { responses, kind };
}

async function withInbox(invalid?: RedirectableError) {
  const { responses, kind } = inbox();
  const target = { kind, address: '7' };
  const isImmediate = false;
  const reading = (given: RequestReading): RequestReading => {
    assert.ok(given.type === 'valid');
    return invalid === undefined
      ? { type: 'valid', request: { ...given.request, target, namesRedirectUri: false } }
      : { type: 'errorForClient', target, error: invalid, isImmediate, cookies: {} };
  };
  const source: RequestSource = {
    has: () => true,
    async read(_, plain) {
      const incoming = await plain(authorizationRequest({ scope: 'read' }));
      return { ...incoming, reading: reading(incoming.reading) };
    },
  };
  const deps = await flowDependencies({ requestSources: [source], targetKinds: [kind] });
  const browser = new TestBrowser();
  const { authorization } = deps;
  const ask = async () => browser.take(await authorization.authorize(submission({}), browser.state));
  const consentPage = async () => {
    let answer = await ask();
    if (answer.type === 'login') {
      const form = submission({ auth_state: answer.authState, username: 'emma' });
      answer = browser.take(await authorization.login(form, browser.state));
    }
    assert.ok(answer.type === 'consent');
    return answer;
  };
  const decide = async (decision: string) => {
    const { authState } = await consentPage();
    const form = submission({ auth_state: authState, granted_scopes: 'read', decision });
    const answer = browser.take(await authorization.consent(form, browser.state));
    assert.equal(answer.type, 'notice');
  };
  return { deps, responses, ask, consentPage, decide };
}

describe('a target without a redirect URI', () => {
  it('gets a code that is redeemed without one, after login and consent', async () => {
    const { deps, responses, decide } = await withInbox();
    await decide('allow');
    const { code = '', ...rest } = responses.get('7') ?? {};
    assert.deepEqual(rest, { iss: deps.issuer });
    assert.equal((await deps.token({ grant_type: 'authorization_code', code })).scope, 'read');
  });

  it('gets a denial', async () => {
    const { responses, decide } = await withInbox();
    await decide('deny');
    assert.equal(responses.get('7')?.error, 'access_denied');
  });

  it('decides what the consent page says, and whether the consent is remembered', async () => {
    const { decide, consentPage } = await withInbox();
    await decide('allow');
    const { request, consented } = await consentPage();
    const destination = request.target.kind.destination(request.target.address);
    assert.deepEqual(destination, { consentText: 'Go back to your television.' });
    assert.deepEqual(consented, []);
  });

  it('offers no way to the client from the page of an error, where it has none', async () => {
    const { responses, ask } = await withInbox(new RedirectableError('invalid_scope'));
    const answer = await ask();
    assert.ok(answer.type === 'error');
    assert.equal(answer.response, undefined);
    assert.equal(responses.size, 0);
  });
});
