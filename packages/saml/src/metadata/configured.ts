import type { Clock } from '@watchword/protocol';
import type { ProviderDirectory } from './directory.ts';
import { isEntityId } from './identity-provider.ts';
import type { MetadataSource } from './source.ts';

export interface ConfiguredDependencies {
  readonly directory: ProviderDirectory;
  readonly sources: readonly MetadataSource[];
  readonly clock: Clock;
  /** Whether there was a good copy since the start. */
  isLoaded(source: MetadataSource): boolean;
}

/**
 * Whether people can log in by it: the last good copy of the metadata has it, or the configuration names it and there was
 * no copy yet. `undefined` while nobody can tell: that copy has come to its end, or what may have it was not loaded.
 *
 * @param identityProvider an entity id; for one behind a proxy `proxy!provider`
 */
export function isConfigured(
  identityProvider: string,
  { directory, sources, clock, isLoaded }: ConfiguredDependencies,
): boolean | undefined {
  const [entityId = '', behind] = identityProvider.split('!', 2);
  if (!isEntityId(entityId)) return false;
  const isProxy = behind !== undefined;
  const listed = directory.listed(entityId);
  if (listed !== undefined) {
    if (listed.isProxy !== isProxy) return false;
    return listed.validUntil > clock.now() || undefined;
  }
  const open = sources.filter((source) => source.isProxy === isProxy && !isLoaded(source));
  if (open.some(({ entityIds }) => entityIds.includes(entityId))) return true;
  return open.some(({ entityIds }) => entityIds.length === 0) ? undefined : false;
}
