import type { Clock, ModuleOptions } from '@watchword/protocol';
import type { AlgorithmPolicy } from '../signature/signature-rules.ts';
import { certificateEnd } from './certificate.ts';
import type { ProviderDirectory } from './directory.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { endedFault, loadMetadata, type MetadataSource } from './source.ts';

export interface RefresherDependencies {
  readonly directory: ProviderDirectory;
  readonly policy: AlgorithmPolicy;
  readonly clock: Clock;
  readonly log: ModuleOptions['log'];
}

// A source that was never there is looked for sooner than one of which there is a copy.
const retrySeconds = 60;
const maxUnusableLogged = 10;

/** The last good one. */
interface Copy {
  readonly etag: string | undefined;
  /** Epoch milliseconds. */
  readonly validUntil: number;
}

/** Keeps what comes from sources fresh: what was good the last time goes on to serve, until its own end. */
export class MetadataRefresher {
  readonly #deps: RefresherDependencies;
  readonly #sources: readonly MetadataSource[];
  /** Where each source's identity providers lie in the directory. */
  readonly #offset: number;
  readonly #copies = new Map<MetadataSource, Copy>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(deps: RefresherDependencies, sources: readonly MetadataSource[], offset: number) {
    this.#deps = deps;
    this.#sources = sources;
    this.#offset = offset;
  }

  /** Resolves when every source was looked at once, whether it was there or not. */
  async start(): Promise<void> {
    await Promise.all(this.#sources.map((source, index) => this.#refresh(source, index)));
  }

  /** Whether there was a good copy since the start. */
  isLoaded(source: MetadataSource): boolean {
    return this.#copies.has(source);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #refresh(source: MetadataSource, index: number): Promise<void> {
    const isThere = await this.#load(source, index);
    if (this.#isClosed) return;
    const seconds = isThere ? source.refresh : Math.min(source.refresh, retrySeconds);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#refresh(source, index);
    }, seconds * 1000);
    timer.unref();
    this.#timers.add(timer);
  }

  async #load(source: MetadataSource, index: number): Promise<boolean> {
    const { directory, policy, clock, log } = this.#deps;
    const { location } = source;
    try {
      const started = performance.now();
      const copy = this.#copies.get(source);
      const { read, etag } = await loadMetadata(source, policy, clock.now(), copy?.etag);
      if (read === undefined) {
        if (copy !== undefined && copy.validUntil <= clock.now()) throw endedFault(copy.validUntil);
        return true;
      }
      const { unusable } = read;
      const providers = this.#unclaimed(read.providers, index);
      directory.replace(this.#offset + index, providers);
      this.#copies.set(source, { etag, validUntil: read.validUntil });
      log('info', 'metadata of identity providers were loaded', {
        source: location,
        identityProviders: providers.length,
        validUntil: Number.isFinite(read.validUntil)
          ? new Date(read.validUntil).toISOString()
          : 'without end',
        milliseconds: Math.round(performance.now() - started),
      });
      for (const { entityId, reason } of unusable.slice(0, maxUnusableLogged)) {
        log('warn', 'an identity provider cannot be used', { source: location, provider: entityId, reason });
      }
      if (unusable.length > maxUnusableLogged) {
        log('warn', 'more identity providers cannot be used', {
          source: location,
          more: unusable.length - maxUnusableLogged,
        });
      }
      if (providers.length === 1) warnOfDates(providers, clock, log);
      return true;
    } catch (error) {
      log(
        'error',
        'metadata of identity providers could not be loaded; the last good copy, if any, goes on to serve',
        {
          source: location,
          reason: reasonOf(error),
        },
      );
      return this.#copies.has(source);
    }
  }

  /**
   * An entity id that an earlier source is there for comes from that source alone, also while it fails: nobody in a
   * federation becomes the identity provider of one's own.
   */
  #unclaimed(providers: readonly IdentityProvider[], index: number): readonly IdentityProvider[] {
    const claimed = new Set(this.#sources.slice(0, index).flatMap(({ entityIds }) => entityIds));
    return claimed.size === 0 ? providers : providers.filter(({ entityId }) => !claimed.has(entityId));
  }
}

/** Says when certificates are past their dates: they still count, but somebody forgot something. */
export function warnOfDates(
  providers: readonly IdentityProvider[],
  clock: Clock,
  log: ModuleOptions['log'],
): void {
  for (const { entityId, certificates } of providers) {
    const ended = certificates.map(certificateEnd).find((end) => end !== undefined && end < clock.now());
    if (ended === undefined) continue;
    log(
      'warn',
      'a certificate of an identity provider is past its date; it counts, for its key is what is trusted',
      {
        provider: entityId,
        until: new Date(ended).toISOString(),
      },
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
