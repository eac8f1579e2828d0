import type { AddressEndpoint, AddressIsChanged, AddressView } from '@watchword/accounts';
import { type AuthorizationEndpoint, submitted } from '@watchword/protocol';
import { addressPage, confirmPage, mailedPage } from '../../pages/model/mailed-pages.ts';
import type { HttpAnswer } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission, queryParameters } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { addressPath } from './account.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import { ownForm } from './own-form.ts';

interface AddressRouteDependencies extends AuthorizationRouteDependencies {
  readonly address: AddressEndpoint;
  readonly authorization: AuthorizationEndpoint;
}

const paths = { ask: addressPath, sent: `${addressPath}/code`, confirm: `${addressPath}/confirm` } as const;
const queryNames: ReadonlySet<string> = new Set(['link']);

/** The pages on which users of local accounts change their e-mail addresses. */
export function addressRoutes(deps: AddressRouteDependencies): Endpoint[] {
  const { address, answers, authorization, cookies, prefix } = deps;
  const answer = async (request: HttpRequest, view: AddressView | AddressIsChanged | undefined) => {
    const mustLogIn = view !== undefined && 'mustLogIn' in view && view.mustLogIn;
    if (view === undefined || mustLogIn) {
      const login = await authorization.loginForAccount(cookies.read(request), addressPath, mustLogIn);
      return authorizationAnswer(login, request, deps);
    }
    if ('authState' in view) return shown(request, view, deps);
    return answers.redirect(request, `${prefix}/account?address=changed`, view.cookies);
  };
  const posted = (post: AddressEndpoint['ask' | 'enterCode' | 'confirm']) => async (request: HttpRequest) => {
    const submission = browserSubmission(request);
    if (submitted(submission, 'choice') === 'cancel') return answers.redirect(request, `${prefix}/account`);
    return answer(request, await post(submission, cookies.read(request)));
  };
  return [
    {
      path: paths.ask,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => answer(request, await address.show(cookies.read(request))),
        POST: posted(address.ask),
      },
    },
    {
      path: paths.sent,
      page: true,
      hasEffects: true,
      methods: {
        // A bookmark, or a reload without the form.
        GET: (request) => answers.redirect(request, `${prefix}${paths.ask}`),
        POST: posted(address.enterCode),
      },
    },
    {
      path: paths.confirm,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const link = queryParameters(request, queryNames).get('link') ?? '';
          return answer(request, await address.showLink(link, cookies.read(request)));
        },
        POST: posted(address.confirm),
      },
    },
  ];
}

function shown(
  request: HttpRequest,
  view: AddressView,
  { answers, prefix }: AddressRouteDependencies,
): HttpAnswer {
  const { account, address = '', step } = view;
  const fields = pageOf(step, account?.displayName ?? '', address, account?.passwordHash !== undefined);
  return ownForm(
    request,
    { page: 'login-step', action: `${prefix}${paths[step]}`, ...fields },
    view,
    answers,
  );
}

function pageOf(step: AddressView['step'], owner: string, address: string, asksPassword: boolean) {
  if (step === 'sent') return mailedPage;
  return step === 'ask' ? addressPage(owner, address, asksPassword) : confirmPage(owner, address);
}
