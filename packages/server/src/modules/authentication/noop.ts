import type { AuthenticationModule } from '@watchword/protocol';
import { principalNamed } from './principal-named.ts';

/** Authenticates every user as `noop`, without a page. */
export function noopModule(): AuthenticationModule {
  return silentModule('noop', false);
}

/** Authenticates every user as the administrator `noop`, without a page. */
export function noopAdminModule(): AuthenticationModule {
  return silentModule('noop-admin', true);
}

function silentModule(name: string, adminPrincipal: boolean): AuthenticationModule {
  const enter = async () =>
    ({ type: 'authenticated', principal: principalNamed('noop', adminPrincipal) }) as const;
  return {
    name,
    label: `authenticator.${name}`,
    insecureBecause: `danger.${name}`,
    begin: enter,
    resume: enter,
  };
}
