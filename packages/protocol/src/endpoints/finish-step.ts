import type { AuthorizationAnswer } from '../authorize/authorization-answer.ts';
import type { Browser } from '../authorize/browser.ts';
import type { Outcome } from '../authorize/outcome.ts';
import type { ErrorForClient } from '../authorize/targets/authorization-error.ts';
import { errorResponse } from '../authorize/targets/response-target.ts';
import type { Client } from '../model/client.ts';
import { type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

export interface FinishDependencies extends RequestErrorReporting {
  readonly issuer: string;
}

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
    const answer = answerOf(await step, deps.issuer);
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

/** The answer for the browser. @throws OAuthError for the resource owner */
function answerOf(outcome: Outcome, issuer: string): AuthorizationAnswer {
  switch (outcome.type) {
    case 'errorForOwner':
      throw outcome.error;
    case 'errorForClient': {
      const { target, error, cookies } = outcome;
      return { ...errorResponse(target, error, issuer), error, cookies };
    }
    default:
      return outcome;
  }
}

/** Shows the resource owner an error first, and offers to take it to the client. */
export function errorPage({ target, error, cookies }: ErrorForClient, issuer: string): AuthorizationAnswer {
  return { type: 'error', error, response: errorResponse(target, error, issuer), cookies };
}
