import type {
  Authenticated,
  AuthenticationModuleFactory,
  AuthenticationStep,
  ProvidedClaims,
} from '@watchword/protocol';

/** A user of a test server. Every other name can log in too, and has nothing but the name. */
export interface TestUser {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly roles?: readonly string[];
  /** Whether the user may administer the server. */
  readonly isAdministrator?: boolean;
  /** What token info tells of the user, such as `DISPLAY_NAME`. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Claims of OpenID Connect, such as `email`: a client gets those that its scopes permit. */
  readonly claims?: ProvidedClaims;
}

/** How a user logs in without a page. */
export interface LoginDetails {
  readonly user: string;
  /** Authentication method references (RFC 8176), such as `pwd`. */
  readonly amr?: readonly string[] | undefined;
  /** The authentication context class of the login, for APIs that ask for a stronger one. */
  readonly acr?: string | undefined;
}

/** The users of a test server, and its authentication module. */
export class TestUsers {
  readonly #users = new Map<string, TestUser>();
  readonly #tickets = new Map<string, LoginDetails>();

  add(user: TestUser): void {
    if (user.name === '') throw new TypeError('a user has no name: expected a text');
    this.#users.set(user.name, user);
  }

  /** The login hint with which the next login needs no page. */
  expect(ticket: string, login: LoginDetails): void {
    this.#tickets.set(ticket, login);
  }

  /** The form that accepts every name and password, for browsers. */
  readonly module: AuthenticationModuleFactory = async ({ authenticator }) => {
    const form = await authenticator('form');
    return {
      ...form,
      begin: async (context) => this.#withoutPage(context.loginHint) ?? form.begin(context),
      resume: async (context, submission) => this.#known(await form.resume(context, submission)),
    };
  };

  #withoutPage(ticket: string | undefined): Authenticated | undefined {
    const login = this.#tickets.get(ticket ?? '');
    if (ticket === undefined || login === undefined) return undefined;
    this.#tickets.delete(ticket);
    const { user, amr, acr } = login;
    return { ...this.#authenticated(user), ...(amr && { amr }), ...(acr !== undefined && { acr }) };
  }

  #known(step: AuthenticationStep): AuthenticationStep {
    return step.type === 'authenticated' ? { ...step, ...this.#authenticated(step.principal.name) } : step;
  }

  #authenticated(name: string): Authenticated {
    const {
      groups = [],
      roles = [],
      isAdministrator = false,
      attributes = {},
      claims,
    } = this.#users.get(name) ?? { name };
    return {
      type: 'authenticated',
      principal: { name, roles, groups, adminPrincipal: isAdministrator, attributes },
      claims: { name, ...claims },
    };
  }
}
