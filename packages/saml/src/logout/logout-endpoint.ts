import type { ModuleAnswer, ModuleEndpoint } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import { SamlRefusal } from '../refusal.ts';
import { type Attempt, refusing } from '../refusing.ts';
import { simpleText } from '../response/simple-text.ts';
import { parseDateTime } from '../xml/dates.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/element.ts';
import { saml, samlp } from '../xml/namespaces.ts';
import { logoutAnswerUrl } from './logout-request.ts';
import { namedPerson } from './named-person.ts';
import { type RedirectMessage, readRedirectRequest } from './redirect-message.ts';
import { type LinkedSession, linkKey } from './session-link.ts';
import { requireSignedQuery } from './signed-query.ts';

// How old a request may be: browsers carry it in one go.
const maxAge = 300_000;

/**
 * `GET {base}/saml/logout`, single logout by HTTP-Redirect. A request of an identity provider ends the sessions that it
 * means, found in the database: such requests often come in frames, and so without cookies. An answer to a request of ours
 * ends nothing, and anybody can link to one: the page that follows says whether there is still a session here.
 */
export function logoutEndpoint(deps: SamlDependencies): ModuleEndpoint {
  return {
    path: paths.logout,
    method: 'GET',
    answer: ({ parameters, query, requestId }) => {
      if (parameters.has('SAMLResponse')) {
        return Promise.resolve({ type: 'redirect', location: deps.addresses.logoutPage });
      }
      const attempt: Attempt = { of: 'logout', requestId };
      return refusing(attempt, deps, async () => {
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
    throw new SamlRefusal('provider', 'there is no such identity provider, or it has no single logout');
  }
  if (root.namespace !== samlp || root.name !== 'LogoutRequest') {
    throw new SamlRefusal('structure', 'the message is no LogoutRequest');
  }
  requireSignedQuery(message, provider);
  if (root.attributes.get('Destination') !== addresses.logout) {
    throw new SamlRefusal('destination', `expected the destination ${addresses.logout}`);
  }
  const issued = requireNow(root, now, options.clockSkew);
  const person = await namedPerson(message, deps);
  const indexes = childrenOf(root, samlp, 'SessionIndex').map((index) => simpleText(index).trim());
  log('info', 'an identity provider ends sessions', { provider: issuer });
  return {
    type: 'logout',
    key: linkKey(issuer, person),
    isMeant: (data) => {
      const { sessionIndex, since }: LinkedSession = JSON.parse(data);
      // A request that comes again later, by whomever, is not about a session that began after it.
      if (since > issued + options.clockSkew) return false;
      return indexes.length === 0 || sessionIndex === undefined || indexes.includes(sessionIndex);
    },
    location: await logoutAnswerUrl(message, provider, provider.logout.response, options.signing, deps),
  };
}

/** When the request was made. @throws SamlRefusal unless that was just now, and it still counts (Core §3.7.1) */
function requireNow({ attributes }: XmlElement, now: number, clockSkew: number): number {
  const issued = parseDateTime(attributes.get('IssueInstant'));
  if (issued === undefined || Math.abs(now - issued) > maxAge + clockSkew) {
    throw new SamlRefusal('time', 'the LogoutRequest is not of now; do the clocks agree?');
  }
  const end = attributes.get('NotOnOrAfter');
  if (end !== undefined && now - clockSkew >= (parseDateTime(end) ?? Number.NEGATIVE_INFINITY)) {
    throw new SamlRefusal('time', 'the LogoutRequest has ended; do the clocks agree?');
  }
  return issued;
}
