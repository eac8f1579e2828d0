export * from './account-page.ts';
export * from './account-rules.ts';
export type * from './address/address-pages.ts';
export { addressEndpoint } from './address/change-address.ts';
export * from './confirmations.ts';
export * from './connected-applications.ts';
export {
  addFactor,
  addTotp,
  type EnrolmentDependencies,
  factorName,
  type NewTotp,
  newTotp,
  replaceRecoveryCodes,
  type ShownTotp,
  shownTotp,
} from './factors/enrolment.ts';
export { type EnrolmentWay, enrolmentStep } from './factors/enrolment-step.ts';
export { factorState, tellOfFactor } from './factors/factor-events.ts';
export type * from './factors/factor-pages.ts';
export type { FactorDependencies } from './factors/factor-parts.ts';
export { type FactorPolicy, neededBy } from './factors/factor-policy.ts';
export type { FactorSecrets } from './factors/factor-secrets.ts';
export {
  credentialsOf,
  type ImportDependencies,
  type ImportedFactor,
  importedFactors,
  importedFactorsSchema,
} from './factors/imported-factors.ts';
export { factorsEndpoint } from './factors/own-factors.ts';
export type { QrCode } from './factors/qr-code.ts';
export { recoveryWay } from './factors/recovery-way.ts';
export { endWithFactors } from './factors/remove-factor.ts';
export { hasSecondFactor, secondFactor } from './factors/second-factor.ts';
export type * from './factors/second-factor-way.ts';
export { totpEnrolment, totpWay } from './factors/totp-way.ts';
export { trustedBrowsers } from './factors/trusted-browsers.ts';
export { trustingStep } from './factors/trusting-step.ts';
export * from './invitations.ts';
export type * from './links/link-pages.ts';
export * from './links/linked-logins.ts';
export * from './links/links.ts';
export * from './outgoing-mail.ts';
export { type DeletionDependencies, deletionEndpoint } from './own-data/delete-account.ts';
export type * from './own-data/deletion-pages.ts';
export * from './own-data/stored-data.ts';
export * from './passkeys/passkey-data.ts';
export * from './passkeys/passkey-login.ts';
export { passkeyEnrolment, passkeyWay } from './passkeys/passkey-way.ts';
export {
  type ForgottenPasswordEndpoint,
  type ForgottenView,
  forgottenPassword,
} from './passwords/forgotten-password.ts';
export { importedHash } from './passwords/imported-hash.ts';
export { longerPassword } from './passwords/longer-password.ts';
export { passwordEndpoint } from './passwords/password.ts';
export * from './passwords/password-hash.ts';
export type * from './passwords/password-pages.ts';
export { waiting } from './passwords/password-pages.ts';
export {
  canBePassword,
  checkPassword,
  leastPasswordCharacters,
  normalizedPassword,
  passwordLength,
} from './passwords/password-rules.ts';
export { type FirstFactor, newResetLink } from './passwords/reset-link.ts';
export * from './sign-up.ts';
