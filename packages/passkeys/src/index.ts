export {
  type AskedAuthentication,
  type PresentedPasskey,
  readAuthentication,
  type StoredPasskey,
  verifyAuthentication,
} from './authentication.ts';
export {
  type AskedCeremony,
  ceremonyTimeout,
  type Passkey,
  type RelyingParty,
  type UsedPasskey,
} from './ceremony.ts';
export {
  type AskedCreation,
  type AskedRequest,
  type CreationOptions,
  creationOptions,
  type Hint,
  type KnownPasskey,
  type PasskeyUser,
  type RequestOptions,
  requestOptions,
} from './options.ts';
export { type PasskeyCheck, PasskeyError } from './passkey-error.ts';
export { importedKey } from './public-key.ts';
export { verifyRegistration } from './registration.ts';
