import {
  type Browser,
  destinationOf,
  type ForeseenAnswer,
  OAuthError,
  type Submission,
} from '@watchword/protocol';
import { withCookies } from '../answer.ts';
import type { BrowserCookieJar } from '../browser-cookies.ts';
import type { Handler } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import type { BrowserAnswers } from './browser-answers.ts';

export interface PostedRequestDependencies {
  readonly answers: BrowserAnswers;
  readonly cookies: BrowserCookieJar;
  /** The path to which the fields are posted again; default: the route. */
  readonly action?: string;
}

/**
 * A request that a page of another site posts comes without cookies. If the server treated the browser as a
 * new one, it would overwrite the binding cookie. That would end the login session and invalidate open pages. So the answer
 * is a page that posts the same fields again from the origin of this server, with the cookies.
 *
 * @param foresee what the answer to the repeated request will be; absent if it leads to no other server
 */
export function repeatingFromHere(
  answer: Handler,
  { answers, cookies, action }: PostedRequestDependencies,
  foresee?: (parameters: Submission, browser: Browser) => Promise<ForeseenAnswer>,
): Handler {
  return async (request) => {
    const parameters = browserSubmission(request);
    if (cookies.cameAlong(request)) return answer(request);
    const foreseen = await foresee?.(parameters, cookies.read(request));
    if (foreseen?.forbidsPages && isFramed(request)) return answer(request);
    if (foreseen?.target instanceof OAuthError) throw foreseen.target;
    const page = { page: 'repeat', action: action ?? request.route, fields: fieldsOf(parameters) } as const;
    const options = foreseen === undefined ? {} : { destination: destinationOf(foreseen.target) };
    return withCookies(answers.page(request, page, options), cookies.probe(request));
  };
}

/** No page of the server is shown in a frame. So a client that uses `prompt=none` there gets at once the error that no user is logged in. */
function isFramed({ headers }: HttpRequest): boolean {
  return /^i?frame$/.test(String(headers['sec-fetch-dest']));
}

/** @throws OAuthError for a parameter that a form cannot repeat unchanged */
function fieldsOf(parameters: Submission) {
  const fields = [...parameters].flatMap(([name, values]) => values.map((value) => ({ name, value })));
  // Browsers turn every line break of a form into CR LF (HTML standard, "constructing the entry list").
  if (fields.some(({ name, value }) => /\r(?!\n)|(?<!\r)\n/.test(`${name} ${value}`))) {
    throw new OAuthError('invalid_request', {
      description: 'A parameter contains a line break. Send the request by GET, or remove the line break.',
      rule: 'form_encoding',
    });
  }
  return fields;
}
