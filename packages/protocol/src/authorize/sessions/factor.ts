import type { AuthenticationEvent } from '../../model/records/authentication-event.ts';

/** What a step of a login has proved. */
export interface Factor {
  /** How: authentication method reference values (RFC 8176). */
  readonly amr?: readonly string[];
  /** The authentication context class that the login has from now on. */
  readonly acr?: string;
}

/** The login with further factors. */
export function withFactors(event: AuthenticationEvent, factors: readonly Factor[]): AuthenticationEvent {
  const { isPending: _, ...login } = event;
  const amr = [...new Set([...(event.amr ?? []), ...factors.flatMap((factor) => factor.amr ?? [])])];
  const acr = factors.findLast((factor) => factor.acr !== undefined)?.acr ?? event.acr;
  return { ...login, ...(amr.length > 0 && { amr }), ...(acr !== undefined && { acr }) };
}
