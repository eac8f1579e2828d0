import { isIP } from 'node:net';
import { type PasskeyDependencies, type PasskeyLogin, passkeyLogin } from '@watchword/accounts';
import type { RelyingParty } from '@watchword/passkeys';

/**
 * To whom passkeys belong. Browsers know them on https pages and on those of this machine, and on no page whose host is an address
 * (WebAuthn Level 3 §5.1.3).
 */
export function relyingPartyOf(baseUrl: string, id: string | undefined): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(baseUrl);
  const isSecure = protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname);
  if (!isSecure || isIP(hostname.replace(/^\[|\]$/g, '')) > 0) return undefined;
  return { id: id ?? hostname, origin };
}

/** @param log tells the operator which rule an answer broke */
export function loggedPasskeys(
  deps: Omit<PasskeyDependencies, 'onRefused'>,
  log: (message: string, details: Readonly<Record<string, unknown>>) => void,
): PasskeyLogin {
  const onRefused = (check: string, detail: string) => log('refused a passkey', { check, detail });
  return passkeyLogin({ ...deps, onRefused });
}
