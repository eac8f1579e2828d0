import { type AuthorizationError, type Grant, readAnswer } from './authorization.ts';
import type { Fragment } from './fragment.ts';
import type { PendingRequests } from './pending.ts';

/** The next step after the page was opened. */
export type Arrival =
  /** No user is signed in: request a token. */
  | { readonly type: 'ask'; readonly route: string }
  | { readonly type: 'granted'; readonly route: string; readonly grant: Grant }
  | { readonly type: 'failed'; readonly route: string; readonly error: AuthorizationError }
  /** An answer that this window did not request, or that is malformed. No request must follow immediately. */
  | { readonly type: 'ignored' }
  /** The answer is for the window that opened this one. */
  | { readonly type: 'deliver'; readonly state: string; readonly answer: Grant | AuthorizationError };

export const startRoute = '/';

export interface ArrivalDependencies {
  readonly pending: PendingRequests;
  readonly issuer: string;
  readonly now: number;
}

export function arrive(fragment: Fragment, { pending, issuer, now }: ArrivalDependencies): Arrival {
  if (fragment.kind === 'none') return { type: 'ask', route: startRoute };
  if (fragment.kind === 'route') return { type: 'ask', route: fragment.route };
  const { parameters } = fragment;
  const state = parameters.get('state');
  const request = pending.take(state);
  const answer = request && readAnswer(parameters, issuer, now);
  if (request === undefined || answer === undefined || state === null) return { type: 'ignored' };
  if (request.mode === 'popup') return { type: 'deliver', state, answer };
  const { route } = request;
  return 'token' in answer
    ? { type: 'granted', route, grant: answer }
    : { type: 'failed', route, error: answer };
}
