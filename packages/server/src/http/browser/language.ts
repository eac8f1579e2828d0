import { type AuthorizationEndpoint, OAuthError, submitted } from '@watchword/protocol';
import { withCookies } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { LanguageChoice } from '../language-choice.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';

/** The pages of an authorization request, which their state shows again. Any other page is shown again by its address. */
const stages: ReadonlyMap<string, Parameters<AuthorizationEndpoint['showAgain']>[0]> = new Map([
  ['login', 'login'],
  ['login-step', 'step'],
  ['select-account', 'select'],
  ['consent', 'consent'],
  ['answered', 'again'],
]);

/** The user chooses a language in the middle of an authorization request. Its page comes again in it, and the browser keeps the choice. */
export function languageRoute(deps: AuthorizationRouteDependencies, choice: LanguageChoice): Endpoint {
  const { answers, authorization, cookies, prefix } = deps;
  return {
    path: '/language',
    page: true,
    hasEffects: true,
    methods: {
      GET: (request) => answers.page(request, { page: 'step', accountUrl: `${prefix}/account` }),
      async POST(request) {
        const submission = browserSubmission(request);
        const chosen = choice.cookieOf(submission);
        const stage = stages.get(submitted(submission, 'page'));
        if (stage === undefined) throw new OAuthError('invalid_request', { rule: 'form_choice' });
        const shown = await authorization.showAgain(stage, submission, cookies.read(request));
        // As the browser sends it from now on.
        const cookie = [chosen.split(';', 1)[0], request.headers.cookie ?? ''].join('; ');
        const next = { ...request, headers: { ...request.headers, cookie } };
        return withCookies(authorizationAnswer(shown, next, deps), [chosen]);
      },
    },
  };
}
