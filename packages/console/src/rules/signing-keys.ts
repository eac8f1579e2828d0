/** Milliseconds between the publication of a key and its first signature. */
export const publicationLead = 600_000;

/** Milliseconds for which a key stays in the JWKS after it has ended to sign. */
export const publishedAfter = 86_700_000;

/** Seconds for which caches can have an older JWKS. */
export const keySetMaxAge = 300;
