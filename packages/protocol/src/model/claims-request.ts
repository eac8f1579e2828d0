/** How one claim is requested (OpenID Connect Core §5.5.1). `null`: as a voluntary claim. */
export type RequestedClaim = null | {
  readonly essential?: boolean;
  readonly value?: RequestedValue;
  readonly values?: readonly RequestedValue[];
};

export type RequestedValue = string | number | boolean;

/** The requested claims by their names. */
export type RequestedClaims = Readonly<Record<string, RequestedClaim>>;

/** The parameter `claims` (OpenID Connect Core §5.5), with claims that the server knows. A part without any is absent. */
export interface ClaimsRequest {
  readonly userinfo?: RequestedClaims;
  readonly id_token?: RequestedClaims;
}
