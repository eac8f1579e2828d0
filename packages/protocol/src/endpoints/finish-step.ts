import type { AuthorizationAnswer } from '../authorize/authorization-answer.ts';
import type { Browser } from '../authorize/browser.ts';
import type { Outcome } from '../authorize/outcome.ts';
import { type AnsweredOnceDependencies, usedUp } from '../authorize/targets/answered-once.ts';
import type { ErrorForClient } from '../authorize/targets/authorization-error.ts';
import { errorResponse, offeredResponse } from '../authorize/targets/response-target.ts';
import type { SignedResponseDependencies } from '../authorize/targets/signed-response.ts';
import type { Client } from '../model/records/client.ts';
import { type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

export interface FinishDependencies
  extends RequestErrorReporting,
    AnsweredOnceDependencies,
    SignedResponseDependencies {}

/**
 * The answer of a step of the authorization endpoint. Its error is also reported to the record owner of the client. The
 * client itself is not authenticated: the request comes from a browser.
 *
 * @param clientOf the client of the request; called only for an error
 * @throws OAuthError for the resource owner
 */
export async function finishStep(
  step: Promise<Outcome>,
  clientOf: () => Client | undefined,
  browser: Browser,
  deps: FinishDependencies,
): Promise<AuthorizationAnswer> {
  try {
    const outcome = await step;
    if (outcome.type === 'errorForOwner') throw outcome.error;
    const answer = outcome.type === 'errorForClient' ? await errorAnswer(outcome, deps) : outcome;
    if (answer.error !== undefined) report(answer.error, clientOf(), browser, deps);
    return answer;
  } catch (error) {
    report(error, clientOf(), browser, deps);
    throw error;
  }
}

function report(
  error: unknown,
  client: Client | undefined,
  { requestId }: Browser,
  deps: FinishDependencies,
): void {
  reportRequestError(deps, 'authorization', { client, isAuthenticated: false, requestId }, error);
}

async function errorAnswer(
  { target, error, cookies }: ErrorForClient,
  deps: FinishDependencies,
): Promise<AuthorizationAnswer> {
  const response = await errorResponse(await usedUp(target, deps), error, deps);
  return { ...response, error, cookies };
}

/** Shows the resource owner an error first, and offers to take it to the client. */
export async function errorPage(
  { target, error, cookies }: ErrorForClient,
  deps: SignedResponseDependencies,
): Promise<AuthorizationAnswer> {
  return { type: 'error', error, target, response: await offeredResponse(target, error, deps), cookies };
}
