import { EndpointError, unexpected } from './endpoint-error.ts';
import type { Schemas, StandardSchema } from './types/options.ts';

/**
 * What a Standard Schema makes of a value.
 * @throws EndpointError `SCHEMA_MISMATCH`, whose cause is the list of issues, because their texts can have values
 */
export const validate = (
  schemas: Schemas | undefined,
  place: 'parameters' | 'data',
  value: unknown,
): unknown => {
  const all: Exclude<Schemas, StandardSchema> | undefined = hasStandard(schemas)
    ? { parameters: schemas }
    : schemas;
  const schema = all?.[place];
  if (!schema) return value;
  const result = schema['~standard'].validate(value);
  if ('then' in result) throw unexpected('INVALID_OPTION', 'a synchronous schema', result);
  const { issues } = result;
  if (!issues) return result.value;
  const path = issues[0]?.path?.map((part) => String(Object(part).key ?? part)).join('.');
  throw new EndpointError('SCHEMA_MISMATCH', `expected what its schema accepts as "${path || place}"`, {
    cause: issues,
  });
};

const hasStandard = (value: unknown): value is StandardSchema => Object(value)['~standard']?.validate;

/** A schema, or an object of them. */
export const isSchema = (value: unknown): value is Schemas =>
  hasStandard(value) || Object.values(Object(value)).every(hasStandard);
