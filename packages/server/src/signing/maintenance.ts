import { changeSigningKeys, systemCaller } from '@watchword/administration';
import {
  maintenance,
  missingKeys,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeyChanges,
  signingKeyState,
} from '@watchword/protocol';
import type { Logger } from '../runtime/log/logger.ts';
import { keyMaintenanceInterval } from '../runtime/work/key-rotation.ts';
import type { UnderLease } from '../runtime/work/lease.ts';
import { loadJose } from './load-jose.ts';
import type { SigningDependencies } from './signing-dependencies.ts';
import type { SigningKeys } from './signing-keys.ts';

// Milliseconds. A start does not wait until keys are made, and neither does what follows a start.
const firstRunAfter = 3000;

export interface KeyMaintenanceDependencies extends SigningDependencies {
  readonly keys: SigningKeys;
  readonly make: (algorithm: SigningAlgorithm) => Promise<void>;
}

/** Makes the keys that are missing or due, erases private halves and removes keys. To be called by one node at a time. */
export async function maintainKeys(deps: KeyMaintenanceDependencies): Promise<void> {
  const { keys, make, clock, rules, custody } = deps;
  for (const algorithm of missingKeys(keys.list(), rules, clock.now())) {
    await make(algorithm);
  }
  const before = keys.list();
  if (isEmpty(maintenance(before, rules, clock.now()))) return;
  const changes = await changeSigningKeys(systemCaller, deps, (stored) =>
    maintenance(stored, rules, clock.now()),
  );
  const kept = new Set(keys.list().flatMap(({ kid, privateKey }) => (privateKey ? [kid] : [])));
  for (const key of before) {
    if (kept.has(key.kid) || !isChanged(key, changes)) continue;
    await custody.discard(key.privateKey);
  }
}

/** Maintains the keys after the start, every hour, and when no key can sign. @returns a function that stops it */
export function startKeyMaintenance(
  deps: KeyMaintenanceDependencies & { readonly underLease: UnderLease; readonly logger: Logger },
): () => Promise<void> {
  const { keys, clock, rules, logger, underLease } = deps;
  let underWay: Promise<unknown> = Promise.resolve();
  const run = () => {
    // Before a client waits for it.
    void loadJose();
    underWay = underWay
      .then(() => underLease('signing-keys', () => maintainKeys(deps)))
      .catch((error) =>
        logger.error(
          { err: error },
          'the signing keys could not be maintained; the server continues with its keys and tries again in an hour',
        ),
      );
  };
  const first = setTimeout(run, firstRunAfter).unref();
  const repeated = setInterval(run, keyMaintenanceInterval * 1000).unref();
  let known = keys.list();
  const end = keys.whenChanged(() => {
    for (const key of keys.list()) logChange(key, known, clock.now(), logger);
    known = keys.list();
    if (rules.algorithms.some((algorithm) => keys.signing(algorithm) === undefined)) run();
  });
  return async () => {
    clearTimeout(first);
    clearInterval(repeated);
    end();
    await underWay;
  };
}

function isEmpty({ updated = [], removed = [] }: SigningKeyChanges): boolean {
  return updated.length === 0 && removed.length === 0;
}

function isChanged({ kid }: SigningKey, { updated = [], removed = [] }: SigningKeyChanges = {}): boolean {
  return [...updated, ...removed].some((key) => key.kid === kid);
}

/** Every node logs what it learns, because a change can come from a command, which has no log. */
function logChange(key: SigningKey, before: readonly SigningKey[], now: number, logger: Logger): void {
  const { kid, algorithm, signsFrom, retiredAt, compromisedAt } = key;
  const old = before.find((each) => each.kid === kid);
  const facts = { kid, algorithm };
  const state = signingKeyState(key, now);
  if (compromisedAt !== undefined) {
    if (old?.compromisedAt !== undefined) return;
    logger.warn(facts, 'a signing key is compromised: its tokens are no longer accepted');
  } else if (old === undefined || old.signsFrom !== signsFrom) {
    logger.info({ ...facts, state, signsFrom: isoTime(signsFrom) }, 'a signing key is published');
  } else if (old.retiredAt !== retiredAt && retiredAt !== undefined) {
    logger.info({ ...facts, state, retires: isoTime(retiredAt) }, 'a signing key retires');
  }
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
