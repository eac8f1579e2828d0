import type { ForgottenPasswordEndpoint, ForgottenView } from '@watchword/accounts';
import { submitted } from '@watchword/protocol';
import { askingPage, sentPage } from '../../pages/model/mailed-pages.ts';
import type { HttpAnswer } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { ownForm } from './own-form.ts';
import { isView, type PasswordRouteDependencies, resetPath, shownPassword } from './password.ts';
import { forgottenPath, loginPaths, shownFor } from './shown.ts';

interface ForgottenRouteDependencies extends PasswordRouteDependencies {
  readonly forgotten: ForgottenPasswordEndpoint;
}

const codePath = `${forgottenPath}/code`;

/** The pages with which people who have forgotten a password get a mail with a link. */
export function forgottenPasswordRoutes(deps: ForgottenRouteDependencies): Endpoint[] {
  const { cookies, forgotten } = deps;
  return [
    {
      path: forgottenPath,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) =>
          shown(request, await forgotten.showForgotten(new Map(), cookies.read(request)), deps),
        POST: async (request) => {
          const submission = browserSubmission(request);
          const isAsked = submitted(submission, 'choice') !== '';
          const answer = isAsked ? forgotten.ask : forgotten.showForgotten;
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
        GET: (request) => deps.answers.redirect(request, `${deps.prefix}${forgottenPath}`),
        POST: async (request) => {
          const view = await forgotten.enterCode(browserSubmission(request), cookies.read(request));
          return isView(view) ? shownPassword(request, view, resetPath, deps) : shown(request, view, deps);
        },
      },
    },
  ];
}

function shown(
  request: HttpRequest,
  view: ForgottenView,
  { answers, prefix }: ForgottenRouteDependencies,
): HttpAnswer {
  const of = view.isSent
    ? ({ action: `${prefix}${codePath}`, ...sentPage } as const)
    : ({
        action: `${prefix}${forgottenPath}`,
        ...askingPage,
        loginUrl: `${prefix}${loginPaths.forgotten}`,
      } as const);
  return ownForm(request, { page: 'login-step', ...of }, view, answers, shownFor(view.request));
}
