import { AccessError } from '../errors.ts';
import type { AccessRules, RuleKinds } from './access-rules.ts';
import { type Protection, protection, type Verifying } from './guard.ts';

/** Rules for frameworks that have an error handling of their own. */
export interface MiddlewareRules extends AccessRules {
  /** `throw` passes errors to the error handling of the framework instead of answering them. Default `answer`. */
  readonly errors?: 'answer' | 'throw';
}

const kinds: RuleKinds = {
  errors: { expected: 'answer or throw', isValid: (value) => value === 'answer' || value === 'throw' },
};

export interface MiddlewareProtection extends Protection {
  /** Whether the middleware answers this error itself. */
  isAnswered(error: unknown): error is AccessError;
}

export function middlewareProtection(verifier: Verifying, rules: MiddlewareRules = {}): MiddlewareProtection {
  return {
    ...protection(verifier, rules, kinds),
    isAnswered: (error): error is AccessError => error instanceof AccessError && rules.errors !== 'throw',
  };
}
