import { authorizationRules } from './authorization-rules.ts';
import type { ErrorRule } from './error-rule.ts';
import { openidRules } from './openid-rules.ts';
import { serverRules } from './server-rules.ts';
import { tokenRules } from './token-rules.ts';

/** Every rule for which the server refuses a request, by its stable name. */
export const errorRules = { ...authorizationRules, ...openidRules, ...tokenRules, ...serverRules } as const;

/** The stable name of a row of {@link errorRules}. */
export type ErrorRuleName = keyof typeof errorRules;

/** `undefined` for a name of another release. */
export function errorRule(name: string): ErrorRule | undefined {
  return Object.hasOwn(errorRules, name) ? errorRules[name as ErrorRuleName] : undefined;
}
