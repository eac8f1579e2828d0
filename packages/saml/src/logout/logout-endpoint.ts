import type { ModuleAnswer, ModuleEndpoint } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import { type Attempt, reportingErrors } from '../reporting-errors.ts';
import { simpleText } from '../response/simple-text.ts';
import { SamlError } from '../saml-error.ts';
import { parseDateTime } from '../xml/dates.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/element.ts';
import { saml, samlp } from '../xml/namespaces.ts';
import { logoutAnswerUrl } from './logout-request.ts';
import { namedPerson } from './named-person.ts';
import { type RedirectMessage, readRedirectRequest } from './redirect-message.ts';
import { type LinkedSession, linkKey } from './session-link.ts';
import { requireSignedQuery } from './signed-query.ts';

// Milliseconds. A browser carries a request at once, so an older request is a replay.
const maxAge = 300_000;

/**
 * `GET {base}/saml/logout`, single logout by HTTP-Redirect (Profiles §4.4). A request of an identity provider ends the
 * sessions that it names. They are found in the database, because such requests often come in frames, without cookies.
 * A response to a request of this server ends nothing, because any site can link to one. The server leads the browser on to the
 * client that asked for the logout, or shows whether there is still a session.
 */
export function logoutEndpoint(deps: SamlDependencies): ModuleEndpoint {
  return {
    path: paths.logout,
    method: 'GET',
    answer: ({ parameters, query, requestId }) => {
      if (parameters.has('SAMLResponse')) {
        return Promise.resolve({ type: 'logout' });
      }
      const attempt: Attempt = { of: 'logout', requestId };
      return reportingErrors(attempt, deps, async () => {
        const message = readRedirectRequest(query);
        const issuer = childOf(message.root, saml, 'Issuer');
        attempt.provider = issuer && simpleText(issuer).trim();
        return endSessions(message, attempt.provider ?? '', deps);
      });
    },
  };
}

async function endSessions(
  message: RedirectMessage,
  issuer: string,
  deps: SamlDependencies,
): Promise<ModuleAnswer> {
  const { directory, services, options, addresses, log } = deps;
  const { root } = message;
  const now = services.clock.now();
  const provider = directory.find(issuer, now);
  if (provider?.logout === undefined || options.signing === undefined) {
    throw new SamlError('provider', 'the identity provider is not known, or has no single logout');
  }
  if (root.namespace !== samlp || root.name !== 'LogoutRequest') {
    throw new SamlError('structure', 'the message is not a LogoutRequest');
  }
  requireSignedQuery(message, provider);
  if (root.attributes.get('Destination') !== addresses.logout) {
    throw new SamlError('destination', `expected the destination ${addresses.logout}`);
  }
  const issued = requireNow(root, now, options.clockSkew);
  const person = await namedPerson(message, deps);
  const indexes = childrenOf(root, samlp, 'SessionIndex').map((index) => simpleText(index).trim());
  log('info', 'an identity provider ends login sessions', { provider: issuer });
  return {
    type: 'logout',
    key: linkKey(issuer, person),
    isMeant: (data) => {
      const { sessionIndex, since }: LinkedSession = JSON.parse(data);
      // A replayed request must not end a session that began after the request was issued.
      if (since > issued + options.clockSkew) return false;
      return indexes.length === 0 || sessionIndex === undefined || indexes.includes(sessionIndex);
    },
    location: await logoutAnswerUrl(message, provider, provider.logout.response, options.signing, deps),
  };
}

/** Epoch milliseconds of the issue. @throws SamlError unless the request is recent and has not expired (Core §3.7.1) */
function requireNow({ attributes }: XmlElement, now: number, clockSkew: number): number {
  const issued = parseDateTime(attributes.get('IssueInstant'));
  if (issued === undefined || Math.abs(now - issued) > maxAge + clockSkew) {
    throw new SamlError('time', 'the LogoutRequest was not issued recently; do the clocks agree?');
  }
  const end = attributes.get('NotOnOrAfter');
  if (end !== undefined && now - clockSkew >= (parseDateTime(end) ?? Number.NEGATIVE_INFINITY)) {
    throw new SamlError('time', 'the LogoutRequest has expired; do the clocks agree?');
  }
  return issued;
}
