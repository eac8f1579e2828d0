import type { Deleted, DeletionView } from '@watchword/accounts';
import type { OwnPage } from '@watchword/protocol';
import type { HttpAnswer } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { type AccountRouteDependencies, dataPath, deletionPath } from './account.ts';
import { authorizationAnswer } from './authorize.ts';
import { ownForm } from './own-form.ts';
import { shownOwner } from './shown.ts';

/** Where people download what is stored of them, and delete it. */
export function ownDataRoutes(deps: AccountRouteDependencies): Endpoint[] {
  const { authorization, cookies, deletion, storedData } = deps;
  const logIn = async (request: HttpRequest, page: OwnPage, isAgain?: boolean) =>
    authorizationAnswer(
      await authorization.loginForAccount(cookies.read(request), page, isAgain),
      request,
      deps,
    );
  const answer = (request: HttpRequest, came: DeletionView | Deleted | undefined) => {
    if (came === undefined) return logIn(request, deletionPath);
    const isTooOld = 'obstacle' in came && came.obstacle === 'login';
    // An identity provider elsewhere can answer with the same login again and again.
    return isTooOld && came.isLocal ? logIn(request, deletionPath, true) : shown(request, came, deps);
  };
  return [
    {
      path: dataPath,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const data = await storedData(cookies.read(request));
          return data === undefined ? logIn(request, '/account') : download(data);
        },
      },
    },
    ...(deletion === undefined
      ? []
      : [
          {
            path: deletionPath,
            page: true,
            hasEffects: true,
            methods: {
              GET: async (request: HttpRequest) =>
                answer(request, await deletion.show(cookies.read(request))),
              POST: async (request: HttpRequest) =>
                answer(request, await deletion.delete(browserSubmission(request), cookies.read(request))),
            },
          },
        ]),
  ];
}

function download(data: object): HttpAnswer {
  return {
    headers: {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="stored-about-me.json"',
    },
    body: `${JSON.stringify(data, undefined, 2)}\n`,
  };
}

function shown(
  request: HttpRequest,
  view: DeletionView | Deleted,
  { answers, prefix }: AccountRouteDependencies,
): HttpAnswer {
  const { isLocal, cookies } = view;
  if (!('authState' in view)) {
    const page = { page: 'deleted', isLocal, accountUrl: `${prefix}/account` } as const;
    return answers.page(request, page, { cookies });
  }
  const page = {
    page: 'deletion',
    action: `${prefix}${deletionPath}`,
    owner: shownOwner(view.owner),
    isLocal,
    asksPassword: view.asksPassword,
    obstacle: view.obstacle,
    accountUrl: `${prefix}/account`,
    logoutUrl: `${prefix}/logout`,
  } as const;
  return ownForm(request, page, view, answers);
}
