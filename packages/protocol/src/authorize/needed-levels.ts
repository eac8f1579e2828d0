import { type LoginLevel, loginLevels, strongest } from '../model/login-level.ts';
import type { AuthenticationEvent } from '../model/records/authentication-event.ts';
import { isOfClass, type LoginStrength, levelOfClass } from '../rules/login-strength.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { askedClasses, levelOfClient, requiredClasses } from './required-login.ts';

/** How strong a login must be for a client, and how strong the client would like it. `sfa` where every login is enough. */
export interface NeededLevels {
  readonly required: LoginLevel;
  readonly wished: LoginLevel;
}

/**
 * What a login must reach here. A class that only an identity provider can reach counts for nothing.
 *
 * @param request `undefined` when the resource owner wants to see their own account
 */
export function neededLevels(
  request: AuthorizationRequest | undefined,
  login: AuthenticationEvent,
  strength: Pick<LoginStrength, 'classes'>,
): NeededLevels {
  if (request === undefined) return { required: 'sfa', wished: 'sfa' };
  return {
    required: strongest([levelOfClient(request), levelFor(requiredClasses(request), login, strength)]),
    wished: levelFor(askedClasses(request), login, strength) ?? 'sfa',
  };
}

/**
 * The level at which the login is what request and registration of the client require; `undefined` where only an identity provider can make
 * it so.
 */
export function requiredLevel(
  request: AuthorizationRequest,
  login: AuthenticationEvent,
  strength: Pick<LoginStrength, 'classes'>,
): LoginLevel | undefined {
  const level = levelFor(requiredClasses(request), login, strength);
  return level && strongest([levelOfClient(request), level]);
}

/** Of several classes one is enough, so it is the weakest level of them, and none where the login is of one already. */
function levelFor(
  classes: readonly string[] | undefined,
  login: AuthenticationEvent,
  strength: Pick<LoginStrength, 'classes'>,
): LoginLevel | undefined {
  if (classes === undefined || classes.some((name) => isOfClass(login, name, strength))) return 'sfa';
  const levels = classes.map((name) => levelOfClass(name, strength));
  return loginLevels.find((level) => levels.includes(level));
}
