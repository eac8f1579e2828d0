import { type ExplainedError, explained } from '@watchword/administration';
import {
  type Authenticators,
  type Client,
  type Clock,
  isAdministratorNow,
  type LoginSessions,
  OAuthError,
  protocolErrors,
  type RequestError,
  type ResourceServer,
  type UnattributedError,
} from '@watchword/protocol';
import type { HttpAnswer } from './answer.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import type { HttpRequest } from './request.ts';

/** The errors that this server answered, by the ids of their requests. */
export interface KeptErrors {
  /** Keeps why a request was refused. */
  keep(request: HttpRequest, error: OAuthError): void;
  /**
   * The kept error, for the page of an administrator; `undefined` for every other user. An error of the server itself has none: the
   * database can be what failed, and would be waited for again. Never rejects.
   */
  explanation(request: HttpRequest, error: OAuthError): Promise<ExplainedError | undefined> | undefined;
}

export interface KeptErrorsDependencies {
  readonly requestErrors: {
    answered(requestId: string, route: string, error: OAuthError): void;
    find(requestId: string): RequestError | UnattributedError | undefined;
  };
  readonly sessions: Pick<LoginSessions, 'current'>;
  readonly authenticators: Authenticators;
  readonly cookies: Pick<BrowserCookieJar, 'read'>;
  readonly clock: Clock;
  readonly registry: {
    clientById(id: number): Client | undefined;
    resourceServerById(id: number): ResourceServer | undefined;
  };
}

export function keptErrors(deps: KeptErrorsDependencies): KeptErrors {
  const { requestErrors, sessions, authenticators, cookies, clock, registry } = deps;
  const browserOf = (request: HttpRequest) => {
    try {
      return cookies.read(request);
    } catch {
      return undefined;
    }
  };
  const explain = ({ id }: HttpRequest): ExplainedError | undefined => {
    const found = requestErrors.find(id);
    if (found === undefined) return undefined;
    const client = 'clientRecordId' in found ? registry.clientById(found.clientRecordId) : undefined;
    return explained(found, id, client, client && registry.resourceServerById(client.resourceServerId));
  };
  return {
    keep(request, error) {
      // An unknown address has no route: scanners ask for many, and would push out the rest.
      if (request.route !== '') requestErrors.answered(request.id, request.route, error);
    },
    explanation(request, { kind }) {
      if (protocolErrors[kind].status >= 500) return undefined;
      const browser = browserOf(request);
      if (browser?.session === undefined) return undefined;
      return sessions
        .current(browser, authenticators)
        .then((session) =>
          session && isAdministratorNow(session, clock.now()) ? explain(request) : undefined,
        )
        .catch(() => undefined);
    },
  };
}

/** The error of an answer that nothing threw; `undefined` if the answer is none, or a form that a module shows again. */
export function errorOfAnswer({ error, rule }: HttpAnswer): OAuthError | undefined {
  return error === undefined ? undefined : new OAuthError(error, { rule });
}
