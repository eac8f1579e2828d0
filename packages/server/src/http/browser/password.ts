import type { PasswordEndpoint, PasswordIsSet, PasswordView } from '@watchword/accounts';
import type { AuthorizationEndpoint } from '@watchword/protocol';
import type { PasswordPage } from '../../pages/password-page.ts';
import type { HttpAnswer } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission, queryParameters } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import { lateMessage } from './restart-message.ts';

export interface PasswordRouteDependencies extends AuthorizationRouteDependencies {
  readonly password: PasswordEndpoint;
  readonly authorization: AuthorizationEndpoint;
}

const queryNames: ReadonlySet<string> = new Set(['link']);

const resetPath = '/account/set-password';

/** The page on which a user who is logged in replaces the password. */
const passwordPath = '/account/password';

export function passwordUrl(prefix: string): string {
  return `${prefix}${passwordPath}`;
}

/** Where a user sets a password. The server logs no query (`runtime/access-log.ts`). @param value of a reset link */
export function resetLinkPath(value: string): string {
  return `${resetPath}?link=${value}`;
}

/** The pages on which users of local accounts set their passwords: with a reset link, or with the current password. */
export function passwordRoutes(deps: PasswordRouteDependencies): Endpoint[] {
  const { answers, authorization, cookies, password, prefix } = deps;
  const shown = (request: HttpRequest, view: PasswordView, path: string) =>
    passwordAnswer(request, view, path, deps);
  const logIn = async (request: HttpRequest) =>
    authorizationAnswer(
      await authorization.loginForAccount(cookies.read(request), passwordPath),
      request,
      deps,
    );

  return [
    {
      path: resetPath,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const link = queryParameters(request, queryNames).get('link') ?? '';
          return shown(request, await password.showReset(link, cookies.read(request)), resetPath);
        },
        POST: async (request) => {
          const set = await password.reset(browserSubmission(request), cookies.read(request));
          if (!isSet(set)) return shown(request, set, resetPath);
          const page = { page: 'password-set', accountUrl: `${prefix}/account` } as const;
          return answers.page(request, page, { cookies: set.cookies });
        },
      },
    },
    {
      path: passwordPath,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const view = await password.showChange(cookies.read(request));
          return view === undefined ? logIn(request) : shown(request, view, passwordPath);
        },
        POST: async (request) => {
          const set = await password.change(browserSubmission(request), cookies.read(request));
          if (set === undefined) return logIn(request);
          if (!isSet(set)) return shown(request, set, passwordPath);
          const done = set.endedGrants ? 'changed-and-access-ended' : 'changed';
          return answers.redirect(request, `${prefix}/account?password=${done}`, set.cookies);
        },
      },
    },
  ];
}

function isSet(answer: PasswordView | PasswordIsSet): answer is PasswordIsSet {
  return !('authState' in answer);
}

function passwordAnswer(
  request: HttpRequest,
  { account, authState, cookies, endsGrants = false, isLate = false, problem }: PasswordView,
  path: string,
  { answers, prefix }: PasswordRouteDependencies,
): HttpAnswer {
  const page: PasswordPage = {
    page: 'password',
    action: `${prefix}${path}`,
    authState,
    owner: { name: account.username, displayName: account.displayName },
    ...(isLate ? lateMessage : { message: problem?.message }),
    ...(path === passwordPath && { accountUrl: `${prefix}/account`, endsGrants }),
  };
  const { status, retryAfter } = problem ?? {};
  return answers.page(request, page, {
    cookies,
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
