import { type AccountLinkRouteDependencies, accountLinkRoutes } from './accounts/account-link-routes.ts';
import { type AccountRouteDependencies, accountRoutes } from './accounts/routes.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { auditEventRoutes } from './audit/routes.ts';
import { type BrandingRouteDependencies, brandingRoutes } from './branding/routes.ts';
import { asPermitted, operationRight } from './callers/permitted-caller.ts';
import { type ClientHostRouteDependencies, clientHostRoutes } from './client-hosts/routes.ts';
import { type ToolRouteDependencies, toolRoutes } from './client-hosts/tool-routes.ts';
import { type ClientRouteDependencies, clientRoutes } from './clients/routes.ts';
import { type ClientSecretRouteDependencies, clientSecretRoutes } from './clients/secret-routes.ts';
import { type ConfigurationRouteDependencies, configurationRoutes } from './configuration/routes.ts';
import { type ConfirmationRouteDependencies, confirmationRoutes } from './confirmations/routes.ts';
import type { RequestErrorAdministration } from './errors/request-errors.ts';
import { requestErrorRoutes } from './errors/routes.ts';
import { type FactorRouteDependencies, factorRoutes } from './factors/routes.ts';
import type { GrantAdministration } from './grants/grant-administration.ts';
import { grantRoutes } from './grants/routes.ts';
import {
  type AuthenticatorRouteDependencies,
  authenticatorRoutes,
} from './identity-providers/authenticator-routes.ts';
import type { IdentityProviderAdministration } from './identity-providers/identity-providers.ts';
import { identityProviderRoutes } from './identity-providers/routes.ts';
import { type AccountImportRouteDependencies, accountImportRoutes } from './import/account-import-routes.ts';
import { type InvitationRouteDependencies, invitationRoutes } from './invitations/routes.ts';
import { type KeyRouteDependencies, keyRoutes } from './keys/routes.ts';
import { type LintRouteDependencies, lintRoutes } from './lint/routes.ts';
import { type PrincipalRouteDependencies, principalRoutes } from './principal/routes.ts';
import type { ResourceOwnerAdministration } from './resource-owners/resource-owners.ts';
import { resourceOwnerRoutes } from './resource-owners/routes.ts';
import { type ResourceServerRouteDependencies, resourceServerRoutes } from './resource-servers/routes.ts';
import {
  type UseByOthersRouteDependencies,
  useByOthersRoutes,
} from './resource-servers/use-by-others-routes.ts';
import { type RightRouteDependencies, rightRoutes } from './rights/routes.ts';
import type { Route } from './route.ts';
import { type InitialTokenRouteDependencies, initialTokenRoutes } from './self-registration/routes.ts';
import { type LoginSessionRouteDependencies, loginSessionRoutes } from './sessions/login-session-routes.ts';
import type { LogoutDeliveryAdministration } from './sessions/logout-deliveries.ts';
import { logoutDeliveryRoutes } from './sessions/logout-delivery-routes.ts';
import { type SettingRouteDependencies, settingRoutes } from './settings/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import type { Statistics } from './statistics/statistics.ts';
import { type AccessTokenRouteDependencies, accessTokenRoutes } from './tokens/routes.ts';

interface AdminRouteDependencies
  extends ResourceServerRouteDependencies,
    UseByOthersRouteDependencies,
    ClientRouteDependencies,
    ClientSecretRouteDependencies,
    ClientHostRouteDependencies,
    ToolRouteDependencies,
    ConfigurationRouteDependencies,
    InitialTokenRouteDependencies,
    AccessTokenRouteDependencies,
    AccountRouteDependencies,
    AccountLinkRouteDependencies,
    AccountImportRouteDependencies,
    FactorRouteDependencies,
    InvitationRouteDependencies,
    ConfirmationRouteDependencies,
    PrincipalRouteDependencies,
    KeyRouteDependencies,
    RightRouteDependencies,
    LintRouteDependencies,
    AuthenticatorRouteDependencies,
    SettingRouteDependencies,
    LoginSessionRouteDependencies,
    BrandingRouteDependencies {
  readonly grants: GrantAdministration;
  readonly resourceOwners: ResourceOwnerAdministration;
  readonly identityProviderAdministration: IdentityProviderAdministration;
  readonly logoutDeliveryAdministration: LogoutDeliveryAdministration;
  readonly requestErrorAdministration: RequestErrorAdministration;
  readonly auditLog: AuditLog;
  readonly statistics: Statistics;
}

/** All routes of the administration interface, each with what the table of rights says of it. */
export function adminRoutes(deps: AdminRouteDependencies): Route[] {
  return listedRoutes(deps).map(withRight);
}

function withRight(route: Route): Route {
  const needed = operationRight(route.id);
  return {
    ...route,
    handle: (request) =>
      asPermitted(request.caller, needed, (caller) => route.handle({ ...request, caller })),
  };
}

function listedRoutes(deps: AdminRouteDependencies): Route[] {
  return [
    ...principalRoutes(deps),
    ...statisticsRoutes(deps),
    ...resourceServerRoutes(deps),
    ...useByOthersRoutes(deps),
    ...clientRoutes(deps),
    ...clientSecretRoutes(deps),
    ...clientHostRoutes(deps),
    ...toolRoutes(deps),
    ...configurationRoutes(deps),
    ...rightRoutes(deps),
    ...lintRoutes(deps),
    ...initialTokenRoutes(deps),
    ...accessTokenRoutes(deps),
    ...grantRoutes(deps),
    ...accountRoutes(deps),
    ...accountLinkRoutes(deps),
    ...accountImportRoutes(deps),
    ...factorRoutes(deps),
    ...invitationRoutes(deps),
    ...confirmationRoutes(deps),
    ...resourceOwnerRoutes(deps.resourceOwners),
    ...loginSessionRoutes(deps),
    ...logoutDeliveryRoutes(deps),
    ...identityProviderRoutes(deps),
    ...keyRoutes(deps),
    ...settingRoutes(deps),
    ...authenticatorRoutes(deps),
    ...brandingRoutes(deps),
    ...requestErrorRoutes(deps),
    ...auditEventRoutes(deps),
  ];
}
