import {
  attemptedAccount,
  isUsername,
  leastPasswordCharacters,
  passwordLength,
  waiting,
} from '@watchword/accounts';
import {
  type Account,
  type AccountStore,
  type Authenticated,
  type AuthenticationContext,
  type AuthenticationModule,
  accountIdentityProvider,
  accountPrincipal,
  keyedDigest,
  type LoginAttempts,
  type LoginFormStep,
  type LoginTurn,
  type Submission,
  submitted,
} from '@watchword/protocol';
import { QueueFullError } from './bounded-queue.ts';
import {
  askingForPasskey,
  logInByPasskey,
  type NewDevices,
  type PasskeyModuleDependencies,
} from './passkey.ts';
import type { PasswordHasher } from './password-hasher.ts';

export interface PasswordModuleDependencies extends NewDevices {
  readonly accounts: Pick<AccountStore, 'find' | 'hashNear' | 'replaceHash'>;
  readonly attempts: LoginAttempts;
  readonly hasher: PasswordHasher;
  /** Absent where browsers allow no passkeys. */
  readonly byPasskey?: Omit<PasskeyModuleDependencies, 'attempts' | 'tellOfNewDevice'> | undefined;
  /** Chooses the account that an unknown one resembles. */
  decoyKey(): Uint8Array;
}

// A hash changes rarely while it is checked.
const maxRounds = 3;
// Seconds: longer than the hasher needs for a full queue.
const busyFor = 2;

/** Authenticates users who have a local account: who know its password, or have one of its passkeys. */
export function passwordModule(deps: PasswordModuleDependencies): AuthenticationModule {
  const { byPasskey } = deps;
  const logInByPassword = passwordLogin(deps);
  const offered = (form: LoginFormStep) =>
    byPasskey === undefined ? form : askingForPasskey(form, byPasskey.passkeys);
  return {
    name: accountIdentityProvider,
    label: 'authenticator.password',
    begin: async () => offered({ type: 'form' }),
    async resume(context, submission) {
      const isByPasskey = byPasskey !== undefined && submission.has('passkey');
      const step = isByPasskey
        ? await logInByPasskey(context, submission, { ...deps, ...byPasskey })
        : await logInByPassword(context, submission);
      return step.type === 'form' ? offered(step) : step;
    },
  };
}

/** A keyboard that completes words leaves a space after the user name, and no account has a name with one at its ends. */
function passwordLogin(deps: PasswordModuleDependencies) {
  const { accounts, attempts, hasher } = deps;
  const find = async (username: string) => (isUsername(username) ? accounts.find(username) : undefined);
  /** The account, if users can log in to it. */
  const open = async (username: string) => openAccount(await find(username));

  /**
   * The account, if the password is right. A hash is always computed, and as much is always read before, so that neither the answer
   * nor its time shows whether the account exists.
   */
  const authenticate = async (
    username: string,
    password: string,
    found: Account | undefined,
    turn: LoginTurn,
  ) => {
    let account = openAccount(found);
    const hashOfNobody = await decoyHash(username, deps);
    for (let round = 0; round < maxRounds; round += 1) {
      const hash = account?.passwordHash ?? hashOfNobody;
      const matches = await hasher.matches(password, hash, turn);
      if (!matches || account === undefined) return undefined;
      // The account can change while the hash is computed.
      account = await open(account.username);
      if (account?.passwordHash === hash) return account;
    }
    return undefined;
  };

  /** Whether a login is still valid: the account is not disabled, not changed, and has this password. */
  const stillHolds = async (before: OpenAccount, password: string): Promise<boolean> => {
    const account = await open(before.username);
    if (account === undefined || !isUnchanged(account, before)) return false;
    if (account.passwordHash === before.passwordHash) return true;
    // The hash was strengthened, or the password changed.
    return !hasher.isBusy && hasher.matches(password, account.passwordHash);
  };

  return async (
    context: AuthenticationContext,
    submission: Submission,
  ): Promise<Authenticated | LoginFormStep> => {
    const { source, device } = context;
    const username = submitted(submission, 'username').trim();
    const password = submitted(submission, 'password');
    const stored = await find(username);
    const attempt = [attemptedAccount(username, stored), source, device] as const;
    const turn = attempts.turn(...attempt);
    if (hasher.refuses(turn)) return busy(username);
    const wait = await attempts.begin(...attempt);
    if (wait > 0) return again(username, waiting(wait));
    let account: OpenAccount | undefined;
    try {
      account = await authenticate(username, password, stored, turn);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      await attempts.withdraw(...attempt);
      return busy(username);
    }
    if (account === undefined) return again(username, { status: 403, message: { key: 'login.wrong' } });
    await attempts.succeed(...attempt);
    const found = await strengthen(account, password, deps);
    if (!turn.isKnownDevice) await deps.tellOfNewDevice?.(found, context);
    const known = attempts.remember(attemptedAccount(username, found), device);
    return {
      ...identified(found),
      ...(isTooShort(found, password) && { mustReplacePassword: true }),
      device: known,
      stillHolds: () => stillHolds(found, password),
    };
  };
}

/**
 * The hash that is computed where there is no account: that of another one, always the same for one name. Accounts with imported hashes cost
 * more or less than others, and so do as many of the names that no account has.
 */
async function decoyHash(
  username: string,
  { accounts, hasher, decoyKey }: PasswordModuleDependencies,
): Promise<string> {
  const near = keyedDigest(decoyKey(), ['unknown account', username]);
  return (await accounts.hashNear(near)) ?? hasher.unmatched;
}

/** If the hash was made by another function, or at another cost, stores a new one. Resolves with the account after that. */
async function strengthen(
  account: OpenAccount,
  password: string,
  { accounts, hasher }: PasswordModuleDependencies,
): Promise<OpenAccount> {
  const { username, passwordHash: from } = account;
  if (!hasher.isOutdated(from) || hasher.isBusy) return account;
  const passwordHash = await hasher.hash(password);
  const isReplaced = await accounts.replaceHash(username, from, passwordHash);
  return isReplaced ? { ...account, passwordHash } : account;
}

type OpenAccount = Account & { readonly passwordHash: string };

function openAccount(account: Account | undefined): OpenAccount | undefined {
  if (account === undefined || account.disabled || account.passwordHash === undefined) return undefined;
  return { ...account, passwordHash: account.passwordHash };
}

function isTooShort({ needsLongPassword }: Account, password: string): boolean {
  return needsLongPassword === true && passwordLength(password) < leastPasswordCharacters();
}

/** The form again, with the typed user name if it is a possible user name. */
function again(username: string, step: Partial<LoginFormStep>): LoginFormStep {
  return {
    type: 'form',
    fields: [
      {
        name: 'username',
        label: 'field.username',
        type: 'text',
        autocomplete: 'username',
        value: isUsername(username) ? username : '',
      },
      { name: 'password', label: 'field.password', type: 'password', autocomplete: 'current-password' },
    ],
    ...step,
  };
}

function busy(username: string): LoginFormStep {
  return again(username, { status: 503, retryAfter: busyFor, message: { key: 'login.busy' } });
}

function identified(account: OpenAccount) {
  const { id: stableId } = account;
  return { type: 'authenticated', principal: accountPrincipal(account), stableId, amr: ['pwd'] } as const;
}

/** The same account with the same principal: an account that was created again under the same name has another id. */
function isUnchanged(a: Account, b: Account): boolean {
  return a.id === b.id && JSON.stringify(accountPrincipal(a)) === JSON.stringify(accountPrincipal(b));
}
