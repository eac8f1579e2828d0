import { EndpointError, unexpected } from './endpoint-error.ts';
import type { Schemas, StandardSchema } from './types.ts';

/**
 * What a Standard Schema makes of a value.
 * @throws EndpointError `SCHEMA_MISMATCH`, whose cause is the list of issues, because their texts can have values
 */
const validate = (schema: StandardSchema | undefined, value: unknown, place: string): unknown => {
  if (!schema) return value;
  const result = schema['~standard'].validate(value);
  if ('then' in result) throw unexpected('INVALID_OPTION', 'a schema that answers at once', result);
  const { issues } = result;
  if (!issues) return result.value;
  const path = issues[0]?.path?.map((part) => String(Object(part).key ?? part)).join('.');
  throw new EndpointError('SCHEMA_MISMATCH', `expected what its schema accepts as "${path || place}"`, {
    cause: issues,
  });
};

const hasStandard = (value: unknown): value is StandardSchema =>
  Object(value)['~standard']?.validate !== undefined;

/** A schema, or an object of them. */
export const isSchema = (value: unknown): value is Schemas =>
  hasStandard(value) || Object.values(Object(value)).every(hasStandard);

export const validateParameters = (schema: Schemas | undefined, parameters: object): object => {
  const all = schema && '~standard' in schema ? schema : schema?.parameters;
  return validate(all, parameters, 'parameters') as object;
};

export const validateData = (schema: Schemas | undefined, data: unknown): unknown =>
  schema && 'data' in schema ? validate(schema.data, data, 'data') : data;
