import { profileErrorRules } from '../../profiles/profile-rules.ts';
import { assertionRules } from './assertion-rules.ts';
import { authorizationRules } from './authorization-rules.ts';
import { clientRules } from './client-rules.ts';
import { documentRules } from './document-rules.ts';
import type { ErrorRule, Refusal } from './error-rule.ts';
import { grantRules } from './grant-rules.ts';
import { openidRules } from './openid-rules.ts';
import { proofRules } from './proof-rules.ts';
import { registrationRules } from './registration-rules.ts';
import { requestObjectRules } from './request-object-rules.ts';
import { resourceRules } from './resource-rules.ts';
import { serverRules } from './server-rules.ts';
import { tokenRules } from './token-rules.ts';

/** Every rule for which the server refuses a request, by its stable name. */
export const errorRules = {
  ...authorizationRules,
  ...documentRules,
  ...requestObjectRules,
  ...openidRules,
  ...clientRules,
  ...assertionRules,
  ...registrationRules,
  ...grantRules,
  ...tokenRules,
  ...proofRules,
  ...resourceRules,
  ...serverRules,
  ...profileErrorRules,
} as const;

/** The stable name of a row of {@link errorRules}. */
export type ErrorRuleName = keyof typeof errorRules;

/** `undefined` for a name of another release. */
export function errorRule(name: string): ErrorRule | undefined {
  return Object.hasOwn(errorRules, name) ? errorRules[name as ErrorRuleName] : undefined;
}

type Rules = typeof errorRules;

/** The rules that say something of the facts of a request. */
type ExplainedRule = {
  [Name in ErrorRuleName]: Rules[Name] extends { refusal: (facts: never) => Refusal } ? Name : never;
}[ErrorRuleName];

/** The rule that a request breaks, for an error, with what it says of the facts. */
export function because<Name extends ExplainedRule>(
  rule: Name,
  ...facts: Parameters<Rules[Name]['refusal']>
): Refusal & { readonly rule: Name } {
  const { refusal } = errorRules[rule] as { readonly refusal: (...given: typeof facts) => Refusal };
  return { ...refusal(...facts), rule };
}
