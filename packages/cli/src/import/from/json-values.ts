import { isObject, type JsonObject } from '@watchword/protocol';

/** A value of an export as a text; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: unknown): JsonObject[] {
  return listOf(value).filter(isObject);
}

export function textsOf(value: unknown): string[] {
  return listOf(value).filter((each) => typeof each === 'string');
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Without members that say nothing. */
export function withoutEmpty(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
