import { because, OAuthError } from '@watchword/protocol';
import type { Caller } from './caller.ts';
import { type OperationRight, operationRights } from './operation-rights.ts';
import { includesRight, type Right } from './rights.ts';

/** @throws Error for an operation that the table lacks: nobody decided who can call it */
export function operationRight(operation: string): OperationRight {
  const needed = operationRights[operation];
  if (needed === undefined) throw new Error(`callers/operation-rights.ts lacks the operation ${operation}`);
  return needed;
}

/**
 * Runs an operation. A client that acts for itself is an administrator for it, and for nothing else, if it has the right; otherwise the error
 * names the right. For people and tools nothing differs.
 */
export async function asPermitted<Value>(
  caller: Caller,
  needed: OperationRight,
  operation: (caller: Caller) => Promise<Value>,
): Promise<Value> {
  const isMachine = caller.login === undefined && caller.client !== undefined;
  if (!isMachine || typeof needed === 'string') return operation(caller);
  const { right } = needed;
  if (includesRight(caller.rights, right)) return operation({ ...caller, isAdministrator: true, right });
  if (needed.own !== true) throw lacksRight(caller, right);
  try {
    return await operation(caller);
  } catch (error) {
    throw error instanceof OAuthError ? withRight(error, caller, right) : error;
  }
}

export function lacksRight({ client, rights }: Pick<Caller, 'client' | 'rights'>, right: Right): OAuthError {
  const clientId = client?.clientId ?? 'CLIENT_ID';
  return new OAuthError('access_denied', because('administrative_right', { right, held: rights, clientId }));
}

/** Says the same whether another record exists or not. */
function withRight(error: OAuthError, caller: Caller, right: Right): OAuthError {
  if (error.rule === 'administrator') return lacksRight(caller, right);
  if (error.kind !== 'not_found') return error;
  return new OAuthError('not_found', {
    description: `${error.message} For records of others, a client that acts for itself needs the right ${right}.`,
  });
}
