import {
  accountOfPasskey,
  attemptedAccount,
  isProved,
  type PasskeyLogin,
  passkeyMethods,
  type UnprovedPasskey,
  waiting,
} from '@watchword/accounts';
import {
  type Account,
  type AccountStore,
  type Authenticated,
  type AuthenticationContext,
  accountPrincipal,
  type Credential,
  type CredentialStore,
  type Instruments,
  type LoginAttempts,
  type LoginFormStep,
  type PresentedFactor,
  type Submission,
  submitted,
} from '@watchword/protocol';

export interface NewDevices {
  /** Tells the owner of a login on a device that was not used before. */
  tellOfNewDevice?(
    account: Account,
    context: Pick<AuthenticationContext, 'deviceName' | 'language' | 'source'>,
  ): Promise<void>;
}

export interface PasskeyModuleDependencies extends NewDevices {
  readonly accounts: Pick<AccountStore, 'findById'>;
  readonly credentials: Pick<CredentialStore, 'findByHandle'>;
  readonly attempts: LoginAttempts;
  readonly passkeys: PasskeyLogin;
  readonly instruments: Pick<Instruments, 'factorPresented'>;
}

/** The form, which asks for a passkey of any local account too. */
export function askingForPasskey(form: LoginFormStep, passkeys: PasskeyLogin): LoginFormStep {
  const { options, state } = passkeys.ask();
  return { ...form, passkey: { ...form.passkey, options }, state };
}

/**
 * Logs in with a passkey alone. Nobody guesses one, so whoever has it never waits for what others try: only answers that prove nothing are
 * limited, by their network.
 *
 * @returns the account, or why the form comes again
 */
export async function logInByPasskey(
  context: AuthenticationContext,
  submission: Submission,
  deps: PasskeyModuleDependencies,
): Promise<Authenticated | LoginFormStep> {
  const { accounts, attempts, passkeys, instruments } = deps;
  const note = (outcome: PresentedFactor['outcome']) =>
    instruments.factorPresented({ kind: 'passkey', step: 'first_factor', outcome });
  const { source, device } = context;
  const found = await passkeys.find(submitted(submission, 'passkey'));
  const name = `passkey ${'message' in found ? '' : found.credential.id}`;
  const proved = 'message' in found ? found : await passkeys.prove(found, context.state);
  const id = isProved(proved) ? accountOfPasskey(proved) : undefined;
  const account = id === undefined ? undefined : await accounts.findById(id);
  if (!isProved(proved) || account === undefined || account.disabled) {
    const wait = await attempts.begin(`${name} of ${source}`, source, device);
    note(wait > 0 ? 'limited' : 'failure');
    // Told to nobody but the owner of the passkey.
    return wait > 0
      ? { type: 'form', ...waiting(wait) }
      : refused(isProved(proved) ? withoutAccount(id) : proved);
  }
  note('success');
  const known = attemptedAccount(account.username, account);
  const attempt = [{ ...known, name }, source, device] as const;
  // From now on the network is known. Where others have used up what it may try, nothing is taken back of theirs.
  if ((await attempts.begin(...attempt)) === 0) await attempts.succeed(...attempt);
  if (!attempts.turn(known, source, device).isKnownDevice) await deps.tellOfNewDevice?.(account, context);
  return {
    type: 'authenticated',
    principal: accountPrincipal(account),
    stableId: account.id,
    amr: passkeyMethods(proved),
    acr: 'phr',
    level: 'phr',
    device: attempts.remember(known, device),
    stillHolds: () => stillHolds(account, proved, deps),
  };
}

function refused({ message, unknown }: UnprovedPasskey): LoginFormStep {
  const form = { type: 'form', status: 403, message } as const;
  return unknown === undefined ? form : { ...form, passkey: { options: {}, unknown } };
}

function withoutAccount(id: string | undefined): UnprovedPasskey {
  return { message: { key: id === undefined ? 'passkey.elsewhere' : 'passkey.refused' } };
}

/** The account has not changed, and the passkey was not removed. */
async function stillHolds(
  before: Account,
  { handle = '' }: Credential,
  { accounts, credentials }: Pick<PasskeyModuleDependencies, 'accounts' | 'credentials'>,
): Promise<boolean> {
  const [account, credential] = await Promise.all([
    accounts.findById(before.id),
    credentials.findByHandle(handle),
  ]);
  return account?.revision === before.revision && credential !== undefined;
}
