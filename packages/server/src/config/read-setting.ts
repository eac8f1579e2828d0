import * as v from 'valibot';
import type { Problem } from '../configuration-error.ts';
import type { Schema } from './kinds.ts';

/** Where a value was given. */
export interface Given {
  readonly path: string;
  readonly place: string;
  readonly value: unknown;
}

/** Reads a value by its schema. @returns the value, or `undefined` with its problems added to `problems` */
export function readSetting<Value>(
  schema: Schema<Value>,
  { path, place, value }: Given,
  problems: Problem[],
): Value | undefined {
  // A value with several broken rules is one problem.
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  if (result.success) return result.output;
  for (const issue of result.issues) {
    problems.push({
      path: path + withinValue(issue),
      place,
      problem: `${issue.message}${kubernetesHint(value)}`,
    });
  }
  return undefined;
}

/** `[0].module` */
function withinValue({ path = [] }: { readonly path?: readonly { readonly key?: unknown }[] | undefined }) {
  return path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}

// Kubernetes sets {SERVICE}_PORT for every service of a namespace, and so for a service with the name watchword.
function kubernetesHint(value: unknown): string {
  return typeof value === 'string' && value.startsWith('tcp://')
    ? ' (set by Kubernetes for a service of this name: give the pod enableServiceLinks: false)'
    : '';
}
