import type { LinkOutcome, LinksEndpoint } from '@watchword/accounts';
import type { HttpAnswer } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import type { AccountRouteDependencies } from './account.ts';
import { authorizationAnswer, linkPath } from './authorize.ts';
import { shownOwner } from './shown.ts';
import { labelOf, linksPath } from './shown-links.ts';

/** Where people link other identity providers to their accounts. */
export function linkRoutes(deps: AccountRouteDependencies, links: LinksEndpoint): Endpoint[] {
  const { answers, authorization, cookies, prefix } = deps;
  const accountUrl = `${prefix}/account`;
  const toAccount = (request: HttpRequest, outcome: LinkOutcome) =>
    answers.redirect(request, `${accountUrl}?link=${outcome}`);
  const begin = async (request: HttpRequest): Promise<HttpAnswer> => {
    const browser = cookies.read(request);
    const begun = await links.begin(browserSubmission(request), browser);
    if (begun === 'late') return toAccount(request, begun);
    const answer =
      begun === 'login'
        ? authorization.loginForAccount(browser, '/account', true)
        : authorization.loginToLink(begun.authenticator, begun.sessionId, browser);
    return authorizationAnswer(await answer, request, deps);
  };
  const common = { page: true, hasEffects: true };
  return [
    {
      ...common,
      path: linksPath,
      methods: {
        GET: (request) => answers.redirect(request, accountUrl),
        POST: async (request) => {
          const submission = browserSubmission(request);
          return submission.has('unlink')
            ? toAccount(request, await links.unlink(submission, cookies.read(request)))
            : begin(request);
        },
      },
    },
    {
      ...common,
      path: linkPath,
      methods: {
        GET: async (request) => {
          const submission = browserSubmission(request);
          if (!submission.has('auth_state')) return answers.redirect(request, accountUrl);
          const view = await links.show(submission, cookies.read(request));
          if (typeof view === 'string') return toAccount(request, view);
          const page = {
            page: 'link',
            ...{ action: `${prefix}${linkPath}`, authState: view.authState, accountUrl },
            owner: shownOwner(view.owner),
            provider: labelOf(view.authenticator, deps),
            name: view.name,
          } as const;
          return answers.page(request, page, { cookies: view.cookies });
        },
        POST: async (request) =>
          toAccount(request, await links.confirm(browserSubmission(request), cookies.read(request))),
      },
    },
  ];
}
