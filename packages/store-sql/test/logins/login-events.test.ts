import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditEventFactory, grantFactory, sessionFactory } from '@watchword/testkit';
import { testDatabase } from '../support/test-database.ts';

describe('the event of a login or a grant', () => {
  it('is in the commit of the session or grant: neither exists without the other', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const event = auditEventFactory()({ action: 'login' });
    const [make, session] = [grantFactory(), sessionFactory()];
    await store.loginSessions.insert(session(), event);

    const second = session();
    await assert.rejects(store.loginSessions.insert(second, event));
    assert.equal(await store.loginSessions.find(second.id), undefined);
    const grant = make.grant();
    const code = make.code(grant);
    await assert.rejects(store.authorizationCodes.insert(code, grant, { event }));
    assert.equal(await store.authorizationCodes.find(code.id), undefined);
    const tokens = make.tokens(grant);
    await assert.rejects(store.grants.insert(grant, tokens.accessToken, { event }));
    assert.equal(await store.accessTokens.find(tokens.accessToken.id), undefined);
  });
});
