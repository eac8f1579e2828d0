import {
  type AuthenticationModule,
  type AuthorizationAnswer,
  type AuthorizationDependencies,
  type AuthorizationEndpoint,
  authorizationEndpoint,
  type Browser,
  type Client,
  type ConsentModule,
  KeyRing,
  LoginSessions,
  type Principal,
  parseRepeatableParameters,
  type Submission,
  type TokenResponse,
  tokenEndpoint,
} from '@watchword/protocol';
import { buildClient } from './builders/client.ts';
import { seededRandom } from './fakes/seeded-random.ts';
import {
  type ProtocolBasis,
  type ProtocolDependencies,
  protocolDependencies,
} from './protocol-dependencies.ts';
import { clientRequest, formText, type TestForm } from './requests.ts';

/** A whole authorization server without HTTP. A submitted `username` is a login, and a form asks for consent. */
export interface FlowDependencies extends ProtocolDependencies {
  readonly authorization: AuthorizationEndpoint;
  readonly dependencies: AuthorizationDependencies;
  readonly sessions: LoginSessions;
  /** Credentials `web-app:client-secret`; redirect URI `https://app.example/cb`; refresh tokens; trusted. */
  readonly webApp: Client;
  /** Logs in and consents to everything; resolves with the parameters of the response. */
  grant(parameters?: TestForm, browser?: TestBrowser): Promise<URLSearchParams>;
  token(form: TestForm, credentials?: string): Promise<TokenResponse>;
}

/** A browser that keeps its cookies. */
export class TestBrowser {
  #cookies: Record<'binding' | 'session' | 'lastAuthenticator' | 'device' | 'trusted', string | undefined> = {
    ...{ binding: undefined, session: undefined, lastAuthenticator: undefined },
    ...{ device: undefined, trusted: undefined },
  };
  readonly #waiting = new Map<string, string>();

  get state(): Browser {
    return { ...this.#cookies, waiting: this.#waiting, source: '192.0.2.7', requestId: 'request-1' };
  }

  take<Answer extends AuthorizationAnswer>(answer: Answer): Answer {
    const { session, waiting, ...kept } = answer.cookies;
    this.#cookies = { ...this.#cookies, ...kept };
    if (session !== undefined) this.#cookies.session = session ?? undefined;
    if (waiting?.authState === null) this.#waiting.delete(waiting.handle);
    else if (waiting !== undefined) this.#waiting.set(waiting.handle, waiting.authState);
    return answer;
  }
}

/** @param overrides without `authenticators`, `authenticator` is the only one */
export async function flowDependencies({
  authenticator = usernameModule,
  basis,
  ...overrides
}: Partial<AuthorizationDependencies> & {
  readonly authenticator?: AuthenticationModule;
  readonly basis?: ProtocolBasis;
} = {}): Promise<FlowDependencies> {
  const deps = protocolDependencies(basis);
  const random = seededRandom(`flow${basis?.seed ?? ''}`);
  const sealer = await KeyRing.open({ ...deps.store, clock: deps.clock, random });
  const subjectSecret = await deps.store.subjectKey.read();
  const strength = { classes: {}, providers: {}, ...overrides.strength };
  const sessions = new LoginSessions({
    ...deps.store,
    clock: deps.clock,
    random,
    identityProviders: deps.identityProviders,
    strength,
    subjectSecret,
    sessionIdleLifetime: 1000,
    sessionLifetime: 5000,
  });
  const webApp = deps.store.putClient(
    buildClient({
      id: 10,
      clientId: 'web-app',
      trusted: true,
      redirectUris: ['https://app.example/cb'],
      useRefreshTokens: true,
      allowedClientCredentials: false,
      expireDuration: 300,
    }),
  );
  const dependencies: AuthorizationDependencies = {
    ...deps,
    consents: deps.store.consents,
    consentAnswers: deps.store.consentAnswers,
    sessionClients: deps.store.sessionClients,
    rights: deps.store.rights,
    oneTime: deps.store.oneTime,
    transact: deps.store.transact,
    subjectSecret,
    random,
    sealer,
    sessions,
    strength,
    authenticators: new Map([[authenticator.name, authenticator]]),
    consent: consentModule,
    authStateLifetime: 600,
    loginSteps: [],
    ...overrides,
  };
  const authorization = authorizationEndpoint(dependencies);
  const answerToken = tokenEndpoint(deps);

  return {
    ...deps,
    authorization,
    dependencies,
    sessions,
    webApp,
    async grant(parameters = {}, browser = new TestBrowser()) {
      const request = authorizationRequest(parameters);
      let answer = browser.take(await authorization.authorize(request, browser.state));
      if (answer.type === 'login') {
        const form = submission({ auth_state: answer.authState, username: 'emma' });
        answer = browser.take(await authorization.login(form, browser.state));
      }
      if (answer.type === 'consent') {
        const form = submission({ auth_state: answer.authState, decision: 'allow' });
        answer = browser.take(await authorization.consent(form, browser.state));
      }
      if (answer.type !== 'redirect') throw new Error(`expected a redirect, got the page ${answer.type}`);
      return answeredParameters(answer.location);
    },
    token: (form, credentials = 'web-app:client-secret') => answerToken(clientRequest(form, credentials)),
  };
}

/** A request of `web-app` for a code, with these parameters replaced; an empty value leaves a parameter out. */
export function authorizationRequest(parameters: TestForm = {}): Submission {
  const all = {
    response_type: 'code',
    client_id: 'web-app',
    redirect_uri: 'https://app.example/cb',
    ...parameters,
  };
  return submission(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')));
}

export function submission(form: TestForm): Submission {
  return parseRepeatableParameters(formText(form));
}

/** The parameters of a response, in the query or in the fragment. */
export function answeredParameters(location: string): URLSearchParams {
  const { hash, search } = new URL(location);
  return new URLSearchParams(hash === '' ? search : hash.slice(1));
}

/** `code` or the error of an answer to the client; else the page that it is. */
export function sent(answer: AuthorizationAnswer): string {
  if (answer.type !== 'redirect') return answer.type;
  const parameters = answeredParameters(answer.location);
  return parameters.get('error') ?? (parameters.has('code') ? 'code' : answer.location);
}

export function emma(overrides: Partial<Principal> = {}): Principal {
  return {
    name: 'emma',
    roles: ['staff'],
    groups: ['blue'],
    adminPrincipal: false,
    attributes: { DISPLAY_NAME: 'Emma' },
    ...overrides,
  };
}

const usernameModule: AuthenticationModule = {
  name: 'test-login',
  begin: async () => ({ type: 'form' }),
  resume: async (_context, form) => {
    const [name = ''] = form.get('username') ?? [];
    return name === '' ? { type: 'form' } : { type: 'authenticated', principal: emma({ name }) };
  },
};

const consentModule: ConsentModule = {
  name: 'test-consent',
  begin: async () => ({ type: 'form' }),
  resume: async ({ scopes }, form) => {
    const [decision] = form.get('decision') ?? [];
    if (decision === 'deny') return { type: 'denied' };
    const granted = form.get('granted_scopes') ?? scopes;
    return { type: 'consented', scopes: granted, remember: true };
  },
};
