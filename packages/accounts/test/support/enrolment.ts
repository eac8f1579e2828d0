import assert from 'node:assert/strict';
import type { Client } from '@watchword/protocol';
import {
  FakeClock,
  type FlowDependencies,
  flowDependencies,
  memoryStore,
  seededRandom,
  type TestBrowser,
} from '@watchword/testkit';
import { enrolmentStep } from '../../src/factors/enrolment-step.ts';
import { type FactorPolicy, neededBy } from '../../src/factors/factor-policy.ts';
import { totpCode, totpStep } from '../../src/factors/totp.ts';
import {
  passkeyEnrolment,
  passkeyLogin,
  passkeyWay,
  recoveryWay,
  secondFactor,
  totpEnrolment,
  totpWay,
} from '../../src/index.ts';
import { type Answer, current, secrets, unwatched } from './logins.ts';

export const relyingParty = { id: 'localhost', origin: 'http://localhost:8080' };

const noAttempts = {
  ...{ begin: async () => 0, succeed: async () => {}, withdraw: async () => {} },
  ...{ remember: () => 'device', turn: () => ({ of: '', isKnownDevice: false }) },
};

/** Logs in as whoever is named, of whom the policy demands a second factor. @param hasPasskeys else there are codes of apps alone */
export async function enrolmentServer(
  more: Partial<FactorPolicy> = {},
  client: Partial<Client> = {},
  hasPasskeys = false,
): Promise<FlowDependencies> {
  const clock = new FakeClock();
  const store = memoryStore(clock);
  const strength = { classes: {}, providers: {} };
  const policy: FactorPolicy = { required: 'everyone', groups: [], graceDays: 0, ...more };
  const subjectSecret = await store.subjectKey.read();
  const random = seededRandom('enrolment');
  const parts = { ...store, clock, random, policy, strength, secrets, subjectSecret, relyingParty };
  const ways = [
    ...(hasPasskeys ? [passkeyWay(passkeyLogin(parts))] : []),
    ...[totpWay(parts, noAttempts), recoveryWay(parts, noAttempts)],
  ];
  const added = [...(hasPasskeys ? [passkeyEnrolment(parts)] : []), totpEnrolment(parts)];
  const loginSteps = [
    secondFactor({ ...store, ...unwatched, ways, needed: neededBy(parts) }),
    enrolmentStep({ ...parts, ways: added }),
  ];
  const flow = await flowDependencies({ basis: { clock, store, seed: 'flow' }, loginSteps, strength });
  store.putClient({ ...flow.webApp, skipConsent: true, ...client });
  return flow;
}

export function formOf(page: Answer) {
  assert.ok(page.type === 'loginStep', page.type);
  return page.form;
}

export const titleOf = (page: Answer) => {
  const { title } = formOf(page);
  return typeof title === 'object' ? title.key : title;
};
export const choicesOf = (page: Answer) => formOf(page).choices.map(({ value }) => value);
export const codeOn = (page: Answer, { clock }: FlowDependencies) =>
  totpCode(formOf(page).totp?.secret ?? assert.fail('expected a key'), totpStep(clock.now()));

/** The credentials of everybody. */
export const kindsOf = async ({ store }: FlowDependencies, browser: TestBrowser, deps: FlowDependencies) => {
  const session = await current(deps, browser);
  const own = await store.credentials.listBySubject(session?.owner.subject ?? assert.fail());
  return [...new Set(own.map(({ kind }) => kind))].toSorted();
};
