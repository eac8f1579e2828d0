import { AccessError } from '../errors.ts';
import type { TokenInfo } from '../token-info.ts';
import type { TokenVerifier } from '../verifier/token-verifier.ts';
import type { AccessRules, RuleKinds } from './access-rules.ts';
import { type Guard, guardWith } from './guard.ts';

/** Rules for frameworks that have an error handling of their own. */
export interface MiddlewareRules extends AccessRules {
  /** `throw` passes errors to the error handling of the framework instead of answering them. Default `answer`. */
  readonly errors?: 'answer' | 'throw';
}

const kinds: RuleKinds = {
  errors: { expected: 'answer or throw', isValid: (value) => value === 'answer' || value === 'throw' },
};

export interface MiddlewareGuard {
  readonly guard: Guard<TokenInfo | undefined>;
  /** Whether the middleware answers this error itself. */
  isAnswered(error: unknown): error is AccessError;
}

export function middlewareGuard(
  verifier: Pick<TokenVerifier, 'verify'>,
  rules: MiddlewareRules = {},
): MiddlewareGuard {
  return {
    guard: guardWith(verifier, rules, kinds),
    isAnswered: (error): error is AccessError => error instanceof AccessError && rules.errors !== 'throw',
  };
}
