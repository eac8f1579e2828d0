import { createHash } from 'node:crypto';
import {
  type ModuleAnswer,
  type ModuleEndpoint,
  type ModuleRequest,
  OAuthError,
  submitted,
} from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import { SamlRefusal } from '../refusal.ts';
import { type Attempt, refusing } from '../refusing.ts';
import { type AcceptedLogin, depositLogin } from './accepted-login.ts';
import { readAssertion } from './assertion.ts';
import { decodeMessage } from './decode.ts';
import { type ScreenedResponse, screenResponse } from './screen.ts';
import { verifyResponse } from './verify.ts';

const bodyLimit = 512 * 1024;
const handlePattern = /^[0-9a-f-]{36}$/;

/**
 * The assertion consumer service: `POST {base}/saml/acs`. The POST comes from the identity provider's site and so without
 * cookies. What it brings is checked here as far as that goes without knowing the browser; then the browser is sent to an
 * address that gets its cookies, and there it turns out whether it is the one that asked.
 */
export function acsEndpoint(deps: SamlDependencies): ModuleEndpoint {
  return {
    path: paths.acs,
    method: 'POST',
    bodyLimit,
    answer: (request) => {
      const attempt: Attempt = { of: 'login', requestId: request.requestId };
      return refusing(attempt, deps, async () => {
        const handle = relayState(request);
        const response = screenResponse(decodeMessage(single(request, 'SAMLResponse')), deps.options);
        attempt.provider = response.issuer;
        const login = await accept(response, deps);
        return resumption(handle, await depositLogin(login, deps.services), deps);
      });
    },
  };
}

function resumption(handle: string, receipt: string, { addresses }: SamlDependencies): ModuleAnswer {
  const query = new URLSearchParams({ auth_state: handle, login: receipt });
  return { type: 'redirect', location: `${addresses.resume}?${query}` };
}

/** @throws SamlRefusal */
async function accept(response: ScreenedResponse, deps: SamlDependencies): Promise<AcceptedLogin> {
  const { options, services } = deps;
  const service = deps.addresses;
  const provider = providerOf(response, deps);
  // Bindings §3.5.5.2: what is signed says where it is to go.
  if (response.destination !== service.acs) {
    const came = JSON.stringify(response.destination?.slice(0, 200) ?? 'none');
    throw new SamlRefusal('destination', `expected the destination ${service.acs}, got ${came}`);
  }
  if (response.inResponseTo === undefined) {
    throw new SamlRefusal(
      'request',
      'the response answers no request; a login begins here, not at the identity provider',
    );
  }
  const { clock, oneTime } = services;
  const { requireSigned, encryption } = options;
  const signed = await verifyResponse(response, provider, { policy: options, requireSigned, encryption });
  const assertion = readAssertion(signed, {
    issuer: provider.entityId,
    service,
    inResponseTo: response.inResponseTo,
    now: clock.now(),
    clockSkew: options.clockSkew,
  });
  const key = createHash('sha256')
    .update(JSON.stringify([assertion.issuer, assertion.id]))
    .digest('base64url');
  const isFirst = await oneTime.put(`saml assertion ${key}`, '', assertion.notOnOrAfter + options.clockSkew);
  if (!isFirst) throw new SamlRefusal('replay', 'the assertion was presented before');
  return { assertion, inResponseTo: response.inResponseTo };
}

function providerOf(
  { issuer }: ScreenedResponse,
  { directory, services }: SamlDependencies,
): IdentityProvider {
  const provider = issuer === undefined ? undefined : directory.find(issuer, services.clock.now());
  if (provider !== undefined) return provider;
  throw new SamlRefusal(
    'provider',
    issuer === undefined
      ? 'the response does not say who its issuer is'
      : 'there is no such identity provider, or its metadata are no longer valid',
  );
}

/** Only ever a handle that this server gave out; whether it did, the browser's cookies tell. */
function relayState(request: ModuleRequest): string {
  const handle = single(request, 'RelayState');
  if (handlePattern.test(handle)) return handle;
  throw new OAuthError('invalid_request', {
    description: 'The RelayState is missing or not one of this server.',
    text: { key: 'saml.stale' },
  });
}

function single({ parameters }: ModuleRequest, name: string): string {
  if ((parameters.get(name) ?? []).length > 1) {
    throw new OAuthError('invalid_request', {
      description: `The parameter ${name} is given more than once.`,
    });
  }
  return submitted(parameters, name);
}
