import * as v from 'valibot';
import { kindOf } from '../../schemas.ts';

/** An answer of a module that its contract does not permit. The message has the place, what was expected and what came. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * Checks a value against a schema whose messages complete "expected …".
 *
 * @throws ContractError for the first problem
 */
export function held<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  // If a member is missing, Valibot reports an issue of the object.
  const isMissing =
    place !== null && issue.kind === 'schema' && issue.type === 'object' && issue.input === undefined;
  const problem = isMissing ? 'is missing' : `expected ${issue.message}, got ${kindOf(issue.input)}`;
  throw new ContractError(place === null ? problem : `${place}: ${problem}`);
}
