import { importedFactors, importedHash } from '@watchword/administration';
import { isObject, type JsonObject, shellCommand, Violations } from '@watchword/protocol';
import { objectOf, objectsOf, textOf, textsOf, withoutEmpty } from '../json-values.ts';
import { leftOut, type Note, NoteTaker } from '../translation.ts';
import { namedBy, type Roles } from './roles.ts';

export interface MovedUser {
  readonly note: Note;
  /** `undefined` if the user does not come. */
  readonly account: JsonObject | undefined;
}

export async function userOf(given: JsonObject, roles: Roles): Promise<MovedUser> {
  const [username, id] = [textOf(given.username), textOf(given.id)];
  if (given.serviceAccountClientId !== undefined) {
    const reason = 'it is the service account of a client, which acts for itself here without an account';
    return { note: leftOut('account', id, `${username}: ${reason}`), account: undefined };
  }
  const note = new NoteTaker();
  const email = textOf(given.email);
  const groups = textsOf(given.groups);
  const account = withoutEmpty({
    username,
    displayName: [given.firstName, given.lastName].map(textOf).filter(Boolean).join(' '),
    email,
    emailVerified: given.emailVerified === true && email !== '',
    givenName: textOf(given.firstName),
    familyName: textOf(given.lastName),
    ...attributesOf(objectOf(given.attributes), note),
    roles: [...new Set([...roles.of(given), ...roles.ofGroups(groups)])],
    groups,
    disabled: given.enabled === false,
    passwordHash: passwordOf(given, note),
    factors: await factorsOf(given, note),
  });
  noteOthers(given, note);
  return { note: note.of('account', id, username), account };
}

/** Attributes of the same meaning here. */
const claims: Readonly<Record<string, string>> = {
  locale: 'locale',
  phoneNumber: 'phoneNumber',
  nickname: 'nickname',
  picture: 'picture',
  zoneinfo: 'zoneinfo',
};

function attributesOf(attributes: JsonObject, note: NoteTaker): JsonObject {
  const known: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(attributes)) {
    const claim = claims[name];
    if (claim === undefined)
      note.leftOut.push(`the attribute "${name}": accounts have standard claims alone`);
    else known[claim] = textsOf(values)[0];
  }
  return known;
}

function credentialsOf(given: JsonObject): JsonObject[] {
  return objectsOf(given.credentials);
}

function passwordOf(given: JsonObject, note: NoteTaker): unknown {
  const password = credentialsOf(given).find(({ type }) => type === 'password');
  if (password === undefined) return undefined;
  const hash = ofOldRelease(password);
  const read = importedHash(hash);
  if (!('problem' in read)) return hash;
  note.leftOut.push(`its password: ${read.problem}`);
  note.mustDo.push('let the user set a password: by mail, or with a reset link');
  return undefined;
}

/** Keycloak before 8 had the parts of a hash beside each other. */
function ofOldRelease({
  hashedSaltedValue,
  salt,
  hashIterations,
  algorithm,
  ...credential
}: JsonObject): JsonObject {
  if (typeof hashedSaltedValue !== 'string') return credential;
  return { secretData: { value: hashedSaltedValue, salt }, credentialData: { algorithm, hashIterations } };
}

/** Apps for one-time codes, and passkeys. */
async function factorsOf(given: JsonObject, note: NoteTaker): Promise<JsonObject[]> {
  const factors: JsonObject[] = [];
  for (const credential of credentialsOf(given)) {
    const type = textOf(credential.type);
    if (type === 'password') continue;
    const factor = type === 'otp' ? appOf(credential) : await passkeyOf(credential, textOf(given.id));
    if (factor !== undefined) {
      factors.push(factor);
      continue;
    }
    note.leftOut.push(leftOutFactors[type] ?? `a credential of the type "${type}"`);
    if (type !== 'recovery-authn-codes') note.mustDo.push('let the user add the factor again');
  }
  return factors;
}

const otherPasskey = 'a passkey whose key is none for EdDSA, ES256 or RS256';

/** What of each type does not come. Passkeys are for a login without a password, or for a second factor. */
const leftOutFactors: Readonly<Record<string, string>> = {
  otp: 'an app whose codes are not of 6 digits, SHA-1 and 30 seconds',
  webauthn: otherPasskey,
  'webauthn-passwordless': otherPasskey,
};

function appOf({ secretData, credentialData, userLabel }: JsonObject): JsonObject | undefined {
  const { value } = parsed(secretData);
  const { subType, digits, period, algorithm, secretEncoding } = parsed(credentialData);
  const isUsual = subType === 'totp' && digits === 6 && period === 30 && algorithm === 'HmacSHA1';
  if (!isUsual || typeof value !== 'string') return undefined;
  const secret = secretEncoding === 'BASE32' ? value : base32(Buffer.from(value, 'utf8'));
  return { kind: 'totp', secret, ...nameOf(userLabel) };
}

function nameOf(userLabel: unknown) {
  return textOf(userLabel) !== '' && { name: textOf(userLabel).slice(0, 50) };
}

/** The export does not say whether it can be on several devices: its first login here does. The user handle is the id of the user. */
async function passkeyOf(
  { type, credentialData, userLabel }: JsonObject,
  userId: string,
): Promise<JsonObject | undefined> {
  if (leftOutFactors[textOf(type)] !== otherPasskey) return undefined;
  const { credentialId, credentialPublicKey, counter, transports } = parsed(credentialData);
  const passkey = {
    kind: 'passkey',
    credentialId: Buffer.from(textOf(credentialId), 'base64').toString('base64url'),
    publicKey: credentialPublicKey,
    userHandle: Buffer.from(userId).toString('base64url'),
    ...(counter !== undefined && { counter }),
    ...(Array.isArray(transports) && { transports }),
    ...nameOf(userLabel),
  };
  const violations = new Violations();
  await importedFactors([passkey], violations);
  return violations.isEmpty ? passkey : undefined;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6, without padding. */
function base32(octets: Uint8Array): string {
  const bits = Array.from(octets, (octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => digits.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('');
}

function parsed(given: unknown): JsonObject {
  try {
    const value: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function noteOthers(given: JsonObject, note: NoteTaker): void {
  for (const { identityProvider } of objectsOf(given.federatedIdentities)) {
    note.leftOut.push(`the link to the identity provider "${textOf(identityProvider)}"`);
    note.mustDo.push('let the user link the login at that provider again, on the account page');
  }
  for (const action of textsOf(given.requiredActions)) note.leftOut.push(`the required action ${action}`);
  if (!namedBy(given).some((role) => /^realm-management:(?:realm-admin|manage-)/.test(role))) return;
  const command = shellCommand('watchword user set-admin {name} on', { name: textOf(given.username) });
  note.mustDo.push(`it administers the realm; "${command}" makes it an administrator of this server`);
}
