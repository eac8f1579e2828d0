import { passkeyLogin } from '@watchword/accounts';
import {
  type AuthenticationModuleFactory,
  type CredentialStore,
  type Instruments,
  OAuthError,
  type Passwords,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { Configuration } from '../../config/settings.ts';
import { QueueFullError } from '../../modules/authentication/bounded-queue.ts';
import { passwordModule } from '../../modules/authentication/password.ts';
import { argon2Hasher, type PasswordHasher } from '../../modules/authentication/password-hasher.ts';
import type { Place } from '../../place.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Metrics } from '../../runtime/metrics/metrics.ts';
import { RefusedPasswords } from '../../runtime/metrics/password-load.ts';
import { passwordsAtATime, systemRandom, threads } from '../../system.ts';
import type { Mailing } from './mailing.ts';
import { refusalsIn, relyingPartyOf } from './passkeys.ts';

/** What is there once the database is open. Modules are made before that, so that one that cannot be loaded does not change the database. */
interface Opened {
  store(): Pick<Store, 'accounts' | 'credentials' | 'outgoingMail'>;
  digestKey(): Uint8Array;
  mailing(): Pick<Mailing, 'sendMail' | 'mailLimits'>;
  readonly instruments: Pick<Instruments, 'factorPresented'>;
}

/** The built-in module `password`. In addition to the services of every module it has the accounts. */
export function passwordFactory(
  { store, digestKey, mailing, instruments }: Opened,
  hasher: PasswordHasher,
  configuration: Pick<Configuration, 'passkeys.relyingPartyId'>,
): AuthenticationModuleFactory {
  return ({ log, services: { baseUrl, clock, loginAttempts, oneTime, random } }) => {
    const onRefused = refusalsIn((...line) => log('info', ...line));
    const relyingParty = relyingPartyOf(baseUrl, configuration['passkeys.relyingPartyId']);
    const credentials: Pick<CredentialStore, 'findByHandle' | 'use'> = {
      findByHandle: (handle) => store().credentials.findByHandle(handle),
      use: (id, use) => store().credentials.use(id, use),
    };
    return passwordModule({
      byPasskey: relyingParty && {
        accounts: { findById: (id) => store().accounts.findById(id) },
        credentials,
        instruments,
        passkeys: passkeyLogin({ relyingParty, credentials, oneTime, clock, random, onRefused }),
      },
      accounts: {
        find: (username) => store().accounts.find(username),
        hashNear: (id) => store().accounts.hashNear(id),
        replaceHash: (username, from, to) => store().accounts.replaceHash(username, from, to),
      },
      attempts: loginAttempts,
      hasher,
      decoyKey: digestKey,
      async tellOfNewDevice(account, { deviceName: device = '', language: browserLanguage, source }) {
        const { id: accountId, username: name, email: to, locale } = account;
        const { mailLimits, sendMail } = mailing();
        if (sendMail === undefined || to === '' || !(await mailLimits.tells(account, source))) return;
        const values = { name, device, time: clock.now() };
        const language = locale || browserLanguage;
        await sendMail({ kind: 'new_device', accountId, to, language, values }, store());
      },
    });
  };
}

interface HashingPlace {
  readonly configuration: Pick<Configuration, 'passwordHashing.concurrency' | 'passwordHashing.maxWaiting'>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observePasswords'>;
  readonly place: Pick<Place, 'passwordCost' | 'siblings' | 'isFirst'>;
}

/** The queue in which all passwords of this process are hashed. Its load is among the metrics. */
export function hasherOf({ configuration, logger, metrics, place }: HashingPlace): PasswordHasher {
  const { passwordCost, siblings, isFirst } = place;
  const refused = new RefusedPasswords(logger);
  const wanted = configuration['passwordHashing.concurrency'] ?? passwordsAtATime(siblings.count);
  const concurrency = Math.min(wanted, threads());
  if (concurrency < wanted && isFirst) {
    logger.warn(
      { 'passwordHashing.concurrency': wanted, threads: concurrency },
      `passwordHashing.concurrency is ${wanted}, and Node.js has ${concurrency} threads for such work, so ${concurrency} passwords are hashed at a time: start the server with UV_THREADPOOL_SIZE=${wanted + 2} in its environment`,
    );
  }
  const hasher = argon2Hasher({
    random: systemRandom,
    concurrency,
    maxWaiting: configuration['passwordHashing.maxWaiting'],
    onRefused: () => refused.add(hasher.load),
    ...(passwordCost && { cost: passwordCost }),
  });
  metrics.observePasswords(
    () => hasher.load,
    () => refused.count,
  );
  return hasher;
}

// Seconds: longer than the hasher needs for a full queue.
const busyFor = 2;

/** The passwords of the pages on which users set them. They wait in the same queue as logins. */
export function composePasswords(hasher: PasswordHasher): Passwords {
  return {
    hash: (password) => hasher.hash(password).catch(rejectBusy),
    matches: (password, hash = hasher.unmatched, turn) =>
      hasher.matches(password, hash, turn).catch(rejectBusy),
  };
}

function rejectBusy(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw new OAuthError('temporarily_unavailable', { cause: error, retryAfter: busyFor });
}
