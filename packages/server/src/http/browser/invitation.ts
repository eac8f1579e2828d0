import type { FirstPasskeyView, InvitationEndpoint, InvitationView } from '@watchword/accounts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission, queryParameters } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import type { AuthorizationRouteDependencies } from './authorize.ts';
import { ownForm } from './own-form.ts';
import { passkeyIsSet, shownFirstPasskey } from './password.ts';

export interface InvitationRouteDependencies extends AuthorizationRouteDependencies {
  readonly invitations: InvitationEndpoint;
}

const queryNames: ReadonlySet<string> = new Set(['link']);
const path = '/account/invitation';

/** Where an invited person makes an account. The server logs no query. @param value of the invitation */
export function invitationPath(value: string): string {
  return `${path}?link=${value}`;
}

export function invitationRoutes(deps: InvitationRouteDependencies): Endpoint[] {
  const { answers, cookies, invitations, prefix } = deps;
  const shown = (request: HttpRequest, view: InvitationView | FirstPasskeyView) => {
    if ('options' in view) return shownFirstPasskey(request, view, path, deps);
    const { username, displayName, asksPasskey = false } = view;
    const page = { page: 'invitation', action: `${prefix}${path}`, username, displayName } as const;
    return ownForm(request, { ...page, asksPasskey }, view, answers);
  };
  return [
    {
      path,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const link = queryParameters(request, queryNames).get('link') ?? '';
          return shown(request, await invitations.show(link, cookies.read(request)));
        },
        POST: async (request) => {
          const done = await invitations.accept(browserSubmission(request), cookies.read(request));
          if ('authState' in done) return shown(request, done);
          if ('codes' in done) return passkeyIsSet(request, done, deps, true);
          const page = { page: 'password-set', isNew: true, accountUrl: `${prefix}/account` } as const;
          return answers.page(request, page, { cookies: done.cookies });
        },
      },
    },
  ];
}
