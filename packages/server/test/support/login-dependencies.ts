import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountAdministration, systemCaller } from '@watchword/administration';
import type {
  Account,
  AccountStore,
  AuthenticationModule,
  AuthenticationStep,
  LoginAttemptStore,
} from '@watchword/protocol';
import { testLoginAttempts } from '@watchword/server-testkit/people/login-attempts';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import { cheapCost } from '@watchword/server-testkit/servers/server';
import { openServerStore } from '@watchword/store-sql';
import {
  accountRegistration,
  authenticationContext,
  FakeClock,
  memoryStore,
  seededRandom,
} from '@watchword/testkit';
import { passwordModule } from '../../src/modules/authentication/password.ts';
import {
  argon2Hasher,
  type PasswordHasher,
  type PasswordHasherOptions,
} from '../../src/modules/authentication/password-hasher.ts';
import type { LoginLimits } from '../../src/modules/services/login-attempts.ts';

export const password = 'correct horse battery';
export const home = '192.0.2.1';

/** The module `password` with one account, `emma`, whose password is {@link password}. */
export interface LoginDependencies extends AsyncDisposable {
  readonly module: AuthenticationModule;
  readonly accounts: AccountStore;
  readonly attempts: LoginAttemptStore;
  readonly clock: FakeClock;
  /** Hashes that were computed to check a password. */
  readonly hashed: string[];
  /** Reads of accounts by the module. */
  readonly reads: string[];
  readonly hasher: PasswordHasher;
  readonly emma: Account;
  logIn(username: string, password: string, source?: string, device?: string): Promise<AuthenticationStep>;
}

export interface LoginDependenciesOptions {
  readonly store?: 'memory' | 'SQLite';
  readonly limits?: LoginLimits;
  readonly hashing?: Partial<PasswordHasherOptions>;
}

export async function loginDependencies({
  store: kind = 'memory',
  limits,
  hashing = {},
}: LoginDependenciesOptions = {}): Promise<LoginDependencies> {
  const clock = new FakeClock();
  const store = kind === 'memory' ? inMemory() : await inFile(clock);
  const { accounts, loginAttempts, close } = store;
  const hashed: string[] = [];
  const reads: string[] = [];
  const hasher = counting(
    argon2Hasher({ random: seededRandom(), concurrency: 2, cost: cheapCost, ...hashing }),
    hashed,
  );
  const administration = accountAdministration({
    ...store,
    clock,
    random: seededRandom('audit'),
    hashPassword: hasher.hash,
    caller: systemCaller,
  });
  const emma = await administration.create(accountRegistration(), password);
  const attempts = testLoginAttempts({ store: loginAttempts, clock, ...(limits && { limits }) });
  const module = passwordModule({
    accounts: {
      find(username) {
        reads.push('find');
        return accounts.find(username);
      },
      hashNear(id) {
        reads.push('hashNear');
        return accounts.hashNear(id);
      },
      replaceHash: accounts.replaceHash,
    },
    attempts: attempts('password'),
    hasher,
    decoyKey: () => new Uint8Array(32),
  });
  return {
    module,
    accounts,
    attempts: loginAttempts,
    clock,
    hashed,
    reads,
    hasher,
    emma,
    logIn: (username, given, source = home, device) =>
      module.resume(
        authenticationContext({ source, device }),
        new Map([
          ['username', [username]],
          ['password', [given]],
        ]),
      ),
    [Symbol.asyncDispose]: close,
  };
}

/** The result of an answer: the principal, or the message above the form with its status. */
export function outcome(step: AuthenticationStep): string {
  if (step.type === 'authenticated') return `is ${step.principal.name}`;
  if (step.type !== 'form' || typeof step.message !== 'object') return step.type;
  return `${step.message.key} ${step.status ?? 200}`;
}

function inMemory() {
  return { ...memoryStore(), close: async () => {} };
}

async function inFile(clock: FakeClock) {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-test-'));
  const file = join(directory, 'test.db');
  await copyMigrated(file);
  const store = await openServerStore({ database: await databaseFor(file), clock });
  const close = async () => {
    await store.close();
    await dropDatabases(directory);
    await rm(directory, { recursive: true });
  };
  return { ...store, close };
}

function counting(hasher: PasswordHasher, hashed: string[]): PasswordHasher {
  return {
    unmatched: hasher.unmatched,
    get isBusy() {
      return hasher.isBusy;
    },
    get load() {
      return hasher.load;
    },
    refuses: (turn) => hasher.refuses(turn),
    hash: (given) => hasher.hash(given),
    isOutdated: (hash) => hasher.isOutdated(hash),
    matches(given, hash, turn) {
      hashed.push(hash);
      return hasher.matches(given, hash, turn);
    },
  };
}
