export type { GroupMember, GroupProvider, GroupProviderFactory } from './group-provider.ts';
// biome-ignore lint/style/noDefaultExport: the package of a module has a default export (docs/guides/authentication-modules.md)
export { samlModule, samlModule as default } from './saml-module.ts';
