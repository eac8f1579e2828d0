import { isIP } from 'node:net';
import type { PasskeyDependencies } from '@watchword/accounts';
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

/** Tells the operator which rule an answer broke. */
export function refusalsIn(log: Log): NonNullable<PasskeyDependencies['onRefused']> {
  return (check, detail) => log('refused a passkey', { check, detail });
}

type Log = (message: string, details: Readonly<Record<string, unknown>>) => void;
