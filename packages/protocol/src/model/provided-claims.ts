/** The value of a claim of a user (OpenID Connect Core §5.1). */
export type ClaimValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/**
 * Claims of a user by their names, as an authentication module hands them over: for example an e-mail address with
 * `email_verified`. An `address` is an object (§5.1.1).
 */
export type ProvidedClaims = Readonly<Record<string, ClaimValue>>;
