import type { Confirmation, Principal, TokenInfo } from '../token-info.ts';

/** The answer is not token info. The message has the place of the problem, and no value. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/**
 * Reads an answer of token info, in the plain form or with every object and list wrapped as `[type, value]`
 * (`adminService.jsonTypeInfoIncluded`). Names that it does not know are left out.
 * @returns deeply frozen
 * @throws AnswerError for anything that is not exactly of the form
 */
export function parseTokenInfo(answer: unknown, jsonTypeInfoIncluded: boolean): TokenInfo {
  const unwrap = jsonTypeInfoIncluded ? unwrapTyped : unwrapPlain;

  function object(value: unknown, at: string): Record<string, unknown> {
    const content = unwrap(value, at);
    return typeof content === 'object' && content !== null && !Array.isArray(content)
      ? (content as Record<string, unknown>)
      : fail(at, 'an object');
  }

  function texts(value: unknown, at: string): readonly string[] {
    const content = unwrap(value, at);
    return Array.isArray(content) && content.every((item) => typeof item === 'string')
      ? Object.freeze([...content])
      : fail(at, 'a list of texts');
  }

  function principal(value: unknown): Principal {
    const { name, roles, groups, adminPrincipal, attributes } = object(value, 'principal');
    // Entries, not assignment: an attribute may be called __proto__.
    const pairs = Object.entries(object(attributes, 'principal.attributes'));
    return Object.freeze({
      name: typeof name === 'string' && name !== '' ? name : fail('principal.name', 'a text'),
      roles: texts(roles, 'principal.roles'),
      groups: texts(groups, 'principal.groups'),
      adminPrincipal:
        typeof adminPrincipal === 'boolean' ? adminPrincipal : fail('principal.adminPrincipal', 'a boolean'),
      attributes: pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string')
        ? Object.freeze(Object.fromEntries(pairs))
        : fail('principal.attributes', 'an object of texts'),
    });
  }

  function confirmation(value: unknown): Confirmation {
    return readConfirmation(object(value, 'cnf')) ?? fail('cnf', 'an object of texts');
  }

  const info = object(answer, 'the answer');
  const { audience, expires_in, aud, cnf, auth_time, acr } = info;
  return Object.freeze({
    audience: typeof audience === 'string' ? audience : fail('audience', 'a text'),
    scopes: texts(info.scopes, 'scopes'),
    principal: principal(info.principal),
    expires_in: isTime(expires_in) ? expires_in : fail('expires_in', 'epoch milliseconds'),
    ...(aud !== undefined && { aud: texts(aud, 'aud') }),
    ...(cnf !== undefined && { cnf: confirmation(cnf) }),
    ...(auth_time !== undefined && {
      auth_time:
        auth_time === null || isTime(auth_time) ? auth_time : fail('auth_time', 'epoch seconds or null'),
    }),
    ...(acr !== undefined && { acr: typeof acr === 'string' ? acr : fail('acr', 'a text') }),
  });
}

const confirmationMethods: ReadonlySet<string> = new Set<keyof Confirmation>(['jkt', 'x5t#S256']);

/** A method that is unknown here is left out, but the token stays bound. `undefined` if it is no confirmation. */
export function readConfirmation(cnf: unknown): Confirmation | undefined {
  if (typeof cnf !== 'object' || cnf === null || Array.isArray(cnf)) return undefined;
  const entries = Object.entries(cnf).filter(([name]) => confirmationMethods.has(name));
  return entries.every(([, thumbprint]) => typeof thumbprint === 'string')
    ? Object.freeze(Object.fromEntries(entries))
    : undefined;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function unwrapPlain(value: unknown, at: string): unknown {
  // No object of the plain form is a list, so this one has to be of the other.
  if (at === 'the answer' && Array.isArray(value)) {
    return fail(at, 'no type information; if the server includes it, set jsonTypeInfoIncluded');
  }
  return value;
}

function unwrapTyped(value: unknown, at: string): unknown {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
    ? value[1]
    : fail(at, '[type, value]; if the server includes no type information, do not set jsonTypeInfoIncluded');
}

function fail(at: string, expected: string): never {
  throw new AnswerError(`expected ${expected} as ${at}`);
}
