import { OAuthError, quoted } from '@watchword/protocol';
import type { Caller } from './caller.ts';
import { lacksRight } from './permitted-caller.ts';
import { includesRight } from './rights.ts';

/** Who may register resource servers and clients, in addition to administrators: every caller, the users of a group, or nobody. */
export type RegistrationRight = 'everyone' | 'administrators' | `group:${string}`;

export interface RegistrationRightDependencies {
  /** Absent: every caller. */
  readonly registration?: RegistrationRight;
}

function groupOf(registration: RegistrationRight = 'everyone'): string | undefined {
  const [, group] = /^group:(.+)$/s.exec(registration) ?? [];
  return group;
}

export function mayRegister(
  { isAdministrator, login, principal, rights }: Caller,
  { registration = 'everyone' }: RegistrationRightDependencies,
): boolean {
  if (isAdministrator || registration === 'everyone' || includesRight(rights, 'records:write')) return true;
  const group = groupOf(registration);
  // A client that acts for itself is in no group.
  return login !== undefined && group !== undefined && principal.groups.includes(group);
}

/** @throws OAuthError `access_denied` */
export function checkRegistration(caller: Caller, deps: RegistrationRightDependencies): void {
  if (mayRegister(caller, deps)) return;
  if (caller.login === undefined) throw lacksRight(caller, 'records:write');
  const group = groupOf(deps.registration);
  const others = group === undefined ? '' : ' and the users of one group';
  throw new OAuthError('access_denied', {
    description: `Only administrators${others} register resource servers and clients here. Ask one of them.`,
    rule: 'registration_right',
    expected:
      group === undefined ? 'an administrator' : `an administrator, or a user of the group ${quoted(group)}`,
  });
}
