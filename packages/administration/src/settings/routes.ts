import type { Sealer } from '@watchword/protocol';
import { requireAdministrator } from '../callers/caller.ts';
import { answerPage, linkNote, pageOf, pageOfAll, pagingParameters } from '../lists/listing.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema } from '../schema/json-schema.ts';

/** A setting with its effective value. A secret is never part of it. */
export interface EffectiveSetting {
  /** Its path, as in a file: `signing.algorithms`. */
  readonly name: string;
  /** `undefined` if it has none, or if the value is a secret. In objects whose members can be secrets, each member is `***`. */
  readonly value: unknown;
  /** Whether the value, or a part of it, is left out. */
  readonly isHidden: boolean;
  readonly origin: 'flag' | 'environment' | 'file' | 'default';
  /** The flag, the variable or the path of the file that the value came from; `undefined` for a default. */
  readonly place: string | undefined;
  readonly flag: string;
  readonly environmentVariable: string;
  readonly default: unknown;
  /** A sentence or two. */
  readonly description: string;
}

const anything = { type: ['string', 'number', 'boolean', 'array', 'object', 'null'] } as const;
const text = { type: 'string' } as const;

const properties = {
  name: { ...text, description: 'Its name in a file, with dots between the parts.' },
  value: {
    ...anything,
    description:
      'The effective value; null if there is none, or if it is a secret. Of options, which can be secrets, only the names are here: each value is ***.',
  },
  hidden: { type: 'boolean', description: 'Whether the value, or a part of it, is left out.' },
  origin: {
    enum: ['flag', 'environment', 'file', 'default'],
    description: 'The kind of source that the value came from.',
  },
  place: {
    type: ['string', 'null'],
    description:
      'The flag, the variable or the path of the file that the value came from; null for a default.',
  },
  flag: { ...text, description: 'The flag of watchword serve that sets it.' },
  environmentVariable: { ...text, description: 'The environment variable that sets it.' },
  default: { ...anything, description: 'null if there is none, or if the description says what it is.' },
  description: text,
  documentation: { ...text, description: 'Path of its description for people, at this server.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const settingSchema: JsonSchema = objectSchema('A setting of this node.', properties);

export interface SettingRouteDependencies {
  readonly settings: () => readonly EffectiveSetting[];
  readonly sealer: Sealer;
}

const path = '/admin/setting';

export function settingRoutes({ settings, sealer }: SettingRouteDependencies): Route[] {
  return [
    {
      id: 'listSettings',
      method: 'GET',
      path,
      tag: 'Settings',
      summary: 'List the settings with their effective values',
      description: `Only for administrators. The settings of this node, and where each value came from. Secrets are left out. ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/Setting' }),
      errors: [400],
      async handle(request) {
        requireAdministrator(request.caller, 'see the settings');
        return answerPage(
          request,
          { path, filters: [] },
          sealer,
          pageOfAll(settings()),
          ({ value = null, isHidden, place = null, default: usual = null, ...setting }) => ({
            ...setting,
            value,
            hidden: isHidden,
            place,
            default: usual,
            documentation: `${request.prefix}/admin/docs#${settingElementId(setting.name)}`,
          }),
        );
      },
    },
  ];
}

/** Where the reference for people describes a setting. */
export function settingElementId(name: string): string {
  return `setting-${name}`;
}
