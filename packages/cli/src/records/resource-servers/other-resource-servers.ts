import type { ResourceServerScopes } from '@watchword/protocol';
import { shown } from '@watchword/protocol';
import { UsageError } from '../../command/usage-error.ts';

/** Another resource server of a client, as a command names it. */
const pattern = /^([^=]+)=(.*)$/s;

/**
 * Values such as `orders=read write`, with the record id in the place of the key. The routes know resource servers by their ids.
 *
 * @param idOf finds the record id of a key
 * @throws UsageError
 */
export function withRecordIds(
  given: readonly string[],
  idOf: (key: string) => Promise<number>,
): Promise<string[]> {
  return Promise.all(
    given.map(async (text) => {
      const [, key, scopes] = pattern.exec(text) ?? [];
      return key === undefined ? text : `${await idOf(key)}=${scopes}`;
    }),
  );
}

/** Reads values such as `12=read write`. @param flag whose values they are @throws UsageError */
export function parseResourceServerScopes(flag: string, given: readonly string[]): ResourceServerScopes[] {
  return given.map((text) => {
    const [, id, scopes = ''] = /^(\d{1,15})=(.*)$/.exec(text) ?? [];
    if (id === undefined) throw new UsageError(`${flag}: expected key=scopes, got ${shown(text, 80)}`);
    return { resourceServerId: Number(id), scopes: scopes.split(/[ ,]+/).filter(Boolean) };
  });
}
