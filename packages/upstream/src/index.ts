// biome-ignore lint/style/noDefaultExport: the package of a module has a default export (docs/guides/authentication-modules.md)
export { oidcModule, oidcModule as default } from './oidc-module.ts';
