import type { ClientRegistration, MalformedField } from '@watchword/protocol';
import { clientSchema } from '../records/client.ts';
import { isObject, type JsonSchema } from '../schema/kinds.ts';
import { readRecord } from '../schema/read-record.ts';
import { inputSchema } from '../schema/record-schema.ts';

/** A merge patch of a client (RFC 7396), whose attributes are merged name by name (§2). */
export interface ClientPatch {
  apply(current: ClientRegistration): ClientRegistration;
  readonly malformed: readonly MalformedField[];
}

/** @throws OAuthError `invalid_request` when it is no object */
export function readClientPatch(body: unknown): ClientPatch {
  const { attributes, ...rest } = isObject(body) ? body : {};
  const { values, malformed } = readRecord(clientSchema, isObject(attributes) ? rest : body, false);
  const patched = isObject(attributes) ? readAttributes(attributes) : undefined;
  return {
    apply: (current) => ({
      ...current,
      ...values,
      ...(patched && { attributes: patched.apply(current.attributes) }),
    }),
    malformed: [...malformed, ...(patched?.malformed ?? [])],
  };
}

export function clientPatchSchema(): JsonSchema {
  const schema = inputSchema(clientSchema, true);
  const { attributes, ...properties } = schema.properties as Record<string, object>;
  return {
    ...schema,
    properties: {
      ...properties,
      attributes: {
        ...attributes,
        anyOf: [{ type: 'object', additionalProperties: { type: ['string', 'null'] } }, { type: 'null' }],
      },
    },
  };
}

function readAttributes(patch: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(patch);
  const isFit = entries.every(([, value]) => value === null || typeof value === 'string');
  const removed = new Set(entries.filter(([, value]) => value === null).map(([name]) => name));
  const set = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    malformed: isFit ? [] : [{ field: 'attributes', problem: 'expected an object of texts and nulls' }],
    apply: (current: Readonly<Record<string, string>>) =>
      Object.fromEntries([...Object.entries(current).filter(([name]) => !removed.has(name)), ...set]),
  };
}
