import {
  type DeletionDependencies,
  enrolmentStep,
  neededBy,
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
import { refusalsIn } from '../core/passkeys.ts';
import { strengthOf } from '../core/sessions.ts';

type Parts = Pick<
  Core,
  | 'clock'
  | 'configuration'
  | 'factorLimits'
  | 'factorPolicy'
  | 'factorSecrets'
  | 'logger'
  | 'random'
  | 'relyingParty'
  | 'securityLog'
  | 'store'
>;

/** The steps of a login that ask for further factors. */
export function factorStepsOf(parts: Parts, deps: DeletionDependencies): readonly LoginStep[] {
  const { clock, configuration, factorLimits, factorPolicy: policy, factorSecrets: secrets } = parts;
  const { logger, random, relyingParty, securityLog, store } = parts;
  const { credentials, oneTime } = store;
  const ofPolicy = { policy, strength: strengthOf(configuration) };
  const needed = neededBy(ofPolicy);
  const onRefused = refusalsIn((text, why) => logger.info(why, text));
  const ofPasskeys = relyingParty && { relyingParty, credentials, oneTime, clock, random, onRefused };
  const ways = [
    ...(ofPasskeys ? [passkeyWay(passkeyLogin(ofPasskeys))] : []),
    totpWay({ credentials, clock, secrets }, factorLimits.codes),
    recoveryWay(deps, factorLimits.recoveryCodes),
  ];
  const asking = secondFactor({ credentials, securityLog, ways, needed });
  const enrolment = enrolmentStep({
    ...{ ...store, ...ofPolicy, clock },
    ways: [totpEnrolment({ ...deps, secrets })],
  });
  const trustDays = configuration['factors.trustDays'];
  if (trustDays === 0) return [asking, enrolment];
  const trusted = trustedBrowsers({ ...deps, credentials, trustDays });
  return [trustingStep(asking, { credentials, needed, trusted }), enrolment];
}
