import type { Field } from './field.ts';

/** Of a record that can stand in a configuration. */
export const managedByField = {
  kind: { type: 'text' },
  setBy: 'server',
  summary: 'name of the configuration that manages it, which alone changes it; empty if none does',
} as const satisfies Field;
