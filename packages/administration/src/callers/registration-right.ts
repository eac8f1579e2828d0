import { OAuthError, quoted } from '@watchword/protocol';
import type { Caller } from './caller.ts';
import { lacksRight } from './permitted-caller.ts';
import { includesRight, type Right } from './rights.ts';

/** Who may do something with registrations, in addition to administrators: every caller, the users of a group, or nobody. */
export type RegistrationRight = 'everyone' | 'administrators' | `group:${string}`;

export interface RegistrationRightDependencies {
  /** Who may register resource servers and clients. Absent: every caller. */
  readonly registration?: RegistrationRight;
  /** The issuers of which the operator says where their keys are, with those who may let them sign for a client. Absent: none. */
  readonly operatorIssuers?: ReadonlyMap<string, RegistrationRight>;
}

function groupOf(registration: RegistrationRight = 'everyone'): string | undefined {
  const [, group] = /^group:(.+)$/s.exec(registration) ?? [];
  return group;
}

export function mayRegister(
  caller: Caller,
  { registration = 'everyone' }: Pick<RegistrationRightDependencies, 'registration'>,
): boolean {
  return isIncluded(caller, registration, 'records:write');
}

/** Whether the caller may let an issuer sign for a client by the keys, and with the token, of the operator. */
export function mayUseIssuer(
  caller: Caller,
  issuer: string,
  { operatorIssuers }: Pick<RegistrationRightDependencies, 'operatorIssuers'>,
): boolean {
  const users = operatorIssuers?.get(issuer);
  return users !== undefined && isIncluded(caller, users, 'records:all:write');
}

/** @param ofClients the right by which a client that acts for itself is included too */
function isIncluded(
  { isAdministrator, login, principal, rights }: Caller,
  registration: RegistrationRight,
  ofClients: Right,
): boolean {
  if (isAdministrator || registration === 'everyone' || includesRight(rights, ofClients)) return true;
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
