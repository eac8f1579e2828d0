import type { Clock } from '@watchword/protocol';
import { UpstreamError } from '../upstream-error.ts';
import type { IssuerRule } from './issuer-rule.ts';
import { Kept } from './kept.ts';
import { KeyMissing, loadKeys, type ProviderKeys, type VerifiedToken, verifyToken } from './keys.ts';
import { discover, type ProviderMetadata } from './metadata.ts';
import type { AskProvider } from './requests.ts';
import type { PrivateHosts } from './web-url.ts';

const minute = 60_000;
// A provider can be away for a day without a change of who can log in.
const times = { fresh: 60 * minute, valid: 24 * 60 * minute, pause: minute };

export interface ProviderDependencies {
  readonly ask: AskProvider;
  readonly clock: Clock;
  /** As in the options. */
  readonly signingAlgorithm: string | undefined;
}

/** A provider with what this server has loaded from it. */
export class Provider {
  readonly ask: AskProvider;
  readonly issuers: IssuerRule;
  readonly #signingAlgorithm: string | undefined;
  readonly #metadata: Kept<ProviderMetadata>;
  readonly #keys: Kept<ProviderKeys>;

  /** @param fixed of a provider that has no discovery document */
  constructor(
    issuers: IssuerRule,
    hosts: PrivateHosts,
    { ask, clock, signingAlgorithm }: ProviderDependencies,
    fixed?: ProviderMetadata,
  ) {
    this.ask = ask;
    this.#signingAlgorithm = signingAlgorithm;
    this.issuers = issuers;
    this.#metadata = new Kept(async () => fixed ?? discover(issuers, ask, hosts), clock, times);
    this.#keys = new Kept(async () => loadKeys((await this.metadata()).jwksUri, ask), clock, times);
  }

  /** @throws UpstreamError `unreachable`, `metadata` */
  metadata(): Promise<ProviderMetadata> {
    return this.#metadata.get();
  }

  /** What is known without a request. */
  get known(): ProviderMetadata | undefined {
    return this.#metadata.copy;
  }

  /**
   * Verifies the signature of a token. A key that is not known is asked for, at most once a minute.
   *
   * @throws UpstreamError `signature`, `token`, `unreachable`, `keys`
   */
  async verified(token: string): Promise<VerifiedToken> {
    const algorithms = this.#algorithmsOf(await this.metadata());
    try {
      return await verifyToken(token, await this.#keys.get(), algorithms);
    } catch (error) {
      if (!(error instanceof KeyMissing)) throw error;
    }
    const newer = await this.#keys.again();
    if (newer !== undefined) {
      try {
        return await verifyToken(token, newer, algorithms);
      } catch (error) {
        if (!(error instanceof KeyMissing)) throw error;
      }
    }
    const when = newer === undefined ? ', which were asked for less than a minute ago' : '';
    throw new UpstreamError('signature', `no key of the provider${when} verifies the signature of the token`);
  }

  /** A client that has not registered another algorithm gets RS256 (OpenID Connect Core §3.1.3.7, rule 7), which each provider should offer. */
  #algorithmsOf({ algorithms }: ProviderMetadata): readonly string[] {
    if (this.#signingAlgorithm !== undefined) return [this.#signingAlgorithm];
    return algorithms.includes('RS256') ? ['RS256'] : algorithms;
  }

  /** Sentences for the operator. */
  problems(): string[] {
    return [this.#metadata, this.#keys].flatMap(({ failure, copy }) => {
      if (failure === undefined) return [];
      const since = new Date(failure.since).toISOString();
      const reason = failure.error instanceof Error ? failure.error.message : String(failure.error);
      const use = copy === undefined ? 'Nobody can log in with it.' : 'What was loaded before is in use.';
      return [`The provider ${this.issuers.url} could not be asked since ${since}: ${reason}. ${use}`];
    });
  }
}
