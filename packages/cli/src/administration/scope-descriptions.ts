import type { ScopeDescription } from '@watchword/protocol';
import { shown } from '@watchword/protocol';
import { UsageError } from '../command/usage-error.ts';

type Descriptions = readonly ScopeDescription[];

const flag = '--scope-description';

/** Reads `read=Read your notes` and `nl read=Je notities lezen`: a scope has no space. @throws UsageError */
export function parseScopeDescriptions(given: readonly string[]): Descriptions {
  return given.reduce<Descriptions>((before, text) => withChange(before, parse(text)), []);
}

/**
 * The scopes to submit, with their descriptions. Of a scope that `changes` names, the texts in other languages stay; an empty
 * text removes one. A scope without a description keeps what it has.
 *
 * @throws UsageError for a description of another scope
 */
export function withDescriptions(
  scopes: readonly string[],
  changes: Descriptions,
  before: Descriptions,
): Descriptions {
  const stranger = changes.find(({ name }) => !scopes.includes(name));
  if (stranger !== undefined) {
    throw new UsageError(
      `${flag}: expected one of the scopes ${scopes.join(', ') || '(there is none)'}, got ${shown(stranger.name, 80)}`,
    );
  }
  return scopes.map((scope) => {
    const change = changes.find(({ name }) => name === scope);
    return change === undefined ? { name: scope } : merged(before, change);
  });
}

function withChange(before: Descriptions, change: ScopeDescription): Descriptions {
  return [...before.filter(({ name }) => name !== change.name), merged(before, change)];
}

function merged(
  before: Descriptions,
  { name, description, descriptions }: ScopeDescription,
): ScopeDescription {
  const old = before.find((scope) => scope.name === name);
  const text = description ?? old?.description;
  return {
    name,
    ...(text !== undefined && { description: text }),
    descriptions: { ...old?.descriptions, ...descriptions },
  };
}

function parse(given: string): ScopeDescription {
  const [, language, name = '', text = ''] = /^(?:(\S+) )?([^\s=]+)=(.*)$/s.exec(given) ?? [];
  if (name === '') {
    throw new UsageError(
      `${flag}: expected scope=text, or a language, a space and scope=text, got ${shown(given, 80)}`,
    );
  }
  return language === undefined ? { name, description: text } : { name, descriptions: { [language]: text } };
}
