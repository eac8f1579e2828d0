import { type LoginLevel, reaches, strongest } from '../../model/login-level.ts';
import type { AuthenticationEvent } from '../../model/records/authentication-event.ts';
import { levelClasses } from '../../rules/login-strength.ts';

/** What a step of a login has proved. */
export interface Factor {
  /** How: authentication method reference values (RFC 8176). */
  readonly amr?: readonly string[];
  /** How strong the whole login is with it. */
  readonly level?: LoginLevel;
}

/** The login with further factors. It never becomes weaker. */
export function withFactors(event: AuthenticationEvent, factors: readonly Factor[]): AuthenticationEvent {
  const { isPending: _, mustReplacePassword: _m, ...login } = event;
  const { level: before = 'sfa', acr: told, toldAcr = told } = login;
  const level = strongest([before, ...factors.map((factor) => factor.level)]);
  const isRaised = !reaches(before, level);
  const methods = [...(login.amr ?? []), ...factors.flatMap((factor) => factor.amr ?? [])];
  const amr = [...new Set([...methods, ...(isRaised ? ['mfa'] : [])])];
  return {
    ...login,
    ...(amr.length > 0 && { amr }),
    ...(isRaised && { level, acr: levelClasses[level] }),
    ...(isRaised && toldAcr !== undefined && { toldAcr }),
  };
}
