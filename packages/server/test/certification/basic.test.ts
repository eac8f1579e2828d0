import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { registerOpenidClient } from '../support/openid-client.ts';
import { basicModules } from './basic-modules.ts';
import { BasicPlan } from './basic-plan.ts';

const openidScopes = ['profile', 'email', 'address', 'phone', 'offline_access'] as const;

/** The OpenID Foundation certifies these plans. Each test has the name of a module, and the outcome that the server has. */
for (const [profile, isFormPost] of [
  ['Basic OP', false],
  ['Form Post OP', true],
] as const) {
  describe(`the certification plan ${profile}`, () => {
    let server: TestServer;
    let plan: BasicPlan;
    before(async () => {
      server = await startServer({ authenticator: anyPerson });
      const [app, other] = await Promise.all([
        registerOpenidClient(server, { clientName: 'First', openidScopes }),
        registerOpenidClient(server, { clientName: 'Second', openidScopes }),
      ]);
      plan = new BasicPlan(server, { app, other, isFormPost });
    });
    after(() => server[Symbol.asyncDispose]());

    for (const [name, outcome, run] of basicModules) {
      it(`oidcc-${name}: ${outcome}`, async () => {
        await run(plan);
      });
    }
  });
}

describe('the certification plan Basic OP', () => {
  it('has 38 modules, each once', () => {
    assert.equal(new Set(basicModules.map(([name]) => name)).size, 38);
  });
});
