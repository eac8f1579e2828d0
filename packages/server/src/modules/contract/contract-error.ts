import { isObject } from '@watchword/protocol';
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

type Variant = v.GenericSchema & {
  readonly entries: { readonly type: v.LiteralSchema<string, undefined> };
};

/** Schemas of objects by their `type`. */
export interface Variants<Schema extends Variant> {
  /** Completes "expected …". */
  readonly expected: string;
  readonly byType: ReadonlyMap<unknown, Schema>;
}

/** A table, because `v.variant` tries one type after the other. */
export function variants<Schema extends Variant>(
  schemas: readonly Schema[],
  expected: string,
): Variants<Schema> {
  return { expected, byType: new Map(schemas.map((schema) => [schema.entries.type.literal, schema])) };
}

/**
 * Checks an object against the schema of its `type`.
 *
 * @throws ContractError for the first problem
 */
export function heldVariant<Schema extends Variant>(
  { expected, byType }: Variants<Schema>,
  value: unknown,
): v.InferOutput<Schema> {
  if (!isObject(value)) throw new ContractError(`expected ${expected}, got ${kindOf(value)}`);
  const schema = byType.get(value.type);
  if (schema === undefined) throw new ContractError(`type: expected ${expected}, got ${kindOf(value.type)}`);
  return held(schema, value);
}
