import type { Clock, ModuleOptions } from '@watchword/protocol';
import type { AlgorithmPolicy } from '../signature/signature-rules.ts';
import { certificateEnd } from './certificate.ts';
import type { ProviderDirectory } from './directory.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { expiredError, loadMetadata, type MetadataSource } from './source.ts';

export interface RefresherDependencies {
  readonly directory: ProviderDirectory;
  readonly policy: AlgorithmPolicy;
  readonly clock: Clock;
  readonly log: ModuleOptions['log'];
}

// A source that was never loaded is tried again sooner than a source with a valid copy.
const retrySeconds = 60;
const maxUnusableLogged = 10;

/** The last valid copy of a source. */
interface Copy {
  readonly etag: string | undefined;
  /** Epoch milliseconds. */
  readonly validUntil: number;
}

/** The loads of a source that have failed since the last one that succeeded. */
interface Failure {
  /** Epoch milliseconds: the first of them. */
  readonly since: number;
  /** The reason of the last one. */
  readonly reason: string;
}

/** Loads metadata again at intervals. When a load fails, the last valid copy is used until it expires. */
export class MetadataRefresher {
  readonly #deps: RefresherDependencies;
  readonly #sources: readonly MetadataSource[];
  /** Index of the first of these sources in the directory. */
  readonly #offset: number;
  readonly #copies = new Map<MetadataSource, Copy>();
  readonly #failures = new Map<MetadataSource, Failure>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(deps: RefresherDependencies, sources: readonly MetadataSource[], offset: number) {
    this.#deps = deps;
    this.#sources = sources;
    this.#offset = offset;
  }

  /** Resolves after one attempt to load every source, successful or not. */
  async start(): Promise<void> {
    await Promise.all(this.#sources.map((source, index) => this.#refresh(source, index)));
  }

  /** Whether the metadata of the source was loaded since the start. */
  isLoaded(source: MetadataSource): boolean {
    return this.#copies.has(source);
  }

  /** Which sources could not be loaded the last time, in sentences for the operator. */
  problems(): string[] {
    return [...this.#failures].map(([source, { since, reason }]) => {
      const copy = this.#copies.get(source);
      const used =
        copy === undefined ? 'No copy was loaded since the start.' : useOf(copy, this.#deps.clock.now());
      const time = new Date(since).toISOString();
      return `The metadata ${source.location} could not be loaded since ${time}: ${reason.replace(/\.$/, '')}. ${used}`;
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #refresh(source: MetadataSource, index: number): Promise<void> {
    const isAvailable = await this.#load(source, index);
    if (this.#isClosed) return;
    const seconds = isAvailable ? source.refresh : Math.min(source.refresh, retrySeconds);
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
        if (copy !== undefined && copy.validUntil <= clock.now()) throw expiredError(copy.validUntil);
        this.#failures.delete(source);
        return true;
      }
      const { unusable } = read;
      const providers = this.#unclaimed(read.providers, index);
      directory.replace(this.#offset + index, providers);
      this.#copies.set(source, { etag, validUntil: read.validUntil });
      this.#failures.delete(source);
      log('info', 'metadata of identity providers was loaded', {
        source: location,
        identityProviders: providers.length,
        validUntil: Number.isFinite(read.validUntil) ? new Date(read.validUntil).toISOString() : 'no expiry',
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
      if (providers.length === 1) warnOfExpiredCertificates(providers, clock, log);
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      const { since } = this.#failures.get(source) ?? { since: clock.now() };
      this.#failures.set(source, { since, reason });
      log(
        'error',
        'metadata of identity providers could not be loaded; the last valid copy, if any, stays in use',
        {
          source: location,
          reason,
        },
      );
      return this.#copies.has(source);
    }
  }

  /**
   * An entity id that an earlier source names comes from that source only, even while that source fails. Otherwise a member
   * of a federation could take the place of an identity provider that the operator configured by itself.
   */
  #unclaimed(providers: readonly IdentityProvider[], index: number): readonly IdentityProvider[] {
    const claimed = new Set(this.#sources.slice(0, index).flatMap(({ entityIds }) => entityIds));
    return claimed.size === 0 ? providers : providers.filter(({ entityId }) => !claimed.has(entityId));
  }
}

/** Warns of expired certificates. They stay valid here, but the operator of the identity provider may have missed a renewal. */
export function warnOfExpiredCertificates(
  providers: readonly IdentityProvider[],
  clock: Clock,
  log: ModuleOptions['log'],
): void {
  for (const { entityId, certificates } of providers) {
    const ended = certificates.map(certificateEnd).find((end) => end !== undefined && end < clock.now());
    if (ended === undefined) continue;
    log(
      'warn',
      'a certificate of an identity provider has expired; it stays in use, because its key is trusted by the metadata',
      {
        provider: entityId,
        until: new Date(ended).toISOString(),
      },
    );
  }
}

function useOf({ validUntil }: Copy, now: number): string {
  if (!Number.isFinite(validUntil)) return 'The last copy, which does not expire, is in use.';
  const end = new Date(validUntil).toISOString();
  return validUntil > now ? `The last copy is in use until ${end}.` : `The last copy expired at ${end}.`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
