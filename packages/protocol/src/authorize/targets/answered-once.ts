import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { OneTimeStore } from '../../ports/stores/logins/one-time-store.ts';
import type { Clock } from '../../ports/system/clock.ts';
import type { ResponseTarget } from './target-kind.ts';

export interface AnsweredOnceDependencies {
  readonly oneTime: OneTimeStore;
  readonly clock: Clock;
}

/**
 * The target, which the response that is about to be sent uses up: on all nodes together the first one gets it. Whatever follows of the
 * same response has it without the pushed request.
 *
 * @throws OAuthError `invalid_request_uri` for the resource owner
 */
export async function usedUp(
  target: ResponseTarget,
  { oneTime, clock }: AnsweredOnceDependencies,
): Promise<ResponseTarget> {
  const { pushed, ...rest } = target;
  if (pushed === undefined) return target;
  const { key, answerBefore } = pushed;
  const now = clock.now();
  // The request itself is stored for a minute, and a login can take longer.
  const isFirst = now < answerBefore && (await oneTime.put(`${key}:answered`, '', answerBefore));
  if (!isFirst) throw unusableReference();
  await oneTime.take(key, now);
  return rest;
}

/** The error for the resource owner: where the response would go is not known any more. */
export function unusableReference(): OAuthError {
  const why = because('pushed_request_uri');
  return new OAuthError('invalid_request_uri', { ...why, text: { key: 'error.invalid_auth_state' } });
}
