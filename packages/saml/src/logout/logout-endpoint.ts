import type { ModuleAnswer, ModuleEndpoint } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import { SamlRefusal } from '../refusal.ts';
import { type Attempt, refusing } from '../refusing.ts';
import { simpleText } from '../response/simple-text.ts';
import type { SamlWorld } from '../world.ts';
import { parseDateTime } from '../xml/dates.ts';
import { childOf, childrenOf } from '../xml/element.ts';
import { saml, samlp } from '../xml/namespaces.ts';
import { logoutSaml } from './logout-request.ts';
import { type RedirectMessage, readRedirectRequest } from './redirect-message.ts';
import { type LinkedSession, linkKey } from './session-link.ts';

// How old a request may be: browsers carry it in one go.
const maxAge = 300_000;

/**
 * `GET {base}/saml/logout`, single logout by HTTP-Redirect. A request of an identity provider ends the sessions that it
 * means, found in the database: such requests often come in frames, and so without cookies. An answer to a request of ours
 * ends nothing, and anybody can link to one: the page that follows says whether there is still a session here.
 */
export function logoutEndpoint(world: SamlWorld): ModuleEndpoint {
  return {
    path: paths.logout,
    method: 'GET',
    answer: ({ parameters, query, requestId }) => {
      if (parameters.has('SAMLResponse')) {
        return Promise.resolve({ type: 'redirect', location: world.addresses().logoutPage });
      }
      const attempt: Attempt = { of: 'logout', requestId };
      return refusing(attempt, world, async () => {
        const message = readRedirectRequest(query);
        const issuer = childOf(message.root, saml, 'Issuer');
        attempt.provider = issuer && simpleText(issuer).trim();
        return endSessions(message, attempt.provider ?? '', world);
      });
    },
  };
}

async function endSessions(
  { root, parameters, signedQuery }: RedirectMessage,
  issuer: string,
  world: SamlWorld,
): Promise<ModuleAnswer> {
  const { directory, services, options, addresses, log } = world;
  const now = services.clock.now();
  const provider = directory.find(issuer, now);
  if (provider?.logout === undefined || options.signing === undefined) {
    throw new SamlRefusal('provider', 'there is no such identity provider, or it has no single logout');
  }
  if (root.namespace !== samlp || root.name !== 'LogoutRequest') {
    throw new SamlRefusal('structure', 'the message is no LogoutRequest');
  }
  if (root.attributes.get('Destination') !== addresses().logout) {
    throw new SamlRefusal('destination', `expected the destination ${addresses().logout}`);
  }
  const issued = parseDateTime(root.attributes.get('IssueInstant'));
  if (issued === undefined || Math.abs(now - issued) > maxAge + options.clockSkew) {
    throw new SamlRefusal('time', 'the LogoutRequest is not of now; do the clocks agree?');
  }
  const verifier = logoutSaml(provider, provider.logout.response, options.signing, world);
  const { profile } = await verified(() => verifier.validateRedirectAsync({ ...parameters }, signedQuery));
  if (profile?.nameID === undefined) throw new SamlRefusal('structure', 'the LogoutRequest names nobody');
  const indexes = childrenOf(root, samlp, 'SessionIndex').map((index) => simpleText(index).trim());
  log('info', 'an identity provider ends sessions', { provider: issuer });
  return {
    type: 'logout',
    key: linkKey(issuer, profile.nameID),
    isMeant: (data) => {
      const { sessionIndex, since }: LinkedSession = JSON.parse(data);
      // A request that comes again later, by whomever, is not about a session that began after it.
      if (since > issued + options.clockSkew) return false;
      return indexes.length === 0 || sessionIndex === undefined || indexes.includes(sessionIndex);
    },
    location: await verifier.getLogoutResponseUrlAsync(profile, parameters.RelayState ?? '', {}, true),
  };
}

async function verified<Value>(verify: () => Promise<Value>): Promise<Value> {
  try {
    return await verify();
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/not yet valid|expired/.test(message))
      throw new SamlRefusal('time', 'the LogoutRequest is not valid now');
    throw new SamlRefusal('signature', 'the signature of the LogoutRequest is not by the identity provider');
  }
}
