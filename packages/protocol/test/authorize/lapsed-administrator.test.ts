import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AuthenticationModule } from '@watchword/protocol';
import { buildPrincipal, flowDependencies, TestBrowser } from '@watchword/testkit';

it('ends the rights that a user gave to clients with the login in which the user is no administrator, and no others', async () => {
  let adminPrincipal = true;
  const authenticator: AuthenticationModule = {
    name: 'groups',
    begin: async () => ({ type: 'form' }),
    resume: async () => ({
      type: 'authenticated',
      principal: buildPrincipal({ name: 'emma', adminPrincipal }),
    }),
  };
  const { grant, store, webApp, clock } = await flowDependencies({ authenticator });
  const given = { clientRecordId: webApp.id, creationDate: clock.now() };
  const ofEmma = { ...given, right: 'accounts:read', giver: { identityProvider: 'groups', name: 'emma' } };
  const ofOthers = [
    { ...given, right: 'audit:read', giver: { identityProvider: 'other', name: 'emma' } },
    { ...given, right: 'keys:read', giver: { identityProvider: 'groups', name: 'Emma' } },
  ];
  await store.transact(async ({ rights }) => {
    for (const right of [ofEmma, ...ofOthers]) await rights.give(right);
  });
  await grant({}, new TestBrowser());
  assert.deepEqual(await store.rights.list(), [ofEmma, ...ofOthers]);
  adminPrincipal = false;
  await grant({}, new TestBrowser());
  assert.deepEqual(await store.rights.list(), ofOthers);
  const events = await store.auditEvents.list({ limit: 100 });
  assert.deepEqual(
    events
      .filter(({ action }) => action === 'endRight')
      .map(({ actor, recordName, before }) => [actor.name, recordName, before?.right]),
    [['emma', webApp.clientId, 'accounts:read']],
  );
});
