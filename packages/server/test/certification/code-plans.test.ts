import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowSuite } from '@watchword/testkit';
import { registerOpenidClient } from '../support/openid-client.ts';
import { basicModules, hybridModules } from './code-modules.ts';
import { CodePlan, type PlanVariant } from './code-plan.ts';

const openidScopes = ['profile', 'email', 'address', 'phone', 'offline_access'] as const;

const hybrid: readonly PlanVariant[] = (['code id_token', 'code token', 'code id_token token'] as const).map(
  (responseType) => ({ responseType, isFormPost: false }),
);

/** The OpenID Foundation certifies these plans. Each test has the name of a module, and the outcome that the server has. */
describe('the certification plans of responses with a code', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
  });
  after(() => server[Symbol.asyncDispose]());

  const hold = (modules: typeof basicModules, variant: PlanVariant) => {
    let plan: CodePlan;
    before(async () => {
      const fields = { openidScopes, allowedHybrid: variant.responseType !== 'code' };
      const [app, other] = await Promise.all([
        registerOpenidClient(server, { clientName: 'First', ...fields }),
        registerOpenidClient(server, { clientName: 'Second', ...fields }),
      ]);
      plan = new CodePlan(server, { app, other }, variant);
    });
    for (const [name, outcome, run] of modules) {
      it(`oidcc-${name}: ${outcome}`, async () => {
        await run(plan);
      });
    }
  };

  describe('Basic OP', () => hold(basicModules, { responseType: 'code', isFormPost: false }));
  // Form posts and hybrid responses have tests of their own, test/form-post.test.ts and test/openid/front-channel.test.ts.
  slowSuite('Form Post Basic OP', () => hold(basicModules, { responseType: 'code', isFormPost: true }));
  for (const variant of hybrid) {
    slowSuite(`Hybrid OP, ${variant.responseType}`, () => hold(hybridModules(variant), variant));
    const posted = { ...variant, isFormPost: true };
    slowSuite(`Form Post Hybrid OP, ${variant.responseType}`, () => hold(hybridModules(posted), posted));
  }

  it('have 38 modules of Basic OP and 36 of each Hybrid OP, each once', () => {
    const counts = [basicModules, ...hybrid.map(hybridModules)].map(
      (modules) => new Set(modules.map(([name]) => name)).size,
    );
    assert.deepEqual(counts, [38, 36, 36, 36]);
  });
});
