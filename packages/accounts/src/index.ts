export * from './account-page.ts';
export * from './account-rules.ts';
export { passwordEndpoint } from './passwords/password.ts';
export type * from './passwords/password-pages.ts';
export { newResetLink } from './passwords/set-password.ts';
