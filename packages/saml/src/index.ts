export type { GroupMember, GroupProvider, GroupProviderFactory } from './principal/group-provider.ts';
// biome-ignore lint/style/noDefaultExport: what a module's package exports (docs/guides/modules.md)
export { samlModule, samlModule as default } from './saml-module.ts';
