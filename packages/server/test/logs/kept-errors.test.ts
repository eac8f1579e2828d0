import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LoginSession, OAuthError } from '@watchword/protocol';
import { type KeptErrorsDependencies, keptErrors } from '../../src/http/kept-errors.ts';
import type { HttpRequest } from '../../src/http/request.ts';

const session = { creationDate: 0, owner: { principal: { adminPrincipal: true } } } as LoginSession;
const fails = () => {
  throw new Error('the registry fails');
};

describe('the explanation on an error page', () => {
  it('is left out when it cannot be made, so that the page is still answered', async () => {
    const errors = keptErrors({
      cookies: { read: () => ({ session: 'secret' }) },
      sessions: { current: async () => session },
      requestErrors: { answered() {}, find: fails },
      clock: { now: () => 0 },
    } as unknown as KeptErrorsDependencies);
    const explanation = errors.explanation({ id: 'r1' } as HttpRequest, new OAuthError('invalid_request'));
    assert.ok(explanation, 'the user is an administrator');
    assert.equal(await explanation, undefined);
  });
});
