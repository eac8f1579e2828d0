terraform {
  required_providers {
    restapi = { source = "Mastercard/restapi", version = "~> 3.0" }
  }
}

variable "terraform_secret" {
  type      = string
  sensitive = true
}

provider "restapi" {
  uri                  = "https://id.example.com"
  write_returns_object = true
  oauth_client_credentials {
    oauth_client_id      = "terraform"
    oauth_client_secret  = var.terraform_secret
    oauth_token_endpoint = "https://id.example.com/oauth2/token"
    oauth_scopes         = ["read", "write"]
  }
}

locals {
  catalog_api = {
    key         = "catalog-api"
    name        = "Catalog API"
    contactName = "Team Catalog"
    scopes      = ["catalog.read", "catalog.write"]
  }
  catalog_web = {
    clientId     = "catalog-web"
    clientName   = "Catalog"
    contactName  = "Team Catalog"
    scopes       = ["catalog.read"]
    redirectUris = ["https://catalog.example.com/callback"]
  }
}

resource "restapi_object" "catalog_api" {
  path      = "/admin/resourceServer"
  data      = jsonencode(local.catalog_api)
  force_new = ["key"]
  ignore_changes_to = split(" ", join(" ", [
    "id secret description resources openToClients openScopes accessTokenFormat loginDetails",
    "contactEmail thumbNailUrl owner ownerAuthority managedBy",
  ]))
}

resource "restapi_object" "catalog_web" {
  path      = "/admin/resourceServer/${restapi_object.catalog_api.id}/client"
  data      = jsonencode(local.catalog_web)
  force_new = ["clientId"]
  ignore_changes_to = split(" ", join(" ", [
    "id secret resourceserver_id description contactEmail thumbNailUrl otherResourceServers",
    "confidential tokenEndpointAuthMethod allowedClientCredentials allowedImplicitGrant",
    "useRefreshTokens skipConsent trusted keepsUserData includePrincipal expireDuration",
    "loginLevel openidScopes claimsInIdToken postLogoutRedirectUris subjectType",
    "sectorIdentifierUri idTokenSignedResponseAlg userinfoSignedResponseAlg",
    "backchannelLogoutUri backchannelLogoutSessionRequired frontchannelLogoutUri",
    "frontchannelLogoutSessionRequired allowedHybrid requirePushedAuthorizationRequests",
    "requireSignedRequestObject requestUris requestObjectSigningAlg jwks jwksUri tokenEndpointAuthSigningAlg",
    "authorizationSignedResponseAlg secretExpires assertionIssuers",
    "dpopBoundAccessTokens tlsClientCertificateBoundAccessTokens policyUri tosUri",
    "attributes managedBy",
  ]))
  lifecycle { replace_triggered_by = [restapi_object.catalog_api.id] }
}

output "catalog_web_secret" {
  value     = try(jsondecode(restapi_object.catalog_web.create_response).secret, null)
  sensitive = true
}
