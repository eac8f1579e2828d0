import { type AuthorizationEndpoint, forbidsPages, OAuthError, type Submission } from '@watchword/protocol';
import { withCookies } from './answer.ts';
import type { BrowserAnswers } from './browser-answers.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import type { Handler } from './endpoint.ts';
import { browserSubmission } from './form.ts';
import type { HttpRequest } from './request.ts';

export interface PostedRequestDependencies {
  readonly authorization: AuthorizationEndpoint;
  readonly answers: BrowserAnswers;
  readonly cookies: BrowserCookieJar;
}

/**
 * An authorization request that a page of another site posts comes without cookies. To take the browser for a new one
 * would overwrite its binding cookie: that ends its login session and spoils the pages that it has open. So the answer
 * is a page that posts the same once more, from our own origin, from which the cookies come along.
 */
export function repeatingFromHere(
  authorize: Handler,
  { authorization, answers, cookies }: PostedRequestDependencies,
): Handler {
  return (request) => {
    const parameters = browserSubmission(request);
    if (cookies.cameAlong(request) || (isFramed(request) && forbidsPages(parameters))) {
      return authorize(request);
    }
    const redirectUri = authorization.redirectUriOf(parameters);
    const page = { page: 'repeat', action: request.route, fields: fieldsOf(parameters) } as const;
    return withCookies(answers.page(request, page, { redirectUri }), cookies.probe(request));
  };
}

/** No page of the server is shown in a frame. There a client that forbids pages learns at once that no user is logged in. */
function isFramed({ headers }: HttpRequest): boolean {
  return /^i?frame$/.test(String(headers['sec-fetch-dest']));
}

/** @throws OAuthError for what a form cannot repeat as it came */
function fieldsOf(parameters: Submission) {
  const fields = [...parameters].flatMap(([name, values]) => values.map((value) => ({ name, value })));
  // Browsers make every line break of a form CR LF (HTML standard, "constructing the entry list").
  if (fields.some(({ name, value }) => /\r(?!\n)|(?<!\r)\n/.test(`${name} ${value}`))) {
    throw new OAuthError('invalid_request', {
      description: 'A parameter has a line break; send the request by GET, or without it.',
    });
  }
  return fields;
}
