import type { NewAccountView, SignUpEndpoint, SignUpView } from '@watchword/accounts';
import { submitted } from '@watchword/protocol';
import { signUpSentPage } from '../../pages/model/mailed-pages.ts';
import type { HttpAnswer } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission, queryParameters } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { signUpForm } from './authorization-pages.ts';
import type { AuthorizationRouteDependencies } from './authorize.ts';
import { ownForm } from './own-form.ts';
import { signUpPath as path, shownFor } from './shown.ts';

interface SignUpRouteDependencies extends AuthorizationRouteDependencies {
  readonly signUp: SignUpEndpoint;
}

const queryNames: ReadonlySet<string> = new Set(['link']);
const codePath = `${path}/code`;
/** Where the mailed link leads. The server logs no query. */
const accountPath = `${path}/account`;

/** The pages with which people make an account by themselves. */
export function signUpRoutes(deps: SignUpRouteDependencies): Endpoint[] {
  const { answers, cookies, prefix, signUp } = deps;
  return [
    {
      path,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) =>
          shown(request, await signUp.showSignUp(new Map(), cookies.read(request)), deps),
        POST: async (request) => {
          const submission = browserSubmission(request);
          const answer = submitted(submission, 'choice') === '' ? signUp.showSignUp : signUp.ask;
          return shown(request, await answer(submission, cookies.read(request)), deps);
        },
      },
    },
    {
      path: codePath,
      page: true,
      hasEffects: true,
      methods: {
        // A bookmark, or a reload without the form.
        GET: (request) => answers.redirect(request, `${prefix}${path}`),
        POST: async (request) =>
          shown(request, await signUp.enterCode(browserSubmission(request), cookies.read(request)), deps),
      },
    },
    {
      path: accountPath,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const link = queryParameters(request, queryNames).get('link') ?? '';
          return shown(request, await signUp.open(link, cookies.read(request)), deps);
        },
        POST: async (request) => {
          const made = await signUp.make(browserSubmission(request), cookies.read(request));
          if ('authState' in made) return shown(request, made, deps);
          const goOn =
            made.goOn === undefined ? undefined : { action: `${prefix}/again`, authState: made.goOn };
          const accountUrl = `${prefix}/account`;
          const page = { page: 'password-set', isNew: true, accountUrl, goOn } as const;
          return answers.page(request, page, { cookies: made.cookies });
        },
      },
    },
  ];
}

function shown(
  request: HttpRequest,
  view: SignUpView | NewAccountView,
  { answers, prefix }: SignUpRouteDependencies,
): HttpAnswer {
  if ('address' in view) {
    const { address, displayName, username } = view;
    const names = { address, displayName, username };
    const action = `${prefix}${accountPath}`;
    return ownForm(request, { page: 'invitation', action, ...names }, view, answers);
  }
  const page = view.isSent
    ? ({ page: 'login-step', action: `${prefix}${codePath}`, ...signUpSentPage } as const)
    : signUpForm(view.request, prefix);
  return ownForm(request, page, view, answers, shownFor(view.request));
}
