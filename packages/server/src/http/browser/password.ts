import type {
  FirstPasskeyView,
  PasskeyIsSet,
  PasswordEndpoint,
  PasswordIsSet,
  PasswordView,
} from '@watchword/accounts';
import type { AuthorizationEndpoint } from '@watchword/protocol';
import type { HttpAnswer } from '../answer.ts';
import { type Endpoint, pathsOfHost } from '../endpoint.ts';
import { browserSubmission, queryParameters } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import { ownForm } from './own-form.ts';

/** Whether the answer is a page for a new password. */
export function isView(answer: object): answer is PasswordView {
  return 'account' in answer;
}

export interface PasswordRouteDependencies extends AuthorizationRouteDependencies {
  readonly password: PasswordEndpoint;
  readonly authorization: AuthorizationEndpoint;
}

const queryNames: ReadonlySet<string> = new Set(['link']);

export const resetPath = '/account/set-password';

/** The page on which a user who is logged in replaces the password. */
const passwordPath = '/account/password';

export function passwordUrl(prefix: string): string {
  return `${prefix}${passwordPath}`;
}

const wellKnownPath = '/.well-known/change-password';

/** Where password managers find the page on which users change their passwords ("A Well-Known URL for Changing Passwords" of the W3C). */
export function wellKnownPasswordRoutes({
  answers,
  prefix,
}: Pick<PasswordRouteDependencies, 'answers' | 'prefix'>): Endpoint[] {
  const GET = (request: HttpRequest) => answers.redirect(request, passwordUrl(prefix));
  return pathsOfHost(wellKnownPath, prefix).map((path) => ({ path, methods: { GET } }));
}

/** Where a user sets a password. The server logs no query (`runtime/log/access-log.ts`). @param value of a reset link */
export function resetLinkPath(value: string): string {
  return `${resetPath}?link=${value}`;
}

/** The pages on which users of local accounts set their passwords: with a reset link, or with the current password. */
export function passwordRoutes(deps: PasswordRouteDependencies): Endpoint[] {
  const { answers, authorization, cookies, password, prefix } = deps;
  const shown = (request: HttpRequest, view: PasswordView | FirstPasskeyView, path: string) =>
    'options' in view
      ? shownFirstPasskey(request, view, path, deps)
      : shownPassword(request, view, path, deps);
  const logIn = async (request: HttpRequest, isAgain = false) =>
    authorizationAnswer(
      await authorization.loginForAccount(cookies.read(request), passwordPath, isAgain),
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
          if ('codes' in set) return passkeyIsSet(request, set, deps);
          if (!isSet(set)) return shown(request, set, resetPath);
          const goOn =
            set.goOn === undefined ? undefined : { action: `${prefix}/again`, authState: set.goOn };
          const page = { page: 'password-set', accountUrl: `${prefix}/account`, goOn } as const;
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
          if (view === undefined || view.mustLogIn) return logIn(request, view?.mustLogIn);
          return shown(request, view, passwordPath);
        },
        POST: async (request) => {
          const set = await password.change(browserSubmission(request), cookies.read(request));
          if (set === undefined) return logIn(request);
          if (!isSet(set)) return shown(request, set, passwordPath);
          const changed = set.endedGrants ? 'changed-and-access-ended' : 'changed';
          const done = set.isFirst ? 'set' : changed;
          return answers.redirect(request, `${prefix}/account?password=${done}`, set.cookies);
        },
      },
    },
  ];
}

function isSet(answer: PasswordView | FirstPasskeyView | PasswordIsSet): answer is PasswordIsSet {
  return !('authState' in answer);
}

export function shownPassword(
  request: HttpRequest,
  view: PasswordView,
  path: string,
  { answers, prefix }: PasswordRouteDependencies,
): HttpAnswer {
  const { account, leastCharacters, asksCode = false, endsGrants = false, isFirst = false } = view;
  const page = {
    page: 'password',
    action: `${prefix}${path}`,
    owner: { name: account.username, displayName: account.displayName },
    leastCharacters,
    asksCode,
    ...(path === passwordPath && { accountUrl: `${prefix}/account`, endsGrants, isFirst }),
  } as const;
  return ownForm(request, page, view, answers);
}

/** The page on which a person adds a passkey who has nothing else to log in with. */
export function shownFirstPasskey(
  request: HttpRequest,
  view: FirstPasskeyView,
  path: string,
  { answers, prefix }: Pick<AuthorizationRouteDependencies, 'answers' | 'prefix'>,
): HttpAnswer {
  const { options, name } = view;
  const page = { page: 'new-passkey', action: `${prefix}${path}`, passkey: { options }, name } as const;
  return ownForm(request, page, view, answers);
}

export function passkeyIsSet(
  request: HttpRequest,
  { codes, cookies, username }: PasskeyIsSet,
  { answers, prefix }: Pick<AuthorizationRouteDependencies, 'answers' | 'prefix'>,
  isNew = false,
): HttpAnswer {
  const page = { page: 'password-set', isNew, codes, owner: { name: username } } as const;
  return answers.page(request, { ...page, accountUrl: `${prefix}/account` }, { cookies });
}
