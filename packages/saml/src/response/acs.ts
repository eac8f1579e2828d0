import { isUtf8 } from 'node:buffer';
import {
  type ModuleAnswer,
  type ModuleEndpoint,
  type ProviderAttempt,
  returnedHandle,
  sha256,
  shown,
  submittedOnce,
} from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import { reportingErrors } from '../reporting-errors.ts';
import { SamlError } from '../saml-error.ts';
import { type AcceptedLogin, depositLogin } from './accepted-login.ts';
import { readAssertion } from './assertion.ts';
import { type ScreenedResponse, screenResponse } from './screen.ts';
import { verifyResponse } from './verify.ts';

const bodyLimit = 512 * 1024;

/**
 * The assertion consumer service: `POST {base}/saml/acs` (Profiles §4.1.4). The POST comes from the site of the identity
 * provider, so it has no cookies (`SameSite=Lax`). This endpoint verifies the response without knowing the browser. Then it
 * redirects the browser to `/saml/resume`, which gets the cookies and checks that this browser sent the request.
 */
export function acsEndpoint(deps: SamlDependencies): ModuleEndpoint {
  return {
    path: paths.acs,
    method: 'POST',
    bodyLimit,
    answer: ({ parameters, requestId }) => {
      const attempt: ProviderAttempt = { of: 'login', requestId };
      return reportingErrors(attempt, deps, async () => {
        const handle = returnedHandle(parameters, 'RelayState', 'saml.stale');
        const message = decodeMessage(submittedOnce(parameters, 'SAMLResponse'));
        const response = screenResponse(message, deps.options);
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

/** @throws SamlError */
async function accept(response: ScreenedResponse, deps: SamlDependencies): Promise<AcceptedLogin> {
  const { options, services } = deps;
  const service = deps.addresses;
  const provider = providerOf(response, deps);
  // The destination is signed, so a response for another service provider is rejected (Bindings §3.5.5.2).
  if (response.destination !== service.acs) {
    const received = shown(response.destination ?? 'none', 200);
    throw new SamlError('destination', `expected the destination ${service.acs}, got ${received}`);
  }
  if (response.inResponseTo === undefined) {
    throw new SamlError(
      'request',
      'the response has no InResponseTo; a login must begin at this server, not at the identity provider',
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
  const key = sha256(JSON.stringify([assertion.issuer, assertion.id])).toString('base64url');
  const isFirst = await oneTime.put(`saml assertion ${key}`, '', assertion.notOnOrAfter + options.clockSkew);
  if (!isFirst) throw new SamlError('replay', 'the assertion was used before');
  return { assertion, inResponseTo: response.inResponseTo };
}

function providerOf(
  { issuer }: ScreenedResponse,
  { directory, services }: SamlDependencies,
): IdentityProvider {
  const provider = issuer === undefined ? undefined : directory.find(issuer, services.clock.now());
  if (provider !== undefined) return provider;
  throw new SamlError(
    'provider',
    issuer === undefined
      ? 'the response has no Issuer'
      : 'the identity provider is not known, or its metadata has expired',
  );
}

/** Decodes a message by HTTP-POST: base64, with or without line breaks (Bindings §3.5.4). @throws SamlError */
function decodeMessage(text: string): string {
  const base64 = text.replaceAll(/[\r\n\t ]/g, '');
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new SamlError('encoding', 'SAMLResponse is missing or is not base64');
  }
  const bytes = Buffer.from(base64, 'base64');
  if (!isUtf8(bytes)) throw new SamlError('encoding', 'the response is not UTF-8');
  return bytes.toString('utf8');
}
