import type { Clock } from '@watchword/protocol';
import type { ProviderDirectory } from './directory.ts';
import { isEntityId } from './identity-provider.ts';
import type { MetadataSource } from './source.ts';

export interface ConfiguredDependencies {
  readonly directory: ProviderDirectory;
  readonly sources: readonly MetadataSource[];
  readonly clock: Clock;
  /** Whether the metadata of the source was loaded since the start. */
  isLoaded(source: MetadataSource): boolean;
}

/**
 * Whether users of this identity provider can log in. It is configured when the last valid copy of the metadata has it, or
 * when the configuration names it and no copy was loaded yet. `undefined` while this is unknown: that copy has expired, or a
 * source that can have it was not loaded.
 *
 * @param identityProvider an entity id, or `proxy!provider` for an identity provider behind a proxy
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
