import type { Authenticators, AuthenticatorsPageAnswer } from '@watchword/protocol';
import type { AuthenticatorsPage } from '../pages/page.ts';
import { shownAsking } from './shown.ts';

/** The address at which users choose between several authenticators. */
export const chooserPath = '/login/choose';

export interface AuthenticatorsPageDependencies {
  readonly authenticators: Authenticators;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
}

/** Where a page of a login leads back to the choice; `undefined` when there is one authenticator only. */
export function chooserUrl({ authenticators, prefix }: AuthenticatorsPageDependencies): string | undefined {
  return authenticators.size > 1 ? `${prefix}${chooserPath}` : undefined;
}

/** The page of the choice, and with a name where the choice leads. */
export function choiceUrl(authState: string, prefix: string, authenticator?: string): string {
  const query = new URLSearchParams({
    auth_state: authState,
    ...(authenticator !== undefined && { authenticator }),
  });
  return `${prefix}${chooserPath}?${query}`;
}

/** Each authenticator is a link, so that Back leads from any login to the page again. */
export function authenticatorsPage(
  { names, last, authState, request }: AuthenticatorsPageAnswer,
  { authenticators, prefix }: AuthenticatorsPageDependencies,
): AuthenticatorsPage {
  return {
    page: 'authenticators',
    ...shownAsking(request),
    authenticators: names.map((name) => ({
      label: authenticators.get(name)?.label ?? name,
      url: choiceUrl(authState, prefix, name),
      isLast: name === last,
      isInsecure: authenticators.get(name)?.insecureBecause !== undefined,
    })),
  };
}
