import { type Authenticators, type AuthenticatorsPageAnswer, openAuthenticators } from '@watchword/protocol';
import type { AuthenticatorsPage } from '../../pages/model/page.ts';
import { restartMessage, type Shown } from './restart-message.ts';
import { shownCancelling } from './shown.ts';

/** The address at which users choose between several authenticators. */
export const chooserPath = '/login/choose';

export interface AuthenticatorsPageDependencies {
  readonly authenticators: Authenticators;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
}

/** The address at which a login page returns to the choice; `undefined` if there is only one authenticator. */
export function chooserUrl({ authenticators, prefix }: AuthenticatorsPageDependencies): string | undefined {
  return openAuthenticators(authenticators).length > 1 ? `${prefix}${chooserPath}` : undefined;
}

/** The address of the choice, or with a name the address of one authenticator. */
export function choiceUrl(authState: string, prefix: string, authenticator?: string): string {
  const query = new URLSearchParams({
    auth_state: authState,
    ...(authenticator !== undefined && { authenticator }),
  });
  return `${prefix}${chooserPath}?${query}`;
}

/** Each authenticator is a link, so that Back returns from any login to this page. */
export function authenticatorsPage(
  { names, last, authState, request, ...told }: Shown<AuthenticatorsPageAnswer>,
  { authenticators, prefix }: AuthenticatorsPageDependencies,
): AuthenticatorsPage {
  return {
    page: 'authenticators',
    authState,
    ...shownCancelling(request, 'login', prefix),
    message: restartMessage(told)?.message,
    authenticators: names.map((name) => ({
      label: authenticators.get(name)?.label ?? name,
      url: choiceUrl(authState, prefix, name),
      isLast: name === last,
      isInsecure: authenticators.get(name)?.insecureBecause !== undefined,
    })),
  };
}
