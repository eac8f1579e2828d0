import {
  type DeletionDependencies,
  enrolmentStep,
  type FactorDependencies,
  longerPassword,
  neededBy,
  passkeyEnrolment,
  passkeyLogin,
  passkeyWay,
  recoveryWay,
  secondFactor,
  totpEnrolment,
  totpWay,
  trustedBrowsers,
  trustingStep,
} from '@watchword/accounts';
import type { LoginStep } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { strengthOf } from '../core/people/sessions.ts';

type Parts = Pick<
  Core,
  'configuration' | 'factorLimits' | 'factorPolicy' | 'instruments' | 'securityLog' | 'store'
>;

/** The steps of a login that ask for further factors. */
export function factorStepsOf(
  { configuration, factorLimits, factorPolicy: policy, instruments, securityLog, store }: Parts,
  deps: DeletionDependencies & FactorDependencies,
): readonly LoginStep[] {
  const { credentials, relyingParty } = deps;
  const ofPolicy = { policy, strength: strengthOf(configuration) };
  const needed = neededBy(ofPolicy);
  const ways = [
    ...(relyingParty ? [passkeyWay(passkeyLogin({ ...deps, relyingParty }))] : []),
    totpWay(deps, factorLimits.codes),
    recoveryWay(deps, factorLimits.recoveryCodes),
  ];
  const asking = secondFactor({ credentials, instruments, securityLog, ways, needed });
  const added = [...(relyingParty ? [passkeyEnrolment(deps)] : []), totpEnrolment(deps)];
  const enrolment = enrolmentStep({ ...store, ...ofPolicy, clock: deps.clock, ways: added });
  const trustDays = configuration['factors.trustDays'];
  if (trustDays === 0) return [asking, enrolment, longerPassword(deps)];
  const trusted = trustedBrowsers({ ...deps, trustDays });
  return [
    trustingStep(asking, { credentials, instruments, needed, trusted }),
    enrolment,
    longerPassword(deps),
  ];
}
