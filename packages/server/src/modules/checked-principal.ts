import {
  type AuthenticationModule,
  type AuthenticationStep,
  isReservedAuthority,
  type Principal,
} from '@watchword/protocol';
import { checkedEndpoint } from './checked-endpoint.ts';
import { assertKnownStep } from './known-step.ts';

const steps: readonly AuthenticationStep['type'][] = ['form', 'redirect', 'post', 'authenticated', 'refused'];

/**
 * Holds a module to its contract: what it says of a person is stored and answered for months, so it is checked once,
 * here. A fault is the module's, and ends in `server_error`.
 */
export function checkedAuthentication(module: AuthenticationModule): AuthenticationModule {
  const checked = (step: AuthenticationStep): AuthenticationStep => {
    assertKnownStep(step, `authentication module ${module.name}`, steps);
    if (step.type !== 'authenticated') return step;
    const fault = principalFault(step.principal) ?? authorityFault(step.authority ?? module.name);
    if (fault === undefined) return { ...step, principal: exactly(step.principal) };
    throw new TypeError(`the authentication module ${module.name} returned a principal whose ${fault}`);
  };
  const { name, insecureBecause, endpoints, texts } = module;
  return {
    name,
    ...(insecureBecause !== undefined && { insecureBecause }),
    ...(endpoints !== undefined && { endpoints: endpoints.map(checkedEndpoint) }),
    ...(texts !== undefined && { texts }),
    ...(module.logout && { logout: (data) => module.logout?.(data) ?? Promise.resolve(undefined) }),
    ...(module.close && { close: () => module.close?.() ?? Promise.resolve() }),
    begin: async (context) => checked(await module.begin(context)),
    resume: async (context, submission) => checked(await module.resume(context, submission)),
  };
}

/** Under a reserved authority somebody would own what is the server's own, or a client's. */
function authorityFault(authority: unknown): string | undefined {
  if (typeof authority !== 'string' || authority.includes('\0') || !authority.isWellFormed()) {
    return 'authority is not a text';
  }
  return isReservedAuthority(authority)
    ? `authority is ${JSON.stringify(authority)}, which is reserved`
    : undefined;
}

/** The fields of a principal and no others. */
function exactly({ name, roles, groups, adminPrincipal, attributes }: Principal): Principal {
  return { name, roles: [...roles], groups: [...groups], adminPrincipal, attributes: { ...attributes } };
}

function principalFault(principal: unknown): string | undefined {
  const { name, roles, groups, adminPrincipal, attributes } = (principal ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || name.includes('\0') || !name.isWellFormed()) {
    return 'name is not a text';
  }
  if (!isListOfTexts(roles)) return 'roles are not a list of texts';
  if (!isListOfTexts(groups)) return 'groups are not a list of texts';
  if (typeof adminPrincipal !== 'boolean') return 'adminPrincipal is not true or false';
  if (typeof attributes !== 'object' || attributes === null || !isListOfTexts(Object.values(attributes))) {
    return 'attributes are not an object of texts';
  }
  return undefined;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
