import {
  type DescribedResourceServer,
  type DescribedScope,
  type ResourceServerFields,
  resourceServerDefaults,
  type SubmittedResourceServer,
} from '@watchword/admin-client';
import { type Attribute, linesOf } from './typed-client.ts';

/** A resource server as a form has it. */
export interface TypedResourceServer extends Omit<ResourceServerFields, 'resources'> {
  /** One on each line. */
  readonly resources: string;
  /**
   * Descriptions of scopes, each under the scope, or under a language, a space and the scope: `nl read`. While the user types
   * them, a language can be empty.
   */
  readonly scopeTexts: readonly Attribute[];
}

export const newResourceServer: TypedResourceServer = {
  ...resourceServerDefaults,
  resources: '',
  scopeTexts: [],
};

const names = Object.keys(resourceServerDefaults) as (keyof ResourceServerFields)[];

/** A resource server as the pages read it: with names of scopes, and with their descriptions. */
export interface ShownResourceServer extends Omit<DescribedResourceServer, 'scopes'> {
  readonly scopes: readonly string[];
  readonly describedScopes: readonly DescribedScope[];
}

export function shownResourceServer(record: DescribedResourceServer): ShownResourceServer {
  return { ...record, scopes: record.scopes.map(({ name }) => name), describedScopes: record.scopes };
}

export function typedResourceServer(record: ShownResourceServer): TypedResourceServer {
  const fields = Object.fromEntries(names.map((name) => [name, record[name]]));
  const scopeTexts = record.describedScopes.flatMap(({ name, description, descriptions = {} }) => [
    ...(description === undefined ? [] : [{ name, value: description }]),
    ...Object.entries(descriptions).map(([language, value]) => ({ name: `${language} ${name}`, value })),
  ]);
  return {
    ...(fields as unknown as ResourceServerFields),
    resources: record.resources.join('\n'),
    scopeTexts,
  };
}

export function submittedResourceServer({
  scopeTexts,
  scopes,
  resources,
  openScopes,
  ...fields
}: TypedResourceServer): SubmittedResourceServer {
  return {
    ...fields,
    resources: linesOf(resources),
    openScopes: openScopes.filter((scope) => scopes.includes(scope)),
    scopes: scopes.map((scope) => describedScope(scope, scopeTexts)),
  };
}

function describedScope(scope: string, texts: readonly Attribute[]): DescribedScope {
  const written = texts.filter(({ name, value }) => scopeOf(name) === scope && value !== '');
  const translations = written.filter(({ name }) => name !== scope);
  return {
    name: scope,
    description: written.find(({ name }) => name === scope)?.value ?? '',
    descriptions: Object.fromEntries(translations.map(({ name, value }) => [languageOf(name), value])),
  };
}

/** The scope of a text: it has no space. */
export function scopeOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

/** The language of a text; `''` for the text for all languages, and while none is typed. */
export function languageOf(name: string): string {
  return name.includes(' ') ? name.slice(0, name.indexOf(' ')) : '';
}
