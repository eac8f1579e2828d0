/** Stands at the address of a step of a login, which only a form of the page before leads to. */
export interface StepPage {
  readonly page: 'step';
  readonly accountUrl: string;
}

/** The page at the base URL, with links to the other pages. */
export interface StartPage {
  readonly page: 'start';
  readonly accountUrl: string;
  readonly administrationUrl: string;
  readonly metadataUrl: string;
  readonly documentationUrl: string;
  /** Absent where there is an administrator, or where the server cannot know it. */
  readonly firstAdministrator?: FirstAdministrator | undefined;
}

/** `account`: the first administrator is a local account. `form`: no user of this login can be one. */
export type FirstAdministrator = 'account' | 'form';

const create = 'watchword user create NAME --admin';

/** How the first administrator is made: the key of a text, and commands. */
export function firstAdministratorView(how: FirstAdministrator | undefined) {
  if (how === undefined) return undefined;
  const serve = 'watchword serve --authenticator password';
  return how === 'account'
    ? { text: 'first.account', commands: [create] }
    : { text: 'first.form', commands: [serve, create] };
}
