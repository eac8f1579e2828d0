import { clientDefaults, resourceServerDefaults } from '@watchword/admin-client';
import type { TypedClient } from '../rules/typed-client.ts';
import type { TypedResourceServer } from '../rules/typed-resource-server.ts';
import { t } from '../texts/texts.ts';

/** What the fields of a client are called. */
export function clientLabels(): Readonly<Record<keyof TypedClient, string>> {
  return labelsOf(Object.keys(clientDefaults) as (keyof TypedClient)[]);
}

/** What the fields of a resource server are called. */
export function resourceServerLabels(): Readonly<Record<keyof TypedResourceServer, string>> {
  return labelsOf([
    ...(Object.keys(resourceServerDefaults) as (keyof TypedResourceServer)[]),
    'scopeTexts',
  ] as const);
}

type FieldName = keyof TypedClient | keyof TypedResourceServer;

function labelsOf<Name extends FieldName>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const label = (name: FieldName) => t(`field.${name}`);
  return Object.fromEntries(names.map((name) => [name, label(name)])) as Record<Name, string>;
}
