import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { securityModules } from './fapi-modules.ts';
import { openidModules } from './fapi-openid-modules.ts';
import { parModules } from './fapi-par-modules.ts';
import { type FapiModule, FapiPlan, type FapiVariant } from './fapi-plan.ts';
import { signingModules } from './fapi-signing-modules.ts';

/**
 * Each test has the name of a module, and the outcome that the server has. The variants are those of private_key_jwt, dpop and
 * plain_fapi, without the modules that plain_fapi has not.
 */
function hold(variant: FapiVariant, modules: readonly FapiModule[]): void {
  let server: TestServer;
  let plan: FapiPlan;
  before(async () => {
    server = await startServer({
      ...{ authenticator: anyPerson, profile: 'fapi-2.0', 'signing.algorithms': 'ES256' },
      'authorization.requireSignedRequests': String(variant.isSigned),
    });
    plan = await FapiPlan.start(server, variant);
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [name, outcome, run] of modules) {
    it(`fapi2-security-profile-final-${name}: ${outcome}`, async () => {
      await run(plan);
    });
  }

  it(`has ${modules.length} modules, each once`, () => {
    assert.equal(new Set(modules.map(([name]) => name)).size, modules.length);
  });
}

const ofBoth = [...securityModules, ...parModules];
const ofOpenid = [...ofBoth, ...openidModules];

describe('the certification plan FAPI 2.0 Security Profile', () => {
  describe('openid_connect', () => hold({ isOpenid: true, isSigned: false }, ofOpenid));
  describe('plain_oauth', () => hold({ isOpenid: false, isSigned: false }, ofBoth));
});

describe('the certification plan FAPI 2.0 Message Signing, jarm', () => {
  describe('openid_connect', () =>
    hold({ isOpenid: true, isSigned: true }, [...ofOpenid, ...signingModules]));
  describe('plain_oauth', () => hold({ isOpenid: false, isSigned: true }, signingModules));
});
