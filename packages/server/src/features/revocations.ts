import { RecentRevocations, revocationsEndpoint, WholeRevocations } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { revocationsRoute } from '../http/revocations.ts';
import { PolledRevocationWaits } from '../runtime/revocation-waits.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  'authentication' | 'baseUrl' | 'clock' | 'inFlight' | 'metrics' | 'requests' | 'signing' | 'store'
>;

/** The revocation feed: what resource servers must know that verify JWT access tokens themselves. */
export function revocations({
  authentication,
  baseUrl,
  clock,
  inFlight,
  metrics,
  requests,
  signing,
  store,
}: Parts): Feature {
  const recent = new RecentRevocations(store.revocations, clock);
  const waits = new PolledRevocationWaits(() => recent.refresh());
  inFlight.whenClosing(() => waits.close());
  metrics.observeWaitingForRevocations(() => waits.size);
  const answer = revocationsEndpoint({
    ...authentication,
    clock,
    recent,
    whole: new WholeRevocations(store.revocations, recent, { registry: store.registry, clock }),
    waits,
    signer: signing.signer,
    issuer: baseUrl,
    revokedKeys: () => signing.keys.revoked(),
    monotonic: () => performance.now(),
  });
  return { endpoints: [revocationsRoute(answer, requests)] };
}
