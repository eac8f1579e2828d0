import type { ResourceServerScopes } from '@watchword/protocol';
import { shown } from '@watchword/protocol';
import { UsageError } from '../command/usage-error.ts';

/** Reads values such as `12=read write`. @param flag whose values they are @throws UsageError */
export function parseResourceServerScopes(flag: string, given: readonly string[]): ResourceServerScopes[] {
  return given.map((text) => {
    const [, id, scopes = ''] = /^(\d{1,15})=(.*)$/.exec(text) ?? [];
    if (id === undefined) throw new UsageError(`${flag}: expected id=scopes, got ${shown(text, 80)}`);
    return { resourceServerId: Number(id), scopes: scopes.split(/[ ,]+/).filter(Boolean) };
  });
}
